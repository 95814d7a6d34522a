"""Commands of `manage.py`, thin wrappers around functions of other packages."""

"""Commands of `manage.py`, each a few lines over a function of a room below."""

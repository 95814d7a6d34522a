"""The WSGI entry point: `gunicorn hanaarchive.wsgi`."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hanaarchive.settings")

application = get_wsgi_application()

"""The WSGI entry point, for `hanaarchive.web` or any other server."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hanaarchive.settings")

application = get_wsgi_application()

# Freeze all objects loaded so far: each garbage collection that scanned them would delay a request
# by 40 ms.
get_resolver().url_patterns  # noqa: B018
gc.freeze()

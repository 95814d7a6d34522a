"""The WSGI entry point, for `hanaarchive.server` or any other server."""

import gc
import os
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from records.serving.readers import read_by

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hanaarchive.settings")

_django = get_wsgi_application()


def application(wsgi: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Return the response of Django, without a body for HEAD, which Waitress would send."""
    # Another server may not notice readers who go.
    with read_by(wsgi.get("waitress.client_disconnected", lambda: False)):
        response = _django(wsgi, start_response)
    if wsgi["REQUEST_METHOD"] != "HEAD":
        return response
    response.close()
    return ()


# Freeze all loaded objects: scanning them would delay a request by 40 ms.
get_resolver().url_patterns  # noqa: B018
gc.freeze()

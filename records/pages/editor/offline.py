"""The service worker of the editor. It is under the root, because it serves addresses below it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

_SCRIPT: Final = "records/editor/offline.js"


@require_safe
@cache_control(public=True, max_age=3600)
def offline(request: HttpRequest) -> HttpResponse:
    """Return the script. Browsers request it again with each visit to the editor."""
    path = finders.find(_SCRIPT)
    assert isinstance(path, str)
    return HttpResponse(Path(path).read_bytes(), content_type="text/javascript; charset=utf-8")

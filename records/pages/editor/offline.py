"""The service worker of the editor: under the root, as a worker may only serve what is below it."""

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
    """The script; browsers ask for it again with each visit to the editor."""
    found = finders.find(_SCRIPT)
    assert isinstance(found, str)
    return HttpResponse(Path(found).read_bytes(), content_type="text/javascript; charset=utf-8")

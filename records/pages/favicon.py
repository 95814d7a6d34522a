"""/favicon.ico: the icon of the pages, for feed readers and other programs without HTML."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path
from typing import Final

import resvg_py
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from PIL import Image

_SVG: Final = Path(__file__).parent.parent / "static/records/icon.svg"
#: Width and height in pixels.
_SIZES: Final = ((16, 16), (32, 32), (48, 48))


@require_safe
@cache_control(public=True, max_age=7 * 24 * 60 * 60)
def favicon(request: HttpRequest) -> HttpResponse:
    """Return the icon in three sizes."""
    return HttpResponse(_icon(), content_type="image/x-icon")


@cache
def _icon() -> bytes:
    svg = _SVG.read_text(encoding="utf-8").replace("<svg ", '<svg width="48" height="48" ', 1)
    drawn = Image.open(io.BytesIO(resvg_py.svg_to_bytes(svg_string=svg))).convert("RGBA")
    icon = io.BytesIO()
    drawn.save(icon, format="ICO", sizes=_SIZES)
    return icon.getvalue()

"""The picture of a table that other sites show beside a link."""

from __future__ import annotations

import re
import struct
import zlib
from base64 import b64encode
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import vl_convert
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from records.views.drawing import draw, tall
from records.views.embed import speaking
from records.views.frame import position
from records.views.game import record_of
from records.views.keeping import kept_page, of_record
from records.views.replay import replay_of

#: Seconds for which a picture is not asked for again: it changes only when we draw otherwise.
KEPT: Final = 24 * 60 * 60
_SPRITE: Final = Path(__file__).parents[1] / "static/records/cards.svg"
#: The colour of backs, as cards.css has it.
_BACK: Final = "#a3272a"


@require_safe
@kept_page(of_record, for_all=True)
def picture(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """PNG of the table at a position (``3.14``), with ``lang``. Raises Http404 if there is none."""
    record = record_of(request, key)
    with speaking(request):
        replay = replay_of(record)
        here = position(at)
        if replay is None or here is None or here != here.within(replay.counts):
            raise Http404
        svg = draw(replay, here, face)
    headers = {"Cache-Control": f"public, max-age={KEPT}", "Access-Control-Allow-Origin": "*"}
    return HttpResponse(pack(vl_convert.svg_to_png(svg)), content_type="image/png", headers=headers)


@lru_cache(maxsize=1024)  # some kilobytes each
def face(symbol: str, width: int) -> str:
    """A symbol of the sprite as PNG in a data address.

    Drawn once for each width: to draw all cards of a table anew takes three times as long.
    """
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{tall(width)}" '
        f'viewBox="0 0 100 160" color="{_BACK}"><defs>{_symbols()}</defs>'
        f'<use href="#{symbol}" width="100" height="160"/></svg>'
    )
    return f"data:image/png;base64,{b64encode(vl_convert.svg_to_png(svg)).decode()}"


@cache
def _symbols() -> str:
    """What stands in the sprite."""
    found = re.search(r"<svg[^>]*>(.*)</svg>", _SPRITE.read_text(), re.DOTALL)
    assert found is not None, "the sprite is an SVG"
    return found[1]


def pack(png: bytes) -> bytes:
    """The same picture in two thirds of the bytes: it is written for speed, not for the wire.

    Some sites show no picture of more than 600 kB.
    """
    chunks = list(_chunks(png))
    pixels = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    head = [chunk for chunk in chunks if chunk[0] == b"IHDR"]
    packed = [*head, (b"IDAT", zlib.compress(pixels, 4)), (b"IEND", b"")]
    return png[:8] + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in packed
    )


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The parts of a PNG: kind and body."""
    place = 8
    while place < len(png):
        (length,) = struct.unpack_from(">I", png, place)
        yield png[place + 4 : place + 8], png[place + 8 : place + 8 + length]
        place += length + 12

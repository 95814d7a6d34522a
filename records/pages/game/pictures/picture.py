"""The picture of a table for link previews on other sites."""

from __future__ import annotations

import io
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import resvg_py
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from PIL import Image

from records.pages.game.embed import activate_language
from records.pages.game.page import record_of
from records.pages.game.pictures.drawing import RIM, Drawing, draw, frame, ground, tall
from records.pages.game.player_data import replay_of
from records.pages.game.share import WIDTH
from records.serving.cached_responses import cached_page
from records.states import of_record
from records.wording.steps import parse_position

#: Seconds for which clients cache a picture. It changes only with the drawing code.
CACHE_SECONDS: Final = 24 * 60 * 60
_SPRITE: Final = Path(__file__).parents[3] / "static/records/cards.svg"
#: The colour of backs, as in cards.css.
_BACK: Final = "#a3272a"
#: The width at which the pack is drawn: smaller faces are made from it.
_WIDEST: Final = 160
#: Cards in a row of the drawn pack.
_ROW: Final = 10


@require_safe
@cached_page(of_record, public=True, group="picture")
def picture(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """Return the PNG of the table at a position (``3.14``). Raise Http404 without a replay.

    ``lang`` chooses the language.
    """
    record = record_of(request, key)
    with activate_language(request):
        replay = replay_of(record)
        here = parse_position(at)
        if replay is None or here is None or here != here.within(replay.counts):
            raise Http404
        drawing = draw(replay, here)
    headers = {
        "Cache-Control": f"public, max-age={CACHE_SECONDS}",
        "Access-Control-Allow-Origin": "*",
    }
    return HttpResponse(to_png(drawing), content_type="image/png", headers=headers)


def to_png(drawing: Drawing) -> bytes:
    """Return a drawing as PNG with 256 colours, a third of the bytes and time of true colour."""
    png = io.BytesIO()
    table = paint(drawing).quantize(256, Image.Quantize.FASTOCTREE)
    table.save(png, "PNG", compress_level=4)
    return png.getvalue()


def paint(drawing: Drawing, width: int = WIDTH) -> Image.Image:
    """Paint a drawing as a picture of true colour with a width in pixels."""
    scale = width / WIDTH
    table = _ground(width).copy()
    for card in drawing.cards:
        shown = face(card.symbol, round(card.width * scale))
        table.paste(shown, (round(card.x * scale), round(card.y * scale)), shown)
    for card in drawing.frames:
        shown = _frame(card.width, round((card.width + 2 * RIM) * scale))
        corner = (round((card.x - RIM) * scale), round((card.y - RIM) * scale))
        table.paste(shown, corner, shown)
    for box, svg in drawing.letterings:
        shown = _render_lettering(svg, round(box.width * scale))
        table.paste(shown, (round(box.x * scale), round(box.y * scale)), shown)
    return table


@lru_cache(maxsize=64)
def _frame(width: int, pixels: int) -> Image.Image:
    """Return the frame of a card of a width, as an image with a width in pixels."""
    return _render_svg(frame(width), pixels)


@lru_cache(maxsize=32)  # up to 400 kB each; the next picture of a month shares most letterings
def _render_lettering(svg: str, pixels: int) -> Image.Image:
    return _render_svg(svg, pixels)


@lru_cache(maxsize=512)  # some 20 kB each
def face(symbol: str, width: int) -> Image.Image:
    """Return a symbol of the sprite with a width in pixels."""
    return _pack()[symbol].resize((width, tall(width)), Image.Resampling.LANCZOS, reducing_gap=2.0)


@cache
def _pack() -> dict[str, Image.Image]:
    """Return all cards by their symbols, drawn in one go because reading the sprite takes long."""
    source = _SPRITE.read_text(encoding="utf-8")
    inner = re.search(r"<svg[^>]*>(.*)</svg>", source, re.DOTALL)
    assert inner is not None, "the sprite is an SVG"
    symbols = re.findall(r'<symbol id="(card-[^"]+)"', source)
    width, height = _WIDEST, tall(_WIDEST)
    corners = [(i % _ROW * width, i // _ROW * height) for i in range(len(symbols))]
    uses = "".join(
        f'<use href="#{symbol}" x="{x}" y="{y}" width="{width}" height="{height}"/>'
        for symbol, (x, y) in zip(symbols, corners, strict=True)
    )
    sheet = _render_svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_ROW * width}" '
        f'height="{corners[-1][1] + height}" color="{_BACK}"><defs>{inner[1]}</defs>{uses}</svg>'
    )
    return {
        symbol: sheet.crop((x, y, x + width, y + height))
        for symbol, (x, y) in zip(symbols, corners, strict=True)
    }


@cache
def _ground(width: int) -> Image.Image:
    return _render_svg(ground(), width).convert("RGB")


def _render_svg(svg: str, width: int | None = None) -> Image.Image:
    return Image.open(io.BytesIO(resvg_py.svg_to_bytes(svg_string=svg, width=width))).convert(
        "RGBA"
    )

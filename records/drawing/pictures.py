"""Drawing of pictures: cards and lettering on a table of felt, painted as PNG.

A picture has the size that sites request for previews of links.
"""

from __future__ import annotations

import io
import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import resvg_py
from django.http import HttpResponse
from django.utils.html import escape
from PIL import Image

from records.wording.cards import card_views

#: Pixels of a picture: the size that sites request for link previews.
WIDTH, HEIGHT = 1200, 630
#: A card's height by its width.
_TALL: Final = 1.6
MARGIN: Final = 36
#: The symbol of a frame, and its pixels outside of the card.
FRAME: Final = "frame"
RIM: Final = 4
FELT, FELT_DEEP, LINE, CREAM, SOFT, GOLD = (
    *("#2c5d49", "#1a392d", "#477a64", "#f3efe2", "#c4d8cc", "#f0c64a"),
)
_LATIN: Final = "Liberation Sans, DejaVu Sans, Helvetica, Arial, sans-serif"
_JAPANESE: Final = (
    "Noto Sans CJK JP, Noto Sans JP, Hiragino Sans, IPAPGothic, IPAGothic, Liberation Sans, "
    "DejaVu Sans, sans-serif"
)
#: Characters not allowed in XML, and direction marks, which would be drawn as boxes.
_UNDRAWN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufffe\uffff]"
)
#: A word with the blanks after it, or a Japanese phrase: kanji or katakana, following hiragana, and
#: punctuation.
_PHRASE: Final = re.compile(
    r"[^\s\u3000-\u9fff\uff00-\uffef]+\s*|\s"
    r"|(?:(?:[\u4e00-\u9fff々]+|[ァ-ヴー]+)[ぁ-ゖ]*|[ぁ-ゖ]+|.)[、。」』）！？・：]*"
)
_SPRITE: Final = Path(__file__).parents[1] / "static/records/cards.svg"
#: The colour of backs, as in cards.css.
_BACK: Final = "#a3272a"
#: The width of the drawn pack, from which smaller faces are scaled.
_WIDEST: Final = 160
#: Cards in a row of the drawn pack.
_ROW: Final = 10


class Box(NamedTuple):
    """A part of the picture, in pixels."""

    x: float
    y: float
    width: float
    height: float


class Placed(NamedTuple):
    """A card or a frame on the table: symbol, corner and width, in whole pixels."""

    symbol: str
    x: int
    y: int
    width: int


class Lettering(NamedTuple):
    """A piece of SVG and its place."""

    box: Box
    svg: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """A table in layers: cards, frames above the cards, lettering above the frames.

    Later cards lie over earlier cards.
    """

    cards: tuple[Placed, ...]
    frames: tuple[Placed, ...]
    letterings: tuple[Lettering, ...]


def ground() -> str:
    """Return the SVG below the cards.

    The table has one colour: a gradient takes half the time of a picture and a third of the bytes.
    """
    return _svg(
        Box(0, 0, WIDTH, HEIGHT),
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{FELT_DEEP}"/>'
        f'<rect x="8" y="8" width="{WIDTH - 16}" height="{HEIGHT - 16}" rx="14" fill="{FELT}"/>',
    )


def frame(width: int) -> str:
    """Return the SVG of the frame around a card, with `RIM` pixels on each side."""
    inner, high = width + 2, tall(width) + 2
    return _svg(
        Box(0, 0, width + 2 * RIM, tall(width) + 2 * RIM),
        f'<rect x="{RIM - 1}" y="{RIM - 1}" width="{inner}" height="{high}" '
        f'rx="{width * 0.08:.1f}" fill="none" stroke="{GOLD}" stroke-width="5"/>',
    )


def _svg(box: Box, parts: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{box.width:g}" height="{box.height:g}" '
        f'viewBox="{box.x:g} {box.y:g} {box.width:g} {box.height:g}">{parts}</svg>'
    )


def make_lettering(box: Box, *parts: str) -> Lettering:
    """Return parts of SVG in the coordinates of the picture as lettering of a box."""
    return Lettering(box, _svg(box, "".join(parts)))


class Cards:
    """Placed cards, and the frames around cards moved by the step."""

    def __init__(self, moved: frozenset[str]) -> None:
        self.moved = moved
        self.placed: list[Placed] = []
        self.frames: list[Placed] = []

    def row(self, letters: str, box: Box) -> None:
        """Place cards side by side from the left: if there are many, smaller, then closer."""
        each = box.width / max(len(letters), 1)
        width = int(min(box.height / _TALL, max(each * 1.35, 36)))
        gap = width + 6.0
        if len(letters) > 1:
            gap = min(gap, (box.width - width) / (len(letters) - 1))
        for place, card in enumerate(card_views(letters)):
            self.place(card.symbol, box.x + place * gap, box.y, width)
            if card.letter in self.moved:
                self.frames.append(self.placed[-1]._replace(symbol=FRAME))

    def place(self, symbol: str, x: float, y: float, width: int) -> None:
        """Place one card at whole pixels, like its face; elsewhere it would blur."""
        self.placed.append(Placed(f"card-{symbol}", round(x), round(y), width))


def tall(width: int) -> int:
    """Return the height of a card of a width."""
    return round(width * _TALL)


def to_png(drawing: Drawing, width: int = WIDTH) -> bytes:
    """Return a drawing as PNG."""
    return encode(paint(drawing, width))


def encode(picture: Image.Image) -> bytes:
    """Return a picture as PNG with 256 colours, a third of the bytes and time of true colour."""
    png = io.BytesIO()
    picture.quantize(256, Image.Quantize.FASTOCTREE).save(png, "PNG", compress_level=4)
    return png.getvalue()


def respond_with(picture: bytes, seconds: int, media: str = "image/png") -> HttpResponse:
    """Return a picture as a response that any client may cache and any site may read."""
    headers = {
        "Cache-Control": f"public, max-age={seconds}",
        "Access-Control-Allow-Origin": "*",
    }
    return HttpResponse(picture, content_type=media, headers=headers)


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


# Text. Its width is estimated from a usual typeface, a little too wide.


def draw_text(
    x: float,
    y: float,
    words: str,
    size: int,
    fill: str,
    *,
    anchor: str = "start",
    bold: bool = False,
    halo: bool = False,
) -> str:
    """Return the SVG of a line of text with its baseline at ``y``."""
    words = _UNDRAWN.sub("", words)
    family = _JAPANESE if any(is_wide(letter) for letter in words) else _LATIN
    more = ' font-weight="700"' if bold else ""
    if halo:
        more += (
            f' stroke="{FELT_DEEP}" stroke-width="6" stroke-linejoin="round" paint-order="stroke"'
        )
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-family="{family}" fill="{fill}" '
        f'text-anchor="{anchor}"{more}>{escape(words)}</text>'
    )


def measure(words: str, size: int) -> float:
    """Return the approximate width of a text."""
    return size * sum(_ems(letter) for letter in words)


def is_wide(letter: str) -> bool:
    """Return whether a letter is as wide as it is high, like Japanese letters."""
    return unicodedata.east_asian_width(letter) in "WF"


@cache
def _ems(letter: str) -> float:
    if is_wide(letter):
        return 1.0
    if unicodedata.combining(letter):
        return 0.0
    return 0.85 if letter in "mwMW@%" else 0.7 if letter.isupper() else 0.56


def cut(words: str, room: float, size: int) -> str:
    """Return a text shortened to the available room, in pixels."""
    words = _UNDRAWN.sub("", words)
    if measure(words, size) <= room:
        return words
    while words and measure(words, size) + size > room:
        words = words[:-1]
    return f"{words.rstrip()}…"


def wrap(words: str, room: float, size: int) -> list[str]:
    """Return the lines of a text, broken at blanks or between Japanese phrases.

    A phrase that is longer than a line is broken anywhere.
    """
    pieces = [
        part
        for phrase in _PHRASE.findall(words)
        for part in (phrase if measure(phrase.rstrip(), size) > room else [phrase])
    ]
    lines, line = [], ""
    for piece in pieces:
        if line and measure(line + piece.rstrip(), size) > room:
            lines.append(line.rstrip())
            line = ""
        line += piece
    return [*lines, line.rstrip()]

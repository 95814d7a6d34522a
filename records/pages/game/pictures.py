"""Pictures of a game: the table at a step, a strip of a deal, and an animation."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import resvg_py
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import escape
from django.views.decorators.http import require_safe
from PIL import Image

from records.base import labels
from records.pages.game.embed import activate_language
from records.pages.game.page import HEIGHT, WIDTH, record_of
from records.pages.game.player_data import Replay, replay_of
from records.serving.cached_responses import cached_page
from records.states import of_record
from records.wording.cards import KINDS, card_views
from records.wording.steps import ReplayPosition, amount, parse_position

#: A card's height by its width.
_TALL: Final = 1.6
_MARGIN: Final = 36
#: The height of the words at the foot.
_FOOT: Final = 78
#: The symbol of a frame, and its pixels outside of the card.
FRAME: Final = "frame"
RIM: Final = 4
_FELT, _FELT_DEEP, _LINE, _CREAM, _SOFT, _GOLD = (
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
#: Seconds for which clients cache a picture. It changes only with the drawing code.
CACHE_SECONDS: Final = 24 * 60 * 60
_SPRITE: Final = Path(__file__).parents[2] / "static/records/cards.svg"
#: The colour of backs, as in cards.css.
_BACK: Final = "#a3272a"
#: The width at which the pack is drawn: smaller faces are made from it.
_WIDEST: Final = 160
#: Cards in a row of the drawn pack.
_ROW: Final = 10
#: Pixels of a picture of the animation and of the strip, in its width.
MOVING, STILL = 640, 480
#: Pixels of a small picture, for cards of games.
SMALL: Final = 720
#: Maximum number of pictures; the longest month has some 60 steps. A picture takes up to 25 ms of a
#: core, so that no response takes two seconds of a worker.
MOST_MOVING, MOST_STILL = 64, 30
#: Pictures in a row of the strip, and pixels between.
COLUMNS, GAP = 3, 8
#: Milliseconds of a step, and of the last step.
STEP_TIME, END_TIME = 900, 3000
_COLOURS: Final = 96
_PAPER: Final = (247, 242, 230)


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
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{_FELT_DEEP}"/>'
        f'<rect x="8" y="8" width="{WIDTH - 16}" height="{HEIGHT - 16}" rx="14" fill="{_FELT}"/>',
    )


def frame(width: int) -> str:
    """Return the SVG of the frame around a card, with `RIM` pixels on each side."""
    inner, high = width + 2, tall(width) + 2
    return _svg(
        Box(0, 0, width + 2 * RIM, tall(width) + 2 * RIM),
        f'<rect x="{RIM - 1}" y="{RIM - 1}" width="{inner}" height="{high}" '
        f'rx="{width * 0.08:.1f}" fill="none" stroke="{_GOLD}" stroke-width="5"/>',
    )


def draw(replay: Replay, here: ReplayPosition) -> Drawing:
    """Draw the table at a position of the replay."""
    deal = replay.deals[here.deal - 1]
    step = deal["steps"][here.step]
    cards = _Cards(frozenset(step["card"] + step["take"]))
    letterings = [
        _make_lettering(Box(0, 12, WIDTH, 40), *_head(replay, deal)),
        _middle(step, cards),
    ]
    # A seat that sits out is not drawn.
    nearest, *opposite = [
        seat for seat in range(1, len(replay.players) + 1) if _is_playing(step, seat)
    ] or [1]
    width = (WIDTH - 2 * _MARGIN + 24) / max(len(opposite), 1)
    for place, seat in enumerate(reversed(opposite)):
        box = Box(_MARGIN + place * width, 58, width - 24, 158)
        letterings.append(_seat(replay, deal, step, seat, box, cards))
    box = Box(_MARGIN, 368, WIDTH - 2 * _MARGIN, 172)
    letterings.append(_seat(replay, deal, step, nearest, box, cards))
    words = _words(replay.tell(deal, step))
    letterings.append(_make_lettering(Box(0, HEIGHT - _FOOT, WIDTH, _FOOT), *words))
    return Drawing(tuple(cards.placed), tuple(cards.frames), tuple(letterings))


def _svg(box: Box, parts: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{box.width:g}" height="{box.height:g}" '
        f'viewBox="{box.x:g} {box.y:g} {box.width:g} {box.height:g}">{parts}</svg>'
    )


def _make_lettering(box: Box, *parts: str) -> Lettering:
    return Lettering(box, _svg(box, "".join(parts)))


def _is_playing(step: Mapping[str, Any], seat: int) -> bool:
    """Return whether a seat has cards on the table."""
    return bool(step["hands"][seat - 1] or step["captured"][seat - 1])


def _head(replay: Replay, deal: Mapping[str, Any]) -> Iterator[str]:
    """Yield the month, the rules, and the name of the archive."""
    grade = labels.grade(deal["grade"]) if deal["grade"] else ""
    title = " · ".join(
        part
        for part in (labels.month(deal["month"]), grade, labels.ruleset(replay.data["rules"]))
        if part
    )
    yield _text(_MARGIN, 38, _cut(title, 880, 20), 20, _SOFT)
    yield _text(WIDTH - _MARGIN, 38, "HanaArchive 花譜", 22, _CREAM, anchor="end", bold=True)


def _middle(step: Mapping[str, Any], cards: _Cards) -> Lettering:
    """Draw the draw pile, with the number of its cards, and the field."""
    parts = []
    stock = Box(_MARGIN, 226, 84, 134)
    if step["stock"]:
        for shift in (6, 3, 0):
            cards.place("back", stock.x + shift, stock.y + shift / 2, 84)
    else:
        parts.append(_slot(stock))
    count, middle = str(step["stock"]), stock.x + stock.width / 2
    parts.append(
        _text(middle, stock.y + 122, count, 26, _CREAM, anchor="middle", bold=True, halo=True)
    )
    cards.row(step["field"], stock._replace(x=stock.x + 130, width=WIDTH - 2 * _MARGIN - 130))
    return _make_lettering(
        Box(stock.x - 6, stock.y - 4, stock.width + 12, stock.height + 8), *parts
    )


def _seat(
    replay: Replay,
    deal: Mapping[str, Any],
    step: Mapping[str, Any],
    seat: int,
    box: Box,
    cards: _Cards,
) -> Lettering:
    """Draw a seat: name, yaku and sum, and below hand and captured cards."""
    hand, captured = step["hands"][seat - 1], _sort_by_kind(step["captured"][seat - 1])
    _holdings(hand, captured, box._replace(y=box.y + 36, height=box.height - 36), cards)
    head = box._replace(height=36)
    return _make_lettering(head, *_draw_name(replay, deal, step, seat, head))


def _draw_name(
    replay: Replay, deal: Mapping[str, Any], step: Mapping[str, Any], seat: int, box: Box
) -> Iterator[str]:
    """Draw the name of a seat, with the badge of the dealer, its yaku and its sum."""
    totals = deal["totals"] if step["kind"] == "end" else deal["before"]
    sum_ = amount(totals[seat - 1], units=replay.units) if replay.units else str(totals[seat - 1])
    sum_ = sum_.replace("-", "−")
    x, base, size = box.x, box.y + 24, 24
    right = box.x + box.width - _width(sum_, size) - 20
    if seat == step["seat"]:
        yield f'<rect x="{x:.1f}" y="{box.y + 2}" width="6" height="26" rx="3" fill="{_GOLD}"/>'
        x += 14
    if seat == deal["dealer"]:
        yield _dealer(x, box.y + 2, labels.dealer_mark(replay.data["rules"]))
        x += 36
    name = _cut(replay.players[seat - 1], right - x, size)
    yield _text(x, base, name, size, _CREAM, bold=True)
    x += _width(name, size) + 16
    yaku = " · ".join(labels.yaku(row["id"]) for row in step["yaku"][seat - 1])
    if yaku and right - x > 100:
        yield _text(x, base, _cut(yaku, right - x, 20), 20, _SOFT)
    yield _text(box.x + box.width, base, sum_, size, _GOLD, anchor="end", bold=True)


def _holdings(hand: str, captured: str, box: Box, cards: _Cards) -> None:
    """Place hand and captured cards side by side if there is room, else one above the other."""
    if not hand or not captured:
        cards.row(hand or captured, box)
    elif box.width > 600:
        half = box._replace(width=box.width / 2 - 16)
        cards.row(hand, half)
        cards.row(captured, half._replace(x=box.x + box.width - half.width))
    else:
        half = box._replace(height=(box.height - 6) / 2)
        cards.row(hand, half)
        cards.row(captured, half._replace(y=box.y + half.height + 6))


def _sort_by_kind(letters: str) -> str:
    """Sort captured cards by kind, as before a player."""
    order = list(KINDS.values())
    views = sorted(card_views(letters), key=lambda card: order.index(card.kind))
    return "".join(card.letter for card in views)


class _Cards:
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


def _slot(box: Box) -> str:
    return (
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" '
        f'rx="8" fill="none" stroke="{_LINE}" stroke-width="2" stroke-dasharray="6 6"/>'
    )


def _dealer(x: float, y: float, mark: str) -> str:
    """Return the badge of the dealer."""
    disc = f'<circle cx="{x + 13:.1f}" cy="{y + 13:.1f}" r="14" fill="{_CREAM}"/>'
    return disc + _text(x + 13, y + 20, mark, 19, _FELT_DEEP, anchor="middle")


def _words(text: str) -> Iterator[str]:
    """Yield the step in words, on two lines at most."""
    yield (
        f'<rect y="{HEIGHT - _FOOT}" width="{WIDTH}" height="{_FOOT}" fill="#000" '
        'fill-opacity="0.28"/>'
    )
    size, room = 24, WIDTH - 2 * _MARGIN
    lines = _wrap(text, room, size)
    if len(lines) > 2:
        lines = [lines[0], _cut(" ".join(lines[1:]), room, size)]
    first = HEIGHT - _FOOT + (47 if len(lines) == 1 else 33)
    for place, line in enumerate(lines):
        yield _text(_MARGIN, first + 30 * place, line, size, _CREAM)


# Text. Its width is estimated from a usual typeface, a little too wide.


def _text(
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
    words = _UNDRAWN.sub("", words)
    family = _JAPANESE if any(_wide(letter) for letter in words) else _LATIN
    more = ' font-weight="700"' if bold else ""
    if halo:
        more += (
            f' stroke="{_FELT_DEEP}" stroke-width="6" stroke-linejoin="round" paint-order="stroke"'
        )
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-family="{family}" fill="{fill}" '
        f'text-anchor="{anchor}"{more}>{escape(words)}</text>'
    )


def _width(words: str, size: int) -> float:
    """Return the approximate width of a text."""
    return size * sum(_ems(letter) for letter in words)


def _wide(letter: str) -> bool:
    """Return whether a letter is as wide as it is high, like Japanese letters."""
    return unicodedata.east_asian_width(letter) in "WF"


@cache
def _ems(letter: str) -> float:
    if _wide(letter):
        return 1.0
    if unicodedata.combining(letter):
        return 0.0
    return 0.85 if letter in "mwMW@%" else 0.7 if letter.isupper() else 0.56


def _cut(words: str, room: float, size: int) -> str:
    """Return a text shortened to the available room, in pixels."""
    words = _UNDRAWN.sub("", words)
    if _width(words, size) <= room:
        return words
    while words and _width(words, size) + size > room:
        words = words[:-1]
    return f"{words.rstrip()}…"


def _wrap(words: str, room: float, size: int) -> list[str]:
    """Return the lines of a text, broken at blanks or anywhere between Japanese characters."""
    lines, line = [], ""
    for piece in re.findall(r"[^\s\u3000-\u9fff\uff00-\uffef]+\s*|\s|.", words):
        if line and _width(line + piece.rstrip(), size) > room:
            lines.append(line.rstrip())
            line = ""
        line += piece
    return [*lines, line.rstrip()]


@require_safe
@cached_page(of_record, public=True, group="picture")
def picture(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """Return the PNG of the table at a position (``3.14``). Raise Http404 without a replay.

    ``lang`` chooses the language, ``size=small`` a picture of `SMALL` pixels.
    """
    width = SMALL if request.GET.get("size") == "small" else WIDTH
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
    return HttpResponse(to_png(drawing, width), content_type="image/png", headers=headers)


def to_png(drawing: Drawing, width: int = WIDTH) -> bytes:
    """Return a drawing as PNG with 256 colours, a third of the bytes and time of true colour."""
    png = io.BytesIO()
    table = paint(drawing, width).quantize(256, Image.Quantize.FASTOCTREE)
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


@require_safe
@cached_page(of_record, public=True, group="picture")
def animation(request: HttpRequest, key: str, deal: str) -> HttpResponse:
    """Return the GIF of a deal, from 1, step by step. Raise Http404 without a replay.

    ``lang`` chooses the language.
    """
    return _respond(request, key, int(deal), "image/gif")


@require_safe
@cached_page(of_record, public=True, group="picture")
def strip(request: HttpRequest, key: str, deal: str) -> HttpResponse:
    """Return the PNG of a deal, from 1, turn by turn. Raise Http404 without a replay.

    ``lang`` chooses the language.
    """
    return _respond(request, key, int(deal), "image/png")


def _respond(request: HttpRequest, key: str, deal: int, media: str) -> HttpResponse:
    record = record_of(request, key)
    with activate_language(request):
        replay = replay_of(record)
        if replay is None or not 1 <= deal <= len(replay.deals):
            raise Http404
        data = to_gif(replay, deal) if media == "image/gif" else to_strip(replay, deal)
    headers = {
        "Cache-Control": f"public, max-age={CACHE_SECONDS}",
        "Access-Control-Allow-Origin": "*",
    }
    return HttpResponse(data, content_type=media, headers=headers)


def to_gif(replay: Replay, deal: int) -> bytes:
    """Return a deal, from 1, step by step, as an endless GIF.

    All pictures have the same colours, so that each contains only the changed part.
    """
    steps = thin_out(range(replay.counts[deal - 1]), MOST_MOVING)
    pictures = [paint(draw(replay, ReplayPosition(deal, step)), MOVING) for step in steps]
    palette = pictures[len(pictures) // 2].quantize(_COLOURS)
    first, *later = [
        picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures
    ]
    gif = io.BytesIO()
    times = [STEP_TIME] * len(later) + [END_TIME]
    first.save(gif, "GIF", save_all=True, append_images=later, duration=times, loop=0)
    return gif.getvalue()


def to_strip(replay: Replay, deal: int) -> bytes:
    """Return a deal, from 1, as a PNG: the dealt table and the table after each turn, in rows."""
    steps = thin_out(turns(replay.deals[deal - 1]["steps"]), MOST_STILL)
    height = round(HEIGHT * STILL / WIDTH)
    rows = -(-len(steps) // COLUMNS)
    columns = min(COLUMNS, len(steps))
    size = (columns * (STILL + GAP) + GAP, rows * (height + GAP) + GAP)
    sheet = Image.new("RGB", size, _PAPER)
    for place, step in enumerate(steps):
        row, column = divmod(place, COLUMNS)
        corner = (GAP + column * (STILL + GAP), GAP + row * (height + GAP))
        sheet.paste(paint(draw(replay, ReplayPosition(deal, step)), STILL), corner)
    png = io.BytesIO()
    sheet.quantize(256, Image.Quantize.FASTOCTREE).save(png, "PNG", compress_level=4)
    return png.getvalue()


def turns(steps: Sequence[dict[str, Any]]) -> list[int]:
    """Return the first and the last step of each turn, as in position.js."""
    last = [
        place
        for place, (step, after) in enumerate(zip(steps, [*steps[1:], None], strict=True))
        if after is None
        or step["kind"] == "deal"
        or (step["turn"], step["seat"]) != (after["turn"], after["seat"])
    ]
    return last if last[0] == 0 else [0, *last]


def thin_out(items: Sequence[int], most: int) -> list[int]:
    """Return at most ``most`` items of a sequence at equal distances, including both ends."""
    if len(items) <= most:
        return list(items)
    return [items[round(place * (len(items) - 1) / (most - 1))] for place in range(most)]

"""Pictures of a game: the table at a step, a strip of a deal, and an animation."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from PIL import Image

from records.base import labels
from records.drawing.pictures import (
    CREAM,
    FELT_DEEP,
    GOLD,
    HEIGHT,
    LINE,
    MARGIN,
    SOFT,
    WIDTH,
    Box,
    Cards,
    Drawing,
    Lettering,
    cut,
    draw_text,
    encode,
    make_lettering,
    measure,
    paint,
    respond_with,
    to_png,
    wrap,
)
from records.pages.game.moment import find_yaku_cards
from records.pages.game.page import record_of
from records.pages.game.player_data import replay_of
from records.pages.game.replayed_game import ReplayedGame
from records.serving.cached_responses import cached_page
from records.serving.computing import compute
from records.serving.parameters import LANG, activate_language, one_of
from records.states import of_record
from records.wording.cards import KINDS, card_views
from records.wording.steps import ReplayPosition, parse_position, plain_amount

#: Maximum age of a picture in client caches. A picture changes only with the drawing code.
CACHE_SECONDS: Final = 24 * 60 * 60
#: The height of the words at the foot.
_FOOT: Final = 78
#: Pixels of a picture of the animation and of the strip, in its width.
MOVING, STILL = 640, 480
#: Pixels of a small picture, for cards of games.
SMALL: Final = 720
#: The size of names and sums in a normal picture, and in a small picture, which has no words at
#: head and foot.
_NAME, _NAME_IN_SMALL = 24, 46
#: Maximum number of pictures; the longest month has some 60 steps. A picture takes up to 25 ms of a
#: core, a response therefore less than two seconds.
MOST_MOVING, MOST_STILL = 64, 30
#: Pictures in a row of the strip, and pixels between.
COLUMNS, GAP = 3, 8
#: Milliseconds of a step, and of the last step.
STEP_TIME, END_TIME = 900, 3000
_COLOURS: Final = 96
_PAPER: Final = (247, 242, 230)


def draw(replay: ReplayedGame, here: ReplayPosition, *, is_small: bool = False) -> Drawing:
    """Draw the table at a position of the replay, for a small picture without head and foot.

    The moved cards have a frame; at the end of a month, the cards of the yaku that were paid.
    """
    deal = replay.deals[here.deal - 1]
    step = deal["steps"][here.step]
    has_score = step["kind"] == "end" and deal["score"]
    lit = find_yaku_cards(replay, deal) if has_score else step["card"] + step["take"]
    cards = Cards(frozenset(lit))
    # From above: the seats opposite, the field, the nearest seat.
    tops = (22, 234, 396) if is_small else (58, 226, 368)
    heights = (192, 134, 212) if is_small else (158, 134, 172)
    letterings = [_middle(step, Box(MARGIN, tops[1], 84, heights[1]), cards)]
    # A seat that sits out is not drawn.
    nearest, *opposite = [
        seat for seat in range(1, len(replay.players) + 1) if _is_playing(step, seat)
    ] or [1]
    width = (WIDTH - 2 * MARGIN + 24) / max(len(opposite), 1)
    for place, seat in enumerate(reversed(opposite)):
        box = Box(MARGIN + place * width, tops[0], width - 24, heights[0])
        letterings.append(_seat(replay, deal, step, seat, box, cards, is_small=is_small))
    box = Box(MARGIN, tops[2], WIDTH - 2 * MARGIN, heights[2])
    letterings.append(_seat(replay, deal, step, nearest, box, cards, is_small=is_small))
    if not is_small:
        letterings.append(make_lettering(Box(0, 12, WIDTH, 40), *_head(replay, deal)))
        words = _words(replay.tell(deal, step))
        letterings.append(make_lettering(Box(0, HEIGHT - _FOOT, WIDTH, _FOOT), *words))
    return Drawing(tuple(cards.placed), tuple(cards.frames), tuple(letterings))


def _is_playing(step: Mapping[str, Any], seat: int) -> bool:
    """Return whether a seat has cards on the table."""
    return bool(step["hands"][seat - 1] or step["captured"][seat - 1])


def _head(replay: ReplayedGame, deal: Mapping[str, Any]) -> Iterator[str]:
    """Yield the month, the rules, and the name of the archive."""
    grade = labels.grade(deal["grade"]) if deal["grade"] else ""
    title = " · ".join(
        part
        for part in (labels.month(deal["month"]), grade, labels.ruleset(replay.data["rules"]))
        if part
    )
    yield draw_text(MARGIN, 38, cut(title, 880, 20), 20, SOFT)
    yield draw_text(WIDTH - MARGIN, 38, "HanaArchive 花譜", 22, CREAM, anchor="end", bold=True)


def _middle(step: Mapping[str, Any], stock: Box, cards: Cards) -> Lettering:
    """Draw the draw pile in a box, with the number of its cards, and the field next to it."""
    parts = []
    if step["stock"]:
        for shift in (6, 3, 0):
            cards.place("back", stock.x + shift, stock.y + shift / 2, 84)
    else:
        parts.append(_slot(stock))
    count, middle = str(step["stock"]), stock.x + stock.width / 2
    parts.append(
        draw_text(middle, stock.y + 122, count, 26, CREAM, anchor="middle", bold=True, halo=True)
    )
    cards.row(step["field"], stock._replace(x=stock.x + 130, width=WIDTH - 2 * MARGIN - 130))
    return make_lettering(Box(stock.x - 6, stock.y - 4, stock.width + 12, stock.height + 8), *parts)


def _seat(
    replay: ReplayedGame,
    deal: Mapping[str, Any],
    step: Mapping[str, Any],
    seat: int,
    box: Box,
    cards: Cards,
    *,
    is_small: bool,
) -> Lettering:
    """Draw a seat: name, yaku and sum, and below hand and captured cards."""
    hand, captured = step["hands"][seat - 1], sort_by_kind(step["captured"][seat - 1])
    size = _NAME_IN_SMALL if is_small else _NAME
    height = size + 12
    _holdings(hand, captured, box._replace(y=box.y + height, height=box.height - height), cards)
    head = box._replace(height=height)
    return make_lettering(head, *_draw_name(replay, deal, step, seat, head, size))


def _draw_name(
    replay: ReplayedGame,
    deal: Mapping[str, Any],
    step: Mapping[str, Any],
    seat: int,
    box: Box,
    size: int,
) -> Iterator[str]:
    """Draw the name of a seat, with the badge of the dealer, its yaku and its sum.

    The badge is left out if it would leave less than five letters of the name.
    """
    player = replay.players[seat - 1]
    sum_ = plain_amount(replay.sums(deal, step)[seat - 1], units=replay.units)
    x, base = box.x, box.y + size
    right = box.x + box.width - measure(sum_, size) - 20
    if seat == step["seat"]:
        bar = f'x="{x:.1f}" y="{box.y + 2}" width="6" height="{size + 2}" rx="3"'
        yield f'<rect {bar} fill="{GOLD}"/>'
        x += 14
    mark = labels.dealer_mark(replay.data["rules"])
    width = max(size * 1.17, measure(mark, round(size * 0.8)) + size * 0.67)
    after = x + width + size / 3
    if seat == deal["dealer"] and after + measure(player[:5], size) <= right:
        yield _draw_badge(x, box.y + 1, width, mark, size)
        x = after
    name = cut(player, right - x, size)
    yield draw_text(x, base, name, size, CREAM, bold=True)
    x += measure(name, size) + size * 0.75
    yaku = " · ".join(labels.yaku(row["id"]) for row in step["yaku"][seat - 1])
    small = round(size / 1.2)
    if yaku and right - x > 4 * size:
        yield draw_text(x, base, cut(yaku, right - x, small), small, SOFT)
    yield draw_text(box.x + box.width, base, sum_, size, GOLD, anchor="end", bold=True)


def _holdings(hand: str, captured: str, box: Box, cards: Cards) -> None:
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


def sort_by_kind(letters: str) -> str:
    """Sort captured cards by kind, as before a player."""
    order = list(KINDS.values())
    views = sorted(card_views(letters), key=lambda card: order.index(card.kind))
    return "".join(card.letter for card in views)


def _slot(box: Box) -> str:
    return (
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" '
        f'rx="8" fill="none" stroke="{LINE}" stroke-width="2" stroke-dasharray="6 6"/>'
    )


def _draw_badge(x: float, y: float, width: float, mark: str, size: int) -> str:
    """Return the badge of the dealer, next to letters of a size."""
    height = size * 1.17
    shape = f'x="{x:.1f}" y="{y}" width="{width:.1f}" height="{height:.1f}" rx="{height / 2:.1f}"'
    pill = f'<rect {shape} fill="{CREAM}"/>'
    base = y + size * 0.875
    return pill + draw_text(
        x + width / 2, base, mark, round(size * 0.8), FELT_DEEP, anchor="middle"
    )


def _words(text: str) -> Iterator[str]:
    """Yield the step in words, on two lines at most."""
    yield (
        f'<rect y="{HEIGHT - _FOOT}" width="{WIDTH}" height="{_FOOT}" fill="#000" '
        'fill-opacity="0.28"/>'
    )
    size, room = 24, WIDTH - 2 * MARGIN
    lines = wrap(text, room, size)
    if len(lines) > 2:
        lines = [lines[0], cut(" ".join(lines[1:]), room, size)]
    first = HEIGHT - _FOOT + (47 if len(lines) == 1 else 33)
    for place, line in enumerate(lines):
        yield draw_text(MARGIN, first + 30 * place, line, size, CREAM)


@require_safe
@cached_page(of_record, parameters=LANG | {"size": one_of(["small"])}, public=True, group="picture")
def picture(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """Return the PNG of the table at a position (``3.14``). Raise Http404 without a replay.

    ``lang`` chooses the language, ``size=small`` a picture of `SMALL` pixels.
    """
    is_small = "size" in request.GET
    record = record_of(request, key)
    with activate_language(request):
        replay = replay_of(record)
        here = parse_position(at)
        if replay is None or here is None or here != here.within(replay.counts):
            raise Http404
        drawing = draw(replay, here, is_small=is_small)
    data = compute(to_png, drawing, SMALL if is_small else WIDTH)
    return respond_with(data, CACHE_SECONDS)


@require_safe
@cached_page(of_record, parameters=LANG, public=True, group="picture")
def animation(request: HttpRequest, key: str, deal: str) -> HttpResponse:
    """Return the GIF of a deal, from 1, step by step. Raise Http404 without a replay.

    ``lang`` chooses the language.
    """
    return _respond(request, key, int(deal), "image/gif")


@require_safe
@cached_page(of_record, parameters=LANG, public=True, group="picture")
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
        data = compute(to_gif if media == "image/gif" else to_strip, replay, deal)
    return respond_with(data, CACHE_SECONDS, media)


def to_gif(replay: ReplayedGame, deal: int) -> bytes:
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


def to_strip(replay: ReplayedGame, deal: int) -> bytes:
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
    return encode(sheet)


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

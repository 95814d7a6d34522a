"""The picture of the standings of a season, for chats and as preview of links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from records.drawing.pictures import (
    CREAM,
    FELT_DEEP,
    GOLD,
    HEIGHT,
    MARGIN,
    SOFT,
    WIDTH,
    Box,
    Drawing,
    cut,
    draw_text,
    make_lettering,
    measure,
)

_RIGHT: Final = WIDTH - MARGIN
_INNER: Final = WIDTH - 2 * MARGIN
#: The height of the head and of the foot, and the greatest height of a row.
_HEAD, _FOOT, _ROW = 96, 66, 92
#: Where changes and names begin.
_CHANGE, _NAME = 112, 206


@dataclass(frozen=True, slots=True)
class PictureRow:
    """A row of the picture. ``change`` is the number of ranks gained by the last evening."""

    rank: str
    name: str
    score: str
    change: int
    is_first: bool


def draw_standings(title: str, rows: Sequence[PictureRow], foot: str) -> Drawing:
    """Draw the rows below each other, with ranks, changes, names and scores."""
    brand = "HanaArchive 花譜"
    room = _INNER - measure(brand, 30) - 30
    head = make_lettering(
        Box(MARGIN, 20, _INNER, 60),
        draw_text(MARGIN, 62, cut(title, room, 34), 34, CREAM, bold=True),
        draw_text(_RIGHT, 62, brand, 30, SOFT, anchor="end", bold=True),
    )
    top = HEIGHT - _FOOT
    last = make_lettering(
        Box(MARGIN, top, _INNER, _FOOT),
        draw_text(MARGIN, top + 42, cut(foot, _INNER, 30), 30, SOFT),
    )
    height = min(_ROW, (HEIGHT - _HEAD - _FOOT) / max(len(rows), 1))
    letterings = [head, last]
    for number, row in enumerate(rows):
        box = Box(MARGIN - 12, _HEAD + number * height, _INNER + 24, height)
        letterings.append(make_lettering(box, *_draw_row(row, box, is_even=number % 2 == 0)))
    return Drawing((), (), tuple(letterings))


def _draw_row(row: PictureRow, box: Box, *, is_even: bool) -> list[str]:
    size = int(box.height * 0.56)
    base = box.y + box.height / 2 + size * 0.36
    colour = GOLD if row.is_first else CREAM
    parts = []
    if is_even:
        parts.append(
            f'<rect x="{box.x}" y="{box.y + 1:.1f}" width="{box.width}" '
            f'height="{box.height - 2:.1f}" rx="8" fill="{FELT_DEEP}" fill-opacity="0.55"/>'
        )
    room = _RIGHT - _NAME - measure(row.score, size) * 1.13 - 30
    parts += [
        draw_text(MARGIN + 50, base, row.rank, size, colour, anchor="end", bold=True),
        draw_text(_NAME, base, cut(row.name, room, size), size, colour, bold=row.is_first),
        draw_text(_RIGHT, base, row.score, size, colour, anchor="end", bold=True),
    ]
    if row.change:
        small = int(size * 0.62)
        middle = box.y + box.height / 2
        side = small * 0.42
        up = -side if row.change > 0 else side
        x = _CHANGE
        points = f"{x},{middle - up * 0.8:.1f} {x + 2 * side:.1f},{middle - up * 0.8:.1f}"
        fill = GOLD if row.change > 0 else SOFT
        parts.append(f'<polygon points="{points} {x + side:.1f},{middle + up:.1f}" fill="{fill}"/>')
        text = str(abs(row.change))
        parts.append(draw_text(x + 2 * side + 8, middle + small * 0.36, text, small, SOFT))
    return parts

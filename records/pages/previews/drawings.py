"""Drawings for previews of links, with few and large words: other sites show them a third as wide.

Each function takes texts in the language of the picture, and cuts them to their room.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

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
    is_wide,
    make_lettering,
    measure,
    tall,
    wrap,
)

_INK, _PAPER, _RULE, _RED = "#27221f", "#f6f2e8", "#d9d1c1", "#8c2426"
_RIGHT: Final = WIDTH - MARGIN
_INNER: Final = WIDTH - 2 * MARGIN
#: The height of the head and of the foot.
_HEAD, _FOOT = 96, 72
#: The minimum height of a seat with cards below the name.
_HIGH: Final = 140
#: The width of bold Latin letters relative to regular letters.
_BOLD: Final = 1.13
#: The five brights (五光), as on the first page.
FAN: Final = "AIcos"
#: Rows in a column of a poster.
_POSTER_ROWS: Final = 7
#: The place of a table in the picture of a study.
TABLE: Final = Box(470, 172, 694, round(694 * HEIGHT / WIDTH))


@dataclass(frozen=True, slots=True)
class SeatResult:
    """A player of a game: name, final sum, and the captured cards of the shown month."""

    name: str
    sum: str
    captured: str
    is_winner: bool


@dataclass(frozen=True, slots=True)
class PreviewSheetRow:
    """A row of a score sheet: the month, and the sums of the players."""

    head: str
    cells: Sequence[str]
    #: The place of the highest sum, None if no player is ahead.
    best: int | None = None


class PosterRow(NamedTuple):
    """A yaku of a poster: name, cards and value."""

    name: str
    letters: str
    worth: str


@dataclass(frozen=True, slots=True)
class PreviewFigure:
    """A figure as text; a share also as a number, with the share that would be even."""

    value: str
    share: float | None = None
    even: float = 0.0


def draw_result(title: str, seats: Sequence[SeatResult], lit: str, foot: str) -> Drawing:
    """Draw the result of a game: a row a seat, with its cards below the name or next to it.

    The cards ``lit`` have a frame.
    """
    cards = Cards(frozenset(lit))
    letterings = [_head(title), _foot(foot)]
    height = (HEIGHT - _HEAD - _FOOT) / len(seats)
    for place, seat in enumerate(seats):
        box = Box(MARGIN, _HEAD + place * height, _INNER, height)
        letterings.append(_seat(seat, box, cards))
    return Drawing(tuple(cards.placed), tuple(cards.frames), tuple(letterings))


def _seat(seat: SeatResult, box: Box, cards: Cards) -> Lettering:
    is_high = box.height > _HIGH
    size = min(64, int(box.height * (0.32 if is_high else 0.5)))
    base = box.y + size * 1.05 if is_high else box.y + box.height * 0.5 + size * 0.36
    room = (_INNER - _BOLD * measure(seat.sum, size) - 60) if is_high else 300.0
    x = box.x + 22
    colour = GOLD if seat.is_winner else CREAM
    name = draw_text(x, base, cut(seat.name, room / _BOLD, size), size, CREAM, bold=True)
    sum_ = draw_text(_RIGHT, base, seat.sum, size, colour, anchor="end", bold=True)
    mark = ""
    if seat.is_winner:
        top = base - size * 0.8
        mark = f'<rect x="{box.x}" y="{top:.1f}" width="9" height="{size}" rx="4" fill="{GOLD}"/>'
    if is_high:
        top = base + size * 0.36
        cards.row(seat.captured, Box(box.x, top, _INNER, box.y + box.height - top - 10))
        box = box._replace(height=size * 1.4)
    else:
        start = x + room + 20
        end = _RIGHT - max(200, _BOLD * measure(seat.sum, size) + 20)
        cards.row(seat.captured, Box(start, box.y + 4, end - start, box.height - 8))
    return make_lettering(box, mark, name, sum_)


def draw_sheet(
    title: str, names: Sequence[str], rows: Sequence[PreviewSheetRow], sums: PreviewSheetRow
) -> Drawing:
    """Draw a score sheet on paper: months below each other, and the sums."""
    paper = Box(MARGIN, _HEAD, _INNER, HEIGHT - _HEAD - 30)
    height = paper.height / (len(rows) + 2)
    columns = _Columns(paper, names, (*rows, sums), height)
    ground = (
        f'<rect x="{paper.x}" y="{paper.y}" width="{paper.width}" height="{paper.height}" rx="8" '
        f'fill="{_PAPER}"/>'
    )
    letterings = [_head(title), make_lettering(paper, ground)]
    for number, row in enumerate((PreviewSheetRow("", names), *rows, sums)):
        box = Box(paper.x, paper.y + number * height, paper.width, height)
        letterings.append(
            make_lettering(box, *columns.draw(row, box, is_bold=row is sums or not number))
        )
    return Drawing((), (), tuple(letterings))


class _Columns:
    """The columns of a sheet: where they end, and the size of their text."""

    def __init__(
        self, paper: Box, names: Sequence[str], rows: Sequence[PreviewSheetRow], height: float
    ) -> None:
        self.head = max(130.0, *(measure(row.head, 26) + 50 for row in rows))
        self.width = (paper.width - self.head) / len(names)
        longest = max(measure(cell, 1) for row in rows for cell in row.cells)
        self.size = min(28, int(height * 0.68), int((self.width - 24) / max(longest, 1)))

    def draw(self, row: PreviewSheetRow, box: Box, *, is_bold: bool) -> Iterator[str]:
        """Draw a row of the sheet, with a line above it."""
        base = box.y + box.height * 0.7
        if row.head:
            yield (
                f'<rect x="{box.x + 14}" y="{box.y:.1f}" width="{box.width - 28}" '
                f'height="{3 if is_bold else 1}" fill="{_INK if is_bold else _RULE}"/>'
            )
            yield draw_text(box.x + 24, base, row.head, self.size, _INK, bold=is_bold)
        for place, cell in enumerate(row.cells):
            end = box.x + self.head + self.width * (place + 1) - 20
            is_best = place == row.best
            yield draw_text(
                *(end, base, cut(cell, self.width - 20, self.size), self.size),
                *(_RED if is_best else _INK,),
                anchor="end",
                bold=is_bold or is_best,
            )


def draw_player(name: str, facts: str, places: Sequence[int], label: str) -> Drawing:
    """Draw a player: name, record, and the places in the newest games with a label."""
    letterings = [_head(""), *_lines(120, ((name, 88, CREAM, 1), (facts, 42, SOFT, 2)))]
    if places:
        parts = [draw_text(MARGIN, 450, label, 30, SOFT)]
        for number, place in enumerate(places):
            x, is_first = MARGIN + 40 + number * 94, place == 1
            parts.append(
                f'<circle cx="{x}" cy="525" r="38" fill="{GOLD if is_first else FELT_DEEP}" '
                f'stroke="{GOLD if is_first else LINE}" stroke-width="2"/>'
            )
            colour = FELT_DEEP if is_first else SOFT
            parts.append(draw_text(x, 541, str(place), 42, colour, anchor="middle", bold=is_first))
        letterings.append(make_lettering(Box(MARGIN, 415, _INNER, 155), *parts))
    return Drawing((), (), tuple(letterings))


def draw_figure(title: str, sentence: str, figure: PreviewFigure, foot: str) -> Drawing:
    """Draw a figure: the sentence, the large value, and a share as a bar with an even share."""
    letterings = [
        _head(""),
        _foot(foot),
        *_lines(100, ((title, 60, CREAM, 1), (sentence, 38, SOFT, 1))),
    ]
    value = draw_text(MARGIN - 4, 400, figure.value, 150, GOLD, bold=True)
    letterings.append(make_lettering(Box(MARGIN - 4, 270, _INNER, 150), value))
    if figure.share is not None:
        bar = (
            f'<rect x="{MARGIN}" y="462" width="{_INNER}" height="44" rx="8" fill="{FELT_DEEP}"/>'
            f'<rect x="{MARGIN}" y="462" width="{_INNER * figure.share:.1f}" height="44" rx="8" '
            f'fill="{GOLD}"/><rect x="{MARGIN + _INNER * figure.even - 3:.1f}" y="450" width="6" '
            f'height="68" fill="{CREAM}"/>'
        )
        letterings.append(make_lettering(Box(MARGIN, 446, _INNER, 76), bar))
    return Drawing((), (), tuple(letterings))


def draw_study(title: str, notes: str, facts: str) -> Drawing:
    """Draw a study: title and notes on the left, room for a table of `TABLE` on the right."""
    lines = ((title, 60, CREAM, 3), (notes, 34, SOFT, 3), (facts, 30, GOLD, 1))
    return Drawing((), (), (_head(""), *_lines(120, lines, TABLE.x - MARGIN - 30)))


def draw_poster(title: str, rows: Sequence[PosterRow]) -> Drawing:
    """Draw yaku in columns: name and value, and below them the cards."""
    cards = Cards(frozenset())
    letterings = [_head(title)]
    columns = max(3, -(-len(rows) // _POSTER_ROWS))
    lines = -(-len(rows) // columns)
    width, height = _INNER / columns, (HEIGHT - _HEAD - 24) / lines
    size = min(26, int(height * 0.3))
    for number, row in enumerate(rows):
        column, line = divmod(number, lines)
        box = Box(MARGIN + column * width, _HEAD + line * height, width - 20, height)
        room = box.width - measure(row.worth, size) - 12
        name = draw_text(box.x, box.y + size, cut(row.name, room, size), size, CREAM)
        worth = draw_text(
            box.x + box.width, box.y + size, row.worth, size, GOLD, anchor="end", bold=True
        )
        letterings.append(make_lettering(box._replace(height=size * 1.4), name, worth))
        top = box.y + size * 1.35
        cards.row(row.letters, Box(box.x, top, box.width, box.y + height - top - 8))
    return Drawing(tuple(cards.placed), (), tuple(letterings))


def draw_sentence(sentence: str) -> Drawing:
    """Draw a sentence above the five brights."""
    cards = Cards(frozenset())
    width = 170
    step = (_INNER - width) / (len(FAN) - 1)
    for place, letter in enumerate(FAN):
        corner = (MARGIN + place * step, HEIGHT - tall(width) - 44)
        cards.row(letter, Box(*corner, width, tall(width)))
    lines = _lines(104, ((sentence, 46, CREAM, 3),))
    return Drawing(tuple(cards.placed), (), (_head(""), *lines))


def _head(title: str) -> Lettering:
    """Draw the title and the name of the archive."""
    brand = "HanaArchive 花譜"
    room = _INNER - measure(brand, 30) - 30
    return make_lettering(
        Box(MARGIN, 20, _INNER, 60),
        draw_text(MARGIN, 62, cut(title, room, 32), 32, SOFT),
        draw_text(_RIGHT, 62, brand, 30, CREAM, anchor="end", bold=True),
    )


def _foot(words: str) -> Lettering:
    top = HEIGHT - _FOOT
    text = draw_text(MARGIN, top + 44, cut(words, _INNER, 32), 32, SOFT)
    return make_lettering(Box(MARGIN, top, _INNER, _FOOT), text)


def _lines(
    y: float, texts: Sequence[tuple[str, int, str, int]], room: float = _INNER
) -> Iterator[Lettering]:
    """Draw texts below each other: words, size, colour, and the maximum number of lines.

    Japanese sentences begin on a line of their own if there is room.
    """
    for words, size, colour, most in texts:
        has_bold = colour == CREAM and not any(map(is_wide, words))
        width = room / _BOLD if has_bold else room
        sentences = re.findall("[^。]+。?", words)
        lines = [line for sentence in sentences for line in wrap(sentence, width, size)]
        if len(lines) > most:
            lines = wrap(words, width, size)
        if len(lines) > most:
            lines = [*lines[: most - 1], cut(" ".join(lines[most - 1 :]), width, size)]
        height = size * 1.35
        for line in lines:
            text = draw_text(MARGIN, y + size, line, size, colour, bold=colour == CREAM)
            yield make_lettering(Box(MARGIN, y, room, height), text)
            y += height
        y += size * 0.4

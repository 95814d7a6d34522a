"""The score sheet of a game (記入式) in words: the table of a page, and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from kafu.rules.names import YAKU
from kafu.score_sheet import (
    Figures,
    MonthSheet,
    SeasonRow,
    SeasonSheet,
    SheetLine,
    SheetMonth,
    SheetSum,
    build_sheet,
)
from records.base import labels
from records.base.csv_cells import safe_cell
from records.shapes.sheets import DrawnGroup, DrawnHead, DrawnRow

#: Abbreviations of 場の種類 on a Japanese sheet: 大大 is a month in which a 二代しばり arises.
_GRADES = {"small": "小", "large": "大", "large2": "大大", "absolute": "絶", "absolute2": "絶絶"}
STONE = "*"


@dataclass(frozen=True, slots=True)
class SheetTable:
    """A sheet: ``heads`` are its rows of head cells, ``columns`` the full names of all columns.

    The first ``lead`` columns are the head of a group, the last is for remarks if ``remarks``.
    """

    heads: list[list[DrawnHead]]
    columns: list[str]
    groups: list[DrawnGroup]
    lead: int = 1
    remarks: bool = False
    #: The yaku in the remarks with their meanings, in English only.
    terms: list[str] = field(default_factory=list)

    @property
    def has_stones(self) -> bool:
        """True if a cell has the sign of the month stone."""
        return any(STONE in cell for _group, row, _cells in self.rows() for cell in row.cells)

    @property
    def has_void(self) -> bool:
        """True if a row is struck out."""
        return any(row.void for group in self.groups for row in group.rows)

    def rows(self) -> Iterator[tuple[DrawnGroup, DrawnRow, list[str]]]:
        """Yield every row with the texts of all its columns."""
        for group in self.groups:
            head = [*group.head, *[""] * (self.lead - len(group.head))]
            for number, row in enumerate(group.rows):
                start = [""] * self.lead if number else head
                yield group, row, [*start, *row.cells, *([row.remark] if self.remarks else [])]


def table_of(text: str, verdict: Mapping[str, Any]) -> SheetTable | None:
    """Return the sheet of a stored game (see `draw_sheet`)."""
    game = read(text).game
    assert game is not None, "canonical text reads"
    return draw_sheet(game, verdict)


def draw_sheet(game: Game, verdict: Mapping[str, Any]) -> SheetTable | None:
    """Return the sheet of a game with its verdict (verdict.md); None without a complete deal."""
    figures = build_sheet(game, verdict)
    players = [labels.person(name) for name in game.players]
    if isinstance(figures, MonthSheet):
        return _months(figures, players)
    return _seasons(figures, players) if figures else None


def to_csv(table: SheetTable) -> str:
    """Return the table as CSV (RFC 4180), with a BOM, by which spreadsheets recognise UTF-8.

    Struck-out sums are in brackets, which keeps spreadsheets from adding them.
    """
    text = io.StringIO()
    text.write("\ufeff")
    writer = csv.writer(text)
    writer.writerow(map(safe_cell, table.columns))
    for _group, row, cells in table.rows():
        first, last = table.lead, table.lead + len(row.cells)
        struck = [
            f"[{cell}]" if row.void and cell and first <= i < last else cell
            for i, cell in enumerate(cells)
        ]
        writer.writerow([safe_cell(struck[0]), *struck[1:]])
    return text.getvalue()


def _months(layout: MonthSheet, players: Sequence[str]) -> SheetTable:
    units = [_("kan"), _("pts")] if layout.kan else []
    month, grade, remarks = _("Month"), _("Grade"), _("Remarks")
    deep = 2 if layout.kan else 1
    head = [
        DrawnHead(month, rows=deep),
        DrawnHead(grade, rows=deep),
        *(DrawnHead(name, columns=deep) for name in players),
        DrawnHead(remarks, rows=deep),
    ]
    flat = [f"{name} {unit}" for name in players for unit in units] or list(players)
    return SheetTable(
        heads=[head, [DrawnHead(unit) for _name in players for unit in units]][:deep],
        columns=[month, grade, *flat, remarks],
        groups=[
            *(_month(row, layout.kan) for row in layout.months),
            *(_sum(row, layout.kan) for row in layout.sums),
        ],
        lead=2,
        remarks=True,
        terms=_terms(layout) if labels.lang() != "ja" else [],
    )


def _terms(layout: MonthSheet) -> list[str]:
    """Return the yaku of a sheet with their meanings, in alphabetical order."""
    lines = (line.label for month in layout.months for line in month.lines)
    ids = {id for label in lines for id in label.split("+") if id in YAKU}
    return sorted(labels.yaku(id) for id in ids)


def _month(month: SheetMonth, kan: bool) -> DrawnGroup:
    rows = [
        DrawnRow(_cells(line.kan, line.points, kan, line.stone), _remark(line), line.void)
        for line in month.lines
    ]
    nothing = (
        DrawnRow([""] * len(month.lines[0].kan) * (2 if kan else 1))
        if month.lines
        else DrawnRow([])
    )
    return DrawnGroup("month", [str(month.month), _grade(month.grade)], rows or [nothing])


def _grade(grade: str | None) -> str:
    if not grade:
        return ""
    if labels.lang() == "ja":
        return _GRADES[grade]
    name = labels.grade_brief(grade.removesuffix("2"))
    return f"{name} × 2" if grade.endswith("2") else name


def _cells(kan: Figures, points: Figures, has_kan: bool, stone: int = 0) -> list[str]:
    """Return the columns of all seats. The star of the stone takes the place of points."""
    cells = []
    for seat, (whole, small) in enumerate(zip(kan, points, strict=True), start=1):
        if has_kan:
            cells.append(_figure(whole))
        star = STONE if seat == stone else ""
        cells.append(_figure(small) or star)
    return cells


def _figure(figure: int | None) -> str:
    """Return a sum with its sign: +8, -4, 0; "" for None."""
    return "" if figure is None else f"{figure:+d}" if figure else "0"


def _remark(line: SheetLine) -> str:
    """Return the 備考 of a line.

    The remark is the yaku, with the reason for half a payment, or the end of a repeated deal.
    """
    yaku = "+".join(labels.dealt(id) if id in YAKU else id for id in line.label.split("+"))
    if line.note == "sage":
        return _("%(yaku)s, half: played on") % {"yaku": yaku}
    if line.note == "torikeshi":
        return _("%(yaku)s, half: called off") % {"yaku": yaku}
    return yaku if line.label else labels.end(line.note)


def _sum(row: SheetSum, kan: bool) -> DrawnGroup:
    text = {
        "total": _("Sum"),
        "board": _("Month stones"),
        "prize": _("Less 10 kan for the prize"),
        "again": _("New total"),
        "kan": _("Points to kan"),
        "rounding": _("Whole kan"),
        "top": _("Top prize"),
        "final": _("Final"),
    }.get(row.kind) or labels.settlement_step(row.kind)
    rows = [DrawnRow(_cells(row.kan, row.points, kan))]
    if row.stones:
        counts = [("", f"{STONE}={count}") for count in row.stones]
        rows.append(DrawnRow([cell for pair in counts for cell in pair]))
    return DrawnGroup(row.kind, [text], rows)


# Seasons or months side by side -------------------------------------------------------------------


def _seasons(layout: SeasonSheet, players: Sequence[str]) -> SheetTable:
    starts = any(row.start for row in layout.rows)
    prizes = any(row.prize for row in layout.rows)
    columns = [
        _("Player"),
        *([_("Start")] if starts else []),
        *(_season(number, *months, layout.year) for number, months in enumerate(layout.seasons)),
        *([_("Subtotal"), _("Prize")] if prizes else []),
        _("Sum"),
    ]
    groups = []
    shown = _figure if _by_month(layout) else str
    for name, row in zip(players, layout.rows, strict=True):
        total = row.subtotal if row.total is None else row.total
        cells = [
            *([str(row.start)] if starts else []),
            *(_column(layout, row, number) for number in range(len(layout.seasons))),
            *([shown(row.subtotal), shown(row.prize) if row.prize else ""] if prizes else []),
            shown(total),
        ]
        groups.append(DrawnGroup("player", [name], [DrawnRow(cells)]))
    return SheetTable([[DrawnHead(text) for text in columns]], columns, groups)


def _by_month(layout: SeasonSheet) -> bool:
    """Return whether each column is a single month. Sums then have signs."""
    return all(first == last for first, last in layout.seasons)


def _column(layout: SeasonSheet, row: SeasonRow, number: int) -> str:
    """Return the text of a player in a column: sums, or ふけ for the seat with fuke."""
    if number in row.fuke:
        return labels.yaku("fuke") if labels.lang() == "ja" else "fuke"
    show = _figure if _by_month(layout) else str
    return " ".join(show(figure) for figure in row.seasons[number])


def _season(number: int, first: int, last: int, year: bool) -> str:
    if first == last:
        return labels.month(first)
    if not year:
        return f"{first}–{last}"
    again, place = divmod(number, 4)
    season = (_("spring"), _("summer"), _("autumn"), _("winter"))[place]
    return _("%(season)s again") % {"season": season} if again else season

"""Conversion of a score notebook into a score sheet, by the rules of a house.

Missing dealers follow from the sums if the rules determine them (S3), and the prizes of koi-koi's
seasons become separate lines (S5). The sheet is written as Kafu, then read and judged like any
other text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from kafu.importers.notebook import table, workbook
from kafu.importers.notebook.layout import NotebookLayout, lay_out, recognises
from kafu.importers.notebook.months import FUKE, MonthReader, MonthRow
from kafu.importers.notebook.table import NotebookCell, Rows, read_table
from kafu.judging.verify import Verification, verify
from kafu.notation.codes import DECODED_NAMES, TOO_MANY_DEALS
from kafu.notation.faults import Fault, Malformed
from kafu.notation.game import Game, Month, Payment
from kafu.notation.reading.amounts import text as amount_text
from kafu.notation.reading.reader import Reading, read
from kafu.notation.stream.cut import single
from kafu.notation.stream.pieces import warn_of_encoding
from kafu.notation.vocabulary import MAX_DEALS, MAX_GAME_BYTES
from kafu.notation.writer import write
from kafu.rules import codes
from kafu.rules.play.actions import Illegal
from kafu.rules.rulesets import RULESETS
from kafu.rules.sheets.form import GameSheet
from kafu.rules.sheets.lines import MONTH

#: The maximum number of listed faults.
MAX_FAULTS: Final = 20
#: A cell with a formula. Spreadsheet programs may store no value for it.
_FORMULA: Final = re.compile(r"=[^\s=]")


@dataclass(slots=True)
class Notebook:
    """A converted table: its months, and the score sheet with its verdict.

    ``date`` is a date above the table, or "".
    ``verification`` is None if there are ``faults``. Lines and columns of faults and warnings are
    rows and columns of the table.
    """

    players: tuple[str, ...] = ()
    date: str = ""
    rows: list[MonthRow] = field(default_factory=list)
    verification: Verification | None = None
    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)

    @property
    def game(self) -> Game | None:
        """Return the score sheet, or None if the table has faults."""
        return None if self.verification is None else self.verification.game

    def placed(self, fault: Fault) -> Fault:
        """Return a fault of the verdict, placed at the cell concerned."""
        row = self.rows[(fault.deal or len(self.rows)) - 1]
        return fault.at(_place_of(fault, row).place)


def read_rows(data: bytes) -> tuple[Rows, list[Fault]]:
    """Return the table of a file (a workbook or text in a supported encoding), with warnings.

    Raises Malformed.
    """
    if len(data) > MAX_GAME_BYTES:
        raise table.too_large()
    if workbook.is_workbook(data):
        sheets = workbook.read_sheets(data)
        if not sheets:
            raise Malformed(Fault(codes.NOTEBOOK_NO_TABLE, 1, 1))
        name, rows = next((sheet for sheet in sheets if recognises(sheet[1])), sheets[0])
        warning = Fault(codes.NOTEBOOK_SHEET, values={"found": name})
        return rows, [warning] if len(sheets) > 1 else []
    piece = single(data)
    if piece is None:  # The file contains a game.
        raise Malformed(Fault(codes.NOTEBOOK_NO_TABLE, 1, 1))
    if piece.fault is not None:
        raise Malformed(piece.fault)
    rows = read_table(piece.text())
    decoded = warn_of_encoding(piece, Reading(None)).warnings
    return rows, [_place_decoded(warning, rows) for warning in decoded]


def _place_decoded(warning: Fault, rows: Rows) -> Fault:
    """Return a warning about the encoding without a place, with the players as decoded names."""
    values = warning.values
    if warning.code is DECODED_NAMES:
        with suppress(Malformed):
            values = {"names": ", ".join(players_of(rows))}
    return replace(warning, line=None, column=None, values=values)


def recognises_text(text: str) -> bool:
    """Return whether a text looks like a score notebook."""
    try:
        return recognises(read_table(text))
    except Malformed:
        return False


def players_of(rows: Rows) -> tuple[str, ...]:
    """Return the names of the players of a table. Raises Malformed."""
    return lay_out(rows).names


def read_notebook(
    data: bytes, ruleset: str, options: Mapping[str, str], *, dealer: int = 1
) -> Notebook:
    """Convert the table of a file, like `convert`."""
    try:
        rows, warnings = read_rows(data)
    except Malformed as malformed:
        return Notebook(faults=[malformed.fault])
    notebook = convert(rows, ruleset, options, dealer=dealer)
    notebook.warnings[:0] = warnings
    return notebook


def convert(rows: Rows, ruleset: str, options: Mapping[str, str], *, dealer: int = 1) -> Notebook:
    """Convert a table into a score sheet by the rules of a house.

    ``dealer`` is the seat of the first dealer, for a table without dealers. The ruleset and its
    options must be valid.
    """
    description = RULESETS[ruleset]
    if formulas := [cell for row in rows for cell in row if _FORMULA.match(cell.text)]:
        return Notebook(faults=list(map(_without_value, formulas[:MAX_FAULTS])))
    try:
        layout = lay_out(rows, kan=description.kan)
    except Malformed as malformed:
        return Notebook(faults=[malformed.fault])
    notebook = Notebook(
        layout.names, date=layout.date, faults=layout.faults, warnings=layout.warnings
    )
    if len(layout.names) not in description.seats:
        notebook.faults.append(_wrong_players(layout, ruleset))
        return notebook
    if not 1 <= dealer <= len(layout.names):
        values = {"found": str(dealer)}
        notebook.faults.append(Fault(codes.NOTEBOOK_SEAT, values=values, expected=layout.names))
        return notebook
    sheet = description.sheet(options, len(layout.names))
    reader = MonthReader(layout, description, sheet)
    notebook.rows = reader.read()
    notebook.faults += reader.faults
    notebook.warnings += reader.warnings
    if not notebook.faults:
        _Composer(notebook, sheet, description.kan).compose(ruleset, options, dealer)
    notebook.faults = sorted(notebook.faults, key=_place)[:MAX_FAULTS]
    return notebook


def _without_value(cell: NotebookCell) -> Fault:
    """Return the fault of a formula, whose value only a spreadsheet can compute."""
    values = {"cell": cell.name, "found": cell.excerpt}
    return Fault(codes.NOTEBOOK_FORMULA, *cell.place, values=values)


def _place(fault: Fault) -> tuple[int, int]:
    return fault.line or 0, fault.column or 0


def _wrong_players(layout: NotebookLayout, ruleset: str) -> Fault:
    seats = RULESETS[ruleset].seats
    due = f"{seats[0]}–{seats[-1]}" if len(seats) > 1 else str(seats[0])
    first = layout.head[layout.players[0]]
    values = {
        "rules": ruleset,
        "due": due,
        "count": len(layout.names),
        "names": ", ".join(name[:40] for name in layout.names),
    }
    return Fault(codes.NOTEBOOK_PLAYERS, *first.place, values=values)


class _Composer:
    """A composer of a score sheet, month by month. It ``is_stuck`` after an illegal month."""

    def __init__(self, notebook: Notebook, sheet: GameSheet, kan: bool) -> None:
        self.notebook, self.sheet, self.kan = notebook, sheet, kan
        self.is_stuck = False

    def compose(self, ruleset: str, options: Mapping[str, str], first: int) -> None:
        """Compose and judge the sheet."""
        rows = self.notebook.rows
        if len(rows) > MAX_DEALS:
            self.notebook.faults.append(_too_many(rows[MAX_DEALS].places["month"]))
            return
        months: list[Month] = []
        for row, following in zip(rows, [*rows[1:], None], strict=True):
            month = self._compose_month(row, months, first)
            if month is None:
                return
            months.append(month)
            self._enter(month, following)
        tags = {"Sheet": "1"} | _date(rows, self.notebook.date)
        ended = not self.is_stuck and self.sheet.may_be_over
        if not ended:
            tags["Termination"] = "unfinished"
        game = Game(ruleset, self.notebook.players, dict(options), tags, months)
        self._judge(game)

    def _compose_month(self, row: MonthRow, months: list[Month], first: int) -> Month | None:
        """Return the month of a row, or None with a fault if its dealer is unknown."""
        before = months[-1] if months else None
        dealer = row.dealer or self._find_dealer(before, first)
        place = row.places["month"].place
        if not dealer:
            self.notebook.faults.append(
                Fault(codes.NOTEBOOK_NO_DEALER, *place, values={"month": row.label})
            )
            return None
        if before is None and all(row.dealer is None for row in self.notebook.rows):
            values = {"name": self.notebook.players[dealer - 1]}
            self.notebook.warnings.append(Fault(codes.NOTEBOOK_FIRST_DEALER, *place, values=values))
        due = before.month + 1 if self.is_stuck and before else self.sheet.number
        month = Month(due if row.number is None else row.number, dealer, ba=row.grade)
        month.stone = row.stone or row.fuke
        month.statements[0].comments += row.comments
        month.payments = self._payments(row)
        return month

    def _find_dealer(self, before: Month | None, first: int) -> int | None:
        """Return the dealer that follows from the month before, or None if it is unknown."""
        if before is None:
            return first
        if before.stone:
            return before.stone
        if self.sheet.stones:
            return None
        # After a fault any dealer will do, because the verdict ends before this month.
        return before.dealer if self.is_stuck else self.sheet.dealer

    def _payments(self, row: MonthRow) -> list[Payment]:
        """Return the payments of a month, with prizes as separate lines (S5).

        A month without a winner has no payments, and ふけ has no points (S6).
        """
        amounts = tuple(amount or 0 for amount in row.amounts)
        if not any(amounts) and not self.sheet.pointed:
            return []
        if row.fuke:
            return [Payment(FUKE, amounts)]
        sums = Payment(MONTH, amounts)
        written = [
            Payment(line.prize, tuple(amount or 0 for amount in line.amounts))
            for line in row.further
            if line.prize
        ]
        prizes = [] if self.is_stuck or written else list(self.sheet.prizes([sums]))
        for prize in prizes:
            seat = prize.amounts.index(max(prize.amounts)) + 1
            cell = row.places[seat]
            values = {
                "month": row.label,
                "name": self.notebook.players[seat - 1],
                "due": amount_text(max(prize.amounts), kan=self.kan),
            }
            self.notebook.warnings.append(Fault(codes.NOTEBOOK_PRIZE, *cell.place, values=values))
        prizes += written
        for prize in prizes:
            sums.amounts = tuple(a - b for a, b in zip(sums.amounts, prize.amounts, strict=True))
        return [sums, *prizes]

    def _enter(self, month: Month, following: MonthRow | None) -> None:
        """Enter a month in the sheet of the ruleset, which determines the next dealer."""
        if self.is_stuck:
            return
        after = None
        if following is not None and following.dealer:
            after = Month(month.month + 1, following.dealer)
        try:
            self.sheet.enter(month, after, open_end=following is None)
        except Illegal:
            self.is_stuck = True  # The verdict reports the reason.

    def _judge(self, game: Game) -> None:
        """Read and judge the sheet like any other text."""
        reading = read(write(game))
        if reading.game is None:
            assert reading.fault is not None
            self.notebook.faults.append(self.notebook.placed(reading.fault))
            return
        verification = verify(reading)
        self.notebook.verification = verification
        dates = [row.places["date"].place for row in self.notebook.rows if row.date]
        self.notebook.warnings += [
            self.notebook.placed(warning) if warning.deal else warning.at([*dates, (1, 1)][0])
            for warning in verification.verdict.warnings
        ]


def _too_many(cell: NotebookCell) -> Fault:
    return Fault(TOO_MANY_DEALS, *cell.place, values={"limit": MAX_DEALS})


def _date(rows: Iterable[MonthRow], title_date: str) -> dict[str, str]:
    """Return the tag of the first date of the months, or of the date above the table."""
    date = next((row.date for row in rows if row.date), title_date)
    return {"Date": date} if date else {}


def _place_of(fault: Fault, row: MonthRow) -> NotebookCell:
    """Return the cell that a fault of a month concerns, by the quoted amount or the statement."""
    for seat, amount in enumerate(row.amounts, start=1):
        for kan in (True, False):
            if amount and fault.values.get("found") == amount_text(amount, kan=kan):
                return row.places[seat]
    spot = "dealer" if "dealer" in fault.code.id else str(next(iter(fault.where), "month"))
    meaning = {"ba": "grade"}.get(spot, spot)
    if spot.startswith("pay."):
        amounts = [amount or 0 for amount in row.amounts]
        return row.places[amounts.index(max(amounts)) + 1]
    return row.places.get(meaning, row.places["month"])

"""The months of a notebook, read from the rows of its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from kafu.importers.notebook import words
from kafu.importers.notebook.layout import NotebookLayout
from kafu.importers.notebook.table import NotebookCell
from kafu.notation.faults import Code, Fault
from kafu.notation.reading.amounts import text as amount_text
from kafu.rules import codes
from kafu.rules.description import Ruleset
from kafu.rules.sheets.form import GameSheet

#: The label of a month that ended in ふけ (S6).
FUKE: Final = "fuke"


@dataclass(slots=True)
class MonthRow:
    """A month in a row of a table.

    ``number`` is None without a column of months; ``label`` is for messages. ``amounts`` are by
    seat, None for an empty cell. ``dealer``, ``stone`` and ``fuke`` (the player with ふけ) are
    seats. ``places`` has the cells by meaning, and those of amounts by seat.
    """

    number: int | None
    label: str
    amounts: list[int | None] = field(default_factory=list)
    dealer: int | None = None
    grade: str | None = None
    stone: int | None = None
    fuke: int | None = None
    comments: list[str] = field(default_factory=list)
    date: str = ""
    places: dict[str | int, NotebookCell] = field(default_factory=dict)

    @property
    def is_blank(self) -> bool:
        """Return whether the row has no amounts."""
        return self.fuke is None and all(amount is None for amount in self.amounts)


class MonthReader:
    """A reader of the rows of a table, which collects ``faults`` and ``warnings`` at cells."""

    def __init__(self, layout: NotebookLayout, description: Ruleset, sheet: GameSheet) -> None:
        self.layout, self.description, self.sheet = layout, description, sheet
        self.faults: list[Fault] = []
        self.warnings: list[Fault] = []

    def read(self) -> list[MonthRow]:
        """Return the months up to the last with amounts, and check their sums."""
        column = self.layout.columns.get("month")
        if column is not None and not any(row[column].text for row in self.layout.body):
            self.layout.columns.pop("month")  # The column only has labels of sums.
        months = [self._read_month(row, i) for i, row in enumerate(self.layout.body, start=1)]
        while months and months[-1].is_blank:
            months.pop()
        if len({month.date for month in months if month.date}) > 1:
            # The date of the first month is the date of the game; all dates become remarks.
            for month in months:
                month.comments += [month.date] if month.date else []
        if not months and not self.faults:
            self._wrong(codes.NOTEBOOK_NO_TABLE, self.layout.head[0])
        if not self.faults:
            for month in months:
                self._fill_in(month)
        if not self.faults:
            self._check_totals(months)
        return months

    # One row --------------------------------------------------------------------------------------

    def _read_month(self, row: Sequence[NotebookCell], index: int) -> MonthRow:
        cell = self.layout.cell(row, "month")
        number = None
        if cell is not None:
            number = words.named_month_of(cell.text)
            if number is None:
                self._wrong(codes.NOTEBOOK_MONTH, cell, found=cell.excerpt)
        month = MonthRow(number, str(number or index))
        dealers = []
        for seat, column in enumerate(self.layout.players, start=1):
            cell = month.places[seat] = row[column]
            amount = words.amount_of(cell.text)
            if words.key_of(cell.text) in words.FUKE and FUKE in self.sheet.payments:
                month.fuke, amount = seat, words.Amount(0, False, False)
            elif amount is None:
                name = self.layout.names[seat - 1]
                self._wrong(
                    codes.NOTEBOOK_AMOUNT, cell, found=cell.excerpt, name=name, month=month.label
                )
            elif amount.in_kan and not self.description.kan:
                self._wrong(codes.NOTEBOOK_KAN, cell, found=cell.excerpt, rules=self.description.id)
            elif amount.is_dealer:
                dealers.append(seat)
            month.amounts.append(amount and amount.value)
        month.places |= {
            meaning: cell
            for meaning in self.layout.columns
            if (cell := self.layout.cell(row, meaning)) is not None
        }
        month.places.setdefault("month", row[0])
        self._assign_seats(month, dealers)
        month.grade = self._read_grade(month.places.get("grade"))
        month.date = month.places["date"].text if "date" in month.places else ""
        for column in self.layout.remarks:
            if row[column].text:
                month.comments.append(f"{self.layout.head[column].text}: {row[column].text}")
        return month

    def _assign_seats(self, month: MonthRow, marked: Sequence[int]) -> None:
        """Set the dealer, from column or mark, and the owner of the stone; check the winner."""
        written = self._read_seat(month.places.get("dealer"))
        dealers = list(dict.fromkeys([*([written] if written else []), *marked]))
        if len(dealers) > 1:
            names = ", ".join(self.layout.names[seat - 1] for seat in dealers)
            self._wrong(
                codes.NOTEBOOK_DEALERS, month.places[dealers[-1]], month=month.label, names=names
            )
        month.dealer = dealers[0] if dealers else None
        month.stone = self._read_seat(month.places.get("stone"))
        cell = month.places.get("winner")
        if cell is None or words.key_of(cell.text) in words.NOTHING:
            return
        if len(month.amounts) > 2:
            # The winner of a month with three players need not have the highest amount.
            head = self.layout.head[self.layout.columns["winner"]]
            month.comments.append(f"{head.text}: {cell.text}")
            return
        winner = self._read_seat(cell)
        amounts = [amount or 0 for amount in month.amounts]
        if winner and amounts[winner - 1] < max(amounts):
            name = self.layout.names[amounts.index(max(amounts))]
            self._wrong(
                codes.NOTEBOOK_WINNER, cell, found=cell.excerpt, month=month.label, name=name
            )

    def _read_seat(self, cell: NotebookCell | None) -> int | None:
        """Return the seat of a player from a name, a unique beginning of a name, or a number."""
        if cell is None or words.key_of(cell.text) in words.NOTHING:
            return None
        written = words.key_of(cell.text)
        names = [words.key_of(name) for name in self.layout.names]
        numbers = [str(seat) for seat in range(1, len(names) + 1)]
        for fits in (
            [i for i, name in enumerate(names) if name == written],
            [i for i, name in enumerate(names) if name.startswith(written)],
            [i for i, number in enumerate(numbers) if number == written],
        ):
            if len(fits) == 1:
                return fits[0] + 1
        self._wrong(codes.NOTEBOOK_SEAT, cell, expected=self.layout.names, found=cell.excerpt)
        return None

    def _read_grade(self, cell: NotebookCell | None) -> str | None:
        if cell is None or words.key_of(cell.text) in words.NOTHING:
            return None
        if not self.sheet.graded:
            self._wrong(
                codes.NOTEBOOK_NO_GRADES, cell, found=cell.excerpt, rules=self.description.id
            )
            return None
        grade = words.grade_of(cell.text)
        if grade is None:
            expected = words.grade_names()
            self._wrong(codes.NOTEBOOK_GRADE, cell, expected=expected, found=cell.excerpt)
        return grade

    # Sums -----------------------------------------------------------------------------------------

    def _fill_in(self, month: MonthRow) -> None:
        """Fill in an empty amount, and check the sum of the row if it has one."""
        empty = [seat for seat, amount in enumerate(month.amounts, start=1) if amount is None]
        amounts = [amount or 0 for amount in month.amounts]
        if month.is_blank and self.sheet.pointed:
            self._wrong(codes.NOTEBOOK_NO_AMOUNTS, month.places["month"], month=month.label)
        elif not month.is_blank:
            total = sum(amounts)
            if len(empty) == 1 and total and self.sheet.sums_to_zero:
                seat = empty[0]
                amounts[seat - 1] = -total
                self._warn(
                    codes.NOTEBOOK_FILLED_IN,
                    month.places[seat],
                    month=month.label,
                    name=self.layout.names[seat - 1],
                    due=amount_text(-total, kan=self.description.kan),
                )
            month.amounts = list(amounts)
        self._check_sum(
            codes.NOTEBOOK_SUM, month.places.get("total"), sum(amounts), month=month.label
        )

    def _check_totals(self, months: Sequence[MonthRow]) -> None:
        """Check the rows of sums below the months."""
        sums = [
            sum(month.amounts[i] or 0 for month in months) for i in range(len(self.layout.names))
        ]
        for row in self.layout.totals:
            for i, column in enumerate(self.layout.players):
                self._check_sum(
                    codes.NOTEBOOK_TOTAL, row[column], sums[i], name=self.layout.names[i]
                )

    def _check_sum(
        self, code: Code, cell: NotebookCell | None, due: int, *, name: str = "", month: str = ""
    ) -> None:
        if cell is None or not cell.text:
            return
        amount = words.amount_of(cell.text)
        if amount is None or (amount.value is not None and amount.value != due):
            shown = amount_text(due, kan=self.description.kan)
            self._wrong(code, cell, found=cell.excerpt, due=shown, name=name, month=month)

    def _wrong(
        self, code: Code, cell: NotebookCell, *, expected: tuple[str, ...] = (), **values: str
    ) -> None:
        self.faults.append(Fault(code, *cell.place, values=values, expected=expected))

    def _warn(self, code: Code, cell: NotebookCell, **values: str) -> None:
        self.warnings.append(Fault(code, *cell.place, values=values))

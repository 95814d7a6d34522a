"""The months of a notebook, read from the rows of its table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
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
    seats. ``places`` has the cells by meaning, and those of amounts by seat. ``further`` are rows
    of the same month below, with further payments, of which ``amounts`` are the sum; a ``prize`` is
    such a row.
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
    further: list[MonthRow] = field(default_factory=list)
    prize: str = ""

    @property
    def is_blank(self) -> bool:
        """Return whether the month has no amounts."""
        return (
            self.fuke is None
            and all(amount is None for amount in self.amounts)
            and all(row.is_blank for row in self.further)
        )


class MonthReader:
    """A reader of the rows of a table, which collects ``faults`` and ``warnings`` at cells."""

    def __init__(self, layout: NotebookLayout, description: Ruleset, sheet: GameSheet) -> None:
        self.layout, self.description, self.sheet = layout, description, sheet
        self.faults: list[Fault] = []
        self.warnings: list[Fault] = []
        #: Whether losses are written too, in a house in which only the winner gets points.
        self._is_net = False

    def read(self) -> list[MonthRow]:
        """Return the months up to the last with amounts, and check their sums."""
        column = self.layout.columns.get("month")
        if column is not None and not any(row[column].text for row in self.layout.body):
            self.layout.columns.pop("month")  # The column only has labels of sums.
        elif column is not None:
            self._drop_unlabelled_total(column)
        months: list[MonthRow] = []
        counts = [0]
        for above, row in pairwise([(), *self.layout.body]):
            is_next = bool(above) and _is_next(above[0], row[0])
            if months and self._has_further_payments(row, is_next=is_next):
                further = self._read_row(row, months[-1].label)
                further.prize = words.prize_of(further.places["month"].text)
                months[-1].further.append(further)
            elif is_next and self._is_played_again(months[-1], row):
                months.append(self._read_row(row, months[-1].label))
                months[-1].number = months[-2].number
            else:
                months.append(self._read_month(row, len(months) + 1))
            counts.append(len(months))
        while months and months[-1].is_blank:
            months.pop()
        if len({month.date for month in months if month.date}) > 1:
            # The date of the first month is the date of the game; all dates become remarks.
            for month in months:
                month.comments += [month.date] if month.date else []
        if not months and not self.faults:
            self._wrong(codes.NOTEBOOK_NO_TABLE, self.layout.head[0])
        if not self.faults:
            self._is_net = self._has_losses(months)
            for month in months:
                self._add_up(month)
        self._warn_of_further_rows(months)
        if not self.faults:
            self._check_totals(months, counts)
        if not self.faults and self._is_net:
            self._drop_losses(months)
        return months

    def _drop_unlabelled_total(self, column: int) -> None:
        """Drop a row without a month that has the sums of all rows above, and the rows below it.

        A single month and its sum cannot be distinguished from two payments.
        """
        body = self.layout.body
        months = [i for i, row in enumerate(body) if row[column].text]
        if len(months) < 2:
            return
        values = [[words.value_of(row[i].text) for i in self.layout.players] for row in body]
        for i in range(months[-1] + 1, len(body)):
            if values[i] == [sum(amounts) for amounts in zip(*values[:i], strict=True)]:
                for row in body[i + 1 :]:
                    cell = next(cell for cell in row if cell.text)
                    self._warn(codes.NOTEBOOK_LEFT_OUT, cell, found=cell.excerpt)
                del body[i:]
                return

    def _has_further_payments(self, row: Sequence[NotebookCell], *, is_next: bool) -> bool:
        """Return whether a row belongs to the month above: a prize, or a next row without a month.

        The document of hachihachi recommends a row for each payment. In koi-koi a row without a
        month can be the month played again.
        """
        label = self._label(row)
        if label:
            return words.prize_of(label) in self.sheet.payments
        return label is not None and is_next and self.sheet.pointed

    def _warn_of_further_rows(self, months: Sequence[MonthRow]) -> None:
        """Warn at the first row without a month that was added to the month above."""
        rows = [(month, row) for month in months for row in month.further]
        for month, row in rows[:1] if self.sheet.pointed else ():
            self._warn(codes.NOTEBOOK_FURTHER, row.places["month"], month=month.label)

    def _is_played_again(self, above: MonthRow, row: Sequence[NotebookCell]) -> bool:
        """Return whether a row without a month is the month above, which nobody won."""
        return self._label(row) == "" and not any(above.amounts)

    def _label(self, row: Sequence[NotebookCell]) -> str | None:
        """Return the text in the column of months, or None without the column."""
        cell = self.layout.cell(row, "month")
        return None if cell is None else cell.text

    # One row --------------------------------------------------------------------------------------

    def _read_month(self, row: Sequence[NotebookCell], index: int) -> MonthRow:
        cell = self.layout.cell(row, "month")
        number = None
        if cell is not None:
            number = words.named_month_of(cell.text)
            if number is None:
                self._wrong(codes.NOTEBOOK_MONTH, cell, found=cell.excerpt)
        month = self._read_row(row, str(number or index))
        month.number = number
        return month

    def _read_row(self, row: Sequence[NotebookCell], label: str) -> MonthRow:
        """Read a row but for its month, which is called ``label`` in messages."""
        month = MonthRow(None, label)
        marks: dict[str, list[int]] = {"dealer": [], "stone": []}
        for seat, column in enumerate(self.layout.players, start=1):
            cell = month.places[seat] = row[column]
            amount = words.amount_of(cell.text)
            if words.key_of(cell.text) in words.FUKE and FUKE in self.sheet.payments:
                month.fuke, amount = seat, words.Amount(0)
            elif amount is None:
                name = self.layout.names[seat - 1]
                self._wrong(
                    codes.NOTEBOOK_AMOUNT, cell, found=cell.excerpt, name=name, month=month.label
                )
            elif amount.in_kan and not self.description.kan:
                self._wrong(codes.NOTEBOOK_KAN, cell, found=cell.excerpt, rules=self.description.id)
            elif amount.mark:
                # In the document of hachihachi, * marks the player who puts in the month's stone.
                is_stone = amount.mark == "*" and self.sheet.stones
                marks["stone" if is_stone else "dealer"].append(seat)
            month.amounts.append(amount and amount.value)
            if amount is not None and amount.remark:
                month.comments.append(f"{self.layout.names[seat - 1]}: {amount.remark}")
        month.places |= {meaning: row[column] for meaning, column in self.layout.columns.items()}
        place = month.places.setdefault("month", row[0])
        self._assign_seats(month, marks)
        month.grade = self._read_grade(month.places.get("grade")) or self._read_grade(
            place._replace(text=words.grade_after_month(place.text))
        )
        month.date = month.places["date"].text if "date" in month.places else ""
        for column in self.layout.remarks:
            if row[column].text:
                month.comments.append(f"{self.layout.head[column].text}: {row[column].text}")
        return month

    def _assign_seats(self, month: MonthRow, marks: Mapping[str, Sequence[int]]) -> None:
        """Set the dealer and the owner of the stone, from column or mark; check the winner."""
        month.dealer = self._read_dealer(month, "dealer", marks)
        month.stone = self._read_dealer(month, "stone", marks)
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

    def _read_dealer(
        self, month: MonthRow, meaning: str, marks: Mapping[str, Sequence[int]]
    ) -> int | None:
        """Return the dealer, or the next one, from a column or the marks of amounts."""
        written = self._read_seat(month.places.get(meaning))
        seats = list(dict.fromkeys([*([written] if written else []), *marks[meaning]]))
        if len(seats) > 1:
            names = ", ".join(self.layout.names[seat - 1] for seat in seats)
            self._wrong(
                codes.NOTEBOOK_DEALERS, month.places[seats[-1]], month=month.label, names=names
            )
        return seats[0] if seats else None

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

    def _add_up(self, month: MonthRow) -> None:
        """Fill in empty amounts, and add the further payments of the month."""
        if month.is_blank and self.sheet.pointed:
            self._wrong(codes.NOTEBOOK_NO_AMOUNTS, month.places["month"], month=month.label)
            return
        for row in (month, *month.further):
            self._fill_in(row)
        for row in month.further:
            if not row.is_blank:
                month.amounts = [
                    (a or 0) + (b or 0) for a, b in zip(month.amounts, row.amounts, strict=True)
                ]
            month.dealer = self._join_seats(month, month.dealer, row.dealer)
            month.stone = self._join_seats(month, month.stone, row.stone)
            month.grade = month.grade or row.grade
            month.comments += row.comments
            if row.fuke:
                month.fuke, month.amounts = row.fuke, [0] * len(month.amounts)

    def _join_seats(self, month: MonthRow, seat: int | None, further: int | None) -> int | None:
        """Return the seat of a mark in one of two rows of a month."""
        if seat and further and seat != further:
            names = ", ".join(self.layout.names[i - 1] for i in (seat, further))
            self._wrong(
                codes.NOTEBOOK_DEALERS, month.places[further], month=month.label, names=names
            )
        return seat or further

    def _fill_in(self, month: MonthRow) -> None:
        """Fill in an empty amount, and check the sum of the row if it has one."""
        empty = [seat for seat, amount in enumerate(month.amounts, start=1) if amount is None]
        amounts = [amount or 0 for amount in month.amounts]
        if len(amounts) == 2 and amounts.count(0) == 1:
            empty = [amounts.index(0) + 1]  # What one of two players gets, the other pays.
        if any(amount is not None for amount in month.amounts):
            total = sum(amounts)
            if len(empty) == 1 and total and (self.sheet.sums_to_zero or self._is_net):
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

    def _check_totals(self, months: Sequence[MonthRow], counts: Sequence[int]) -> None:
        """Check the rows of sums below the months.

        ``counts`` are the numbers of months by the number of rows above. A row sums all months
        above, or those since the last sums, or all months if it is above them.
        """
        start = 0
        for count, row in self.layout.totals:
            count = min(count, len(counts) - 1)
            end = counts[count] or len(months)
            whole, part = self._sum(months[:end]), self._sum(months[start:end])
            written = [words.amount_of(row[column].text) for column in self.layout.players]
            is_part = all(
                amount and amount.value in (None, due)
                for amount, due in zip(written, part, strict=True)
            )
            for i, column in enumerate(self.layout.players):
                due = (part if is_part else whole)[i]
                self._check_sum(codes.NOTEBOOK_TOTAL, row[column], due, name=self.layout.names[i])
            start = counts[count]

    def _sum(self, months: Sequence[MonthRow]) -> list[int]:
        """Return the sums of months by seat."""
        return [
            sum(month.amounts[i] or 0 for month in months) for i in range(len(self.layout.names))
        ]

    def _has_losses(self, months: Sequence[MonthRow]) -> bool:
        """Return whether each month of a house without payments has a gain and its loss."""
        rows = [row.amounts for month in months for row in (month, *month.further)]
        amounts = [amount for row in rows for amount in row if amount]
        return (
            not self.sheet.sums_to_zero
            and min(amounts, default=0) < 0
            and all(None in row or not sum(amount or 0 for amount in row) for row in rows)
        )

    def _drop_losses(self, months: Sequence[MonthRow]) -> None:
        """Replace losses by zero, and warn at the first of them."""
        month, seat, loss = next(
            (month, seat, amount)
            for month in months
            for seat, amount in enumerate(month.amounts, start=1)
            if amount and amount < 0
        )
        self._warn(
            codes.NOTEBOOK_LOSSES,
            month.places[seat],
            found=amount_text(loss, kan=False),
            name=self.layout.names[seat - 1],
        )
        for row in (row for month in months for row in (month, *month.further)):
            row.amounts = [amount and max(amount, 0) for amount in row.amounts]

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


def _is_next(above: NotebookCell, cell: NotebookCell) -> bool:
    """Return whether no row is between two cells, or no column if months are side by side."""
    return (cell.row - above.row) + (cell.column - above.column) == 1

"""The payment lines of a score sheet: receivers, possible amounts, and payers (S1).

Sums are in the small unit, one amount a seat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import product
from operator import or_
from typing import Final, NamedTuple

from kafu.notation.reading import amounts
from kafu.rules import codes
from kafu.rules.payments import POINTS, PaymentKind, PaymentRow, PaymentTable, Receivers
from kafu.rules.play.actions import Illegal
from kafu.rules.play.ledger import score, share
from kafu.rules.sheets.offers import Playing

#: The label of a month's sum in the shortest form of a sheet (S2).
MONTH: Final = "month"
#: The most correct sums in a message.
_MOST_SUMS: Final = 6


class PaymentLine(NamedTuple):
    """A payment read from a sheet.

    ``yaku`` are the parts of the label, ``seat`` is the receiver (0: no single receiver), ``void``
    is true for a line struck out, and ``where`` is the statement of the line.
    """

    kind: PaymentKind
    yaku: tuple[str, ...]
    seat: int
    amounts: tuple[int, ...]
    void: bool
    where: str

    @property
    def label(self) -> str:
        """The label as written."""
        return "+".join(self.yaku)


def find_needed(table: PaymentTable, line: PaymentLine) -> int:
    """Return the cards needed in any case for the payments of a line."""
    return reduce(or_, (table[id].cards for id in line.yaku), 0)


def check_value(line: PaymentLine, sums: Collection[int], *, kan: bool = False) -> None:
    """Raise Illegal unless the receiver of a line gains one of the ``sums``."""
    gain = line.amounts[line.seat - 1]
    if gain in sums:
        return
    nearest = sorted(sums, key=lambda due: abs(due - gain))[:_MOST_SUMS]
    due = tuple(amounts.text(sum_, kan=kan) for sum_ in nearest)
    raise Illegal(
        codes.SHEET_VALUE,
        where=line.where,
        expected=due,
        label=line.label,
        seat=line.seat,
        found=amounts.text(gain, kan=kan),
        due=" / ".join(due),
    )


class PaymentPart(NamedTuple):
    """A payment of a line: the plain amount of each payer, and who pays alone, 0 for nobody."""

    id: str
    each: int
    payer: int


class Reading(NamedTuple):
    """A way to read the amounts of a line to a seat, in full or by half (下げ, 取消し)."""

    seat: int
    is_half: bool
    parts: tuple[PaymentPart, ...]


def list_readings(line: PaymentLine, table: PaymentTable, playing: Playing) -> Sequence[Reading]:
    """Return the ways to read the amounts of a line, those in full before those by half."""
    rows = tuple(table[id] for id in line.yaku)
    return read_amounts(rows, playing, line.seat).get(line.amounts, ())


@lru_cache(maxsize=1024)
def read_amounts(
    rows: tuple[PaymentRow, ...], playing: Playing, seat: int
) -> Mapping[tuple[int, ...], Sequence[Reading]]:
    """Return the readings of the possible amounts of a line to a seat, by these amounts."""
    payers = {row.id: playing.list_payers(row, seat) for row in rows}
    choices = [
        [
            PaymentPart(row.id, each, payer)
            for each in row.each
            for payer in ((0, *payers[row.id]) if row.alone and len(payers[row.id]) > 1 else (0,))
        ]
        for row in rows
    ]
    readings: dict[tuple[int, ...], list[Reading]] = {}
    for is_half in (False, True) if all(row.halves for row in rows) else (False,):
        for count in range(1, rows[0].most + 1):
            for parts in product(*choices * count):
                ledger = [
                    share(id, seat, each // (1 + is_half), payers[id], playing.players, payer)
                    for id, each, payer in parts
                ]
                amounts_paid = score(ledger, playing.players)
                readings.setdefault(amounts_paid, []).append(Reading(seat, is_half, parts))
    return readings


def check_line(line: PaymentLine, table: PaymentTable, playing: Playing, *, kan: bool) -> None:
    """Raise Illegal unless the receiver, the value and the payers of a line fit its payments."""
    rows = tuple(table[id] for id in line.yaku)
    for row in rows:
        seats = playing.list_receivers(row)
        if line.seat not in seats and row.receivers is Receivers.FIRST:
            due = seats[0]
            raise Illegal(codes.SHEET_SOHACHI, where=line.where, expected=(str(due),), due=due)
        if line.seat not in seats:
            raise Illegal(codes.SHEET_PLACE, where=line.where, label=row.id, seat=line.seat)
    possible = read_amounts(rows, playing, line.seat)
    if line.amounts not in possible:
        gains = dict.fromkeys(amounts_paid[line.seat - 1] for amounts_paid in possible)
        check_value(line, gains, kan=kan)
        is_divided = all(row.alone for row in rows) and len(playing.order) == 3
        code = codes.SHEET_SHARES if is_divided else codes.SHEET_SHARED
        raise Illegal(code, where=line.where, label=line.label)


def check_twice(lines: Iterable[PaymentLine], table: PaymentTable) -> None:
    """Raise Illegal at the second line with the same payment to a player."""
    paid: set[tuple[int, str]] = set()
    for line in lines:
        entries = {(line.seat, id) for id in line.yaku if id not in table or table[id].most == 1}
        if entries & paid:
            code = codes.SHEET_POINTS_TWICE if line.label == POINTS else codes.SHEET_TWICE
            raise Illegal(code, where=line.where, label=line.label)
        paid |= entries

"""The payments of a ruleset as a table: one row for everything that a player may be paid for.

The machine pays by the rows, a score sheet offers and checks its lines by them, and pages print
them. Amounts are in the small unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from typing import Final, NamedTuple

from kafu.notation.vocabulary import KAN
from kafu.rules.grades import GradeScale
from kafu.rules.names import YAKU
from kafu.rules.yaku import CapturedYaku

POINTS: Final = "points"
#: The most letters of an unknown label compared with the ids of payments.
_LONGEST_LABEL: Final = 40


class PaymentKind(Enum):
    """The purpose of a payment. A payment without a yaku is known by its id."""

    DEALT = "dealt"
    CAPTURED = "captured"
    SPECIAL = "special"
    OTHER = "other"


class Payers(Enum):
    """The payers: the others in play, everybody else at the table, one player, or nobody.

    `BALANCE`: every player in play pays or gets a difference, and these add up to zero.
    """

    PLAYING = "playing"
    TABLE = "table"
    ONE = "one"
    NOBODY = "nobody"
    BALANCE = "balance"


class Receivers(Enum):
    """The possible receivers, by the place in play order.

    `BLIND` is the dealer at a table with idle seats, and `AT_LARGE_TABLE` any player there.
    """

    PLAYING = "playing"
    FIRST = "first"
    SECOND = "second"
    LAST = "last"
    IDLE = "idle"
    BLIND = "blind"
    AT_LARGE_TABLE = "at large table"


class PaymentRow(NamedTuple):
    """A payment that a month may have.

    - ``each``: the possible amounts of each payer, the plain one first. In a `PaymentTable` of a
      ruleset they are those of a small field, ``is_raised``: a grade may add to them (H18).
    - ``ruling``: the rulings that set the payment.
    - ``excludes``: the ids that never are in one line with this, because of the other or this one.
    - ``halves``: half may be paid (下げ, 取消し). ``alone``: one player may pay for all (法度,
      下げ). ``struck``: special yaku or ふけ may strike out the payment. ``most``: the number of
      such payments that may be joined in a line. ``marks``: nothing is paid, but the receiver
      deals next.
    - ``cards``: the cards that are needed in any case (a mask).
    - ``ends``: the ends of a month in which the payment is not struck out, none for any.
      ``ends_game``: the payment ends the month and the game. ``of_winner``: all such payments of a
      month are of one player. ``prize``: the payment is for several months, on top of a month's
      own sum.
    """

    id: str
    kind: PaymentKind
    each: tuple[int, ...]
    ruling: str
    payers: Payers = Payers.PLAYING
    receivers: Receivers = Receivers.PLAYING
    is_raised: bool = True
    excludes: frozenset[str] = frozenset()
    halves: bool = False
    alone: bool = False
    struck: bool = False
    most: int = 1
    marks: bool = False
    cards: int = 0
    ends: frozenset[str] = frozenset()
    ends_game: bool = False
    of_winner: bool = False
    prize: bool = False


class PaymentTable(Mapping[str, PaymentRow]):
    """The payments by id, in the order of a form, at the grade of a ``scale``."""

    __slots__ = ("_base", "_by_scale", "_rows", "scale")

    def __init__(self, rows: Iterable[PaymentRow]) -> None:
        """Create the table of a small field."""
        self._rows = {row.id: row for row in rows}
        self._base = self._rows
        self._by_scale: dict[GradeScale, PaymentTable] = {}
        self.scale = GradeScale()

    def __getitem__(self, id: str) -> PaymentRow:
        return self._rows[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def at(self, scale: GradeScale) -> PaymentTable:
        """Return the table at the grade of a scale."""
        if scale not in self._by_scale:
            table = PaymentTable(
                row._replace(each=tuple(_raise(row, value, scale) for value in row.each))
                for row in self._base.values()
            )
            table._base, table.scale = self._base, scale
            self._by_scale[scale] = table
        return self._by_scale[scale]

    def find_each(self, id: str, value: int | None = None) -> int:
        """Return the amount of each payer for a payment, of the ``value`` in a small field.

        The default is the plain value. Raise KeyError and ValueError for others.
        """
        row = self._rows[id]
        return row.each[0 if value is None else self._base[id].each.index(value)]

    def list_similar(self, label: str) -> tuple[str, ...]:
        """Return the ids similar to an unknown label, none for a label of another ruleset."""
        if label in YAKU:
            return ()
        return tuple(get_close_matches(label[:_LONGEST_LABEL], filter(self.__contains__, YAKU)))

    def find_kind(self, ids: Sequence[str]) -> PaymentKind | None:
        """Return the kind of a label, None unless the payments can be in one line."""
        rows = [self._rows[id] for id in ids if id in self._rows]
        if len(rows) < len(ids) or len(set(ids)) < len(ids):
            return None
        kinds = {row.kind for row in rows}
        if len(kinds) > 1 or (len(rows) > 1 and PaymentKind.OTHER in kinds):
            return None
        return None if any(row.excludes.intersection(ids) for row in rows) else rows[0].kind


def _raise(row: PaymentRow, value: int, scale: GradeScale) -> int:
    """Return an amount at a grade (H18)."""
    return (value + row.is_raised * scale.more * KAN) * scale.halves // 2


def list_dealt(
    values: Mapping[str, int],
    ruling: str,
    unit: int = 1,
    *,
    never: Iterable[frozenset[str]] = (),
    struck: bool = False,
) -> Iterator[PaymentRow]:
    """Yield the rows of a family of dealt hands, of which a hand has one.

    ``values`` are in ``unit``. ``never`` are pairs of yaku that no hand has.
    """
    for id, value in values.items():
        excludes = values.keys() - {id}
        excludes |= {other for pair in never if id in pair for other in pair - {id}}
        yield PaymentRow(
            id,
            PaymentKind.DEALT,
            (unit * value,),
            ruling,
            excludes=frozenset(excludes),
            struck=struck,
        )


def list_captured(
    table: Iterable[CapturedYaku], ruling: str, unit: int = 1
) -> Iterator[PaymentRow]:
    """Yield the rows of captured yaku, whose values are in ``unit``."""
    for yaku in table:
        each = tuple(unit * value for value in yaku.values)
        yield PaymentRow(
            yaku.id,
            PaymentKind.CAPTURED,
            each,
            ruling,
            excludes=frozenset(yaku.over),
            cards=yaku.required,
        )

"""Captured-hand yaku (出来役) as data: one row a yaku, and one way to find which are made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kafu.cards import mask


class Yaku(NamedTuple):
    """One captured-hand yaku of a house's table.

    It is made with ``need`` of ``cards`` captured (masks), all of ``must`` among them. It is worth
    ``value``, and ``step`` more for each card of ``counted`` beyond ``base``. ``over`` names the
    yaku that it replaces. ``sake`` marks 盃役, which rain voids (K7). With a card of ``bare`` among
    exactly ``need`` it is worth its value but gives no right to declare (K6). ``called_value``
    stands for ``value`` once its player has said こいこい in this deal.
    """

    id: str
    cards: int
    need: int
    value: int
    must: int = 0
    step: int = 0
    counted: int = 0
    base: int = 0
    over: tuple[str, ...] = ()
    sake: bool = False
    bare: int = 0
    called_value: int | None = None


class Made(NamedTuple):
    """A yaku that a player has: id, its current value, how many of its cards are captured."""

    id: str
    value: int
    held: int


def whole(id: str, letters: str, value: int, **rest: object) -> Yaku:
    """A yaku that needs all of its ``letters``; other fields of `Yaku` by name.

    >>> whole("akatan", "BFJ", 7).need
    3
    """
    return Yaku(id, mask(letters), len(letters), value, **rest)  # type: ignore[arg-type]


def counting(id: str, group: int, need: int, value: int = 1, step: int = 1, bare: int = 0) -> Yaku:
    """A yaku of ``need`` cards of ``group`` that grows by ``step`` with each card more."""
    return Yaku(id, group, need, value, step=step, counted=group, base=need, bare=bare)


class YakuTable(tuple[Yaku, ...]):
    """The yaku of a house, those that replace others before the ones they replace.

    Raises ValueError if a yaku replaces one before it, or an unknown one is named.
    """

    def __new__(cls, rows: Iterable[Yaku]) -> YakuTable:
        """Check the order, so that `made` needs a single pass."""
        table = super().__new__(cls, rows)
        seen: set[str] = set()
        for row in table:
            if late := seen & set(row.over):
                raise ValueError(
                    f"{row.id} replaces {', '.join(sorted(late))} and must stand before"
                )
            seen.add(row.id)
        return table

    def find(self, id: str) -> Yaku:
        """The row of a yaku id. Raises KeyError for one that the house does not have."""
        for row in self:
            if row.id == id:
                return row
        raise KeyError(id)


def made(table: Sequence[Yaku], captured: int, *, rained: bool, called: bool) -> tuple[Made, ...]:
    """The yaku in ``captured`` (a mask), best of each exclusive group, in the table's order.

    ``rained`` voids the sake yaku (K7); ``called`` says that their player has said こいこい.
    """
    result: list[Made] = []
    barred: tuple[str, ...] = ()
    for row in table:
        count = (captured & row.cards).bit_count()
        if count < row.need or row.must & ~captured or (rained and row.sake) or row.id in barred:
            continue
        value = row.value
        if called and row.called_value is not None:
            value = row.called_value
        if row.step:
            count = (captured & row.counted).bit_count()
            value += row.step * max(0, count - row.base)
        result.append(Made(row.id, value, count))
        barred += row.over
    return tuple(result)


def total(yaku: Iterable[Made]) -> int:
    """The total value of the yaku, in the small unit."""
    return sum(one.value for one in yaku)


def missing(row: Yaku, captured: int, *, taken: int) -> int | None:
    """How many cards of a yaku ``captured`` lacks; None if ``taken`` makes it impossible."""
    lacking = max(0, row.need - (captured & row.cards).bit_count())
    return lacking if (row.cards & ~captured & ~taken).bit_count() >= lacking else None


def grown(one: Made, old: Iterable[Made]) -> bool:
    """Whether a yaku is new compared with the ``old`` ones, or has more cards and more value (H7,
    K8).
    """
    for was in old:
        if was.id == one.id:
            return one.held > was.held and one.value > was.value
    return True

"""Captured-hand yaku (出来役) as data: one row a yaku, and one way to find which are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, overload


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


def whole(id: str, group: int, value: int, **others: object) -> Yaku:
    """Return a yaku that needs all cards of ``group``; other fields of `Yaku` by name.

    >>> from kafu.cards import RED_POEMS
    >>> whole("akatan", RED_POEMS, 7).need
    3
    """
    return Yaku(id, group, group.bit_count(), value, **others)  # type: ignore[arg-type]


def counting(id: str, group: int, need: int, value: int = 1, step: int = 1, bare: int = 0) -> Yaku:
    """A yaku of ``need`` cards of ``group`` that grows by ``step`` with each card more."""
    return Yaku(id, group, need, value, step=step, counted=group, base=need, bare=bare)


def _has(row: Yaku, other: Yaku) -> bool:
    """Whether whoever has enough cards of a yaku has enough of another one, of fewer cards."""
    apart = (row.cards & ~other.cards).bit_count()
    return other.need < row.need and row.need - apart >= other.need


class YakuTable(Sequence[Yaku]):
    """The yaku of a house, those that replace others before the ones they replace.

    Raises ValueError if a yaku replaces one before it, or an unknown one is named.
    """

    __slots__ = ("_by_id", "_touched", "needs", "rows")

    def __init__(self, rows: Iterable[Yaku]) -> None:
        """Check the order, so that `made` needs a single pass."""
        self.rows = tuple(rows)
        seen: set[str] = set()
        for row in self.rows:
            if late := seen & set(row.over):
                raise ValueError(
                    f"{row.id} replaces {', '.join(sorted(late))} and must stand before"
                )
            seen.add(row.id)
        self._by_id = {row.id: row for row in self.rows}
        #: Each row with the cards that it cannot do without, its cards, and how many it needs.
        self.needs: list[tuple[int, int, int, Yaku]] = [
            (row.cards if row.need == row.cards.bit_count() else row.must, row.cards, row.need, row)
            for row in self.rows
        ]
        #: For each capture that was looked at, of one month: what a yaku needs that it can change.
        self._touched: dict[int, tuple[tuple[int, int], ...]] = {}

    @overload
    def __getitem__(self, index: int) -> Yaku: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Yaku, ...]: ...
    def __getitem__(self, index: int | slice) -> Yaku | tuple[Yaku, ...]:
        """A row by its number, or several."""
        return self.rows[index]

    def __iter__(self) -> Iterator[Yaku]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, YakuTable) and self.rows == other.rows

    def __hash__(self) -> int:
        return hash(self.rows)

    def touched(self, captured: int, gained: int) -> bool:
        """Whether a yaku has enough of its cards in ``captured``, and some of ``gained``, cards of
        one month, count for it (masks): else they changed nothing, as far as rain lets it.
        """
        rows = self._touched.get(gained)
        if rows is None:
            rows = self._touched[gained] = self._changed_by(gained)
        for group, need in rows:  # noqa: SIM110 - any() takes twice the time
            if (captured & group).bit_count() >= need:
                return True
        return False

    def _changed_by(self, gained: int) -> tuple[tuple[int, int], ...]:
        """Cards of yaku and how many are needed, without those that have others among theirs."""
        rows = [row for row in self.rows if gained & (row.cards | row.counted)]
        least = (row for row in rows if not any(_has(row, other) for other in rows))
        return tuple((row.cards, row.need) for row in least)

    def find(self, id: str) -> Yaku:
        """The row of a yaku id. Raises KeyError for one that the house does not have."""
        return self._by_id[id]


def made(table: YakuTable, captured: int, *, rained: bool, called: bool) -> tuple[Made, ...]:
    """The yaku in ``captured`` (a mask), best of each exclusive group, in the table's order.

    ``rained`` voids the sake yaku (K7); ``called`` says that their player has said こいこい.
    """
    result: list[Made] = []
    barred: tuple[str, ...] = ()
    lacking = ~captured
    for must, group, need, row in table.needs:
        if must & lacking:
            continue
        count = (captured & group).bit_count()
        if count < need or (rained and row.sake) or row.id in barred:
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

"""Captured-hand yaku (出来役) as data: one row a yaku, and the search for those that are made."""

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
    """Return a yaku of ``need`` cards of ``group`` that grows by ``step`` with each card more."""
    return Yaku(id, group, need, value, step=step, counted=group, base=need, bare=bare)


def _has(row: Yaku, other: Yaku) -> bool:
    """Return whether a seat with enough cards of ``row`` has enough of ``other``, which needs
    fewer.
    """
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
        #: For each capture of one month that occurred: the needs of the yaku that it can change.
        self._touched: dict[int, tuple[tuple[int, int], ...]] = {}

    @overload
    def __getitem__(self, index: int) -> Yaku: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Yaku, ...]: ...
    def __getitem__(self, index: int | slice) -> Yaku | tuple[Yaku, ...]:
        """Return a row by its number, or several."""
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
        """Return whether ``captured`` has enough cards of a yaku for which some of ``gained``,
        cards of one month, count (masks). If not, they changed nothing, but for rain.
        """
        rows = self._touched.get(gained)
        if rows is None:
            rows = self._touched[gained] = self._changed_by(gained)
        for group, need in rows:  # noqa: SIM110 - any() takes twice the time
            if (captured & group).bit_count() >= need:
                return True
        return False

    def _changed_by(self, gained: int) -> tuple[tuple[int, int], ...]:
        """Return cards and need of the yaku that a capture counts for, leaving out those that
        cannot be had without another.
        """
        rows = [row for row in self.rows if gained & (row.cards | row.counted)]
        least = (row for row in rows if not any(_has(row, other) for other in rows))
        return tuple((row.cards, row.need) for row in least)

    def find(self, id: str) -> Yaku:
        """Return the row of a yaku id. Raise KeyError if the house does not have it."""
        return self._by_id[id]


def made(table: YakuTable, captured: int, *, rained: bool, called: bool) -> tuple[Made, ...]:
    """Return the yaku in ``captured`` (a mask), best of each exclusive group, in table order.

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
    """Return the total value of the yaku, in the small unit."""
    return sum(value for _, value, _ in yaku)


def missing(row: Yaku, captured: int, *, taken: int) -> int | None:
    """Return the number of cards of a yaku that ``captured`` lacks, None if ``taken`` makes it
    impossible.
    """
    lacking = max(0, row.need - (captured & row.cards).bit_count())
    return lacking if (row.cards & ~captured & ~taken).bit_count() >= lacking else None


def grown(now: Made, old: Iterable[Made]) -> bool:
    """Return whether a yaku is new compared with the ``old`` ones, or has more cards and more
    value (H7, K8).
    """
    for before in old:
        if before.id == now.id:
            return now.held > before.held and now.value > before.value
    return True

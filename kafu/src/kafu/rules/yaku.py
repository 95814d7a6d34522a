"""Captured-hand yaku (出来役) as data, one row a yaku, and the search for captured yaku."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, overload


class CapturedYaku(NamedTuple):
    """One captured-hand yaku of a house's table.

    A player has the yaku with ``need`` of ``cards`` captured (masks), all of ``must`` among them.
    The worth is ``value``, and ``step`` more for each card of ``counted`` beyond ``base``. ``over``
    names the replaced yaku. ``sake`` marks 盃役, void in rain (K7). With a card of ``bare`` among
    exactly ``need`` the yaku has a value but gives no right to declare (K6). ``called_value``
    replaces ``value`` after the player has said こいこい in the same deal.
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

    @property
    def required(self) -> int:
        """The cards that the yaku needs in any case (a mask)."""
        return self.must | (self.cards if self.need == self.cards.bit_count() else 0)

    @property
    def values(self) -> tuple[int, ...]:
        """The possible values, the plain one first: by further cards, and after こいこい."""
        growth = self.counted.bit_count() - self.base if self.step else 0
        worth = (self.value, self.value if self.called_value is None else self.called_value)
        grown_values = (value + self.step * more for value in worth for more in range(growth + 1))
        return tuple(dict.fromkeys(grown_values))


class Made(NamedTuple):
    """A yaku of a player: id, current value, number of captured cards."""

    id: str
    value: int
    held: int


def whole(id: str, group: int, value: int, **fields: object) -> CapturedYaku:
    """Return a yaku that needs all cards of ``group``; other fields of `CapturedYaku` by name.

    >>> from kafu.cards import RED_POEMS
    >>> whole("akatan", RED_POEMS, 7).need
    3
    """
    return CapturedYaku(id, group, group.bit_count(), value, **fields)  # type: ignore[arg-type]


def counting(
    id: str, group: int, need: int, value: int = 1, step: int = 1, bare: int = 0
) -> CapturedYaku:
    """Return a yaku of ``need`` cards of ``group``, worth ``step`` more for each further card."""
    return CapturedYaku(id, group, need, value, step=step, counted=group, base=need, bare=bare)


def _includes(row: CapturedYaku, smaller: CapturedYaku) -> bool:
    """Return whether enough cards of ``row`` always include enough cards of a ``smaller`` yaku."""
    not_shared = (row.cards & ~smaller.cards).bit_count()
    return smaller.need < row.need and row.need - not_shared >= smaller.need


class YakuTable(Sequence[CapturedYaku]):
    """The yaku of a house. A yaku comes before the yaku that it replaces.

    Raise ValueError if a yaku replaces an earlier one.
    """

    __slots__ = ("_by_id", "_touched", "needs", "rows")

    def __init__(self, rows: Iterable[CapturedYaku]) -> None:
        """Check the order, for `made` makes a single pass."""
        self.rows = tuple(rows)
        earlier: set[str] = set()
        for row in self.rows:
            if late := earlier & set(row.over):
                raise ValueError(
                    f"{row.id} replaces {', '.join(sorted(late))} and must stand before"
                )
            earlier.add(row.id)
        self._by_id = {row.id: row for row in self.rows}
        #: Rows with their indispensable cards, all cards, and the required number of cards.
        self.needs: list[tuple[int, int, int, CapturedYaku]] = [
            (row.cards if row.need == row.cards.bit_count() else row.must, row.cards, row.need, row)
            for row in self.rows
        ]
        #: Cache of `changed_by`, by the captured cards of one month.
        self._touched: dict[int, tuple[tuple[int, int], ...]] = {}

    @overload
    def __getitem__(self, index: int) -> CapturedYaku: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[CapturedYaku, ...]: ...
    def __getitem__(self, index: int | slice) -> CapturedYaku | tuple[CapturedYaku, ...]:
        """Return a row by number, or several."""
        return self.rows[index]

    def __iter__(self) -> Iterator[CapturedYaku]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, YakuTable) and self.rows == other.rows

    def __hash__(self) -> int:
        return hash(self.rows)

    def touched(self, captured: int, gained: int) -> bool:
        """Return whether ``captured`` may have a new or grown yaku after a capture of ``gained``.

        It may if it has enough cards of a yaku for which some of ``gained`` count (masks;
        ``gained`` are cards of one month). Otherwise the capture changed no yaku, except through
        rain.
        """
        rows = self._touched.get(gained)
        if rows is None:
            rows = self._touched[gained] = self.changed_by(gained)
        for group, need in rows:  # noqa: SIM110 - any() takes twice the time
            if (captured & group).bit_count() >= need:
                return True
        return False

    def changed_by(self, gained: int) -> tuple[tuple[int, int], ...]:
        """Return cards and need of each yaku for which a capture counts.

        Leave out a yaku that always comes with a smaller yaku of the result.
        """
        rows = [row for row in self.rows if gained & (row.cards | row.counted)]
        smallest = (row for row in rows if not any(_includes(row, smaller) for smaller in rows))
        return tuple((row.cards, row.need) for row in smallest)

    def find(self, id: str) -> CapturedYaku:
        """Return the row of a yaku id. Raise KeyError for a yaku not in the table."""
        return self._by_id[id]


def made(table: YakuTable, captured: int, *, rained: bool, called: bool) -> tuple[Made, ...]:
    """Return the yaku in ``captured`` (a mask), the best of each exclusive group, in table order.

    ``rained`` voids the sake yaku (K7); ``called``: the player has said こいこい.
    """
    yaku: list[Made] = []
    replaced: tuple[str, ...] = ()
    lacking = ~captured
    for must, group, need, row in table.needs:
        if must & lacking:
            continue
        count = (captured & group).bit_count()
        if count < need or (rained and row.sake) or row.id in replaced:
            continue
        value = row.value
        if called and row.called_value is not None:
            value = row.called_value
        if row.step:
            count = (captured & row.counted).bit_count()
            value += row.step * max(0, count - row.base)
        yaku.append(Made(row.id, value, count))
        replaced += row.over
    return tuple(yaku)


def total(yaku: Iterable[Made]) -> int:
    """Return the total value of the yaku, in the small unit."""
    return sum(value for _, value, _ in yaku)


def missing(row: CapturedYaku, captured: int, *, taken: int) -> int | None:
    """Return the number of cards of a yaku not in ``captured``.

    Return None if ``taken``, the cards captured by others, make the yaku impossible.
    """
    lacking = max(0, row.need - (captured & row.cards).bit_count())
    return lacking if (row.cards & ~captured & ~taken).bit_count() >= lacking else None


def grown(now: Made, old: Iterable[Made]) -> bool:
    """Return whether a yaku is new compared with the ``old`` yaku, or has grown in cards and value.

    A grown yaku counts like a new one (H7, K8).
    """
    for before in old:
        if before.id == now.id:
            return now.held > before.held and now.value > before.value
    return True

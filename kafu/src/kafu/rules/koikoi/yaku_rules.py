"""The house rules of yaku in こいこい (K4–K6, K15, K16): each option with its texts and effect.

An option named after a yaku sets its value; with 0 the yaku is not played. Options without effect
on a yaku that is not played leave the table as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from kafu.cards import CUP
from kafu.rules.house_rules import HouseRule, make_rule, yaku_row, yaku_words, yes_no
from kafu.rules.koikoi.yaku import GROWS, REPLACES, ROWS, TEYAKU
from kafu.rules.names import YAKU
from kafu.rules.teyaku import HandYaku, patterns
from kafu.rules.yaku import CapturedYaku, YakuTable

_ORDER: Final = {row.id: place for place, row in enumerate(ROWS)}


#: The sake cup as カス by option: the cup if it counts, and the cup if ten カス with the cup give
#: no right to play on.
_CUP_AS: Final[Mapping[str, tuple[int, int]]] = {
    "yes": (CUP, 0),
    "scored": (CUP, CUP),
    "no": (0, 0),
}


#: 手四: the patterns with a four of a month, except patterns listed by another yaku (K4).
_FOURS: Final = frozenset(shape for shape in patterns(8) if shape[0] == 4)


def _row(table: YakuTable, id: str) -> CapturedYaku | None:
    """Return the row of a yaku, None if not played."""
    return next((row for row in table if row.id == id), None)


def _with_row(
    table: YakuTable, id: str, change: Callable[[CapturedYaku], CapturedYaku]
) -> YakuTable:
    """Return the table with a yaku changed, or an equal table if the yaku is not played."""
    return YakuTable(change(row) if row.id == id else row for row in table)


# Captured yaku ------------------------------------------------------------------------------------


def _value(id: str) -> HouseRule:
    """Return the rule for the value of a captured yaku.

    A missing yaku is added; the value 0 removes the yaku.
    """

    def read(table: YakuTable) -> str:
        row = _row(table, id)
        return str(row.value if row else 0)

    def change(table: YakuTable, value: str) -> YakuTable:
        worth = int(value)
        if not worth:
            return YakuTable(row for row in table if row.id != id)
        if _row(table, id):
            return _with_row(table, id, lambda row: row._replace(value=worth))
        rows = [*table, ROWS.find(id)._replace(value=worth)]
        return YakuTable(sorted(rows, key=lambda row: _ORDER[row.id]))

    return make_rule(yaku_row("captured", id), read, change)


def _step(id: str) -> HouseRule:
    """Return the rule for the growth of a yaku with each further card, 0 for none."""
    ja, en = yaku_words(id)
    values = "0…99 文/points; 0=なし/none"
    row = f"{id}-step | captured | {values} | {ja}：1枚増すごとに | {en}: each further card"

    def read(table: YakuTable) -> str:
        return str((_row(table, id) or ROWS.find(id)).step)

    def change(table: YakuTable, value: str) -> YakuTable:
        step = int(value)

        def grow(row: CapturedYaku) -> CapturedYaku:
            if not step:
                return row._replace(step=0, counted=0, base=0)
            group, base = GROWS[id]
            # Count the sake cup if the house counts it as カス.
            counted = row.cards if id == "kasu" else group
            return row._replace(step=step, counted=counted, base=base)

        return _with_row(table, id, grow)

    return make_rule(row, read, change)


def _over(id: str) -> HouseRule:
    """Return the rule for whether a yaku replaces the lesser yaku of `REPLACES`."""
    name, lesser = YAKU[id], [YAKU[other] for other in REPLACES[id]]
    ja = f"{name.ja}と{'・'.join(other.ja for other in lesser)}"
    en = f"{name.romaji} with {', '.join(other.romaji for other in lesser)}".capitalize()
    values = f"yes={name.ja}だけ数える/only {name.romaji} counts; no=両方数える/both count"
    row = f"{id}-over | captured | {values} | {ja} | {en}"

    def read(table: YakuTable) -> str:
        return yes_no((_row(table, id) or ROWS.find(id)).over)

    def change(table: YakuTable, value: str) -> YakuTable:
        over = REPLACES[id] if value == "yes" else ()
        return _with_row(table, id, lambda row: row._replace(over=over))

    return make_rule(row, read, change)


def _called(id: str) -> HouseRule:
    """Return the rule for the value of a yaku after its player's こいこい, 0 for no change."""
    ja, en = yaku_words(id)
    values = "0…999 文/points; 0=変わらない/no change"
    row = f"{id}-called | captured | {values} | {ja}：こいこいの後 | {en}: after koi-koi"

    def read(table: YakuTable) -> str:
        row = _row(table, id)
        return str((row and row.called_value) or 0)

    def change(table: YakuTable, value: str) -> YakuTable:
        return _with_row(table, id, lambda row: row._replace(called_value=int(value) or None))

    return make_rule(row, read, change)


def _read_cup(table: YakuTable) -> str:
    """Return how a table counts the sake cup: a key of `_CUP_AS`."""
    row = _row(table, "kasu") or ROWS.find("kasu")
    current = row.cards & CUP, row.bare
    return next(word for word, cup in _CUP_AS.items() if cup == current)


def _change_cup(table: YakuTable, value: str) -> YakuTable:
    """Return the table with another rule for the sake cup (K6)."""
    cup, bare = _CUP_AS[value]

    def change(row: CapturedYaku) -> CapturedYaku:
        group = row.cards & ~CUP | cup
        return row._replace(cards=group, counted=group if row.step else 0, bare=bare)

    return _with_row(table, "kasu", change)


#: The rules of captured yaku. 月札 depends on the month and has a separate field, but its option
#: comes after the values of yaku.
CAPTURED: Final = (
    *(_value(row.id) for row in ROWS),
    make_rule(yaku_row("captured", "tsukifuda"), str, lambda _, value: int(value), "tsukifuda"),
    make_rule(
        "sakazuki | captured | yes=数える/counts;"
        " scored=数える（宣言は11枚から）/counts, but to stop needs 11; no=数えない/does not count"
        " | 菊に盃をカスに | The sake cup as chaff",
        _read_cup,
        _change_cup,
    ),
    *map(_step, GROWS),
    *map(_over, REPLACES),
    _called("hanami"),
    _called("tsukimi"),
)


# Dealt-hand yaku ----------------------------------------------------------------------------------


def _dealt(id: str) -> HouseRule:
    """Return the rule for the value of a dealt-hand yaku, 0 for none.

    A house without dealt-hand yaku stays unchanged.
    """
    (standard,) = (row for row in TEYAKU if row.id == id)

    def read(table: tuple[HandYaku, ...]) -> str:
        return str(next((row.value for row in table or TEYAKU if row.id == id), 0))

    def change(table: tuple[HandYaku, ...], value: str) -> tuple[HandYaku, ...]:
        if not table:
            return table
        rows = [row for row in table if row.id != id]
        if int(value):
            rows.append(standard._replace(value=int(value)))
        order = [row.id for row in TEYAKU]
        rows.sort(key=lambda row: order.index(row.id))
        return tuple(_with_teshi(rows))

    return make_rule(yaku_row("dealt", id), read, change)


def _with_teshi(rows: list[HandYaku]) -> Iterator[HandYaku]:
    """Yield the rows, with 手四 covering the patterns with a four not listed elsewhere (K4)."""
    listed = {shape for row in rows if row.id != "teshi" for shape in row.patterns}
    for row in rows:
        if row.id == "teshi":
            further = sorted(_FOURS - listed - set(row.patterns), reverse=True)
            row = row._replace(patterns=(*row.patterns, *further))
        yield row


DEALT: Final = (
    make_rule(
        "teyaku | dealt | | 手役 | Dealt-hand yaku",
        yes_no,
        lambda table, value: (table or TEYAKU) if value == "yes" else (),
    ),
    *(_dealt(row.id) for row in TEYAKU),
)

"""Single house rules of こいこい on top of a profile (K15–K19), an `Override` per option.

Overrides are applied in the order of `OVERRIDES`, regardless of their order in the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from kafu.cards import ANIMALS, BLUE_SLIPS, CUP, DREGS, RED_POEMS, SLIPS
from kafu.rules.koikoi.profiles import PROFILES, TEYAKU, YAKU, Profile
from kafu.rules.teyaku import HandYaku, patterns
from kafu.rules.yaku import Yaku, YakuTable, whole


class Override(NamedTuple):
    """An option, with functions to read its value from a house and to change a house."""

    read: Callable[[Profile], str]
    change: Callable[[Profile, str], Profile]


#: The yaku that a yaku may replace, including pairs that add up in the document (K5).
REPLACES: Final[Mapping[str, tuple[str, ...]]] = {
    "goko": ("shiko", "ameshiko", "sanko"),
    "shiko": ("ameshiko", "sanko"),
    "ameshiko": ("sanko",),
    "otori": ("kotori",),
    "goun": ("tane",),
    "inoshikacho": ("tane",),
    "teppo": ("tsukimi", "hanami"),
    "akatan-aotan": ("akatan", "aotan", "tan"),
    "akatan": ("tan",),
    "aotan": ("tan",),
}
#: The yaku that can grow: the cards that count, and the number beyond which each adds to the value.
GROWS: Final[Mapping[str, tuple[int, int]]] = {
    "tane": (ANIMALS, 5),
    "tan": (SLIPS, 5),
    "kasu": (DREGS, 10),
    "inoshikacho": (ANIMALS, 3),
    "akatan-aotan": (SLIPS, 6),
    "akatan": (SLIPS, 3),
    "aotan": (SLIPS, 3),
}
#: The captured yaku that a house can have; an option adds a yaku by its value.
ROWS: Final = YakuTable(
    (*YAKU[:5], whole("akatan-aotan", RED_POEMS | BLUE_SLIPS, 10), *YAKU[5:])  # after 雨四光
)
_ORDER: Final = {row.id: place for place, row in enumerate(ROWS)}


def _row(house: Profile, id: str) -> Yaku | None:
    """Return the row of a yaku in the house, None if not played."""
    return next((row for row in house.yaku if row.id == id), None)


def _with_row(house: Profile, id: str, change: Callable[[Yaku], Yaku]) -> Profile:
    """Return the house with a yaku changed, or the same house if the yaku is not played."""
    return replace(
        house, yaku=YakuTable(change(row) if row.id == id else row for row in house.yaku)
    )


# Captured yaku ------------------------------------------------------------------------------------


def _value(id: str) -> Override:
    """Return the option for the value of a captured yaku.

    A missing yaku is added; the value 0 removes the yaku.
    """

    def read(house: Profile) -> str:
        row = _row(house, id)
        return str(row.value if row else 0)

    def change(house: Profile, value: str) -> Profile:
        worth = int(value)
        if not worth:
            return replace(house, yaku=YakuTable(row for row in house.yaku if row.id != id))
        if _row(house, id):
            return _with_row(house, id, lambda row: row._replace(value=worth))
        rows = [*house.yaku, ROWS.find(id)._replace(value=worth)]
        return replace(house, yaku=YakuTable(sorted(rows, key=lambda row: _ORDER[row.id])))

    return Override(read, change)


def _step(id: str) -> Override:
    """Return the option for the growth of a yaku with each further card, 0 for none."""

    def read(house: Profile) -> str:
        return str((_row(house, id) or ROWS.find(id)).step)

    def change(house: Profile, value: str) -> Profile:
        step = int(value)

        def grow(row: Yaku) -> Yaku:
            if not step:
                return row._replace(step=0, counted=0, base=0)
            group, base = GROWS[id]
            # Count the sake cup if the house counts it as カス.
            counted = row.cards if id == "kasu" else group
            return row._replace(step=step, counted=counted, base=base)

        return _with_row(house, id, grow)

    return Override(read, change)


def _over(id: str) -> Override:
    """Return the option for whether a yaku replaces the lesser yaku of `REPLACES`."""

    def read(house: Profile) -> str:
        return _yes_no((_row(house, id) or ROWS.find(id)).over)

    def change(house: Profile, value: str) -> Profile:
        over = REPLACES[id] if value == "yes" else ()
        return _with_row(house, id, lambda row: row._replace(over=over))

    return Override(read, change)


def _called(id: str) -> Override:
    """Return the option for the value of a yaku after its player's こいこい, 0 for no change."""

    def read(house: Profile) -> str:
        row = _row(house, id)
        return str((row and row.called_value) or 0)

    def change(house: Profile, value: str) -> Profile:
        return _with_row(house, id, lambda row: row._replace(called_value=int(value) or None))

    return Override(read, change)


#: The sake cup as カス by option: the cup if it counts, and the cup if ten with it give no right.
_CUP_AS: Final[Mapping[str, tuple[int, int]]] = {
    "yes": (CUP, 0),
    "scored": (CUP, CUP),
    "no": (0, 0),
}


def _read_cup(house: Profile) -> str:
    """Return how the house counts the sake cup: a key of `_CUP_AS`."""
    row = _row(house, "kasu") or ROWS.find("kasu")
    current = row.cards & CUP, row.bare
    return next(word for word, cup in _CUP_AS.items() if cup == current)


def _change_cup(house: Profile, value: str) -> Profile:
    """Return the house with another rule for the sake cup (K6)."""
    cup, bare = _CUP_AS[value]

    def change(row: Yaku) -> Yaku:
        group = row.cards & ~CUP | cup
        return row._replace(cards=group, counted=group if row.step else 0, bare=bare)

    return _with_row(house, "kasu", change)


# Dealt-hand yaku ----------------------------------------------------------------------------------

#: 手四: the patterns with a four of a month, apart from those that another yaku lists (K4).
_FOURS: Final = frozenset(shape for shape in patterns(8) if shape[0] == 4)


def _dealt(id: str) -> Override:
    """Return the option for the value of a dealt-hand yaku, 0 for none.

    A house without dealt-hand yaku stays unchanged.
    """
    (standard,) = (row for row in TEYAKU if row.id == id)

    def read(house: Profile) -> str:
        table = house.teyaku or TEYAKU
        return str(next((row.value for row in table if row.id == id), 0))

    def change(house: Profile, value: str) -> Profile:
        if not house.teyaku:
            return house
        rows = [row for row in house.teyaku if row.id != id]
        if int(value):
            rows.append(standard._replace(value=int(value)))
        order = [row.id for row in TEYAKU]
        rows.sort(key=lambda row: order.index(row.id))
        return replace(house, teyaku=tuple(_with_teshi(rows)))

    return Override(read, change)


def _with_teshi(rows: list[HandYaku]) -> Iterator[HandYaku]:
    """Yield the rows, with 手四 covering the patterns with a four not listed elsewhere (K4)."""
    listed = {shape for row in rows if row.id != "teshi" for shape in row.patterns}
    for row in rows:
        if row.id == "teshi":
            further = sorted(_FOURS - listed - set(row.patterns), reverse=True)
            row = row._replace(patterns=(*row.patterns, *further))
        yield row


# Table of options ---------------------------------------------------------------------------------


def _yes_no(value: object) -> str:
    """Return "yes" or "no"."""
    return "yes" if value else "no"


def _set(house: Profile, **fields: Any) -> Profile:
    """Return the house with other fields, named by `OVERRIDES`."""
    return replace(house, **fields)


def _number(field: str, zero: int | None = 0) -> Override:
    """Return the option for a number field; ``zero`` is the field's value for 0."""
    return Override(
        lambda house: str(getattr(house, field) or 0),
        lambda house, value: _set(house, **{field: int(value) or zero}),
    )


def _switch(field: str) -> Override:
    """Return the option for a boolean field, written "yes" or "no"."""
    return Override(
        lambda house: _yes_no(getattr(house, field)),
        lambda house, value: _set(house, **{field: value == "yes"}),
    )


def _word(field: str) -> Override:
    """Return the option for a text field."""
    return Override(
        lambda house: str(getattr(house, field)),
        lambda house, value: _set(house, **{field: value}),
    )


def _either(field: str, true: str, false: str) -> Override:
    """Return the option for a boolean field, written as either word."""
    return Override(
        lambda house: true if getattr(house, field) else false,
        lambda house, value: _set(house, **{field: value == true}),
    )


#: The part of 吟味 that does not depend on the months won, by default (K14).
_PRIZE: Final = Profile("koikoi").prize


def _change_prize(house: Profile, value: str) -> Profile:
    """Return the house with or without 吟味 (K14)."""
    if value == "no":
        return replace(house, prize=None)
    return house if house.prize is not None else replace(house, prize=_PRIZE)


#: The options except ``profile``, in the order in which they are applied.
OVERRIDES: Final[Mapping[str, Override]] = {
    "months": _number("months"),
    "first-to": _number("first_to"),
    "start": _number("start"),
    "pays": _switch("zero_sum"),
    "bust": _switch("bust"),
    "teyaku": Override(
        lambda house: _yes_no(house.teyaku),
        lambda house, value: replace(
            house, teyaku=(house.teyaku or TEYAKU) if value == "yes" else ()
        ),
    ),
    **{row.id: _dealt(row.id) for row in TEYAKU},
    **{row.id: _value(row.id) for row in ROWS},
    "tsukifuda": _number("tsukifuda"),
    "sakazuki": Override(_read_cup, _change_cup),
    **{f"{id}-step": _step(id) for id in GROWS},
    **{f"{id}-over": _over(id) for id in REPLACES},
    "hanami-called": _called("hanami"),
    "tsukimi-called": _called("tsukimi"),
    "rain": _switch("rain"),
    "hinode": _switch("crane"),
    "shibori": _number("floor"),
    "shima": _number("again_field"),
    "shima-hand": _switch("again_hand"),
    "dealer": _word("succession"),
    "nagare": _either("replay", "again", "next"),
    "nagare-dealer": _either("exhausted_change", "changes", "stays"),
    "oyaken": _number("exhausted_gain"),
    "oyaken-wins": _switch("exhausted_wins"),
    "exhausted": _either("exhausted_higher", "higher", "nagare"),
    "koikoi-last": _switch("last_card_koikoi"),
    "koikoi-most": _number("most_calls", None),
    "koikoi-bonus": _number("call_bonus"),
    "koikoi-times": _number("call_times"),
    "calls": _either("calls_multiply", "multiply", "no"),
    "koikoigaeshi": _switch("double_called"),
    "bai": _number("double_from", None),
    "kobiki": _number("season"),
    "obiki": _number("grand"),
    "kaeriharu": _switch("extend"),
    "ginmi": Override(lambda house: _yes_no(house.prize is not None), _change_prize),
    "ginmi-base": Override(
        lambda house: str(_PRIZE if house.prize is None else house.prize),
        lambda house, value: house if house.prize is None else replace(house, prize=int(value)),
    ),
    "ginmi-month": _number("prize_month"),
}


def profile(options: Mapping[str, str]) -> Profile | None:
    """Return the profile named by a game's options, with all overrides applied (K15).

    Returns None for an unknown profile.
    """
    house = PROFILES.get(options.get("profile", "koikoi"))
    if house is None:
        return None
    for name, override in OVERRIDES.items():
        if name in options:
            house = override.change(house, options[name])
    return house

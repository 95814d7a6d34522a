"""Single house rules of koi-koi on top of a profile (K15–K19): every option as data.

An `Override` says how an option reads off a house and how it changes one. They are applied in the
order of `OVERRIDES`, however a record writes them.
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
    """An option: its value in a house, and the house with another value."""

    read: Callable[[Profile], str]
    change: Callable[[Profile, str], Profile]


#: Which yaku may replace which, including pairs that count together in the document (K5).
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
#: The yaku that can grow: with which cards, beyond how many of them.
GROWS: Final[Mapping[str, tuple[int, int]]] = {
    "tane": (ANIMALS, 5),
    "tan": (SLIPS, 5),
    "kasu": (DREGS, 10),
    "inoshikacho": (ANIMALS, 3),
    "akatan-aotan": (SLIPS, 6),
    "akatan": (SLIPS, 3),
    "aotan": (SLIPS, 3),
}
#: The yaku of the document that a house can have; an option adds one by its value.
ROWS: Final = YakuTable(
    (*YAKU[:5], whole("akatan-aotan", RED_POEMS | BLUE_SLIPS, 10), *YAKU[5:])  # after 雨四光
)
_ORDER: Final = {row.id: place for place, row in enumerate(ROWS)}


def _row(house: Profile, id: str) -> Yaku | None:
    return next((row for row in house.yaku if row.id == id), None)


def _with_row(house: Profile, id: str, change: Callable[[Yaku], Yaku]) -> Profile:
    """The house with a yaku changed, if it has it."""
    return replace(
        house, yaku=YakuTable(change(row) if row.id == id else row for row in house.yaku)
    )


# Captured yaku ------------------------------------------------------------------------------------


def _value(id: str) -> Override:
    """The value of a captured yaku; one that the house lacks is added, with 0 it is removed."""

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
    """How much each further card adds to a yaku; 0: it does not grow."""

    def read(house: Profile) -> str:
        return str((_row(house, id) or ROWS.find(id)).step)

    def change(house: Profile, value: str) -> Profile:
        step = int(value)

        def grow(row: Yaku) -> Yaku:
            if not step:
                return row._replace(step=0, counted=0, base=0)
            group, base = GROWS[id]
            # The sake cup counts if it is dregs.
            counted = row.cards if id == "kasu" else group
            return row._replace(step=step, counted=counted, base=base)

        return _with_row(house, id, grow)

    return Override(read, change)


def _over(id: str) -> Override:
    """Whether a yaku replaces the lesser ones that `REPLACES` names."""

    def read(house: Profile) -> str:
        return _yes_no((_row(house, id) or ROWS.find(id)).over)

    def change(house: Profile, value: str) -> Profile:
        over = REPLACES[id] if value == "yes" else ()
        return _with_row(house, id, lambda row: row._replace(over=over))

    return Override(read, change)


def _called(id: str) -> Override:
    """The value of a yaku after its player's こいこい; 0: the same as before."""

    def read(house: Profile) -> str:
        row = _row(house, id)
        return str((row and row.called_value) or 0)

    def change(house: Profile, value: str) -> Profile:
        return _with_row(house, id, lambda row: row._replace(called_value=int(value) or None))

    return Override(read, change)


#: The sake cup among the dregs by option: whether it counts, whether ten with it give no right.
_CUP_AS: Final[Mapping[str, tuple[int, int]]] = {
    "yes": (CUP, 0),
    "scored": (CUP, CUP),
    "no": (0, 0),
}


def _read_cup(house: Profile) -> str:
    row = _row(house, "kasu") or ROWS.find("kasu")
    have = row.cards & CUP, row.bare
    return next(word for word, cup in _CUP_AS.items() if cup == have)


def _change_cup(house: Profile, value: str) -> Profile:
    """K6: whether the sake cup is dregs too, and whether ten with it give the right."""
    cup, bare = _CUP_AS[value]

    def change(row: Yaku) -> Yaku:
        group = row.cards & ~CUP | cup
        return row._replace(cards=group, counted=group if row.step else 0, bare=bare)

    return _with_row(house, "kasu", change)


# Dealt-hand yaku ----------------------------------------------------------------------------------

#: 手四: any hand with a four, where its pattern is not listed on its own (K4).
_FOURS: Final = frozenset(shape for shape in patterns(8) if shape[0] == 4)


def _dealt(id: str) -> Override:
    """The value of a dealt-hand yaku if the house plays them; with 0 it is not played."""
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
    """K4: 手四 includes the fours that no other row of the table lists."""
    listed = {shape for row in rows if row.id != "teshi" for shape in row.patterns}
    for row in rows:
        if row.id == "teshi":
            more = sorted(_FOURS - listed - set(row.patterns), reverse=True)
            row = row._replace(patterns=(*row.patterns, *more))
        yield row


# All of them --------------------------------------------------------------------------------------


def _yes_no(answer: object) -> str:
    return "yes" if answer else "no"


def _set(house: Profile, **fields: Any) -> Profile:
    """The house with other fields, named by the table below."""
    return replace(house, **fields)


def _number(field: str, none: int | None = 0) -> Override:
    """A field that is a number; ``none`` stands for 0."""
    return Override(
        lambda house: str(getattr(house, field) or 0),
        lambda house, value: _set(house, **{field: int(value) or none}),
    )


def _switch(field: str) -> Override:
    """A field that is true or false."""
    return Override(
        lambda house: _yes_no(getattr(house, field)),
        lambda house, value: _set(house, **{field: value == "yes"}),
    )


def _word(field: str) -> Override:
    """A field that is one of some words."""
    return Override(
        lambda house: str(getattr(house, field)),
        lambda house, value: _set(house, **{field: value}),
    )


def _either(field: str, true: str, false: str) -> Override:
    """A field that is true or false, by two words."""
    return Override(
        lambda house: true if getattr(house, field) else false,
        lambda house, value: _set(house, **{field: value == true}),
    )


#: The part of 吟味 that does not depend on the months won, by default (K14).
_PRIZE: Final = Profile("koikoi").prize


def _change_prize(house: Profile, value: str) -> Profile:
    if value == "no":
        return replace(house, prize=None)
    return house if house.prize is not None else replace(house, prize=_PRIZE)


#: Options of koi-koi but ``profile``, in the order in which they are applied.
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
    """The profile that a game's options name, with single overrides (K15); None if unknown here."""
    chosen = PROFILES.get(options.get("profile", "koikoi"))
    if chosen is None:
        return None
    for name, override in OVERRIDES.items():
        if name in options:
            chosen = override.change(chosen, options[name])
    return chosen

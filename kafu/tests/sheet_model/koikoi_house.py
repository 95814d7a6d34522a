"""The houses of `koikoi`: their yaku, and what a winner's total of yaku is raised by (K4–K20)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from sheet_model.pack import (
    AKATAN,
    ANIMALS,
    AOTAN,
    BRIGHTS,
    CHAFF,
    GOKO,
    RIBBONS,
    SHIKO,
    WILLOWS,
    cards_of,
    indices,
)

DEALT: Final[Mapping[str, int]] = {
    **{"haneken": 3, "teshi": 6, "futasanbon": 9, "kuttsuki": 10},
    **{"futasanbon-kuttsuki": 20, "teshi-kuttsuki": 40, "shiso": 45, "futateshi": 360},
}
CRANE: Final = indices("A")
CUP: Final = indices("g")
MIST: Final = indices("stuv")
CALLED: Final = 3
#: The most calls of a player: one with each hand card.
MOST_CALLS: Final = 8


@dataclass(frozen=True)
class Yaku:
    """A captured yaku: ``need`` of ``cards``, ``must`` among them, worth ``value``.

    Each of ``counted`` more than ``base`` adds ``step``. ``called`` is the value after こいこい.
    """

    cards: tuple[int, ...]
    need: int
    value: int
    must: tuple[int, ...] = ()
    step: int = 0
    counted: tuple[int, ...] = ()
    base: int = 0
    over: tuple[str, ...] = ()
    sake: bool = False
    bare: tuple[int, ...] = ()
    called: int | None = None


def _whole(cards: tuple[int, ...], value: int, *over: str, sake: bool = False) -> Yaku:
    return Yaku(cards, len(cards), value, over=over, sake=sake)


def _counting(cards: tuple[int, ...], need: int, bare: tuple[int, ...] = ()) -> Yaku:
    return Yaku(cards, need, 1, step=1, counted=cards, base=need, bare=bare)


def _growing(yaku: Yaku, counted: tuple[int, ...], *over: str) -> Yaku:
    """Return a set to which each further card of its kind adds 1."""
    return replace(yaku, step=1, counted=counted, base=yaku.need, over=over)


def _brights(goko: int, shiko: int, ameshiko: int, sanko: int) -> dict[str, Yaku]:
    return {
        "goko": _whole(GOKO, goko, "shiko", "ameshiko", "sanko"),
        "shiko": _whole(SHIKO, shiko, "ameshiko", "sanko"),
        "ameshiko": Yaku(BRIGHTS, 4, ameshiko, must=indices("o"), over=("sanko",)),
        "sanko": Yaku(SHIKO, 3, sanko),
    }


_BOTH: Final = AKATAN + AOTAN
_COUNTED: Final = {"tane": _counting(ANIMALS, 5), "tan": _counting(RIBBONS, 5)}
TABLES: Final[Mapping[str, Mapping[str, Yaku]]] = {
    "koikoi": {
        **_brights(24, 16, 9, 6),
        "otori": _whole(indices("AEMdps"), 18, "kotori"),
        "goun": _whole(indices("EQUYg"), 15),
        "akatan": _whole(AKATAN, 7),
        "aotan": _whole(AOTAN, 7),
        "kotori": _whole(indices("EMdp"), 7),
        "inoshikacho": _whole(indices("YkU"), 6),
        "teppo": _whole(indices("Icg"), 6, "tsukimi", "hanami", sake=True),
        "kusa": _whole(indices("NRZ"), 5),
        "omotesugawara": _whole(indices("AEI"), 4),
        "tsukimi": _whole(indices("cg"), 2, sake=True),
        "hanami": _whole(indices("Ig"), 2, sake=True),
        **_COUNTED,
        "kasu": _counting(CHAFF + CUP, 10, CUP),
    },
    "koikoi-ai": {
        **_brights(10, 8, 7, 5),
        "inoshikacho": _whole(indices("YkU"), 5),
        "tsukimi": replace(_whole(indices("cg"), 1, sake=True), called=CALLED),
        "hanami": replace(_whole(indices("Ig"), 1, sake=True), called=CALLED),
        "akatan-aotan": _whole(_BOTH, 10),
        "akatan": _whole(AKATAN, 5),
        "aotan": _whole(AOTAN, 5),
        **_COUNTED,
        "kasu": _counting(CHAFF + CUP, 10),
    },
    "koikoi-nintendo": {
        **_brights(10, 8, 7, 5),
        "tsukimi": _whole(indices("cg"), 5, sake=True),
        "hanami": _whole(indices("Ig"), 5, sake=True),
        "inoshikacho": _growing(_whole(indices("YkU"), 5), ANIMALS, "tane"),
        "akatan-aotan": _growing(_whole(_BOTH, 10), RIBBONS, "akatan", "aotan", "tan"),
        "akatan": _growing(_whole(AKATAN, 5), RIBBONS, "tan"),
        "aotan": _growing(_whole(AOTAN, 5), RIBBONS, "tan"),
        **_COUNTED,
        "kasu": _counting(CHAFF + CUP, 10),
    },
}
#: The yaku that a yaku replaces if its option says so, and the cards that raise it (K15).
OVER: Final[Mapping[str, tuple[str, ...]]] = {
    **{name: yaku.over for name, yaku in _brights(0, 0, 0, 0).items() if yaku.over},
    **{"otori": ("kotori",), "goun": ("tane",), "inoshikacho": ("tane",)},
    **{"teppo": ("tsukimi", "hanami"), "akatan-aotan": ("akatan", "aotan", "tan")},
    **{"akatan": ("tan",), "aotan": ("tan",)},
}
RAISING: Final[Mapping[str, tuple[int, ...]]] = {
    **{"tane": ANIMALS, "inoshikacho": ANIMALS, "kasu": CHAFF + CUP},
    **dict.fromkeys(("tan", "akatan-aotan", "akatan", "aotan"), RIBBONS),
}
#: The options of each house that concern the payments of a month.
OPTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "koikoi": {
        **{"rain": "yes", "mist": "no", "hinode": "yes", "shibori": "3", "nagare": "again"},
        **{"shima": "4", "koikoi-last": "yes", "koikoi-most": "0", "koikoi-bonus": "0"},
        **{"koikoi-times": "0", "calls": "no", "koikoigaeshi": "no", "bai": "0", "oyaken": "0"},
        **{"teyaku": "yes", "exhausted": "nagare", "pays": "no", "tsukifuda": "0"},
    }
}
_PROGRAM: Final = {"rain": "no", "shibori": "0", "nagare": "next", "koikoi-last": "no"}
CHANGES: Final[Mapping[str, Mapping[str, str]]] = {
    "koikoi": {},
    "koikoi-ai": {
        **_PROGRAM,
        **{"teyaku": "no", "koikoi-bonus": "1", "koikoi-times": "3", "oyaken": "1", "pays": "yes"},
    },
    "koikoi-nintendo": {
        **_PROGRAM,
        **{"teyaku": "no", "shima": "3", "koikoi-most": "1", "bai": "7", "koikoigaeshi": "yes"},
    },
}


#: The yaku that an option may add to a profile.
_ADDED: Final = {**TABLES["koikoi"], "akatan-aotan": _whole(_BOTH, 0)}


def _change(name: str, yaku: Yaku, options: Mapping[str, str]) -> Yaku:
    """Return a captured yaku with the single rules that options change (K15)."""
    yaku = replace(yaku, value=int(options.get(name, yaku.value)))
    if f"{name}-over" in options:
        yaku = replace(yaku, over=OVER[name] if options[f"{name}-over"] == "yes" else ())
    if f"{name}-called" in options:
        yaku = replace(yaku, called=int(options[f"{name}-called"]) or None)
    if f"{name}-step" in options:
        step = int(options[f"{name}-step"])
        yaku = replace(yaku, step=step, counted=RAISING[name], base=yaku.need)
    if name == "kasu" and "sakazuki" in options:
        chaff = CHAFF + CUP * (options["sakazuki"] != "no")
        bare = CUP * (options["sakazuki"] == "scored")
        yaku = replace(yaku, cards=chaff, counted=chaff, bare=bare)
    return yaku


class House:
    """The rules of a house for the payments of a month."""

    def __init__(self, options: Mapping[str, str]) -> None:
        profile = options.get("profile", "koikoi")
        self.options: Final = {**OPTIONS["koikoi"], **CHANGES[profile], **options}
        rows = {
            **{name: replace(yaku, value=0) for name, yaku in _ADDED.items()},
            **TABLES[profile],
        }
        yaku = {name: _change(name, row, options) for name, row in rows.items()}
        self.yaku: Final = {name: row for name, row in yaku.items() if row.value}
        dealt = {name: int(options.get(name, value)) for name, value in DEALT.items()}
        is_dealt = self.is_set("teyaku")
        self.dealt: Final = {name: value for name, value in dealt.items() if is_dealt and value}

    def is_set(self, option: str) -> bool:
        """Return whether an option is ``yes``."""
        return self.options[option] == "yes"

    def number(self, option: str) -> int:
        """Return the number of an option."""
        return int(self.options[option])

    def table(self, month: int) -> Mapping[str, Yaku]:
        """Return the yaku of a month, 月札 included (K16)."""
        if not self.number("tsukifuda"):
            return self.yaku
        cards = tuple(cards_of((month - 1) % 12))
        return {**self.yaku, "tsukifuda": _whole(cards, self.number("tsukifuda"))}

    @property
    def voiding(self) -> tuple[int, ...]:
        """The cards that void the sake yaku (K7, K20)."""
        return WILLOWS * self.is_set("rain") + MIST * self.is_set("mist")

    @property
    def most_calls(self) -> int:
        """The most calls of a player."""
        most = MOST_CALLS - (not self.is_set("koikoi-last"))
        return min(most, self.number("koikoi-most") or most)

    def additions(self, total: int, own: int, opponent: int) -> dict[str, int]:
        """Return what is added to the total of a winner, by the calls of both (K15, K17)."""
        times = self.number("koikoi-times")
        bonus = own * self.number("koikoi-bonus")
        if times and own > times:
            bonus = total * (own - times)
        plain = total + bonus
        if self.options["calls"] == "multiply":
            bonus += plain * (own + opponent)
        added = {"koikoi": bonus}
        total += bonus
        if self.number("bai") and plain >= self.number("bai"):
            added["bai"] = total
            total *= 2
        if self.is_set("koikoigaeshi") and opponent:
            added["koikoigaeshi"] = total
        return {label: amount for label, amount in added.items() if amount}

    def list_calls(self, total: int, added: Mapping[str, int]) -> Iterator[tuple[int, int]]:
        """Yield the numbers of calls of winner and opponent with these additions."""
        for own in range(self.most_calls + 1):
            for opponent in range(self.most_calls + 1):
                if self.additions(total, own, opponent) == added:
                    yield own, opponent

"""The closed lists of Kafu 1: rulesets, their seats, units, options, and the words of statements.

What a word *does* is the engine's business; here stands only which words there are, because an
unknown one makes a text malformed (kafu.md §9).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

VERSION: Final = "1"

#: Limits a reader enforces (kafu.md §12).
MAX_DEALS: Final = 64
MAX_GAME_BYTES: Final = 1 << 20
MAX_TAG_BYTES: Final = 4096
#: Bounds of our own, far above any real game, so that no list of a game is without end.
MAX_TAGS: Final = 256
MAX_TURNS: Final = 400
MAX_ROUND: Final = 9999
MAX_COMMENTS: Final = 10_000
MAX_STATEMENTS: Final = 100
MAX_WARNINGS: Final = 100
#: Points in a kan (貫).
KAN: Final = 12
#: No sum of a record comes near this; a longer number is a slip of the pen (or an attack).
MAX_AMOUNT: Final = 10**9


class Values:
    """What an option may be set to: one of some words, or a whole number from ``low`` to ``high``,
    written without a sign and without zeros in front.

    ``expected`` says so for people: the words, or ``0…999``.
    """

    __slots__ = ("expected", "known")

    def __init__(self, *words: str, low: int = 0, high: int = -1) -> None:
        self.expected = words or (f"{low}…{high}",)
        self.known = frozenset(words or map(str, range(low, high + 1)))


@dataclass(frozen=True, slots=True)
class Rules:
    """What the notation must know of a ruleset: seats, kan or not, turns a round, options."""

    id: str
    seats: range
    kan: bool
    round: int
    sheets: bool
    options: Mapping[str, Values] = field(default_factory=dict)


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


YES_NO: Final = Values("yes", "no")
_VALUE: Final = Values(high=999)
_SMALL: Final = Values(high=99)

_KOIKOI_DEALT: Final = _words(
    """
    haneken teshi futasanbon kuttsuki futasanbon-kuttsuki teshi-kuttsuki shiso futateshi
    """
)
_KOIKOI_YAKU: Final = _words(
    """
    goko otori shiko goun ameshiko akatan-aotan akatan aotan kotori inoshikacho teppo sanko kusa
    omotesugawara tsukimi hanami tane tan kasu
    """
)
#: Those that can grow with each further card, and those that can replace lesser ones.
_KOIKOI_GROWING: Final = _words("tane tan kasu inoshikacho akatan-aotan akatan aotan")
_KOIKOI_REPLACING: Final = _words(
    "goko shiko ameshiko otori goun inoshikacho teppo akatan-aotan akatan aotan"
)

RULES: Final[Mapping[str, Rules]] = {
    rules.id: rules
    for rules in (
        Rules(
            "hachihachi",
            range(3, 4),
            kan=True,
            round=3,
            sheets=True,
            options={"ba": Values(*"ABCDEF"), "etsunen": YES_NO},
        ),
        Rules(
            "koikoi",
            range(2, 3),
            kan=False,
            round=2,
            sheets=False,
            options={
                "profile": Values("koikoi", "koikoi-ai", "koikoi-nintendo"),
                "months": Values(low=1, high=48),
                "start": _VALUE,
                "pays": YES_NO,
                "bust": YES_NO,
                "teyaku": YES_NO,
                # A yaku and what it is worth; 0 takes it out of play (K15).
                **dict.fromkeys(_KOIKOI_DEALT, _VALUE),
                **dict.fromkeys(_KOIKOI_YAKU, _VALUE),
                "sakazuki": Values("yes", "scored", "no"),
                **{f"{yaku}-step": _SMALL for yaku in _KOIKOI_GROWING},
                **{f"{yaku}-over": YES_NO for yaku in _KOIKOI_REPLACING},
                "hanami-called": _VALUE,
                "tsukimi-called": _VALUE,
                "rain": YES_NO,
                "hinode": YES_NO,
                "shibori": Values(high=9),
                "shima": Values("3", "4"),
                "shima-hand": YES_NO,
                "dealer": Values("winner", "loser", "turns"),
                "nagare": Values("again", "next"),
                "nagare-dealer": Values("changes", "stays"),
                "oyaken": _SMALL,
                "oyaken-wins": YES_NO,
                "koikoi-last": YES_NO,
                "koikoi-most": Values(high=9),
                "koikoi-bonus": _SMALL,
                "koikoi-times": Values(high=9),
                "koikoigaeshi": YES_NO,
                "bai": _VALUE,
                "kobiki": _SMALL,
                "obiki": _SMALL,
                "kaeriharu": YES_NO,
                "ginmi": YES_NO,
                "ginmi-base": _SMALL,
                "ginmi-month": Values(high=9),
            },
        ),
        Rules(
            "hachihachi-bga",
            range(3, 7),
            kan=True,
            round=3,
            sheets=False,
            options={
                "months": Values("6", "12"),
                "etsunen": YES_NO,
                "torikeshi": YES_NO,
                "tobikomi-hatto": YES_NO,
                "tsukifuda": YES_NO,
                "shiso": Values("no", "ends"),
            },
        ),
        Rules("hanaawase", range(3, 4), kan=False, round=3, sheets=False),
        Rules(
            "ten-five-one",
            range(3, 8),
            kan=False,
            round=3,
            sheets=False,
            options={
                "months": Values(low=1, high=MAX_DEALS),
                "tobikomi": YES_NO,
                "nasake": Values("doni", "chosen-doni", "all", "all-rain", "no"),
                "kuttsuki": YES_NO,
                "teshi": Values("no", "doni", "all"),
                "futasanbon": YES_NO,
                "haneken": YES_NO,
                "ichinishi": YES_NO,
                "shiso": Values("yes", "no", "ends"),
                "kaburi": YES_NO,
            },
        ),
    )
}

TERMINATIONS: Final = ("normal", "unfinished", "resigned", "abandoned")
GRADES: Final = ("small", "large", "absolute")
SHEET_GRADES: Final = (*GRADES, "large2", "absolute2")
REDEALS: Final = ("ba4", "teshi", "tsukisante", "shima", "misdeal")
VOIDS: Final = ("misdeal", "mismatch", "other")
#: Decisions of a turn, with the Japanese words that a reader takes for them.
DECISIONS: Final[Mapping[str, str]] = {
    "shobu": "shobu",
    "勝負": "shobu",
    "koikoi": "koikoi",
    "こいこい": "koikoi",
    "agari": "agari",
    "あがり": "agari",
    "sage": "sage",
    "下げ": "sage",
    "menjo": "menjo",
    "免除": "menjo",
    "nimai": "nimai",
    "二枚めくり": "nimai",
}
CALLS: Final = ("torikeshi", "void-show")

#: Ids of dealt-hand yaku (rulings.md, Yaku ids). Which of them a hand has is the engine's to say.
SHOWS: Final = frozenset(
    _words(
        """
        sanbon tatesanbon kuttsuki teshi haneken ichinishi shiso futasanbon sanbon-tatesanbon
        futatatesanbon aka tanichi toichi pikaichi karasu futasanbon-kuttsuki teshi-kuttsuki
        futateshi rokkasu shichikasu tsukisante nasake
        """
    )
)
#: Where a name stands in a compound (rulings.md): the dregs family first, なさけ last.
_COMPOUND: Final = dict.fromkeys(_words("aka tanichi toichi pikaichi karasu"), -1) | {"nasake": 1}
#: Tags in canonical order; PlayerN comes after Round, Result after the players.
LEADING_TAGS: Final = ("Kafu", "Rules", "Options", "Event", "Site", "Date", "Round")
#: Statements of a month in their order (kafu.md §4 and §6); movetext stands for ``turns``.
STATEMENTS: Final = (
    "month",
    "draw",
    "split",
    "blind",
    "hand",
    "field",
    "stock",
    "swap",
    "bid",
    "ba",
    "show",
    "turns",
    "redeal",
    "void",
    "pay",
    "stone",
    "score",
)


def compound(names: Sequence[str]) -> tuple[str, ...]:
    """The names of a dealt-hand compound in canonical order; what is no such name stays.

    >>> compound(["sanbon", "aka"])
    ('aka', 'sanbon')
    """
    return tuple(sorted(names, key=lambda name: _COMPOUND.get(name, 0)))

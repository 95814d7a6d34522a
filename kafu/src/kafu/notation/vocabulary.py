"""The closed lists of Kafu 1: rulesets, their seats, units, options, and the words of statements.

Which rulesets there are, they say themselves (`register`). What a word *does* is the engine's
business; here stands only which words there are, because an unknown one makes a text malformed
(kafu.md §9).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from types import MappingProxyType
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


YES_NO: Final = Values("yes", "no")


@dataclass(frozen=True, slots=True)
class Rules:
    """What the notation must know of a ruleset: seats, kan or not, turns a round, score sheets or
    not, options, the ids of its dealt-hand yaku, and its decisions with their Japanese words.
    """

    id: str
    seats: range
    kan: bool
    round: int
    sheets: bool = False
    options: Mapping[str, Values] = field(default_factory=dict)
    shows: frozenset[str] = frozenset()
    decisions: Mapping[str, str] = field(default_factory=dict)


_RULES: Final[dict[str, Rules]] = {}
_DECISIONS: Final[dict[str, str]] = {}
_SHOWS: Final[dict[str, None]] = {}

#: The rulesets that are registered, by id. Like the two below it changes as they come and go.
RULES: Final[Mapping[str, Rules]] = MappingProxyType(_RULES)
#: Decisions of a turn, with the Japanese words that a reader takes for them.
DECISIONS: Final[Mapping[str, str]] = MappingProxyType(_DECISIONS)
#: Ids of dealt-hand yaku (rulings.md, Yaku ids). Which of them a hand has is the engine's to say.
SHOWS: Final[Set[str]] = _SHOWS.keys()


def register(rules: Rules) -> None:
    """Have games of a ruleset read and written. Raises ValueError if there is one of its id."""
    if rules.id in _RULES:
        raise ValueError(f"{rules.id} is registered")
    _RULES[rules.id] = rules
    _collect()


def unregister(id: str) -> None:
    """Forget a ruleset. Raises KeyError if there is none of this id."""
    del _RULES[id]
    _collect()


def _collect() -> None:
    """The words of all rulesets together: a text may have any of them (kafu.md §9)."""
    _DECISIONS.clear()
    _SHOWS.clear()
    for rules in _RULES.values():
        for word, said in rules.decisions.items():
            _DECISIONS.update({word: word, said: word})
        _SHOWS.update(dict.fromkeys(rules.shows))


TERMINATIONS: Final = ("normal", "unfinished", "resigned", "abandoned")
GRADES: Final = ("small", "large", "absolute")
SHEET_GRADES: Final = (*GRADES, "large2", "absolute2")
REDEALS: Final = ("ba4", "teshi", "tsukisante", "shima", "misdeal")
VOIDS: Final = ("misdeal", "mismatch", "other")
CALLS: Final = ("torikeshi", "void-show")
#: Where a name stands in a compound (rulings.md): the dregs family first, なさけ last.
_COMPOUND: Final = {
    **dict.fromkeys(("aka", "tanichi", "toichi", "pikaichi", "karasu"), -1),
    "nasake": 1,
}
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

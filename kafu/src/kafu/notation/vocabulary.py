"""The closed lists of Kafu 1: rulesets, their seats, units, options, and the words of statements.

Rulesets register themselves (`register`). The meaning of words is the engine's business; this
module only lists them, because an unknown one makes a text malformed (kafu.md §9).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

VERSION: Final = "1"

#: Limits a reader enforces (kafu.md §12).
MAX_DEALS: Final = 64
MAX_GAME_BYTES: Final = 1 << 20
MAX_TAG_BYTES: Final = 4096
#: Limits of our own, far above any real game, so that every list of a game is bounded.
MAX_TAGS: Final = 256
MAX_TURNS: Final = 400
MAX_ROUND: Final = 9999
MAX_COMMENTS: Final = 10_000
MAX_STATEMENTS: Final = 100
MAX_WARNINGS: Final = 100
#: Columns of a line of movetext in canonical form, counted in characters.
WIDTH: Final = 80
#: Points in a kan (貫).
KAN: Final = 12
#: No sum of a record comes near this; a longer number is a typing error (or an attack).
MAX_AMOUNT: Final = 10**9


class Values:
    """The values of an option: one of some words, or a whole number from ``low`` to ``high``,
    written without a sign and leading zeros.

    ``expected`` describes them for people: the words, or ``0…999``.
    """

    __slots__ = ("expected", "known")

    def __init__(self, *words: str, low: int = 0, high: int = -1) -> None:
        self.expected = words or (f"{low}…{high}",)
        self.known = frozenset(words or map(str, range(low, high + 1)))


YES_NO: Final = Values("yes", "no")


@dataclass(frozen=True, slots=True)
class Rules:
    """The notation's properties of a ruleset: seats, kan or not, turns a round, options, the ids
    of its dealt-hand yaku, and its decisions with their Japanese words. ``mon_above_zero``: its
    document writes −5 as −1貫7文.
    """

    id: str
    seats: range
    kan: bool
    round: int
    options: Mapping[str, Values] = field(default_factory=dict)
    shows: frozenset[str] = frozenset()
    decisions: Mapping[str, str] = field(default_factory=dict)
    mon_above_zero: bool = False


_RULES: Final[dict[str, Rules]] = {}
_DECISIONS: Final[dict[str, str]] = {}
_SHOWS: Final[dict[str, None]] = {}

#: The registered rulesets, by id. This and the two below change with every registration.
RULES: Final[Mapping[str, Rules]] = MappingProxyType(_RULES)
#: Decisions of a turn, with the Japanese words that a reader accepts for them.
DECISIONS: Final[Mapping[str, str]] = MappingProxyType(_DECISIONS)
#: Ids of dealt-hand yaku (rulings.md, Yaku ids). Which of them a hand has is for the engine to say.
SHOWS: Final[Set[str]] = _SHOWS.keys()


def register(rules: Rules) -> None:
    """Register a ruleset for reading and writing. Raises ValueError if its id is taken."""
    if rules.id in _RULES:
        raise ValueError(f"{rules.id} is registered")
    _RULES[rules.id] = rules
    _collect()


def unregister(id: str) -> None:
    """Remove a ruleset. Raises KeyError for an unknown id."""
    del _RULES[id]
    _collect()


_DEPENDENT: Final[list[Callable[[], None]]] = []


def depends_on_rulesets(forget: Callable[[], None]) -> None:
    """Call ``forget`` when the registered rulesets change: something was kept that knows them."""
    _DEPENDENT.append(forget)


def _collect() -> None:
    """The words of all rulesets together: a text may have any of them (kafu.md §9)."""
    for forget in _DEPENDENT:
        forget()
    _DECISIONS.clear()
    _SHOWS.clear()
    for rules in _RULES.values():
        for word, japanese in rules.decisions.items():
            _DECISIONS.update({word: word, japanese: word})
        _SHOWS.update(dict.fromkeys(rules.shows))


TERMINATIONS: Final = ("normal", "unfinished", "resigned", "abandoned")
GRADES: Final = ("small", "large", "absolute")
SHEET_GRADES: Final = (*GRADES, "large2", "absolute2")
REDEALS: Final = ("ba4", "teshi", "tsukisante", "shima", "misdeal")
VOIDS: Final = ("misdeal", "mismatch", "other")
CALLS: Final = ("torikeshi", "void-show")
#: The position of a name in a compound (rulings.md): the dregs family first, なさけ last.
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
    """The names of a dealt-hand compound in canonical order; an unknown name stays.

    >>> compound(["sanbon", "aka"])
    ('aka', 'sanbon')
    """
    return tuple(sorted(names, key=lambda name: _COMPOUND.get(name, 0)))

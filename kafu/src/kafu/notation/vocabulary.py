"""The closed lists of Kafu 1: rulesets, seats, units, options, and the words of statements.

Rulesets register themselves (`register`). The engine knows the meaning of words; the lists are
here because an unknown word makes a text malformed (kafu.md §9).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

VERSION: Final = "1"

#: Limits a reader enforces (kafu.md §12).
MAX_DEALS: Final = 64
MAX_GAME_BYTES: Final = 1 << 20
MAX_TAG_BYTES: Final = 4096
#: Limits of the lists of a game. No document states them; real games are far below.
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
#: The largest amount, far above any sum of a real game: a larger number is a typing error or an
#: attack.
MAX_AMOUNT: Final = 10**9


class Values:
    """The allowed values of an option: words, or an integer from ``low`` to ``high``.

    Integers are written without a sign and leading zeros. ``known`` is the set of values, and
    ``expected`` describes the values in messages: the words, or ``0…999``.
    """

    def __init__(self, *words: str, low: int = 0, high: int = -1) -> None:
        self.expected = words or (f"{low}…{high}",)
        self.known = frozenset(words or map(str, range(low, high + 1)))


@dataclass(frozen=True, slots=True)
class RulesetNotation:
    """A ruleset's properties that the notation needs.

    ``seats`` are the allowed numbers of players, ``round`` the turns per round, ``shows`` the ids
    of dealt-hand yaku (手役), ``yaku`` the ids of all yaku. ``decisions`` maps decisions to their
    Japanese words. ``kan`` is true for a ruleset that counts in 貫. ``mon_above_zero`` is true if
    the ruleset's document writes −5 as −1貫7文.
    """

    id: str
    seats: range
    kan: bool
    round: int
    options: Mapping[str, Values] = field(default_factory=dict)
    shows: frozenset[str] = frozenset()
    decisions: Mapping[str, str] = field(default_factory=dict)
    mon_above_zero: bool = False
    yaku: frozenset[str] = frozenset()


#: Decisions in kana, whose Japanese words have kanji.
_KANA: Final = {
    "しょうぶ": "勝負",
    "さげ": "下げ",
    "めんじょ": "免除",
    "にまいめくり": "二枚めくり",
}
#: The number of compared characters of a decision in a variant spelling.
_LONGEST_DECISION: Final = 16
#: Katakana as hiragana, and marks that keyboards insert.
_PLAIN_KANA: Final = {
    **{code: chr(code - 0x60) for code in range(0x30A1, 0x30F7)},
    **dict.fromkeys(map(ord, "-.,!、。\u0304")),
}

#: The registered rulesets, by id. `RULES`, `DECISIONS`, `SHOWS` and `YAKU` change with every
#: registration.
RULES: Final[dict[str, RulesetNotation]] = {}
#: Decisions of a turn by their ids and by the Japanese words that the reader accepts.
DECISIONS: Final[dict[str, str]] = {}
#: Ids of dealt-hand yaku (rulings.md, Yaku ids). The engine determines the yaku of a hand.
SHOWS: Final[set[str]] = set()
#: Ids of all yaku. A declared yaku that is not in `SHOWS` is a false declaration, for the engine.
YAKU: Final[set[str]] = set()


def register(notation: RulesetNotation) -> None:
    """Register a ruleset for reading and writing."""
    RULES[notation.id] = notation
    _collect()


def find_decision(word: str) -> str | None:
    """Return the id of a decision in any case, width and kana; None for an unknown word.

    >>> [find_decision(word) for word in ("Koi-Koi", "コイコイ", "ショウブ", "what")]
    ['koikoi', 'koikoi', 'shobu', None]
    """
    if word in DECISIONS or len(word) > _LONGEST_DECISION:
        return DECISIONS.get(word)
    plain = unicodedata.normalize("NFKC", word).casefold()
    plain = unicodedata.normalize("NFD", plain).translate(_PLAIN_KANA)
    plain = unicodedata.normalize("NFC", plain)
    return DECISIONS.get(_KANA.get(plain, plain))


def unregister(id: str) -> None:
    """Remove a ruleset. Raises KeyError for an unknown id."""
    del RULES[id]
    _collect()


def _collect() -> None:
    """Collect the words of all rulesets, since a text may use any of them (kafu.md §9)."""
    DECISIONS.clear()
    SHOWS.clear()
    YAKU.clear()
    for notation in RULES.values():
        for word, japanese in notation.decisions.items():
            DECISIONS.update({word: word, japanese: word})
        SHOWS.update(notation.shows)
        YAKU.update(notation.shows, notation.yaku)


TERMINATIONS: Final = ("normal", "unfinished", "resigned", "abandoned")
GRADES: Final = ("small", "large", "absolute")
SHEET_GRADES: Final = (*GRADES, "large2", "absolute2")
REDEALS: Final = ("ba4", "teshi", "tsukisante", "shima", "misdeal")
VOIDS: Final = ("misdeal", "mismatch", "other")
CALLS: Final = ("torikeshi", "void-show")
#: The position of a name in a compound (rulings.md): the chaff family first, なさけ last.
_COMPOUND: Final = {
    **dict.fromkeys(("aka", "tanichi", "toichi", "pikaichi", "karasu"), -1),
    "nasake": 1,
}
#: Tags in canonical order; PlayerN comes after Round, Result after the players.
LEADING_TAGS: Final = ("Kafu", "Rules", "Options", "Event", "Site", "Date", "Round")
#: Statements in their order (kafu.md §4 and §6): those of a month, whose movetext is ``turns``, and
#: ``final`` behind all months.
STATEMENTS: Final = (
    *("month", "draw", "split", "blind", "hand", "field", "stock", "swap", "bid", "ba", "show"),
    *("turns", "redeal", "void", "pay", "stone", "score", "final"),
)
#: The order of keywords. A month has its movetext as a whole, or turns and calls.
RANK: Final[Mapping[str, int]] = {
    name: 2 * rank for rank, name in enumerate(STATEMENTS)
} | dict.fromkeys(("turn", "call"), 2 * STATEMENTS.index("turns") + 1)


def compound(names: Sequence[str]) -> tuple[str, ...]:
    """Return the yaku ids of a dealt-hand compound in canonical order; unknown names are allowed.

    >>> compound(["sanbon", "aka"])
    ('aka', 'sanbon')
    """
    return tuple(sorted(names, key=lambda name: _COMPOUND.get(name, 0)))

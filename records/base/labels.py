"""Names for people in the language of the request: cards, kinds, yaku, months, rulesets, words.

They come from `kafu.cards` and `kafu.rules.names`; English joins romaji and gloss.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from kafu import cards
from kafu.notation.vocabulary import DECISIONS
from kafu.odds.exact import NONE
from kafu.rules.codes import CODES
from kafu.rules.names import ENDS, GRADES, REASONS, STEPS, YAKU
from kafu.rules.rulesets import RULESETS
from kafu.rules.verdict import localise, localise_fault

#: Maximum length of a player's name in sentences and tables; the notation has it whole.
NAME_LENGTH: Final = 40
#: The unit after kan in a sum, and the unit after the rest.
Units = tuple[str, str]
# Marks that change the direction of the text that follows, and control characters.
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def lang() -> str:
    """The language of names and messages: ``ja`` or ``en``."""
    return "ja" if (get_language() or "").startswith("ja") else "en"


def person(name: str) -> str:
    """A player's name for use in a sentence: cut to fit, without effect on the direction of the
    text.

    A name written from right to left is isolated (Unicode's FSI and PDI).

    >>> person("Aya" * 20)
    'AyaAyaAyaAyaAyaAyaAyaAyaAyaAyaAyaAyaAya…'
    """
    shown = _CONTROLS.sub("", name)
    if len(shown) > NAME_LENGTH:
        shown = f"{shown[: NAME_LENGTH - 1]}…"
    if any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in shown):
        return f"\u2068{shown}\u2069"
    return shown


def people(names: Iterable[str]) -> list[str]:
    """Players' names by seat, each for use in a sentence."""
    return [person(name) for name in names]


def fault(stored: Mapping[str, Any] | None, names: Iterable[str] = ()) -> dict[str, Any] | None:
    """A stored fault in words, with the players by their names where they are known; None stays
    None.
    """
    return localise_fault(stored, lang(), people(names))


def verdict(stored: Mapping[str, Any], names: Iterable[str] = ()) -> dict[str, Any]:
    """A stored verdict with its faults in words, as in `fault`."""
    return localise(stored, lang(), people(names))


def card(letter: str) -> str:
    """The full name of a card: ``松に鶴`` or ``matsu ni tsuru (pine with crane)``."""
    if letter == cards.UNKNOWN:
        return _("an unrecorded card")
    if letter == cards.BLANK:
        return _("the blank card")
    found = cards.CARD[letter]
    return found.ja if lang() == "ja" else f"{found.romaji} ({found.en})"


def brief(letters: str) -> str:
    """Cards in a sentence: ``松に鶴、松のカス`` or ``pine with crane, pine dregs``."""
    return _brief(letters, lang())


@lru_cache(maxsize=4096)
def _brief(letters: str, lang: str) -> str:
    if lang == "ja":
        return "、".join(card(letter) for letter in letters)
    found = (cards.CARD.get(letter) for letter in letters)
    return ", ".join(
        one.en if one else card(letter) for one, letter in zip(found, letters, strict=True)
    )


def apart(letter: str, name: str) -> str:
    """The name of a card in a list of all: cards of the same name get their letters appended."""
    found = cards.CARD[letter]
    twins = sum(one.ja == found.ja for one in cards.PACK)
    return f"{name} {letter}" if twins > 1 else name


def listed(parts: Iterable[str]) -> str:
    """Several things in a sentence: ``a, b`` or ``a、b``."""
    return ("、" if lang() == "ja" else ", ").join(parts)


def yaku(label: str) -> str:
    """A ledger label or a joined declaration (``aka+sanbon``); an unknown id is returned as it
    is.
    """
    parts = (YAKU[one].label(lang()) if one in YAKU else one for one in label.split("+"))
    return "+".join(parts)


def ruleset(rules: str) -> str:
    """A ruleset: ``三人はちはち`` or ``sannin hachihachi (eighty-eight for three)``."""
    return RULESETS[rules].name.label(lang()) if rules in RULESETS else rules


def dealer_mark(rules: str) -> str:
    """The badge of the dealer: the word of the ruleset's document, ``胴`` or ``親``."""
    return RULESETS[rules].dealer if rules in RULESETS else "親"


def dealer(rules: str) -> str:
    """The word for the dealer above a column: in Japanese that of the badge."""
    return dealer_mark(rules) if lang() == "ja" else _("Dealer")


def ruleset_brief(rules: str) -> str:
    """A ruleset in a list of games: ``三人はちはち`` or ``sannin hachihachi``."""
    if rules not in RULESETS:
        return rules
    name = RULESETS[rules].name
    return name.ja if lang() == "ja" else name.romaji


def end(how: str) -> str:
    """How a deal ended: ``勝負`` or ``shōbu (stopped and scored)``."""
    return ENDS[how].label(lang()) if how in ENDS else how


def settlement_step(kind: str) -> str:
    """A step of a settlement: ``吟味`` or ``ginmi (prize of the year)``."""
    return STEPS[kind].label(lang()) if kind in STEPS else kind


def thrown_in(reason: str) -> str:
    """Why a deal was thrown in: ``場四`` or ``bashi (four of a month on the field)``."""
    return REASONS[reason].label(lang()) if reason in REASONS else reason


def grade(of: str) -> str:
    """A field grade: ``大場`` or ``ōba (large field)``."""
    return GRADES[of].label(lang())


def grade_brief(of: str) -> str:
    """A field grade in short: ``大場`` or ``ōba``."""
    return GRADES[of].ja if lang() == "ja" else GRADES[of].romaji


def dealt(yaku: str) -> str:
    """A dealt-hand yaku in short, for the head of a column: ``短一`` or ``tan'ichi``."""
    if yaku == NONE:
        return _("no yaku")
    return YAKU[yaku].ja if lang() == "ja" else YAKU[yaku].romaji


def bound(by: str) -> str:
    """The grade carried into a month (二代しばり, 持ち越し), ``none`` for none."""
    words = {
        "none": _("nothing carried"),
        "large": _("ōba carried"),
        "absolute": _("zetsuba carried"),
    }
    return words[by]


#: Decisions whose romaji differ from their ids.
_DECISIONS: Final = {"koikoi": "koi-koi", "shobu": "shōbu"}


def decision(word: str) -> str:
    """The word of a decision: ``勝負`` or ``shōbu``."""
    if lang() != "ja":
        return _DECISIONS.get(word, word)
    return next((ja for ja, one in DECISIONS.items() if one == word != ja), word)


def expected(value: str, code: str) -> str:
    """A value that a fault of this code expected, in words: yaku, a decision, or cards; "" where it
    says all itself.
    """
    if all(one in YAKU for one in value.split("+")):
        return "・".join(dealt(one) for one in value.split("+"))
    if value in DECISIONS:
        word = decision(value)
        return word if word != value else ""
    known = set(value) <= cards.CARD.keys()
    return brief(value) if known and ":card}" in CODES[code].en else ""


def month(number: int) -> str:
    """A month: ``3月`` or ``month 3``."""
    return _("Month %(number)d") % {"number": number}


def plant(number: int) -> str:
    """The plant of a month, as ``桜`` or ``sakura (cherry)``; empty for rounds above 12."""
    if not 1 <= number <= 12:
        return ""
    found = cards.PLANTS[number - 1]
    return found.ja if lang() == "ja" else f"{found.romaji} ({found.en})"


def kind(of: cards.Kind) -> str:
    """A kind of cards: 光 or bright."""
    words = {
        cards.Kind.BRIGHT: _("brights"),
        cards.Kind.ANIMAL: _("animals"),
        cards.Kind.SLIP: _("slips"),
        cards.Kind.DREGS: _("dregs"),
    }
    return words[of]


def described_visibilities(*, private: bool) -> list[tuple[str, str, str]]:
    """The visibilities of an upload: value, name and explanation; private ones only if
    ``private``.
    """
    described = [
        ("public", _("public"), _("in all lists")),
        ("unlisted", _("unlisted"), _("for anyone with the address")),
        ("private", _("private"), _("for you only")),
    ]
    return described if private else described[:2]


def units(rules: str) -> Units | None:
    """The units after kan and after the rest of a sum: ``("貫", "文")``; in English, as in Kafu,
    ``("k", "")``. None where the ruleset counts in one unit, which is not written.
    """
    if rules not in RULESETS or not RULESETS[rules].kan:
        return None
    return ("貫", RULESETS[rules].rest) if lang() == "ja" else ("k", "")

"""Labels in the language of the request: cards, kinds, yaku, months, rulesets, words.

They come from `kafu.cards` and `kafu.rules.names`; English joins romaji and gloss.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from kafu import cards
from kafu.archives.names import INSIDE
from kafu.notation.vocabulary import DECISIONS
from kafu.odds.exact import NONE
from kafu.rules.codes import CODES
from kafu.rules.names import ENDS, GRADES, REASONS, STEPS, YAKU
from kafu.rules.rulesets import RULESETS
from kafu.rules.verdict import localise, localise_fault, plain_message

#: Maximum length of a player's name in sentences and tables; the notation has the whole name.
NAME_LENGTH: Final = 40
#: Names of the upload page for several files, sent as one ZIP, and for a pasted text.
BUNDLE: Final = "files.zip"
PASTE: Final = "paste.kafu"
#: Name of a Kafu text that was sent to the API without a name.
BODY: Final = "body.kafu"
#: The unit of whole kan in a sum, and the unit of the remainder, each as written after a number.
#: The space after the English unit of kan is dropped from a sum without a remainder.
Units = tuple[str, str]
# Marks that change the direction of the following text, and control characters.
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def lang() -> str:
    """Return the language of names and messages: ``ja`` or ``en``."""
    return "ja" if (get_language() or "").startswith("ja") else "en"


def person(name: str) -> str:
    """Return a player's name for use in a sentence, shortened.

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
    """Return the players' names by seat, shortened for use in sentences."""
    return [person(name) for name in names]


def fault(stored: Mapping[str, Any] | None, names: Iterable[str] = ()) -> dict[str, Any] | None:
    """Return a stored fault in words, with the names of players if given. None stays None."""
    return localise_fault(stored, lang(), people(names))


def worded_fault(
    stored: Mapping[str, Any] | None, names: Iterable[str] = ()
) -> dict[str, Any] | None:
    """Return a stored fault for a page: as `fault`, with the plain message as ``words``."""
    if stored is None:
        return None
    players = people(names)
    words = plain_message(stored, lang(), players)
    return {**(localise_fault(stored, lang(), players) or {}), "words": words}


def verdict(stored: Mapping[str, Any], names: Iterable[str] = ()) -> dict[str, Any]:
    """Return a stored verdict with its faults as text (see `fault`)."""
    return localise(stored, lang(), people(names))


def card(letter: str) -> str:
    """Return the full name of a card: ``松に鶴`` or ``matsu ni tsuru (pine with crane)``."""
    if letter == cards.UNKNOWN:
        return _("an unrecorded card")
    if letter == cards.BLANK:
        return _("the blank card")
    named_card = cards.CARD[letter]
    return named_card.ja if lang() == "ja" else f"{named_card.romaji} ({named_card.en})"


def brief(letters: str) -> str:
    """Cards in a sentence: ``松に鶴、松のカス`` or ``pine with crane, pine chaff``."""
    return _brief(letters, lang())


@lru_cache(maxsize=4096)
def _brief(letters: str, lang: str) -> str:
    if lang == "ja":
        return "、".join(card(letter) for letter in letters)
    found_cards = (cards.CARD.get(letter) for letter in letters)
    return ", ".join(
        named_card.en if named_card else card(letter)
        for named_card, letter in zip(found_cards, letters, strict=True)
    )


def apart(letter: str, name: str) -> str:
    """Return the name of a card in a list of all cards, numbered if other cards have it too."""
    named_card = cards.CARD[letter]
    twins = [card.letter for card in cards.PACK if card.ja == named_card.ja]
    return f"{name} {'①②③'[twins.index(letter)]}" if len(twins) > 1 else name


def listed(parts: Iterable[str]) -> str:
    """Join texts in a sentence: ``a, b`` or ``a、b``."""
    return ("、" if lang() == "ja" else ", ").join(parts)


def yaku(label: str) -> str:
    """Return a ledger label or joined declaration (``aka+sanbon``) in words, else the id."""
    parts = (YAKU[id].label(lang()) if id in YAKU else id for id in label.split("+"))
    return "+".join(parts)


def ruleset(ruleset: str) -> str:
    """Return a ruleset: ``三人はちはち`` or ``Sannin hachi-hachi (eighty-eight for three)``."""
    return _capitalised(RULESETS[ruleset].name.label(lang())) if ruleset in RULESETS else ruleset


def sentence(message: str) -> str:
    """Return a message of Kafu as a sentence: with a capital and a full stop.

    >>> sentence("there is no ruleset “poker”")
    'There is no ruleset “poker”.'
    """
    stop = "。" if lang() == "ja" else "."
    return _capitalised(message if message.endswith(stop) else f"{message}{stop}")


def _capitalised(text: str) -> str:
    """Return a text with a capital at its beginning, and its other letters as they are."""
    return f"{text[:1].upper()}{text[1:]}"


def dealer_mark(ruleset: str) -> str:
    """Return the badge of the dealer: ``dealer``, or the word of the document, ``胴`` or ``親``."""
    if lang() != "ja":
        return _("dealer")
    return RULESETS[ruleset].dealer if ruleset in RULESETS else "親"


def dealer(ruleset: str) -> str:
    """Return the word for the dealer above a column, in Japanese the badge."""
    return _capitalised(dealer_mark(ruleset))


def ruleset_brief(ruleset: str) -> str:
    """Return a ruleset for a list of games: ``三人はちはち`` or ``Sannin hachi-hachi``."""
    if ruleset not in RULESETS:
        return ruleset
    name = RULESETS[ruleset].name
    return name.ja if lang() == "ja" else _capitalised(name.romaji)


def house(profile: str) -> str:
    """Return the name of house rules; the ruleset's name if it has only one house.

    House rules have the name of the preset that sets nothing else.
    """
    description = next(
        (description for description in RULESETS.values() if profile in description.profiles), None
    )
    if description is None:
        return profile
    if description.profiles == (profile,):
        return ruleset(description.id)
    options = {} if profile == description.id else {"profile": profile}
    names = (preset.name for preset in description.presets if preset.options == options)
    return next((name.label(lang()) for name in names), profile)


def end(how: str) -> str:
    """Return the end of a deal as text: ``勝負`` or ``shōbu (stopped and scored)``."""
    return ENDS[how].label(lang()) if how in ENDS else how


def settlement_step(kind: str) -> str:
    """Return a step of a settlement: ``吟味`` or ``ginmi (prize of the year)``."""
    return STEPS[kind].label(lang()) if kind in STEPS else kind


def thrown_in(reason: str) -> str:
    """Return the reason for throwing in: ``場四`` or ``bashi (four of a month on the field)``."""
    return REASONS[reason].label(lang()) if reason in REASONS else reason


def grade(of: str) -> str:
    """Return a field grade: ``大場`` or ``ōba (large field)``."""
    return GRADES[of].label(lang())


def grade_brief(of: str) -> str:
    """Return a short field grade: ``大場`` or ``ōba``."""
    return GRADES[of].ja if lang() == "ja" else GRADES[of].romaji


def dealt(yaku: str) -> str:
    """Return the short name of a dealt-hand yaku for a column: ``短一`` or ``tan'ichi``."""
    if yaku == NONE:
        return _("no yaku")
    return YAKU[yaku].ja if lang() == "ja" else YAKU[yaku].romaji


def bound(by: str) -> str:
    """Return the grade carried into a month (二代しばり, 持ち越し), or ``none``."""
    words = {
        "none": _("nothing carried"),
        "large": _("ōba carried"),
        "absolute": _("zetsuba carried"),
    }
    return words[by]


#: Decisions whose romaji differ from their ids.
_DECISIONS: Final = {"koikoi": "koi-koi", "shobu": "shōbu"}


def decision(word: str) -> str:
    """Return the word of a decision: ``勝負`` or ``shōbu``."""
    if lang() != "ja":
        return _DECISIONS.get(word, word)
    return next((ja for ja, id in DECISIONS.items() if id == word != ja), word)


def expected(value: str, code: str) -> str:
    """Return an expected value of a fault as text: yaku, a decision or cards.

    Returns "" if the message of the fault is complete without the value.
    """
    if all(id in YAKU for id in value.split("+")):
        return "・".join(dealt(id) for id in value.split("+"))
    if value in DECISIONS:
        word = decision(value)
        return word if word != value else ""
    are_cards = set(value) <= cards.CARD.keys()
    return brief(value) if are_cards and ":card}" in CODES[code].en else ""


def month(number: int) -> str:
    """Return a month: ``3月`` or ``month 3``."""
    return _("Month %(number)d") % {"number": number}


def deal_month(number: int, months: Sequence[int]) -> str:
    """Return the month of a deal; a deal that did not end is named by its number.

    ``months`` are the months of the deals that ended.
    """
    if number <= len(months):
        return month(months[number - 1])
    return _("Month %(number)d of the game") % {"number": number}


def fault_place(fault: Mapping[str, Any], months: Sequence[int]) -> str:
    """Return the month and turn of a fault: ``3月・1手目``. "" if the whole game is at fault.

    ``months`` are the months of the game as far as it could be read.
    """
    deal, turn = fault["deal"], fault["turn"]
    place = []
    if deal:
        number = {"number": deal}
        is_read = deal <= len(months)
        place.append(month(months[deal - 1]) if is_read else _("month %(number)d") % number)
    if turn:
        place.append(_("turn %(number)d") % {"number": turn})
    return " · ".join(place)


def plant(number: int) -> str:
    """Return the plant of a month, ``桜`` or ``sakura (cherry)``; empty for rounds above 12."""
    if not 1 <= number <= 12:
        return ""
    named_plant = cards.PLANTS[number - 1]
    return named_plant.ja if lang() == "ja" else f"{named_plant.romaji} ({named_plant.en})"


def kind(of: cards.Kind) -> str:
    """Return the kind of a card: ``光`` or ``bright``."""
    words = {
        cards.Kind.BRIGHT: _("bright"),
        cards.Kind.ANIMAL: _("animal"),
        cards.Kind.RIBBON: _("ribbon"),
        cards.Kind.CHAFF: _("chaff"),
    }
    return words[of]


def kinds(of: cards.Kind) -> str:
    """Return the name of all cards of a kind: ``光`` or ``brights``."""
    words = {
        cards.Kind.BRIGHT: _("brights"),
        cards.Kind.ANIMAL: _("animals"),
        cards.Kind.RIBBON: _("ribbons"),
        cards.Kind.CHAFF: _("chaff"),
    }
    return words[of]


def described_visibilities(*, private: bool, shared: bool = False) -> list[tuple[str, str, str]]:
    """Return the visibilities of an upload: value, name and explanation.

    Private visibility is included only if ``private`` is true. ``shared`` games are for a club.
    """
    described = [
        ("public", _("public"), _("in all lists")),
        ("unlisted", _("unlisted"), _("for anyone with the address")),
        ("private", _("private"), _("for the club only") if shared else _("for you only")),
    ]
    return described if private else described[:2]


def option(ruleset: str, text: str) -> tuple[str, str]:
    """Return an option in words: label and value of ``teyaku=no``; an unknown one as written."""
    name, _equals, value = text.partition("=")
    description = RULESETS.get(ruleset)
    rule = description.options.get(name) if description else None
    return (rule.label.label(lang()), rule.value(value, lang())) if rule else (name, value)


def file_name(name: str) -> str:
    """Return the name of an uploaded file as its sender knows it.

    A ZIP made by the upload page is left out; a pasted text, and a body that was sent to the API
    without a name, have a name in words.
    """
    name = name.removeprefix(f"{BUNDLE}{INSIDE}")
    words = {PASTE: _("Pasted text"), BODY: _("Text sent")}
    return words.get(name, name)


def units(ruleset: str) -> Units | None:
    """Return the units of kan and of the remainder: ``("貫", "文")``, ``(" kan ", " mon")``.

    Returns None for a ruleset with a single unit (`single_unit`), which tables leave out.
    """
    if ruleset not in RULESETS or not RULESETS[ruleset].kan:
        return None
    if lang() == "ja":
        return "貫", RULESETS[ruleset].rest
    return "\N{NO-BREAK SPACE}kan ", f"\N{NO-BREAK SPACE}{small_unit(ruleset)}"


def notation_units(ruleset: str) -> Units | None:
    """Return the units for the API's words of a sum: as `units`, in English those of Kafu."""
    return ("k", "") if (written := units(ruleset)) and lang() != "ja" else written


def small_unit(ruleset: str) -> str:
    """Return the short word for the small unit, below kan if there is kan: ``文``, ``mon``."""
    description = RULESETS[ruleset]
    in_mon = description.rest == "文" if description.kan else description.mon
    return _("mon") if in_mon else _("pt")


def single_unit(ruleset: str, points: int) -> str:
    """Return the unit after a sum of a ruleset: ``文``, ``mon``, ``points``; "" if it has kan."""
    description = RULESETS.get(ruleset)
    if description is None or description.kan:
        return ""
    return _("mon") if description.mon else ngettext("point", "points", abs(points))

"""The names of the cards, in Japanese and English, as people write them (docs/card-names.md).

A *key* is a spelling in small letters, katakana for kana, no macrons and one blank for any
separator (`key_of`). A name that several cards share has them all, the first in card order first.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import Final

from kafu import cards
from kafu.cards import PACK, PLANTS, Card, Kind

#: The longest name with which `nearest` compares, and the number of names that it has.
_LONGEST: Final = 60
_NEAREST: Final = 3

# What a month is called besides its plant's names in `PLANTS` and its number.
_MONTHS: Final = (
    "january jan",
    "february feb",
    "march mar",
    "april apr",
    "may 杜若 kakitsubata",
    "june jun",
    "july jul bush_clover",
    "august aug 薄 ススキ 坊主 bozu pampas_grass susuki_grass",
    "september sep mum",
    "october oct モミジ",
    "november nov 雨 ame rain",
    "december dec empress_tree",
)
_KINDS: Final[Mapping[Kind, str]] = {
    Kind.BRIGHT: "光 hikari bright light",
    Kind.ANIMAL: "タネ 種 tane animal",
    Kind.SLIP: "短冊 短 タン tanzaku tan slip ribbon",
    Kind.DREGS: "カス 滓 素 kasu dregs chaff plain junk",
}
# What a picture is called besides its name in `PACK`, by the letter of the card.
_PICTURES: Final[Mapping[str, str]] = {
    "E": "ウグイス bush_warbler nightingale",
    "M": "ホトトギス",
    "Q": "八ツ橋 八つ橋 eight_plank_bridge",
    "U": "蝶々 チョウ butterfly",
    "Y": "イノシシ wild_boar",
    "c": "full_moon",
    "d": "goose gan wild_geese",
    "g": "盃 杯 sake cup",
    "k": "シカ",
    "o": "雨に小野道風 道風 rainman ono_no_tofu",
    "p": "ツバメ",
    "s": "houou",
}
# What slips are called, by what `PACK` calls them.
_SLIPS: Final[Mapping[str, str]] = {
    "赤短": "赤短 赤短冊 akatan red_poem_slip red_poem_ribbon poem_slip poem_ribbon red_slip"
    " red_ribbon",
    "青短": "青短 青短冊 aotan blue_slip blue_ribbon purple_ribbon",
    "短冊": "plain_slip plain_ribbon red_slip red_ribbon",
}
_MACRONS: Final = str.maketrans("āēīōū", "aeiou")
_SEPARATORS: Final = re.compile(r"[\s_-]+")


def fold(text: str) -> str:
    """A text in which spellings of one name are alike, character for character of the same length:
    half width, small letters, katakana, no macrons.
    """
    folded = []
    for character in text:
        one = unicodedata.normalize("NFKC", character).lower().translate(_MACRONS)
        if len(one) != 1:
            one = character
        folded.append(chr(ord(one) + 0x60) if "ぁ" <= one <= "ゖ" else one)
    return "".join(folded)


def key_of(text: str) -> str:
    """The key of a spelling.

    >>> key_of("Pine-Crane"), key_of("すすきのかす")
    ('pine crane', 'ススキノカス')
    """
    return _SEPARATORS.sub(" ", fold(text)).strip()


def _words(text: str) -> Iterator[str]:
    return (word.replace("_", " ") for word in text.split())


def _split(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """The Japanese names and the others."""
    both = list(names)
    return [n for n in both if not n.isascii()], [n for n in both if n.isascii()]


def _pictures(card: Card) -> list[str]:
    """What the card shows, alone and behind its month."""
    plant = PLANTS[card.month - 1]
    alone = [
        card.ja.removeprefix(f"{plant.ja}に"),
        card.romaji.removeprefix(f"{plant.romaji} ni ").translate(_MACRONS),
        card.en.removeprefix(f"{plant.en} with "),
    ]
    if card.kind is Kind.SLIP:
        return [*alone, *_words(_SLIPS[alone[0]])]
    return [*alone, *_words(_PICTURES.get(card.letter, ""))]


def _spelled(card: Card) -> Iterator[str]:
    """The spellings of one card."""
    plant = PLANTS[card.month - 1]
    number = str(card.month)
    others = list(_words(_MONTHS[card.month - 1]))
    japanese, latin = _split([plant.ja, plant.romaji, plant.en, number, *others])
    japanese.append(f"{number}月")
    kinds_ja, kinds_latin = _split(_words(_KINDS[card.kind]))
    for month in japanese:
        for kind in kinds_ja:
            yield from (f"{month}{joined}{kind}" for joined in ("の", "に", ""))
    for month in latin:
        for kind in kinds_latin:
            yield from (f"{month} {joined}{kind}" for joined in ("", "no ", "with "))
    if card.kind is Kind.DREGS:
        return
    pictures_ja, pictures_latin = _split(_pictures(card))
    if card.kind is not Kind.SLIP:
        # Some of these words are months' too; alone they are pictures.
        yield from (*pictures_ja, *pictures_latin)
    for month in japanese:
        for picture in pictures_ja:
            yield from (f"{month}{joined}{picture}" for joined in ("に", "の", ""))
    for month in latin:
        for picture in pictures_latin:
            yield from (f"{month} {joined}{picture}" for joined in ("", "ni ", "with ", "with a "))


@cache
def names() -> Mapping[str, str]:
    """Every name by its key, with the letters of the cards that it may mean, in card order."""
    found: dict[str, str] = {}
    for card in PACK:
        for spelling in dict.fromkeys(map(key_of, _spelled(card))):
            found[spelling] = found.get(spelling, "") + card.letter
    return MappingProxyType(found)


@cache
def latin_words() -> frozenset[str]:
    """The words of three letters and more of all names."""
    return frozenset(word for key in names() for word in key.split() if word[2:] and word.isalpha())


#: Letters by month and number in it, both from 1, the highest card first (``[1, 1]`` is the crane).
BY_NUMBER: Final = ("", *(f" {cards.letters(month)}" for month in cards.MONTHS[1:]))
#: Letters by a number from 0 on, which counts upwards in a month.
BY_INDEX: Final = tuple(cards.LETTERS[i ^ 3] for i in range(len(cards.LETTERS)))


def nearest(text: str) -> tuple[str, ...]:
    """The names that are most like a text, at most three, as `name` spells them.

    >>> nearest("松に亀")[0]
    '松に鶴'
    """
    key = key_of(text[:_LONGEST])
    lang = "en" if key.isascii() else "ja"
    close = get_close_matches(key, names(), n=8, cutoff=0.5)
    return tuple(dict.fromkeys(name(names()[one][0], lang) for one in close))[:_NEAREST]


def name(letter: str, lang: str) -> str:
    """A card's own name: ``松に鶴`` in "ja", ``pine with crane`` in "en"; the same one
    for cards that are alike.
    """
    found = cards.CARD[letter]
    return found.ja if lang == "ja" else found.en


def exact(letter: str, lang: str) -> str:
    """A name that no other card has: alike ones get their number in the month's.

    >>> exact("A", "ja"), exact("D", "en")
    ('松に鶴', 'pine dregs-2')
    """
    own = name(letter, lang)
    twins = names()[key_of(own)]
    if len(twins) == 1:
        return own
    return f"{own}{'' if lang == 'ja' else '-'}{twins.index(letter) + 1}"

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

# What a month is called besides its plant's names in `PLANTS` and its number: its plant in kana and
# by its other names, the month by its name of the old calendar, in English and in short.
_MONTHS: Final = (
    "マツ 睦月 ムツキ mutsuki january jan pine_tree",
    "ウメ 如月 キサラギ kisaragi february feb plum_blossom plum_blossoms ume_blossom",
    "サクラ 櫻 弥生 ヤヨイ yayoi march mar cherry_blossom cherry_blossoms",
    "フジ 卯月 ウヅキ uzuki april apr",
    "アヤメ ショウブ 花菖蒲 杜若 燕子花 カキツバタ kakitsubata shobu 皐月 サツキ satsuki may"
    " water_iris rabbit_ear_iris",
    "ボタン 水無月 ミナヅキ minazuki june jun tree_peony",
    "ハギ 山萩 文月 フミヅキ fumizuki fuzuki july jul bush_clover",
    "薄 ススキ 坊主 bozu 葉月 ハヅキ hazuki august aug pampas_grass susuki_grass silver_grass",
    "キク 長月 ナガツキ nagatsuki september sept sep mum",
    "モミジ 楓 カエデ kaede 神無月 カンナヅキ kannazuki october oct japanese_maple maple_leaves",
    "ヤナギ 雨 アメ ame rain 霜月 シモツキ shimotsuki november nov",
    "キリ 師走 シワス shiwasu december dec empress_tree",
)
_KINDS: Final[Mapping[Kind, str]] = {
    Kind.BRIGHT: "光 光札 ヒカリ hikari bright light",
    Kind.ANIMAL: "タネ タネ札 種 種札 tane animal seed",
    Kind.SLIP: "短冊 短冊札 短 短札 タン タン札 タンザク tanzaku tan slip ribbon",
    Kind.DREGS: "カス カス札 滓 素 素札 kasu dregs chaff plain junk",
}
# What a picture is called besides its name in `PACK`, by the letter of the card.
_PICTURES: Final[Mapping[str, str]] = {
    "A": "ツル crane_and_sun",
    "E": "ウグイス 鴬 bush_warbler nightingale",
    "I": "マク 幔幕 マンマク manmaku camp_curtain",
    "M": "ホトトギス 不如帰 郭公 杜鵑 子規 lesser_cuckoo",
    "Q": "ヤツハシ 八ツ橋 八つ橋 橋 eight_plank_bridge plank_bridge",
    "U": "チョウ 蝶々 胡蝶 chou butterfly",
    "Y": "イノシシ 亥 山猪 wild_boar",
    "c": "ツキ 満月 full_moon",
    "d": "カリ ガン goose gan wild_geese geese_in_flight",
    "g": "サカズキ 盃 杯 酒盃 sake cup",
    "k": "シカ stag",
    "o": "雨に小野道風 道風 オノノミチカゼ オノノトウフウ カエル 蛙 rainman ono_no_tofu michikaze"
    " umbrella_man frog",
    "p": "ツバメ",
    "r": "雷 カミナリ 稲妻 kaminari lightning thunder",
    "s": "ホウオウ houou chinese_phoenix",
}
# What a picture is called behind its month alone, for it is a month's name too.
_BEHIND_MONTH: Final[Mapping[str, str]] = {"o": "雨 rain"}
_POEM_SLIPS: Final = "poem_{0} poetry_{0} red_poem_{0} red_poetry_{0} red_{0}"
# What slips are called, by what `PACK` calls them; {0} is any word for a slip.
_SLIPS: Final[Mapping[str, str]] = {
    "赤短": f"赤短 赤短冊 赤タン アカタン akatan {_POEM_SLIPS}",
    "青短": "青短 青短冊 青タン アオタン aotan blue_{0} purple_{0}",
    "短冊": "赤短 赤短冊 plain_{0} red_{0} plain_red_{0} red_plain_{0}",
}
_MACRONS: Final = str.maketrans("āēīōū", "aeiou")
_KANJI: Final = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")
# Between the words of a name; a number is a word of its own.
_SEPARATORS: Final = re.compile(r"[\s_-]+|(?<=[a-z])(?=[0-9])|(?<=[0-9])(?=[a-z])")
# A month's number as programs write it: 01, m1, m01.
_PADDED: Final = re.compile(r"\b(?:m )?0*(?=[1-9])")
_JOINED: Final = ("", "with ", "with a ", "with the ", "and ")


def fold(text: str) -> str:
    """A text in which spellings of one name are alike, character for character of the same length:
    half width, small letters, katakana, no macrons.
    """
    if text.isascii():
        return text.lower()
    folded = []
    for character in text:
        one = unicodedata.normalize("NFKC", character).lower().translate(_MACRONS)
        if len(one) != 1:
            one = character
        folded.append(chr(ord(one) + 0x60) if "ぁ" <= one <= "ゖ" else one)
    return "".join(folded)


def key_of(text: str) -> str:
    """The key of a spelling.

    >>> key_of("Pine-Crane"), key_of("すすきのかす"), key_of("m01_bright")
    ('pine crane', 'ススキノカス', '1 bright')
    """
    return _PADDED.sub("", _SEPARATORS.sub(" ", fold(text)).strip())


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
        latin = [word for word in _KINDS[Kind.SLIP].split() if word.isascii()]
        slips = dict.fromkeys(name.format(w) for name in _SLIPS[alone[0]].split() for w in latin)
        return [*alone, *_words(" ".join(slips))]
    also = list(_words(_PICTURES.get(card.letter, "")))
    return also if card.kind is Kind.DREGS else [*alone, *also]


def _spelled(card: Card) -> Iterator[str]:
    """The spellings of one card."""
    plant = PLANTS[card.month - 1]
    others = list(_words(_MONTHS[card.month - 1]))
    japanese, latin = _split([plant.ja, plant.romaji, plant.en, str(card.month), *others])
    japanese += [f"{card.month}月", f"{_KANJI[card.month - 1]}月"]
    kinds_ja, kinds_latin = _split(_words(_KINDS[card.kind]))
    for month in japanese:
        for kind in kinds_ja:
            yield from (f"{month}{joined}{kind}" for joined in ("の", "に", ""))
    for month in latin:
        for kind in kinds_latin:
            yield from (f"{month} {joined}{kind}" for joined in ("no ", *_JOINED))
    pictures_ja, pictures_latin = _split(_pictures(card))
    if card.kind is not Kind.SLIP:
        # Some of these words are months' too; alone they are pictures.
        yield from (*pictures_ja, *pictures_latin)
    behind_ja, behind_latin = _split(_words(_BEHIND_MONTH.get(card.letter, "")))
    for month in japanese:
        for picture in (*pictures_ja, *behind_ja):
            yield from (f"{month}{joined}{picture}" for joined in ("に", "の", ""))
    for month in latin:
        for picture in (*pictures_latin, *behind_latin):
            yield from (f"{month} {joined}{picture}" for joined in ("ni ", *_JOINED))


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
    close = get_close_matches(key, _own_names(), n=8, cutoff=0.5)
    return tuple(dict.fromkeys(name(names()[one][0], lang) for one in close))[:_NEAREST]


@cache
def _own_names() -> tuple[str, ...]:
    """The keys of the pack's names and of pictures alone; all spellings are many to compare."""
    own = (key_of(spelling) for card in PACK for spelling in (card.ja, card.en, card.romaji))
    pictures = (key_of(picture) for card in PACK for picture in _pictures(card))
    return tuple(key for key in dict.fromkeys((*own, *pictures)) if key in names())


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

"""The names of the cards in Japanese and English, as people write them (docs/card-names.md).

Spellings are compared by their *key* (`key_of`): lower case, katakana instead of hiragana, no
macrons, and single blanks as separators. A name shared by several cards has the letters of all, in
card order.
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

#: The length to which `nearest` cuts a text, and the maximum number of names returned.
_LONGEST: Final = 60
_NEAREST: Final = 3

#: Names of the months in addition to their numbers and the plants' names in `PLANTS`: the plant in
#: kana and by other names, the month of the old calendar, and the English month with abbreviations.
_MONTHS: Final = (
    "マツ 睦月 ムツキ mutsuki january jan pine_tree",
    "ウメ 如月 キサラギ kisaragi february feb plum_blossom plum_blossoms ume_blossom",
    "サクラ 櫻 弥生 ヤヨイ yayoi march mar cherry_blossom cherry_blossoms",
    "フジ 卯月 ウヅキ uzuki april apr",
    "アヤメ ショウブ 花菖蒲 杜若 燕子花 カキツバタ kakitsubata shobu 皐月 サツキ satsuki may"
    " water_iris rabbit_ear_iris",
    "ボタン 水無月 ミナヅキ minazuki june jun tree_peony",
    "ハギ 山萩 文月 フミヅキ fumizuki fuzuki july jul bush_clover lespedeza",
    "薄 ススキ 坊主 bozu 葉月 ハヅキ hazuki august aug pampas_grass susuki_grass silver_grass",
    "キク 長月 ナガツキ nagatsuki september sept sep mum",
    "モミジ 楓 カエデ kaede 神無月 カンナヅキ kannazuki october oct japanese_maple maple_leaves",
    "ヤナギ 雨 アメ ame rain 霜月 シモツキ shimotsuki november nov",
    "キリ 師走 シワス shiwasu december dec empress_tree",
)
_KINDS: Final[Mapping[Kind, str]] = {
    Kind.BRIGHT: "光 光札 ヒカリ hikari bright light",
    Kind.ANIMAL: "タネ タネ札 種 種札 tane animal seed",
    Kind.RIBBON: "短冊 短冊札 短 短札 タン タン札 タンザク tanzaku tan slip ribbon",
    Kind.CHAFF: "カス カス札 滓 素 素札 kasu dregs chaff plain junk",
}
#: Names of pictures in addition to those in `PACK`, by card letter.
_PICTURES: Final[Mapping[str, str]] = {
    "A": "ツル crane_and_sun",
    "E": "ウグイス 鴬 bush_warbler nightingale",
    "I": "マク 幔幕 マンマク manmaku camp_curtain",
    "M": "ホトトギス 不如帰 郭公 杜鵑 子規 lesser_cuckoo",
    "Q": "ヤツハシ 八ツ橋 八ッ橋 八つ橋 橋 eight_plank_bridge eight_planked_bridge plank_bridge",
    "U": "チョウ 蝶々 胡蝶 chou butterfly",
    "Y": "イノシシ 亥 山猪 wild_boar",
    "c": "ツキ 満月 full_moon",
    "d": "カリ ガン goose gan wild_geese geese_in_flight",
    "g": "サカズキ 盃 杯 酒盃 酒 sake cup",
    "k": "シカ stag",
    "o": "雨に小野道風 道風 オノノミチカゼ オノノトウフウ カエル 蛙 rainman ono_no_tofu michikaze"
    " umbrella_man frog",
    "p": "ツバメ",
    "r": "雷 カミナリ 稲妻 kaminari lightning thunder",
    "s": "ホウオウ houou chinese_phoenix",
}
#: Names of pictures that are also names of a month, hence only valid after the month.
_AFTER_MONTH: Final[Mapping[str, str]] = {"o": "雨 rain"}
_POEM_RIBBONS: Final = "poem_{0} poetry_{0} red_poem_{0} red_poetry_{0} red_{0}"
#: Names of ribbons by their names in `PACK`; {0} stands for any word for a ribbon.
_RIBBONS: Final[Mapping[str, str]] = {
    "赤短": f"赤短 赤短冊 赤タン アカタン akatan {_POEM_RIBBONS}",
    "青短": "青短 青短冊 青タン アオタン aotan blue_{0} purple_{0}",
    "短冊": "赤短 赤短冊 plain_{0} red_{0} plain_red_{0} red_plain_{0}",
}
_MACRONS: Final = str.maketrans("āēīōū", "aeiou")
_KANJI: Final = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")
#: Separators of words in a name; a number is a separate word.
_SEPARATORS: Final = re.compile(r"[\s_-]+|(?<=[a-z])(?=[0-9])|(?<=[0-9])(?=[a-z])")
#: Prefixes of a month's number in logs of programs, as in 01, m1 and m01.
_PADDED: Final = re.compile(r"\b(?:m )?0*(?=[1-9])")
_JOINED: Final = ("", "with ", "with a ", "with the ", "and ")


def fold(text: str) -> str:
    """Normalize spellings without changing the length of the text.

    Converts to half width, lower case and katakana, and removes macrons.
    """
    if text.isascii():
        return text.lower()
    folded = []
    for character in text:
        plain = unicodedata.normalize("NFKC", character).lower().translate(_MACRONS)
        if len(plain) != 1:
            plain = character
        folded.append(chr(ord(plain) + 0x60) if "ぁ" <= plain <= "ゖ" else plain)
    return "".join(folded)


def key_of(text: str) -> str:
    """Return the key of a spelling.

    >>> key_of("Pine-Crane"), key_of("すすきのかす"), key_of("m01_bright")
    ('pine crane', 'ススキノカス', '1 bright')
    """
    return _PADDED.sub("", _SEPARATORS.sub(" ", fold(text)).strip())


def _words(text: str) -> Iterator[str]:
    return (word.replace("_", " ") for word in text.split())


def _split(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the Japanese names and the Latin names."""
    names = list(names)
    return [n for n in names if not n.isascii()], [n for n in names if n.isascii()]


def _pictures(card: Card) -> list[str]:
    """Return the names of the picture or ribbon of a card, without its month."""
    plant = PLANTS[card.month - 1]
    standard = [
        card.ja.removeprefix(f"{plant.ja}に"),
        card.romaji.removeprefix(f"{plant.romaji} ni ").translate(_MACRONS),
        card.en.removeprefix(f"{plant.en} with "),
    ]
    if card.kind is Kind.RIBBON:
        latin = [word for word in _KINDS[Kind.RIBBON].split() if word.isascii()]
        ribbons = dict.fromkeys(
            name.format(w) for name in _RIBBONS[standard[0]].split() for w in latin
        )
        return [*standard, *_words(" ".join(ribbons))]
    additional = list(_words(_PICTURES.get(card.letter, "")))
    return additional if card.kind is Kind.CHAFF else [*standard, *additional]


def _names_of_month(month: int) -> list[str]:
    """Return the names of a month in both languages."""
    plant = PLANTS[month - 1]
    numbers = [str(month), f"{month}月", f"{_KANJI[month - 1]}月"]
    return [plant.ja, plant.romaji, plant.en, *_words(_MONTHS[month - 1]), *numbers]


@cache
def months() -> Mapping[str, int]:
    """Return the number of each month by the keys of its names."""
    return MappingProxyType(
        {key_of(name): month for month in range(1, 13) for name in _names_of_month(month)}
    )


def _spellings(card: Card) -> Iterator[str]:
    """Yield all spellings of a card."""
    japanese, latin = _split(_names_of_month(card.month))
    kinds_ja, kinds_latin = _split(_words(_KINDS[card.kind]))
    for month in japanese:
        for kind in kinds_ja:
            yield from (f"{month}{joined}{kind}" for joined in ("の", "に", ""))
    for month in latin:
        for kind in kinds_latin:
            yield from (f"{month} {joined}{kind}" for joined in ("no ", *_JOINED))
    pictures_ja, pictures_latin = _split(_pictures(card))
    if card.kind is not Kind.RIBBON:
        # A word that is also the name of a month means the picture here.
        yield from (*pictures_ja, *pictures_latin)
    after_ja, after_latin = _split(_words(_AFTER_MONTH.get(card.letter, "")))
    for month in japanese:
        for picture in (*pictures_ja, *after_ja):
            yield from (f"{month}{joined}{picture}" for joined in ("に", "の", ""))
    for month in latin:
        for picture in (*pictures_latin, *after_latin):
            yield from (f"{month} {joined}{picture}" for joined in ("ni ", *_JOINED))


@cache
def names() -> Mapping[str, str]:
    """Return the possible letters of each name, in card order, by key."""
    letters: dict[str, str] = {}
    for card in PACK:
        for key in dict.fromkeys(map(key_of, _spellings(card))):
            letters[key] = letters.get(key, "") + card.letter
    return MappingProxyType(letters)


@cache
def latin_words() -> frozenset[str]:
    """Return the words of at least three letters in all names."""
    return frozenset(word for key in names() for word in key.split() if word[2:] and word.isalpha())


#: Letters by month and number in the month, both from 1, highest card first (``[1][1]``: crane).
BY_NUMBER: Final = ("", *(f" {cards.letters(month)}" for month in cards.MONTHS[1:]))
#: Letters by a number from 0, lowest card of a month first.
BY_INDEX: Final = tuple(cards.LETTERS[i ^ 3] for i in range(len(cards.LETTERS)))


def nearest(text: str) -> tuple[str, ...]:
    """Return up to three names that resemble a text most, as spelled by `name`.

    >>> nearest("松に亀")[0]
    '松に鶴'
    """
    key = key_of(text[:_LONGEST])
    lang = "en" if key.isascii() else "ja"
    close = get_close_matches(key, _standard_keys(), n=8, cutoff=0.5)
    return tuple(dict.fromkeys(name(names()[match][0], lang) for match in close))[:_NEAREST]


@cache
def _standard_keys() -> tuple[str, ...]:
    """Return the keys of the pack's names and of pictures, far fewer than all spellings."""
    standard = (key_of(spelling) for card in PACK for spelling in (card.ja, card.en, card.romaji))
    pictures = (key_of(picture) for card in PACK for picture in _pictures(card))
    return tuple(key for key in dict.fromkeys((*standard, *pictures)) if key in names())


def name(letter: str, lang: str) -> str:
    """Return the standard name of a card, such as ``松に鶴`` ("ja") or ``pine with crane`` ("en").

    Several chaff cards of a month share a name.
    """
    card = cards.CARD[letter]
    return card.ja if lang == "ja" else card.en

"""Names of cards and yaku with their readings: hiragana for Japanese pages, from the romaji."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from kafu.rules.names import YAKU
from records.base import labels

_VOWELS: Final = "aiueo"
#: The hiragana of each consonant before a, i, u, e and o; a blank for syllables without one.
_ROWS: Final = {
    "": "あいうえお",
    "k": "かきくけこ",
    "g": "がぎぐげご",
    "s": "さしすせそ",
    "z": "ざじずぜぞ",
    "t": "たちつてと",
    "d": "だぢづでど",
    "n": "なにぬねの",
    "h": "はひふへほ",
    "b": "ばびぶべぼ",
    "p": "ぱぴぷぺぽ",
    "m": "まみむめも",
    "y": "や ゆ よ",
    "r": "らりるれろ",
    "w": "わ   を",
}
#: Consonants of Hepburn spelling with the syllable that precedes a small や, ゆ or よ.
_PALATAL: Final = {"sh": "し", "ch": "ち", "j": "じ", "ky": "き", "gy": "ぎ", "ny": "に"} | {
    "hy": "ひ",
    "by": "び",
    "py": "ぴ",
    "my": "み",
    "ry": "り",
}
_SYLLABLES: Final = (
    {
        f"{consonant}{vowel}": letter
        for consonant, letters in _ROWS.items()
        for vowel, letter in zip(_VOWELS, letters, strict=True)
        if letter != " "
    }
    | {
        f"{consonant}{vowel}": f"{first}{small}"
        for consonant, first in _PALATAL.items()
        for vowel, small in zip("auo", "ゃゅょ", strict=True)
    }
    | {"shi": "し", "chi": "ち", "ji": "じ", "tsu": "つ", "fu": "ふ"}
    | {"n": "ん"}
)
_SYLLABLE_OR_MARK: Final = re.compile(
    "|".join(sorted(_SYLLABLES, key=len, reverse=True)) + r"|['\- ]"
)
_DOUBLED: Final = re.compile(r"([kstpc])(?=\1)|t(?=ch)")
_INITIAL_LONG_O: Final = re.compile(r"\bō")


@cache
def read_romaji(romaji: str) -> str:
    """Return the hiragana of Japanese in Hepburn romaji.

    A long o is written おう, at the beginning of a word おお.

    >>> read_romaji("teppō"), read_romaji("ōtori"), read_romaji("tan'ichi")
    ('てっぽう', 'おおとり', 'たんいち')
    """
    plain = _INITIAL_LONG_O.sub("oo", romaji.lower())
    plain = plain.replace("ō", "ou").replace("ū", "uu")
    plain = _DOUBLED.sub("っ", plain)
    return _SYLLABLE_OR_MARK.sub(lambda match: _SYLLABLES.get(match[0], ""), plain)


class ReadName(NamedTuple):
    """A yaku's name in the language of the page, how it is read, and an explanation.

    A Japanese page has kana as ``reading`` and no ``gloss``. An English page has the Japanese name
    as ``reading``. Both are empty for a term without a Japanese name of its own.
    """

    name: str
    reading: str
    gloss: str


def read_yaku(id: str) -> ReadName:
    """Return the name of a yaku with its reading."""
    name = YAKU[id]
    is_term = name.romaji == name.en
    if labels.lang() == "ja":
        return ReadName(name.ja, "" if is_term else read_romaji(name.romaji), "")
    return ReadName(name.romaji, name.ja, "" if is_term else name.en)

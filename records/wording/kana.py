"""Readings in hiragana, from the romaji of names of cards and yaku."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

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

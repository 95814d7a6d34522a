"""Normalized spelling, by which the archive compares names.

Players, searches, requests about names and pseudonyms all compare :func:`normalized` names.
Normalization unifies compatible forms (full width, half-width katakana), cases, invisible
characters, and the separators between the parts of a name: blanks of any kind, underscores,
hyphens, middle dots and full stops. Between letters of scripts without blanks (kanji, kana, hangul)
a separator is removed; elsewhere it becomes one blank: 山田・花子 is 山田花子 and Aya_Sato is
aya sato, but "Bot 1 2" is not "Bot 12".
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

# Hyphens, dashes and the minus; the long vowel ー and the wave 〜 are part of a word.
_HYPHENS: Final = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u30a0\ufe58"
_DOTS: Final = ".\u00b7\u2022\u2027\u2219\u22c5\u30fb"
_LINES: Final = "_\u203f\u2040\u2054"
_BLANKS: Final = "".join(chr(code) for code in range(0x3001) if chr(code).isspace())
SEPARATORS: Final = frozenset(_HYPHENS + _DOTS + _LINES + _BLANKS)
#: Default_Ignorable_Code_Point of Unicode: joiners, direction marks, variation selectors.
_UNSEEN: Final = (
    *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x3164),
    *(*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)),
    *(*range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0, *range(0xFFF0, 0xFFF9)),
    *(*range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B), *range(0xE0000, 0xE1000)),
)
UNSEEN: Final = frozenset(map(chr, _UNSEEN))
_FOLD: Final = {**dict.fromkeys(_UNSEEN), **{ord(letter): " " for letter in SEPARATORS}}
_JOIN: Final = _FOLD | {ord(letter): None for letter in SEPARATORS}
#: Letters of scripts written without blanks between words, or both with and without.
_DENSE: Final = (
    "\u3005-\u3007\u3021-\u3029\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
DENSE: Final = re.compile(f"[{_DENSE}]")
_NEXT_TO_DENSE: Final = re.compile(f" (?=[{_DENSE}])|(?<=[{_DENSE}]) ")


def normalized(written: str) -> str:
    """Normalize a name for comparison; a name of separators only is returned unchanged.

    >>> normalized("  ＨＡＮＡＫＯ＿Yamada ")
    'hanako yamada'
    >>> normalized("山田 花子") == normalized("山田・花子") == "山田花子"
    True
    >>> normalized("--")
    '--'
    """
    name, before = written, None
    while name != before:  # letters on both sides of a removed separator may compose
        before = name
        name = _NEXT_TO_DENSE.sub("", " ".join(fold_case(name).translate(_FOLD).split()))
    return name or " ".join(compose(written).split())


def letters(text: str) -> str:
    """Normalize a text without its separators, quickly: names are searched in the result.

    >>> letters("Hanako_Yamada 2019")
    'hanakoyamada2019'
    """
    return fold_case(text).translate(_JOIN)


def compose(text: str) -> str:
    """Return a text in NFC, with at most 30 marks on a letter.

    >>> compose("e\u0301") == "\u00e9"
    True
    """
    return text if text.isascii() else unicodedata.normalize("NFC", _trim_marks(text))


def fold_case(text: str) -> str:
    """Fold compatible forms (NFKC) and cases, with at most 30 marks on a letter.

    >>> fold_case("ＡＹＡ")
    'aya'
    """
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", _trim_marks(text))
    return unicodedata.normalize("NFKC", text.casefold())


def _trim_marks(text: str) -> str:
    return _piled().sub(r"\1", text)


# Computed on first use, because many processes never normalize a name.
@cache
def _list_marks() -> str:
    """Return the combining marks as part of a regular expression."""
    return "".join(
        re.escape(letter)
        for letter in map(chr, range(0x300, 0x1F000))
        if unicodedata.combining(letter)
        or (unicodedata.decomposition(letter) and _begins_with_mark(letter))
    )


def _begins_with_mark(letter: str) -> bool:
    return unicodedata.combining(unicodedata.normalize("NFKD", letter)[0]) > 0


@cache
def _piled() -> re.Pattern[str]:
    """Return a pattern for more marks on a letter than any script uses.

    Unicode normalization sorts the marks, which takes quadratic time.
    """
    return re.compile(f"([{_list_marks()}]{{30}})[{_list_marks()}]+")


@cache
def _cluster() -> re.Pattern[str]:
    """Return a pattern for a letter with marks and invisible characters, or a hangul syllable."""
    return re.compile(
        "[\uac00-\ud7a3]?[\u1100-\u11ff\u3131-\u318e\uffa0-\uffdc]+"
        f"|[\\s\\S][{_list_marks()}{''.join(map(re.escape, UNSEEN))}]*"
    )


class NormalizedLetters:
    """The normalized letters of a text, with the place of each.

    ``text`` is the result of :func:`letters`. The letter ``i`` comes from ``start[i]`` to
    ``end[i]`` of the original text; ``apart[i]`` is 1 if a separator precedes the letter, else 0.
    """

    def __init__(self, name: str) -> None:
        letters: list[str] = []
        self.start: list[int] = []
        self.end: list[int] = []
        self.apart = bytearray()
        apart = 0
        for start, end in _find_clusters(name):
            for letter in fold_case(name[start:end]):
                if letter in SEPARATORS:
                    apart = 1
                elif letter not in UNSEEN:
                    letters.append(letter)
                    self.start.append(start)
                    self.end.append(end)
                    self.apart.append(apart)
                    apart = 0
        self.text = "".join(letters)


def _find_clusters(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _cluster().finditer(text)]

"""Names that look alike, and names in which scripts are mixed.

The tables are Unicode's (UTS 39), in the form of confusable-homoglyphs.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from confusable_homoglyphs.categories import unique_aliases
from confusable_homoglyphs.utils import load

from records.base.spelling import UNSEEN

#: Scripts of characters that belong to every script.
_SHARED: Final = {"COMMON", "INHERITED"}
#: Scripts that are written together (UTS 39, "highly restrictive").
_TOGETHER: Final = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)


def skeletons(name: str) -> set[str]:
    """Return what a name looks like: names that share one are mistaken for each other.

    There are two where letters of different case look alike, as I and l do.

    >>> skeletons("alice") & skeletons("\\u0430lice") == skeletons("alice")
    True
    >>> sorted(skeletons("Iiam"))
    ['iiarn', 'liarn']
    """
    plain = unicodedata.normalize("NFKC", name)
    return {_skeleton(plain.casefold()).casefold(), _skeleton(plain).casefold()}


def is_readable(name: str) -> bool:
    """Return whether a name has a letter or digit, none that is invisible, and no mixed scripts.

    >>> is_readable("花子Hanako"), is_readable(".."), is_readable("\\u0430lice")
    (True, False, False)
    """
    if not any(map(str.isalnum, name)) or not UNSEEN.isdisjoint(name):
        return False
    scripts = unique_aliases(name) - _SHARED
    return len(scripts) < 2 or any(scripts <= together for together in _TOGETHER)


def _skeleton(text: str) -> str:
    prototypes = _prototypes()
    letters = unicodedata.normalize("NFD", text)
    return unicodedata.normalize(
        "NFD", "".join(prototypes.get(letter, letter) for letter in letters)
    )


@cache
def _prototypes() -> Mapping[str, str]:
    """Return the character or characters that each character looks like.

    The library's own index of them takes 18 MB in every process that imports it; this takes one.
    """
    alike: dict[str, list[dict[str, Any]]] = load("confusables.json")
    prototypes = {}
    for letter, others in alike.items():
        # The table is a star for each prototype: it has all that look like it, these have it alone.
        if len(others) == 1:
            other = others[0]["c"]
            if len(alike[other]) > 1 or (len(other), other) > (len(letter), letter):
                prototypes[letter] = other
    return prototypes

"""Names that look alike, and names that mix scripts.

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

#: Scripts of characters that occur in every script.
_SHARED: Final = {"COMMON", "INHERITED"}
#: Scripts that may be mixed in a name (UTS 39, "highly restrictive").
_TOGETHER: Final = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)


def skeletons(name: str) -> set[str]:
    """Return the skeletons of a name: names with a common skeleton look alike.

    A name has two if letters of different case look alike, as I and l do.

    >>> skeletons("alice") & skeletons("\\u0430lice") == skeletons("alice")
    True
    >>> sorted(skeletons("Iiam"))
    ['iiarn', 'liarn']
    """
    plain = unicodedata.normalize("NFKC", name)
    return {_compute_skeleton(plain.casefold()).casefold(), _compute_skeleton(plain).casefold()}


def is_readable(name: str) -> bool:
    """Return whether a name has a letter or digit, no invisible character, and no mixed scripts.

    >>> is_readable("花子Hanako"), is_readable(".."), is_readable("\\u0430lice")
    (True, False, False)
    """
    if not any(map(str.isalnum, name)) or not UNSEEN.isdisjoint(name):
        return False
    scripts = unique_aliases(name) - _SHARED
    return len(scripts) < 2 or any(scripts <= together for together in _TOGETHER)


def _compute_skeleton(text: str) -> str:
    prototypes = _load_prototypes()
    letters = unicodedata.normalize("NFD", text)
    return unicodedata.normalize(
        "NFD", "".join(prototypes.get(letter, letter) for letter in letters)
    )


@cache
def _load_prototypes() -> Mapping[str, str]:
    """Return the look-alike character or characters of each character.

    The library's own index takes 18 MB in every process; this index takes 1 MB.
    """
    alike: dict[str, list[dict[str, Any]]] = load("confusables.json")
    prototypes = {}
    for letter, lookalikes in alike.items():
        # The table lists all look-alikes of a prototype, but only the prototype of a look-alike.
        if len(lookalikes) == 1:
            prototype = lookalikes[0]["c"]
            if len(alike[prototype]) > 1 or (len(prototype), prototype) > (len(letter), letter):
                prototypes[letter] = prototype
    return prototypes

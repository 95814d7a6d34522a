"""What options are where a record leaves them out (the head of each page of rulings; K15)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from kafu.rules.koikoi.overrides import OVERRIDES
from kafu.rules.koikoi.profiles import PROFILES

#: By ruleset, those that have one house; what koi-koi's houses have is in their profiles.
_OF_RULES: Final[Mapping[str, Mapping[str, str]]] = {
    "hachihachi": {"ba": "A", "etsunen": "no"},
    "hachihachi-bga": {
        "months": "12",
        "etsunen": "no",
        "torikeshi": "no",
        "tobikomi-hatto": "no",
        "tsukifuda": "no",
        "shiso": "no",
    },
    "hanaawase": {},
    "ten-five-one": {
        "months": "12",
        "tobikomi": "no",
        "nasake": "doni",
        "kuttsuki": "no",
        "teshi": "no",
        "futasanbon": "no",
        "haneken": "no",
        "ichinishi": "no",
        "shiso": "no",
        "kaburi": "yes",
    },
}


def completed(rules: str, options: Mapping[str, str]) -> dict[str, str]:
    """The options of a game of a ruleset with one house, those that it leaves out too."""
    return {**_OF_RULES[rules], **options}


@cache
def defaults(rules: str, profile: str = "") -> Mapping[str, str]:
    """Every option of a house but ``profile``, with what it is where a record leaves it out.

    ``profile`` is one of koi-koi's, and means nothing in other rulesets. A captured yaku
    that a house does not have is 0 in it.

    >>> defaults("koikoi", "koikoi-ai")["months"], defaults("koikoi", "koikoi-ai")["otori"]
    ('8', '0')
    """
    if rules in _OF_RULES:
        return MappingProxyType(dict(_OF_RULES[rules]))
    return MappingProxyType(
        {name: override.read(PROFILES[profile]) for name, override in OVERRIDES.items()}
    )

"""The defaults of options that a record leaves out (the head of each page of rulings; K15)."""

from __future__ import annotations

from collections.abc import Mapping

from kafu.rules.rulesets import RULESETS


def completed(rules: str, options: Mapping[str, str]) -> dict[str, str]:
    """The options of a game, including the defaults of its house.

    >>> completed("koikoi", {"profile": "koikoi-ai", "goko": "20"})["months"]
    '8'
    """
    return {**RULESETS[rules].defaults(options.get("profile", "")), **options}

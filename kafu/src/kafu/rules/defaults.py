"""What options are where a record leaves them out (the head of each page of rulings; K15)."""

from __future__ import annotations

from collections.abc import Mapping

from kafu.rules.rulesets import RULESETS


def completed(rules: str, options: Mapping[str, str]) -> dict[str, str]:
    """The options of a game, those too that it leaves out and its house has.

    >>> completed("koikoi", {"profile": "koikoi-ai", "goko": "20"})["months"]
    '8'
    """
    return {**RULESETS[rules].defaults(options.get("profile", "")), **options}

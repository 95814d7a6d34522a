"""What options are where a record leaves them out (the head of each page of rulings; K15)."""

from __future__ import annotations

from collections.abc import Mapping

from kafu.rules.rulesets import RULESETS


def completed(rules: str, options: Mapping[str, str]) -> dict[str, str]:
    """The options of a game, those too that it leaves out and its house has."""
    return {**RULESETS[rules].defaults(options.get("profile", "")), **options}


def defaults(rules: str, profile: str = "") -> Mapping[str, str]:
    """Every option of a house but ``profile``, with what it is where a record leaves it out.

    ``profile`` is one of koi-koi's, and means nothing in other rulesets. A captured yaku
    that a house does not have is 0 in it.

    >>> defaults("koikoi", "koikoi-ai")["months"], defaults("koikoi", "koikoi-ai")["otori"]
    ('8', '0')
    """
    return RULESETS[rules].defaults(profile)

"""The options of a ruleset for the form that begins a game.

Each option has its name, its values and a note, all from the rulebook.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from django.utils.translation import gettext as _

from kafu.rules.names import YAKU
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.pages.rulebook.book import RuleOption, find

#: An option about a yaku, such as ``goko-over``.
_PART: Final = re.compile(r"-[a-z]+$")
_RANGE: Final = re.compile(r"(\d+)…(\d+)")


def options_of(rules: str) -> list[dict[str, Any]]:
    """Return the options of a ruleset except the house. Options with the same meaning form a group.

    ``values`` are words (``id``, and ``name`` if a word describes the value); a number has ``low``
    and ``high``.
    """
    page = find(rules)
    options = page.options if page else ()
    return [_group(option) for option in options if "profile" not in option.defaults]


def defaults_of(rules: str, profile: str) -> dict[str, str]:
    """Return the options of a house, with their defaults."""
    house = {"profile": profile} if "profile" in RULESETS[rules].options else {}
    return {**house, **RULESETS[rules].defaults(profile)}


def _group(option: RuleOption) -> dict[str, Any]:
    alone = len(option.defaults) == 1
    return {
        "note": option.about,
        "names": [{"id": id, "name": "" if alone else _name(id)} for id in option.defaults],
        **_values(option.values),
    }


def _name(id: str) -> str:
    """Return the name of an option; "" if only its note describes it."""
    yaku = id if id in YAKU else _PART.sub("", id)
    return labels.yaku(yaku) if yaku in YAKU else ""


def _values(values: Iterable[str]) -> dict[str, Any]:
    first, *_others = values = tuple(values)
    if match := _RANGE.fullmatch(first):
        return {"low": int(match[1]), "high": int(match[2])}
    words = {"yes": _("yes"), "no": _("no")}
    return {"values": [{"id": value, "name": words.get(value, "")} for value in values]}

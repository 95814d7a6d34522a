"""The options of a ruleset, as the form offers them with which a game begins: each by its name, its
values and what it is about, all from the rulebook.
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
    """The options of a ruleset but its house: those that mean alike together.

    ``values`` are words (``id``, and ``name`` where a word says it), or ``low`` and ``high`` of a
    number.
    """
    page = find(rules)
    options = page.options if page else ()
    return [_group(option) for option in options if "profile" not in option.defaults]


def defaults_of(rules: str, profile: str) -> dict[str, str]:
    """The options that a house has, with their defaults."""
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
    """What an option is called; "" where only its note says it."""
    yaku = id if id in YAKU else _PART.sub("", id)
    return labels.yaku(yaku) if yaku in YAKU else ""


def _values(values: Iterable[str]) -> dict[str, Any]:
    first, *_others = values = tuple(values)
    if found := _RANGE.fullmatch(first):
        return {"low": int(found[1]), "high": int(found[2])}
    words = {"yes": _("yes"), "no": _("no")}
    return {"values": [{"id": value, "name": words.get(value, "")} for value in values]}

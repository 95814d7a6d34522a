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
from records.pages.rulebook.book import find
from records.pages.rulebook.outline import RuleOption

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
    return [_group(one) for one in options if one.names[0][0] != "profile"]


def defaults_of(rules: str, profile: str) -> dict[str, str]:
    """The options that a house has, with their defaults."""
    page = find(rules, profile)
    options: Iterable[RuleOption] = page.options if page else ()
    found = {name: default for option in options for name, default in option.names}
    return {
        name: default
        for name, default in found.items()
        if default is not None and name in RULESETS[rules].options
    }


def _group(option: RuleOption) -> dict[str, Any]:
    note = str(option.note.text)
    alone = len(option.names) == 1
    return {
        "note": note,
        "names": [{"id": id, "name": "" if alone else _name(id)} for id, _default in option.names],
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

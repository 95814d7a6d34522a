"""The JSON Schema of the JSON form, for other programs."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from kafu.notation.json.shape import SCHEMA
from kafu.notation.vocabulary import DECISIONS, RULES


def schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12), with the registered rulesets and their decisions."""
    document: dict[str, Any] = deepcopy(SCHEMA)
    document["$defs"]["rules"]["enum"] = list(RULES)
    document["$defs"]["decision"]["enum"] = list(dict.fromkeys(DECISIONS.values()))
    return document

"""The JSON Schema of the JSON form, for other programs."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from kafu.notation.vocabulary import DECISIONS, RULES


def schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12), with the registered rulesets and their decisions."""
    document: dict[str, Any] = json.loads(
        (files(__package__) / "kafu.schema.json").read_text(encoding="utf-8")
    )
    document["$defs"]["rules"]["enum"] = list(RULES)
    document["$defs"]["said"]["items"]["enum"] = list(dict.fromkeys(DECISIONS.values()))
    return document

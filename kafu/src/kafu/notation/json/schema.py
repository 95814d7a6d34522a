"""The JSON Schema of the JSON form, for programs elsewhere."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from kafu.notation.vocabulary import DECISIONS, RULES


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12), with the registered rulesets and the decisions of their turns."""
    found: dict[str, Any] = json.loads(
        (files(__package__) / "kafu.schema.json").read_text(encoding="utf-8")
    )
    found["$defs"]["rules"]["enum"] = list(RULES)
    found["$defs"]["said"]["items"]["enum"] = list(dict.fromkeys(DECISIONS.values()))
    return found

"""The field of a ruleset's id."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from kafu.rules.rulesets import RULESETS


class RulesetField(serializers.ChoiceField):
    """One of the rulesets that are registered when a serializer is created."""

    def __init__(self, **options: Any) -> None:
        """Take the options of any field; the choices are given."""
        super().__init__(choices=list(RULESETS), **options)

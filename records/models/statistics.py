"""A field of the standings."""

from __future__ import annotations

import json
from typing import Any

from django.db import models


class NumbersField(models.TextField):
    """Some whole numbers, stored as JSON."""

    def from_db_value(self, value: str | None, *_: object) -> Any:
        """The list; None if a join finds no row."""
        return None if value is None else json.loads(value)

    def get_prep_value(self, value: Any) -> str:
        """The text."""
        return json.dumps(value)

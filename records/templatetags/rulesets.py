"""Filters of rulesets.

`{{ record.ruleset|ruleset }}` is the name in the reader's language, `{{ record.profile|house }}`
that of the house rules of a game.
"""

from __future__ import annotations

from django import template

from records.base import labels

register = template.Library()
register.filter("ruleset", labels.ruleset_brief)
register.filter("house", labels.house)

"""Filters of rulesets.

`{{ record.ruleset|ruleset }}` is the name in the reader's language, `{{ record|house }}` that of
the house rules of a game.
"""

from __future__ import annotations

from django import template

from records.base import labels
from records.pages.rulebook.book import house

register = template.Library()
register.filter("ruleset", labels.ruleset_brief)
register.filter("house", lambda record: house(record.ruleset, record.profile))

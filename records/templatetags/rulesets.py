"""Filters of rulesets: `{{ record.ruleset|ruleset }}` is the name in the reader's language."""

from __future__ import annotations

from django import template

from records.base import labels

register = template.Library()
register.filter("ruleset", labels.ruleset_brief)

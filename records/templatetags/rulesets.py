"""Rulesets in templates: `{{ record.ruleset|ruleset }}` names one in the reader's language."""

from __future__ import annotations

from django import template

from records.base import labels

register = template.Library()
register.filter("ruleset", labels.ruleset_brief)

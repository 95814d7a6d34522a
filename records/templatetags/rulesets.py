"""Rulesets in templates: `{{ record.ruleset|ruleset }}` names one in the reader's language."""

from __future__ import annotations

from django import template

from records import names

register = template.Library()
register.filter("ruleset", names.ruleset_brief)

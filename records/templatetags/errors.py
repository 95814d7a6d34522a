"""Faults in templates: `{{ one|in_words:error.code }}` says what an expected value means."""

from __future__ import annotations

from django import template

from records.base import labels

register = template.Library()
register.filter("in_words", labels.expected)

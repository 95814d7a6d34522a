"""Filters of faults: `{{ value|in_words:error.code }}` explains an expected value."""

from __future__ import annotations

from django import template

from records.base import labels

register = template.Library()
register.filter("in_words", labels.expected)

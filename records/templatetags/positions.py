"""Filters of places in a replay: `{{ one.at|place }}` is the place ``3.14`` in words."""

from __future__ import annotations

from django import template

from records.wording.steps import place_words

register = template.Library()
register.filter("place", place_words)

"""Filters of faults: `{{ value|in_words:error.code }}` explains an expected value.

`{{ error|sentence }}` is the message of a fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString

from records.base import labels

register = template.Library()
register.filter("in_words", labels.expected)


@register.filter
def sentence(fault: Mapping[str, Any]) -> SafeString:
    """Return the plain message of a fault, and next to it the one with letters of cards.

    ``site.css`` shows one of them by the reader's setting.
    """
    words, message = fault["words"], fault["message"]
    if words == message:
        return conditional_escape(words)
    both = '<span class="worded">{}</span><span class="lettered">{}</span>'
    return format_html(both, words, message)

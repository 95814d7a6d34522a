"""Filters that show values of the archive in the reader's words.

Dates: ``{{ record.date|played }}`` for a Date tag, ``{{ upload.created|minute }}`` and
``{{ record.created|day }}`` for times. Games: ``{{ record.ruleset|ruleset }}``,
``{{ record.profile|house }}``, ``{{ record|best_yaku }}``. Sums: ``{{ points|sum:score.units }}``,
``{{ sum|final:rules }}``, ``{{ sum|mark_units }}``. Faults: ``{{ error|sentence }}`` is the
message, and ``{{ value|in_words:error.code }}`` an expected value. Also
``{{ file.name|file_name }}`` for a name as the sender knows it, and ``{{ remark|breakable }}`` for
yaku joined by plus signs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from records.base import dates, labels
from records.base.labels import Units
from records.models import Record
from records.pages.rulebook.book import yaku_cards
from records.search.games import sums_of
from records.wording.cards import CardView, card_views
from records.wording.causes import cause_of
from records.wording.steps import final_sum, plain_amount

register = template.Library()
register.filter("played", dates.played)
register.filter("day", dates.day)
register.filter("ruleset", labels.ruleset_brief)
register.filter("house", labels.house)
register.filter("in_words", labels.expected)
register.filter("file_name", labels.file_name)
_UNIT: Final = re.compile(r"[^\d+−]+")


@register.filter
def minute(moment: datetime) -> str:
    """Return a `<time>` in UTC, which `times.js` writes in the reader's zone."""
    return format_html(
        '<time datetime="{}" data-minute>{}</time>',
        moment.isoformat(timespec="seconds"),
        dates.minute(moment),
    )


@register.filter("sum")
def sum_(points: int, units: Units | None) -> str:
    """Return a sum with units as ``+7 kan`` (``+7貫``), without units as ``12``, ``−3``."""
    return plain_amount(points, units=units)


@register.filter
def minus(figure: str) -> str:
    """Return a figure with a true minus sign."""
    return figure.replace("-", "−")


@register.filter
def mark_units(sum_: str) -> SafeString:
    """Return a written sum with each unit in a `<small>` of its own: the ``貫`` of ``+7貫``."""
    return mark_safe(_UNIT.sub(r'<small class="unit">\g<0></small>', conditional_escape(sum_)))


@register.filter
def breakable(names: str) -> str:
    """Return names joined by plus signs, with a place to break the line after each sign."""
    return names.replace("+", "+\u200b")


@register.filter
def final(sum_: int, ruleset: str) -> str:
    """Return a player's settlement in the units of the ruleset: ``45``, ``−9``, ``+13 kan``."""
    return final_sum(sum_, ruleset)


@register.filter
def cause(record: Record) -> str:
    """Return the sentence that says how a game was won; "" without a loaded verdict."""
    if "verdict" in record.get_deferred_fields():
        return ""
    game_cause = cause_of(record.verdict, sums_of(record))
    return game_cause.words if game_cause else ""


@register.filter
def best_yaku(record: Record) -> list[CardView]:
    """Return the cards of a yaku of the game, as the rule page draws them.

    The winner's yaku comes first. Return an empty list if the rule page draws none of the yaku. The
    caller prefetches ``seats``.
    """
    drawn = yaku_cards(record.ruleset, record.profile)
    for seat in sorted(record.seats.all(), key=lambda seat: seat.rank or len(drawn)):
        ids = {word.partition("*")[0] for word in seat.yaku.split()}
        for id, letters in drawn.items():
            if id in ids:
                return card_views(letters)
    return []


@register.filter
def sentence(fault: Mapping[str, Any]) -> SafeString:
    """Return the plain message of a fault, and next to it the one with letters of cards.

    Both are written as sentences. ``site.css`` shows one of them by the reader's setting.
    """
    message = labels.sentence(fault["message"])
    words = labels.sentence(fault.get("words", fault["message"]))
    if fault.get("code") == "first-tag":
        return conditional_escape(_("This cannot be read as a game. %(why)s") % {"why": words})
    if words == message:
        return conditional_escape(words)
    both = '<span class="worded">{}</span><span class="lettered">{}</span>'
    return format_html(both, words, message)

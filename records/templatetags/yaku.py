"""Yaku in templates: `{{ record|best_yaku }}` are the cards of one that a game is known by."""

from __future__ import annotations

from django import template

from records.models import Record
from records.pages.card_views import CardView, card_views
from records.pages.rulebook.book import yaku_cards

register = template.Library()


@register.filter
def best_yaku(record: Record) -> list[CardView]:
    """Return the cards of a yaku that was made, the winner's first, as the rule page draws them.

    Return no cards if the rule page draws none of the yaku. Prefetch ``seats``.
    """
    drawn = yaku_cards(record.ruleset, record.profile)
    for seat in sorted(record.seats.all(), key=lambda one: one.rank or len(drawn)):
        made = {word.partition("*")[0] for word in seat.yaku.split()}
        for id, letters in drawn.items():
            if id in made:
                return card_views(letters)
    return []

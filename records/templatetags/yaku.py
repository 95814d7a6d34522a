"""Filters of yaku: `{{ record|best_yaku }}` are the cards of a game's best yaku."""

from __future__ import annotations

from django import template

from records.models import Record
from records.pages.rulebook.book import yaku_cards
from records.wording.cards import CardView, card_views

register = template.Library()


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

"""The button that follows a player: ``{% follow_player player %}``."""

from __future__ import annotations

from typing import Any

from django import template

from people import follows
from records.models import Player
from records.privacy.access import viewer_of

register = template.Library()


@register.inclusion_tag("people/_follow.html", takes_context=True)
def follow_player(context: dict[str, Any], player: Player) -> dict[str, Any]:
    """Show the button to visitors with an account."""
    user = viewer_of(context["request"]).user
    is_followed = user is not None and follows.is_followed(user, player)
    return {"player": player, "is_shown": user is not None, "is_followed": is_followed}

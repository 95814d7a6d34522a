"""Data and texts for the what-if table, on which users play on from a step of a game."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from records.base import labels
from records.models import Record


def table_words() -> dict[str, str]:
    """Return the texts of a table for playing, in the language of the request."""
    return {
        "hand": _("Hand of %(name)s"),
        "captured": _("Captured by %(name)s"),
        "turn": _("%(name)s plays a card"),
        "drawn": _("Which card is turned from the draw pile?"),
        "decide": _("%(name)s decides"),
        "bid": _("%(name)s goes in or out"),
        "deal": _("%(month)s is to be dealt"),
        "over": _("The game is over."),
        "takes": _("Which card is captured?"),
    }


def what_if_data(record: Record) -> dict[str, Any]:
    """Return the data that the what-if modules need in addition to the replay."""
    over = _("The month is over.")
    words = table_words() | {
        "deal": over,
        "over": over,
        "offline": _("The server does not answer. Try again."),
        "late": _("Too many requests: try again in a moment."),
        "strange": _("This branch does not fit the game: it ends where it still does."),
        "copied": _("Copied"),
    }
    return {
        "words": words,
        "monthNames": [labels.month(number) for number in range(1, 13)],
        "dealer": labels.dealer_mark(record.ruleset),
    }

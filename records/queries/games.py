"""Single games, and games as lists show them."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Prefetch, QuerySet

from records.access import NOBODY, Viewer, holding_of, may_see
from records.holdings import is_others_too, text_of
from records.models import Listing, Record, Seat, Visibility
from records.pseudonyms import mask, mask_line
from records.redaction import of_archive
from records.rows import fill


def records() -> QuerySet[Record]:
    """All games that there are, whoever may see them, newest first, with seats and players.

    Texts and verdicts are left out until asked for, because a list shows neither.
    """
    seats = Prefetch("seats", Seat.objects.select_related("player"))
    found = Record.objects.defer("text", "verdict", "tags").prefetch_related(seats)
    return found.order_by("-id")


def these(listings: Sequence[Listing]) -> list[Record]:
    """The games of some listings, in their order, as `records` has them."""
    found = records().in_bulk([listing.pk for listing in listings])
    known = of_archive()
    return [mask_line(found[listing.pk], known) for listing in listings if listing.pk in found]


def record(key: str, viewer: Viewer = NOBODY) -> Record | None:
    """The game with this key as a viewer may see it, seats and all; None where he may not.

    It must not be saved: pseudonyms stand in it, and a holder of a private game is shown what he
    uploaded, not what another holder did.
    """
    whole = Record.objects.prefetch_related("seats__player", "deals__seats")
    found = whole.filter(key=key).first()
    if found is None or not may_see(found, viewer):
        return None
    if found.visibility < Visibility.UNLISTED and viewer.user is not None:
        own(found, viewer)
    return mask(found)


def own(record: Record, viewer: Viewer) -> None:
    """Make a private game what its holder uploaded, as if nobody else had it; it is not saved."""
    held = holding_of(record.pk, viewer)
    if held is None or viewer.user is None or not is_others_too(record, viewer.user):
        return
    text = text_of(record, viewer.user)
    if text is not None:
        fill(record, text)
        record.created = record.changed = held.created

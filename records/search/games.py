"""Single games, and games as lists show them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import Prefetch, QuerySet
from django.http import Http404

from records.models import Listing, Record, Seat, Visibility
from records.privacy.access import ANONYMOUS, Viewer, may_see, ownerships_of
from records.privacy.redaction import archive_redaction
from records.store.corrections import GoneGame, find_gone
from records.store.pseudonyms import mask, mask_line
from records.store.rows import fill
from records.store.texts import sent_by_others, text_of_owner


def records() -> QuerySet[Record]:
    """All games, whoever may see them, newest first, with seats and players.

    Texts and verdicts are deferred, because a list shows neither.
    """
    seats = Prefetch("seats", Seat.objects.select_related("player"))
    found = Record.objects.defer("text", "verdict", "tags").prefetch_related(seats)
    return found.order_by("-id")


def these(listings: Sequence[Listing]) -> list[Record]:
    """The games of some listings, in their order, as `records` loads them."""
    found = records().in_bulk([listing.pk for listing in listings])
    known = archive_redaction()
    return [mask_line(found[listing.pk], known) for listing in listings if listing.pk in found]


def record(key: str, viewer: Viewer = ANONYMOUS) -> Record | None:
    """The game with this key as a viewer may see it, with its seats; None if they may not see it.

    It must not be saved: it contains pseudonyms, and the owner of a private game sees what they
    uploaded, not what another owner did.
    """
    whole = Record.objects.prefetch_related("seats__player")
    found = whole.filter(key=key).first()
    if found is None or not may_see(found, viewer):
        return None
    own([found], viewer)
    return mask(found)


class GameGone(Http404):
    """A game that was to be seen once, and is not any more: ``gone`` says why, or what stands in
    its place.
    """

    def __init__(self, gone: GoneGame) -> None:
        super().__init__("The game is gone.")
        self.gone = gone


def found(key: str, viewer: Viewer) -> Record:
    """As `record`. Raises :class:`GameGone` for one that others could see, Http404 for no game."""
    there = record(key, viewer)
    if there is not None:
        return there
    gone = find_gone(key, viewer)
    raise Http404 if gone is None else GameGone(gone)


def own(found: Iterable[Record], viewer: Viewer) -> None:
    """Replace private games among these by what the viewer uploaded, as if they were the only
    owner.

    They must not be saved.
    """
    private = {one.pk: one for one in found if one.visibility < Visibility.UNLISTED}
    if viewer.user is None or not private:
        return
    held = {
        one.record_id: one for one in ownerships_of(viewer.user).filter(record__in=list(private))
    }
    for pk in sent_by_others(held, viewer.user):
        record = private[pk]
        text = text_of_owner(record, held[pk])
        if text is not None:
            fill(record, text)
            record.created = record.changed = held[pk].created

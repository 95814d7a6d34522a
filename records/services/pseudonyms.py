"""Pseudonyms: players whom the archive shows under another name than their games do.

Rows used for search and lists (`Player`, `Seat`, `Listing.event`) contain the pseudonym. Stored
texts contain the real name, because the identity of a game depends on it; `records.privacy.masking`
shows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from kafu.notation.reading.source import is_one_line
from records.base.bulk import slices
from records.base.keys import player_key, player_name, searched
from records.models import FormerKey, Listing, Player, Record, Seat
from records.privacy import change_log, revisions
from records.privacy.redaction import Redaction, all_pseudonyms, redaction_of

#: Maximum length of a pseudonym.
MAX_LETTERS: Final = 80
BATCH: Final = 200


class Taken(Exception):
    """The error for a pseudonym that another player has."""


def set_pseudonym(player: Player, pseudonym: str) -> None:
    """Show a player under a pseudonym, including in future games.

    Raise :class:`Taken`, or ValueError for an invalid name.
    """
    name = player_name(pseudonym)
    if not name or len(name) > MAX_LETTERS or not is_one_line(name):
        raise ValueError(f"a pseudonym has 1 to {MAX_LETTERS} letters")
    _rename(player, name)


def remove_pseudonym(player: Player) -> None:
    """Show a player under the real name again. Raise :class:`Taken`."""
    if player.real_name:
        _rename(player, "")


def _rename(player: Player, pseudonym: str) -> None:
    """Set or remove a player's pseudonym.

    Lock records before players, like storing does.
    """
    with transaction.atomic():
        before = all_pseudonyms()
        real = player.real_name or player.name
        after = {name: shown for name, shown in before.items() if name != real}
        if pseudonym:
            after[real] = pseudonym
        _update_events(redaction_of(before), redaction_of(after))
        marked = _mark_changed(Record.objects.filter(seats__player=player))
        row = Player.objects.select_for_update().get(pk=player.pk)
        row.name, row.real_name = (pseudonym, real) if pseudonym else (real, "")
        row.key = player_key(pseudonym) if pseudonym else row.origin
        row.folded = searched(row.name)
        try:
            with transaction.atomic():
                row.save()
        except IntegrityError as error:
            raise Taken(row.name) from error
        # Former keys are derived from the name that is no longer shown.
        FormerKey.objects.filter(player=row).delete()
        Seat.objects.filter(player=row).update(name=row.name)
        # Games may have been stored before the player was locked.
        _mark_changed(Record.objects.filter(seats__player=row).exclude(pk__in=marked))
        revisions.advance()
    player.refresh_from_db()


def _update_events(before: Redaction, after: Redaction) -> None:
    """Update the search keys of events that a new redaction shows differently."""
    events = Record.objects.order_by().exclude(event="").values_list("event", flat=True).distinct()
    changed = [
        event
        for event in events.iterator(chunk_size=BATCH)
        if before.event_key(event) != after.event_key(event)
    ]
    for batch in slices(changed, BATCH):
        for pks in _lock(Record.objects.filter(event__in=batch)):
            rows = Record.objects.filter(pk__in=pks).values_list("pk", "event")
            keys = {pk: after.event_key(event) for pk, event in rows}
            for key in set(keys.values()):
                named = [pk for pk in pks if keys[pk] == key]
                Listing.objects.filter(pk__in=named).update(event=key)
            change_log.mark(Record.objects.filter(pk__in=pks).only("visibility", "change"))


def _mark_changed(games: QuerySet[Record]) -> set[int]:
    """Lock games and mark them as publicly changed. Return their primary keys."""
    batches = _lock(games)
    for pks in batches:
        change_log.mark(Record.objects.filter(pk__in=pks).only("visibility", "change"))
    return {pk for pks in batches for pk in pks}


def _lock(games: QuerySet[Record]) -> list[Sequence[int]]:
    """Lock games. Return their primary keys in batches."""
    rows = games.order_by("identity").select_for_update(no_key=True)
    return list(slices(list(rows.values_list("pk", flat=True)), BATCH))

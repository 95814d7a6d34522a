"""Pseudonyms: players whom the archive shows under another name than their games do.

Rows used for search and lists (`Player`, `Seat`, `Listing.event`) contain the pseudonym. Stored
texts contain the real name, because the identity of a game depends on it. Every function that shows
a text must call :func:`masked` or one of the ``mask`` functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from records.base.bulk import slices
from records.base.keys import player_key, player_name, searched
from records.models import FormerKey, Listing, Player, Record, Seat
from records.privacy import revisions
from records.privacy.redaction import Redaction, all_pseudonyms, archive_redaction, redaction_of
from records.store import changes

#: Maximum length of a pseudonym.
MAX_LETTERS: Final = 80
BATCH: Final = 200
#: Columns with free text.
_TEXT_COLUMNS: Final = ("event", "site", "round", "source")
#: Tags without free text.
_FIXED_TAGS: Final = ("Date", "Sheet", "Termination", "Time")


class Taken(Exception):
    """The error for a pseudonym that another player has."""


def set_pseudonym(player: Player, pseudonym: str) -> None:
    """Show a player under a pseudonym, including in future games.

    Raise :class:`Taken`, or ValueError for an invalid name.
    """
    name = player_name(pseudonym)
    if not name or len(name) > MAX_LETTERS or not name.isprintable():
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
            changes.mark(Record.objects.filter(pk__in=pks).only("visibility", "change"))


def _mark_changed(games: QuerySet[Record]) -> set[int]:
    """Lock games and mark them as publicly changed. Return their primary keys."""
    batches = _lock(games)
    for pks in batches:
        changes.mark(Record.objects.filter(pk__in=pks).only("visibility", "change"))
    return {pk for pks in batches for pk in pks}


def _lock(games: QuerySet[Record]) -> list[Sequence[int]]:
    """Lock games. Return their primary keys in batches."""
    rows = games.order_by("identity").select_for_update(no_key=True)
    return list(slices(list(rows.values_list("pk", flat=True)), BATCH))


# What is shown ------------------------------------------------------------------------------------


def mask(record: Record, general: Redaction | None = None) -> Record:
    """Replace real names by pseudonyms in a record, in memory. Return the record.

    Prefetch ``seats__player``. ``general`` is as in :func:`mask_line`.
    """
    redaction = _redaction_for(record, general or archive_redaction())
    record.text = masked(record.text, _names_by_seat(record), redaction)
    record.tags = _redact_tags(record.tags, redaction)
    record.verdict = record.verdict | {
        name: redaction.redact(record.verdict[name]) for name in ("error", "warnings")
    }
    return _mask_columns(record, redaction)


def mask_line(record: Record, general: Redaction) -> Record:
    """Mask a record of a list, whose text, tags and verdict are not loaded.

    ``general`` is `records.privacy.redaction.archive_redaction`, computed once for the list.
    """
    return _mask_columns(record, _redaction_for(record, general))


def mask_text(record: Record, general: Redaction) -> Record:
    """Mask a record like :func:`mask_line`, and its text too."""
    redaction = _redaction_for(record, general)
    record.text = masked(record.text, _names_by_seat(record), redaction)
    return _mask_columns(record, redaction)


def masked_as(record: Record, text: str) -> str:
    """Return another canonical text of a record's game with pseudonyms."""
    redaction = _redaction_for(record, archive_redaction())
    return masked(text, _names_by_seat(record), redaction)


def masked(text: str, names_by_seat: Mapping[int, str], redaction: Redaction) -> str:
    """Return a canonical text with other names at some seats and redacted comments and tags.

    A tag whose own name contains a real name is removed.
    """
    if not names_by_seat and not redaction.covers(text):
        return text
    game = read(text).game
    assert game is not None, "canonical text reads"
    players = enumerate(game.players, start=1)
    game.players = tuple(names_by_seat.get(seat, name) for seat, name in players)
    game.tags = _redact_tags(game.tags, redaction)
    game.notes = {
        name: redaction.redact(notes)
        for name, notes in game.notes.items()
        if not redaction.covers(name)
    }
    for month in game.months:
        month.notes = redaction.redact(month.notes)
        for turn in month.turns:
            turn.comments = redaction.redact(turn.comments)
    return write(game)


def _names_by_seat(record: Record) -> dict[int, str]:
    return {seat.number: seat.player.name for seat in record.seats.all() if seat.player.real_name}


def _redaction_for(record: Record, general: Redaction) -> Redaction:
    """Return the redaction for a game.

    Real names of its players are redacted even if they are short. Names of its players without a
    pseudonym are not redacted.
    """
    players = [seat.player for seat in record.seats.all()]
    pseudonyms = {player.real_name: player.name for player in players if player.real_name}
    return general.within(pseudonyms, [player.name for player in players if not player.real_name])


def _mask_columns(record: Record, redaction: Redaction) -> Record:
    for name in _TEXT_COLUMNS:
        setattr(record, name, redaction.redact_column(getattr(record, name)))
    return record


def _redact_tags(tags: Mapping[str, str], redaction: Redaction) -> dict[str, str]:
    return {
        name: value if name in _FIXED_TAGS else redaction.redact(value)
        for name, value in tags.items()
        if not redaction.covers(name)
    }

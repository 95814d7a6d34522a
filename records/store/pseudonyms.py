"""Players whom the archive shows under another name than their games do.

In: a player and a pseudonym; records that are about to be shown. Out: rows with the pseudonym in
them, and records without real names.

Rows that are searched and listed (`Player`, `Seat`, `Listing.event`) have the pseudonym in them.
Texts stay as they came, because a game is known by its identity; whoever shows one asks
:func:`masked` first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from records.base.keys import player_key, player_name, searched
from records.models import FormerKey, Listing, Player, Record, Seat
from records.privacy import revisions
from records.privacy.redaction import Redaction, known_names, of_archive, redaction_of
from records.store import changes

#: Letters that a pseudonym may have.
LONGEST: Final = 80
BATCH: Final = 200
#: Columns in which anybody may have written anything.
_LINE: Final = ("event", "site", "round", "source")
#: Tags whose words are not anybody's own.
_FIXED: Final = ("Date", "Sheet", "Termination", "Time")


class Taken(Exception):
    """Another player is known by this name."""


def give(player: Player, pseudonym: str) -> None:
    """Show a player under this name from now on, also in games that are to come.

    Raises :class:`Taken`, and ValueError for a name that is none.
    """
    name = player_name(pseudonym)
    if not name or len(name) > LONGEST or not name.isprintable():
        raise ValueError(f"a pseudonym has 1 to {LONGEST} letters")
    _show(player, name)


def take_back(player: Player) -> None:
    """Show a player under the name of the games again. Raises :class:`Taken`."""
    if player.real_name:
        _show(player, "")


def _show(player: Player, pseudonym: str) -> None:
    """Give a player this pseudonym, or none. Locks are taken in the order of storing: records,
    players.
    """
    with transaction.atomic():
        before = known_names()
        real = player.real_name or player.name
        after = {name: shown for name, shown in before.items() if name != real}
        if pseudonym:
            after[real] = pseudonym
        _list_events(redaction_of(before), redaction_of(after))
        marked = _mark(Record.objects.filter(seats__player=player))
        row = Player.objects.select_for_update().get(pk=player.pk)
        row.name, row.real_name = (pseudonym, real) if pseudonym else (real, "")
        row.key = player_key(pseudonym) if pseudonym else row.origin
        row.folded = searched(row.name)
        try:
            with transaction.atomic():
                row.save()
        except IntegrityError as error:
            raise Taken(row.name) from error
        # They are made of the name that is shown no more.
        FormerKey.objects.filter(player=row).delete()
        Seat.objects.filter(player=row).update(name=row.name)
        # Games that came in until the player was locked: hardly ever any.
        _mark(Record.objects.filter(seats__player=row).exclude(pk__in=marked))
        revisions.advance()
    player.refresh_from_db()


def _list_events(before: Redaction, after: Redaction) -> None:
    """List games whose event is shown in other words under these."""
    written = Record.objects.order_by().exclude(event="").values_list("event", flat=True).distinct()
    changed = [
        event
        for event in written.iterator(chunk_size=BATCH)
        if before.event_key(event) != after.event_key(event)
    ]
    for start in range(0, len(changed), BATCH):
        games = Record.objects.filter(event__in=changed[start : start + BATCH])
        for pks in _locked(games):
            events = Record.objects.filter(pk__in=pks).values_list("pk", "event")
            keys = {pk: after.event_key(event) for pk, event in events}
            for key in set(keys.values()):
                named = [pk for pk in pks if keys[pk] == key]
                Listing.objects.filter(pk__in=named).update(event=key)
            changes.mark(Record.objects.filter(pk__in=pks).only("visibility", "change"))


def _mark(games: QuerySet[Record]) -> set[int]:
    """Note that games are shown otherwise from now on, and lock them; returns which."""
    found = _locked(games)
    for pks in found:
        changes.mark(Record.objects.filter(pk__in=pks).only("visibility", "change"))
    return {pk for pks in found for pk in pks}


def _locked(games: QuerySet[Record]) -> list[list[int]]:
    """The primary keys of games, which are locked from now on, some at a time."""
    rows = games.order_by("identity").select_for_update(no_key=True)
    pks = list(rows.values_list("pk", flat=True))
    return [pks[start : start + BATCH] for start in range(0, len(pks), BATCH)]


# What is shown ------------------------------------------------------------------------------------


def mask(record: Record, known: Redaction | None = None) -> Record:
    """The record, changed in memory so that no real name of a player with a pseudonym is in it.

    ``seats__player`` is best prefetched. ``known`` as in :func:`mask_line`.
    """
    words = _words(record, known or of_archive())
    record.text = masked(record.text, _masks(record), words)
    record.tags = _tags(record.tags, words)
    record.verdict = record.verdict | {
        name: words.replaced(record.verdict[name]) for name in ("error", "warnings")
    }
    return _mask_line(record, words)


def mask_line(record: Record, known: Redaction) -> Record:
    """As :func:`mask`, for a record of a list: without its text, tags and verdict.

    ``known`` is `records.privacy.redaction.of_archive`, asked once for all of them.
    """
    return _mask_line(record, _words(record, known))


def mask_text(record: Record, known: Redaction) -> Record:
    """As :func:`mask_line`, for a record with its text."""
    words = _words(record, known)
    record.text = masked(record.text, _masks(record), words)
    return _mask_line(record, words)


def masked_as(record: Record, text: str) -> str:
    """A canonical text of the record's game with its pseudonyms."""
    return masked(text, _masks(record), _words(record, of_archive()))


def masked(text: str, masks: Mapping[int, str], words: Redaction) -> str:
    """A canonical text with other names at some seats, and redacted where people write freely: in
    comments and tags. A tag that has a real name for its own is left out.
    """
    if not masks and not words.covers(text):
        return text
    game = read(text).game
    assert game is not None, "canonical text reads"
    players = enumerate(game.players, start=1)
    game.players = tuple(masks.get(seat, name) for seat, name in players)
    game.tags = _tags(game.tags, words)
    game.notes = {
        name: words.replaced(notes) for name, notes in game.notes.items() if not words.covers(name)
    }
    for month in game.months:
        month.notes = words.replaced(month.notes)
        for turn in month.turns:
            turn.comments = words.replaced(turn.comments)
    return write(game)


def _masks(record: Record) -> dict[int, str]:
    return {seat.number: seat.player.name for seat in record.seats.all() if seat.player.real_name}


def _words(record: Record, known: Redaction) -> Redaction:
    """What is redacted in a game: names of its own players however short, but no name of another
    of them.
    """
    players = [seat.player for seat in record.seats.all()]
    own = {one.real_name: one.name for one in players if one.real_name}
    return known.within(own, [one.name for one in players if not one.real_name])


def _mask_line(record: Record, words: Redaction) -> Record:
    for name in _LINE:
        setattr(record, name, words.column(getattr(record, name)))
    return record


def _tags(tags: Mapping[str, str], words: Redaction) -> dict[str, str]:
    return {
        name: written if name in _FIXED else words.replaced(written)
        for name, written in tags.items()
        if not words.covers(name)
    }

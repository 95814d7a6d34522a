"""Players whom the archive shows under another name than their games do.

Rows that are searched and listed (`Player`, `Seat`) have the pseudonym in them. Texts stay as they
came, because a game is known by its identity; whoever shows one asks :func:`masked` first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from django.db import IntegrityError, transaction

from records import version
from records.kafu.reader import read
from records.kafu.writer import write
from records.keys import fold, player_key, player_name
from records.models import Player, Record, Seat

#: Letters that a pseudonym may have.
LONGEST: Final = 80
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
    with transaction.atomic():
        row = Player.objects.select_for_update().get(pk=player.pk)
        row.real_name = row.real_name or row.name
        _rename(row, name, player_key(name))
    player.refresh_from_db()


def take_back(player: Player) -> None:
    """Show a player under the name of the games again. Raises :class:`Taken`."""
    with transaction.atomic():
        row = Player.objects.select_for_update().get(pk=player.pk)
        if row.real_name:
            name, row.real_name = row.real_name, ""
            _rename(row, name, row.origin)
    player.refresh_from_db()


def _rename(player: Player, name: str, key: str) -> None:
    player.name, player.folded, player.key = name, fold(name), key
    try:
        with transaction.atomic():
            player.save()
    except IntegrityError as error:
        raise Taken(name) from error
    Seat.objects.filter(player=player).update(name=name)
    version.advance()


def mask(record: Record) -> Record:
    """The record, changed in memory so that no real name of a player with a pseudonym is in it.

    ``seats__player`` is best prefetched.
    """
    masks = {seat.number: seat.player.name for seat in record.seats.all() if seat.player.real_name}
    if masks:
        record.text, words = masked(record.text, masks)
        record.tags = _tags(record.tags, words)
        record.verdict = record.verdict | {
            name: _replaced(record.verdict[name], words) for name in ("error", "warnings")
        }
        for name in _LINE:
            setattr(record, name, _replaced(getattr(record, name), words))
    return record


def mask_line(record: Record) -> Record:
    """As :func:`mask`, for a record of a list: without its text, tags and verdict."""
    words = {
        seat.player.real_name: seat.player.name
        for seat in record.seats.all()
        if seat.player.real_name
    }
    if words:
        for name in _LINE:
            setattr(record, name, _replaced(getattr(record, name), words))
    return record


def mask_text(record: Record) -> Record:
    """As :func:`mask_line`, for a record with its text."""
    masks = {seat.number: seat.player.name for seat in record.seats.all() if seat.player.real_name}
    if masks:
        record.text = masked(record.text, masks)[0]
    return mask_line(record)


def masked(text: str, masks: Mapping[int, str]) -> tuple[str, dict[str, str]]:
    """A canonical text with other names at some seats, and by which name each was replaced.

    A real name is replaced wherever it stands: in comments and tags too.
    """
    game = read(text).game
    assert game is not None, "canonical text reads"
    words = {game.players[seat - 1]: name for seat, name in masks.items()}
    players = enumerate(game.players, start=1)
    game.players = tuple(masks.get(seat, name) for seat, name in players)
    game.tags = _tags(game.tags, words)
    game.notes = _replaced(game.notes, words)
    for month in game.months:
        month.notes = _replaced(month.notes, words)
        for turn in month.turns:
            turn.comments = _replaced(turn.comments, words)
    return write(game), words


def _tags(tags: Mapping[str, str], words: Mapping[str, str]) -> dict[str, str]:
    return {
        name: written if name in _FIXED else _replaced(written, words)
        for name, written in tags.items()
    }


def _replaced(value: Any, words: Mapping[str, str]) -> Any:
    """The same value with names replaced in every text of it, but not within a Latin word."""
    if isinstance(value, str):
        for real, name in words.items():
            found = rf"(?<![A-Za-z0-9]){re.escape(real)}(?![A-Za-z0-9])"
            value = re.sub(found, name.replace("\\", r"\\"), value)
        return value
    if isinstance(value, Mapping):
        return {key: _replaced(item, words) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_replaced(item, words) for item in value)
    return value

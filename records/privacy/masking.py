"""Masking: pseudonyms instead of real names in displayed games.

Stored texts contain the real names. Before display, a text must pass through :func:`masked` or
a ``mask`` function.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from records.models import Record
from records.privacy.redaction import Redaction, archive_redaction

#: Columns with free text.
_TEXT_COLUMNS: Final = ("event", "site", "round", "source")
#: Tags without free text.
_FIXED_TAGS: Final = ("Date", "Sheet", "Termination", "Time")


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
    """Mask a record of a list, with text, tags and verdict not loaded.

    ``general`` is `records.privacy.redaction.archive_redaction`, computed once for the list.
    """
    return _mask_columns(record, _redaction_for(record, general))


def mask_text(record: Record, general: Redaction) -> Record:
    """Mask a record like :func:`mask_line`, and the text too."""
    redaction = _redaction_for(record, general)
    record.text = masked(record.text, _names_by_seat(record), redaction)
    return _mask_columns(record, redaction)


def masked_as(record: Record, text: str) -> str:
    """Return another canonical text of a record's game with pseudonyms."""
    redaction = _redaction_for(record, archive_redaction())
    return masked(text, _names_by_seat(record), redaction)


def masked(text: str, names_by_seat: Mapping[int, str], redaction: Redaction) -> str:
    """Return a canonical text with other names at some seats and redacted comments and tags.

    A tag with a real name in the tag's name is removed.
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
        for item in month.statements:
            item.comments = redaction.redact(item.comments)
    return write(game)


def _names_by_seat(record: Record) -> dict[int, str]:
    return {seat.number: seat.player.name for seat in record.seats.all() if seat.player.real_name}


def _redaction_for(record: Record, general: Redaction) -> Redaction:
    """Return the redaction for a game.

    Real names of the players are redacted even if short. Names of players without a pseudonym are
    not redacted.
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

"""Facts written where games are judged: a part for each ruleset of a chunk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from records.base.bulk import insert_new
from records.base.times import second_of_day
from records.facts.parts import write_parts
from records.facts.rows import GameInfo, GameRows, RowBatch
from records.models import EventName, Record


class FactGame(NamedTuple):
    """A record with a primary key, the ids of its players by seat, and its rows."""

    record: Record
    players: Sequence[int]
    rows: GameRows | None


def store_facts(games: Iterable[FactGame]) -> None:
    """Write the facts of games, part of the transaction that stores the games.

    Games whose rows are None have nothing to write. Every record's ``facts`` must be set to its
    ``revision`` in this transaction by the caller.
    """
    games = [game for game in games if game.rows is not None]
    events = write_events(game.record.event for game in games)
    batches: dict[str, RowBatch] = {}
    for record, players, rows in games:
        assert rows is not None
        batch = batches.setdefault(rows.ruleset, RowBatch(rows.ruleset))
        batch.add(describe_game(record, players, events), rows)
    for part in write_parts(batches):
        part.save()


def describe_game(record: Record, players: Sequence[int], events: Mapping[str, int]) -> GameInfo:
    """Return what the database knows of a game, for its rows."""
    return GameInfo(
        game=record.pk,
        revision=record.revision,
        profile=record.profile,
        options=record.options,
        sheet=record.sheet,
        players=players,
        first_day=record.date_from,
        last_day=record.date_to,
        time=second_of_day(record.tags),
        event=events.get(record.event),
    )


def write_events(names: Iterable[str]) -> dict[str, int]:
    """Return the ids of names of events, new ones inserted. An empty name has no id."""
    wanted = sorted({name for name in names if name})
    rows = EventName.objects.order_by()
    ids = dict(rows.filter(text__in=wanted).values_list("text", "pk"))
    missing = [name for name in wanted if name not in ids]
    if missing:
        insert_new(EventName, ("text",), [(name,) for name in missing], "text")
        ids |= dict(rows.filter(text__in=missing).values_list("text", "pk"))
    return ids

"""Facts written where games are judged: a part for each ruleset of a chunk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from records.base.bulk import BATCH, insert_new, slices
from records.base.times import second_of_day
from records.facts.parts import write_parts
from records.facts.rows import GameInfo, GameRows, RowBatch
from records.models import EventName, Record


class FactGame(NamedTuple):
    """A record with a primary key, the ids of its players by seat, and its rows.

    A game that does not count has no rows.
    """

    record: Record
    players: Sequence[int]
    rows: GameRows | None


def store_facts(games: Iterable[FactGame]) -> None:
    """Write the facts of new games, part of the transaction that stores them.

    The caller sets ``facts`` of every record to its ``revision`` in this transaction.
    """
    for part in write_parts(make_batches(games)):
        part.save()


def make_batches(games: Iterable[FactGame]) -> dict[str, RowBatch]:
    """Return the rows of games by ruleset. Names of new events are inserted."""
    games = [game for game in games if game.rows is not None]
    events = write_events(game.record.event for game in games)
    batches: dict[str, RowBatch] = {}
    for record, players, rows in games:
        assert rows is not None
        batch = batches.setdefault(rows.ruleset, RowBatch(rows.ruleset))
        batch.add(describe_game(record, players, events), rows)
    return batches


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
    ids: dict[str, int] = {}
    for some in slices(wanted, BATCH):
        ids |= dict(rows.filter(text__in=some).values_list("text", "pk"))
    missing = [name for name in wanted if name not in ids]
    if missing:
        # Waits for transactions that insert the same names; all insert them in this order.
        insert_new(EventName, ("text",), [(name,) for name in missing], "text")
        for some in slices(missing, BATCH):
            ids |= dict(rows.filter(text__in=some).values_list("text", "pk"))
    return ids

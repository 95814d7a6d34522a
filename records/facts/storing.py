"""Storing the facts of new games: a part for each ruleset of a chunk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from records.base.bulk import BATCH, insert_new, slices
from records.base.clock import second_of_day
from records.facts.parts import write_parts
from records.facts.rows import GameInfo, GameRows, RowBatch
from records.models import EventName, Record


class FactGame(NamedTuple):
    """A saved record, the ids of its players by seat, and its rows.

    A game that does not count has no rows.
    """

    record: Record
    players: Sequence[int]
    rows: GameRows | None


def store_facts(games: Iterable[FactGame]) -> None:
    """Write the facts of new games, inside the transaction for the games.

    The caller sets ``facts`` of every record to its ``revision`` in the same transaction.
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
    """Return the columns of a game that come from the database."""
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
    """Return the ids of names of events; insert new names. An empty name has no id."""
    texts = sorted({name for name in names if name})
    ids = _read_ids(texts)
    missing = [text for text in texts if text not in ids]
    if missing:
        # Waits for transactions that insert the same names; all insert in this order.
        insert_new(EventName, ("text",), [(text,) for text in missing], "text")
        ids |= _read_ids(missing)
    return ids


def _read_ids(texts: Sequence[str]) -> dict[str, int]:
    rows = EventName.objects.order_by().values_list("text", "pk")
    return {text: pk for part in slices(texts, BATCH) for text, pk in rows.filter(text__in=part)}

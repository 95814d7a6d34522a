"""The job that writes missing or outdated facts of games.

A public game that counts is due if ``facts`` differ from ``revision``. Games are judged and
parts are written outside of any transaction. A short transaction then lists the parts, and marks
the rows of games that changed meanwhile as stale.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import F, QuerySet

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from records.base.bulk import slices
from records.facts.parts import FactGame, make_batches, write_parts, year_of
from records.facts.rows import GameRows, collect_rows
from records.facts.tables import ENGINE
from records.jobs.enqueue import enqueue
from records.jobs.ledger import finish, heartbeat, hold, put_off
from records.models import Analysis, FactPart, Job, Record, Seat, StaleFacts, Visibility
from records.privacy import revisions

#: The kind of the jobs; their subject is the number of a block of primary keys.
FACTS: Final = "facts"
#: Games of a block: different workers refresh different blocks.
BLOCK: Final = 4_096
#: Maximum number of games in a turn, and the seconds after which no further game is judged.
BATCH: Final = 500
TURN_SECONDS: Final = 2.0
#: Maximum number of blocks waiting as jobs.
_BLOCKS: Final = 16
#: Maximum number of texts in memory.
_TEXTS: Final = 50


def find_due() -> QuerySet[Record]:
    """Return the records with missing facts or facts of an older revision."""
    due = Record.objects.order_by().filter(visibility=Visibility.PUBLIC, copy_of=None)
    return due.exclude(facts=F("revision"))


def outdate(records: QuerySet[Record]) -> int:
    """Make the facts of records due again and return the number of records.

    The old rows count until new rows replace them.
    """
    return records.update(revision=F("revision") + 1)


def schedule() -> None:
    """Enqueue a job for each of the first blocks with due games."""
    first = 0
    for _ in range(_BLOCKS):
        pk = find_due().filter(pk__gte=first).order_by("pk").values_list("pk", flat=True).first()
        if pk is None:
            return
        number = pk // BLOCK
        enqueue(FACTS, str(number))
        first = (number + 1) * BLOCK


def run(job: Job) -> None:
    """Refresh games of a block for a turn. Raises `records.jobs.ledger.LeaseLost`."""
    first = int(job.subject) * BLOCK
    due = find_due().filter(pk__range=(first, first + BLOCK - 1))
    heartbeat(job, total=job.progress + due.count())
    # Games are sorted by ruleset: the fewer rulesets in a turn, the fewer parts.
    pks = list(due.order_by("ruleset", "pk").values_list("pk", flat=True)[:BATCH])
    games = list(judge_games(pks, time.monotonic() + TURN_SECONDS))
    parts = write_parts(make_batches(games))
    with transaction.atomic():
        held = hold(job)
        held.progress += len(games)
        replace_facts(games, parts)
        if due.exists():
            put_off(held)
        else:
            finish(held)
        if games:
            revisions.advance(*(game.record.ruleset for game in games))


def judge_games(pks: Sequence[int], until: float = inf) -> Iterator[FactGame]:
    """Judge public games until a time (monotonic), but at least the first slice.

    Yields each record as read, with the players and rows of its facts.
    """
    for batch in slices(pks, _TEXTS):
        reports = _load_reports(batch)
        players = _load_players(batch)
        rows = Record.objects.order_by("pk").filter(pk__in=batch, visibility=Visibility.PUBLIC)
        for record in rows.defer("verdict"):
            yield FactGame(record, players[record.pk], judge_rows(record, reports.get(record.pk)))
        if time.monotonic() >= until:
            break


def judge_rows(record: Record, report: Mapping[str, Any] | None) -> GameRows | None:
    """Return the rows of a record, judged by its text; None for a game that does not count."""
    verification = verify(read(record.text), facts=True)
    if verification.verdict.identity != record.identity:
        # This version reads the text as a different game (`records.operations.reverify`).
        return None
    return collect_rows(verification, report)


def _load_reports(pks: Sequence[int]) -> dict[int, Mapping[str, Any]]:
    analyses = Analysis.objects.filter(pk__in=pks, engine=ENGINE, made__isnull=False)
    return dict(analyses.values_list("pk", "found"))


def _load_players(pks: Sequence[int]) -> dict[int, list[int]]:
    players: defaultdict[int, list[int]] = defaultdict(list)
    seats = Seat.objects.filter(record__in=pks).order_by("record", "number")
    for pk, player in seats.values_list("record", "player"):
        players[pk].append(player)
    return players


class _State(NamedTuple):
    """The columns of a locked record that decide which of its rows count."""

    revision: int
    facts: int
    valid_from: int
    visibility: int


def replace_facts(games: Sequence[FactGame], parts: Sequence[FactPart]) -> None:
    """List parts with the rows of games, inside a transaction.

    Rows of games changed since reading are stale from the beginning.
    """
    for part in parts:
        part.save()
    pks_by_year = {(part.ruleset, part.year): part.pk for part in parts}
    pks = [game.record.pk for game in games]
    locked = Record.objects.select_for_update(no_key=True).filter(pk__in=pks)
    # Locked in the order of identities, like the storing of games, to prevent deadlocks.
    columns = locked.order_by("identity").values_list("pk", *_State._fields)
    states = {pk: _State(*state) for pk, *state in columns}
    stale: list[StaleFacts] = []
    written: list[int] = []
    changed: list[int] = []
    for record, _players, rows in games:
        state = states[record.pk]
        if state == (record.revision, record.facts, record.valid_from, Visibility.PUBLIC):
            written.append(record.pk)
            if record.facts >= 0:
                old = StaleFacts(game=record.pk, revision=record.facts)
                if rows is not None and record.facts >= record.valid_from:
                    key = record.ruleset, year_of(record)
                    old.replaced_by = pks_by_year.get(key) or pks_by_year[record.ruleset, 0]
                stale.append(old)
        elif rows is not None:
            stale.append(StaleFacts(game=record.pk, revision=record.revision))
            if state.revision == record.revision:
                changed.append(record.pk)
    StaleFacts.objects.bulk_create(stale, ignore_conflicts=True)
    Record.objects.filter(pk__in=written).update(facts=F("revision"))
    # The rows just written for these games stay stale, so their next rows need a new revision.
    outdate(Record.objects.filter(pk__in=changed))

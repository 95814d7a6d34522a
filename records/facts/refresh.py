"""The job that writes the facts of games whose rows are missing or of an older revision.

Which games these are follows from the records alone: they are public, and ``facts`` differs from
``revision``. Games are judged outside of any transaction. What was found is stored if the record
did not change meanwhile.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from django.db import transaction
from django.db.models import F, QuerySet

from kafu.analysis.report import Choice
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from records.base.bulk import slices
from records.facts.rows import GameRows, collect_rows
from records.facts.storing import FactGame, store_facts
from records.facts.versions import ENGINE
from records.models import Analysis, Job, Record, Seat, StaleFacts, Visibility
from records.privacy import revisions
from records.work.enqueue import enqueue
from records.work.ledger import finish, heartbeat, hold, put_off

#: The kind of the jobs; their subject is a number of a block of primary keys.
FACTS: Final = "facts"
#: Games of a block: the blocks that are due are refreshed by different workers.
BLOCK: Final = 4_096
#: Games of a part that a turn writes, and the seconds after which a turn ends.
BATCH: Final = 500
TURN_SECONDS: Final = 2.0
#: Blocks that wait as jobs at the same time.
_BLOCKS: Final = 16
#: Texts in memory at the same time.
_TEXTS: Final = 100


def find_due() -> QuerySet[Record]:
    """Return the records whose facts are missing or of an older revision."""
    due = Record.objects.order_by().filter(visibility=Visibility.PUBLIC)
    return due.exclude(facts=F("revision"))


def schedule() -> None:
    """Enqueue a job for each of the first blocks with games that are due."""
    pks = find_due().order_by("pk").values_list("pk", flat=True)[: _BLOCKS * BLOCK]
    for number in sorted({pk // BLOCK for pk in pks})[:_BLOCKS]:
        enqueue(FACTS, str(number))


def run(job: Job) -> None:
    """Refresh games of a block for a turn. Raises `records.work.ledger.LeaseLost`."""
    first = int(job.subject) * BLOCK
    due = find_due().filter(pk__range=(first, first + BLOCK - 1)).order_by("pk")
    heartbeat(job, total=job.progress + due.count())
    pks = list(due.values_list("pk", flat=True)[:BATCH])
    judged = judge_games(pks, time.monotonic() + TURN_SECONDS)
    with transaction.atomic():
        held = hold(job)
        held.progress += len(judged)
        replace_facts(judged)
        if find_due().filter(pk__range=(first, first + BLOCK - 1)).exists():
            put_off(held)
        else:
            finish(held)
        revisions.advance()


def judge_games(pks: Sequence[int], until: float) -> list[tuple[Record, GameRows | None]]:
    """Judge the first of some games until a time (monotonic), some at least.

    Returns the records as they were read, with their rows.
    """
    judged: list[tuple[Record, GameRows | None]] = []
    for some in slices(pks, _TEXTS):
        choices = _load_choices(some)
        rows = Record.objects.order_by("pk").filter(pk__in=some, visibility=Visibility.PUBLIC)
        for record in rows.defer("verdict"):
            verification = verify(read(record.text), facts=True)
            judged.append((record, collect_rows(verification, choices.get(record.pk, ()))))
        if time.monotonic() >= until:
            break
    return judged


def _load_choices(pks: Sequence[int]) -> dict[int, Sequence[Choice]]:
    analyses = Analysis.objects.filter(pk__in=pks, engine=ENGINE, made__isnull=False)
    return {pk: result["choices"] for pk, result in analyses.values_list("pk", "found")}


def replace_facts(judged: Iterable[tuple[Record, GameRows | None]]) -> None:
    """Store rows of games that did not change since they were read; part of a transaction."""
    read = {record.pk: (record, rows) for record, rows in judged}
    locked = Record.objects.select_for_update(no_key=True).filter(pk__in=list(read))
    states = {
        pk: state
        for pk, *state in locked.order_by("pk").values_list("pk", "revision", "facts", "visibility")
    }
    seats: defaultdict[int, list[int]] = defaultdict(list)
    for pk, player in (
        Seat.objects.filter(record__in=list(read))
        .order_by("record", "number")
        .values_list("record", "player")
    ):
        seats[pk].append(player)
    games, stale = [], []
    for pk, (record, rows) in read.items():
        revision, facts, visibility = states[pk]
        if revision != record.revision or visibility != Visibility.PUBLIC or facts == revision:
            continue
        if facts >= 0:
            stale.append(StaleFacts(game=pk, revision=facts))
        games.append(FactGame(record, seats[pk], rows))
    StaleFacts.objects.bulk_create(stale, ignore_conflicts=True)
    store_facts(games)
    Record.objects.filter(pk__in=[game.record.pk for game in games]).update(facts=F("revision"))


def outdate(records: QuerySet[Record]) -> None:
    """Make the facts of records due again, because what they are made of changed."""
    records.update(revision=F("revision") + 1)

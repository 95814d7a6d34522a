"""Analyses of stored games (`kafu.analysis`): requested, made by workers in turns, and kept.

A worker analyses choices for a turn's time and writes them down; the next one goes on from there.
What comes out depends on the game, the engine and the settings alone, not on who did which part.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from kafu.analysis import report
from kafu.analysis.game import effort_of
from kafu.analysis.luck import PLAYOUTS
from kafu.notation.reading.reader import read
from records.base import clock
from records.base.locks import lock_names
from records.facts.refresh import outdate
from records.facts.rows import THOUSANDTHS
from records.facts.tables import ENGINE
from records.jobs.batches import TURN_SECONDS
from records.jobs.enqueue import enqueue
from records.jobs.ledger import finish, hold, put_off
from records.jobs.turns import SENDER
from records.jobs.wakeups import notify
from records.models import Analysis, Job, Record, Status
from records.privacy import revisions
from records.serving.senders import hashed

#: The kind of the jobs; their subject is the key of a game.
ANALYSIS: Final = "analysis"
_WITHOUT: Final = (Status.UNSUPPORTED, Status.MALFORMED)


class NoCards(ValueError):
    """A game that has no cards to play, or that this version does not play."""


class Crowded(Exception):
    """An account has ``most`` games waiting, alone or with the new accounts of its address."""

    def __init__(self, most: int) -> None:
        super().__init__(f"at most {most} games of an account can wait")
        self.most = most

    def words(self) -> str:
        """Return the sentences that tell the user."""
        text = _(
            "You have %(most)d games waiting to be analysed, which is the most. Accounts younger "
            "than a week share this number with others on their network. Try again when one of "
            "the games is done."
        )
        return text % {"most": self.most}


@dataclass(frozen=True, slots=True)
class Stage:
    """How far an analysis is: ``state`` is none, waiting, running, failed or done; ``progress`` are
    the choices and deals that are done, of ``total``, None while nobody counted them.
    """

    state: str
    progress: int = 0
    total: int | None = None
    kept: Analysis | None = None


def progress_of(record: Record) -> Stage:
    """How far the analysis of a game is. Raises NoCards."""
    if record.sheet or record.status in _WITHOUT:
        raise NoCards(record.key)
    kept = Analysis.objects.filter(record=record, engine=ENGINE, made__isnull=False).first()
    if kept is not None:
        total = len(kept.found["choices"]) + len(kept.found["deals"])
        return Stage("done", total, total, kept)
    job = Job.objects.filter(kind=ANALYSIS, subject=record.key).first()
    if job is None or job.state == Job.State.DONE:  # by another engine
        return Stage("none")
    if job.state == Job.State.DEAD_LETTER:
        return Stage("failed", job.progress, job.total)
    running = job.state == Job.State.LEASED or job.progress
    return Stage("running" if running else "waiting", job.progress, job.total)


def made_at(key: str) -> float | None:
    """When the analysis of a game was made, in seconds since 1970; None where none is kept."""
    kept = Analysis.objects.filter(record__key=key, engine=ENGINE, made__isnull=False)
    made = kept.values_list("made", flat=True).first()
    return made.timestamp() if made else None


@transaction.atomic
def request(record: Record, *, account: int, origin: str) -> Stage:
    """Have a game analysed for an account, unless that is done or under way.

    ``origin`` is as `records.serving.senders.origin_of` returns it. The job names both until it is
    over, the origin by its hash. Raises NoCards and Crowded.
    """
    sender = hashed(origin)
    lock_names(f"analyses of {account}", f"analyses of {sender}")
    stage = progress_of(record)
    if stage.state not in ("none", "failed"):
        return stage
    requested = Q(params__account=account) | Q(**{f"params__{SENDER}": sender})
    waiting = Job.objects.filter(requested, kind=ANALYSIS, state__in=Job.OPEN)
    if waiting.count() >= settings.ANALYSES_WAITING:
        raise Crowded(settings.ANALYSES_WAITING)
    enqueue(ANALYSIS, record.key, params={"account": account, SENDER: sender}, again=True)
    return progress_of(record)


def tidy() -> int:
    """Forget for whom the jobs were that have been given up; returns how many."""
    given_up = Job.objects.filter(kind=ANALYSIS, state=Job.State.DEAD_LETTER)
    return given_up.exclude(params={}).update(params={})


def run(job: Job) -> None:
    """A turn of a job. Raises :class:`records.jobs.ledger.LeaseLost`."""
    record = Record.objects.filter(key=job.subject).first()
    work = _Work(record) if record is not None else None
    if work:
        work.go_on(TURN_SECONDS)
    with transaction.atomic():
        held = hold(job)
        if work:
            work.save()
            held.progress, held.total = work.done, work.total
        if work is None or work.is_over:
            held.params = {}
            finish(held)
        else:
            put_off(held)
            notify(1)


def make(record: Record) -> dict[str, Any]:
    """The whole analysis of a game, made at once and kept. Raises NoCards."""
    found = progress_of(record).kept
    if found is None:
        work = _Work(record)
        while not work.is_over:
            work.go_on(TURN_SECONDS)
        found = work.save()
    whole: dict[str, Any] = found.found
    return whole


class _Work:
    """The analysis of one game as far as it is kept, and what is added to it."""

    def __init__(self, record: Record) -> None:
        game = read(record.text).game
        if game is None:
            raise NoCards(record.key)
        self.record, self.game = record, game
        self.most = settings.ANALYSIS_DEALS
        kept = Analysis.objects.filter(
            record=record, engine=ENGINE, most=self.most, made__isnull=True
        ).first()
        parts = kept.found if kept else {}
        self.choices: list[report.Choice] = parts.get("choices", [])
        self.deals: list[report.Dealt] = parts.get("deals", [])
        self.count = report.size(game)

    @property
    def done(self) -> int:
        """Choices and deals that are analysed."""
        return len(self.choices) + len(self.deals)

    @property
    def total(self) -> int:
        """All of them."""
        return self.count + len(self.game.months)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left."""
        return self.done == self.total

    def go_on(self, seconds: float) -> None:
        """Analyse one part or more, for about so long."""
        end = time.monotonic() + seconds
        effort = effort_of(self.game.rules, self.most)
        for choice in report.choices(self.game, effort=effort, after=len(self.choices)):
            self.choices.append(choice)
            if time.monotonic() >= end:
                return
        for number in range(len(self.deals) + 1, len(self.game.months) + 1):
            playouts = min(PLAYOUTS, self.most)
            self.deals.append(report.account(self.game, number, playouts=playouts))
            if time.monotonic() >= end:
                return

    def save(self) -> Analysis:
        """Keep what there is; the report once it is whole."""
        if self.is_over:
            effort = effort_of(self.game.rules, self.most)
            found = report.report(self.game, self.choices, self.deals, effort)
            return keep(self.record, self.most, found)
        parts = {"choices": self.choices, "deals": self.deals}
        return _write(self.record, most=self.most, found=parts, made=None, losses=[])


@transaction.atomic
def keep(record: Record, most: int, found: dict[str, Any]) -> Analysis:
    """Keep a whole report, for which comparisons took ``most`` deals at the most."""
    revisions.advance()  # pages and statistics show it from now on
    outdate(Record.objects.filter(pk=record.pk))
    losses = losses_of(found["choices"])
    return _write(record, most=most, found=found, made=clock.now(), losses=losses)


def _write(record: Record, **values: Any) -> Analysis:
    values |= {"engine": ENGINE}
    return Analysis.objects.update_or_create(record=record, defaults=values)[0]


def losses_of(choices: Iterable[report.Choice]) -> list[list[int | str]]:
    """What the choices of each seat and kind lost, as the column ``losses`` has it, but for those
    that could not be analysed.
    """
    found: dict[tuple[int, str], list[int]] = {}
    for choice in choices:
        if not choice["reason"]:
            sums = found.setdefault((choice["seat"], choice["kind"]), [0, 0, 0, 0])
            loss = round(THOUSANDTHS * choice["loss"])
            for i, one in enumerate((1, int(choice["costly"]), loss, loss * loss)):
                sums[i] += one
    return [[*key, *sums] for key, sums in sorted(found.items())]

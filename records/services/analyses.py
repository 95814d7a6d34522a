"""Analyses of stored games (`kafu.analysis`): requested by users, computed by workers, stored.

New verified games of accounts are analysed without a request (`schedule`). A worker analyses
choices for the time of a turn and stores them; the next turn continues. The result depends on the
game, the engine and the settings only, not on the division into turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from kafu.analysis.partial import PartialReport
from kafu.notation.reading.reader import read
from records.base import clock
from records.base.transient import lock_names
from records.facts.analysed import sum_up_seat
from records.facts.refresh import outdate
from records.facts.tables import ENGINE
from records.jobs.batches import TURN_SECONDS
from records.jobs.enqueue import enqueue
from records.jobs.ledger import SENDER, finish, hold, put_off
from records.jobs.wakeups import notify
from records.models import Analysis, Job, Ownership, Record, Status, Upload
from records.privacy import revisions
from records.services.problems import store_problems
from records.serving.senders import account_sender, hashed

#: The kind of the jobs; their subject is the key of a game.
ANALYSIS: Final = "analysis"
_UNPLAYABLE: Final = (Status.UNSUPPORTED, Status.MALFORMED)
#: Games of a network that can wait without an account, and their maximum number of deals: a year
#: and its months that were dealt again.
_WAITING_WITHOUT_ACCOUNT: Final = 1
_YEAR: Final = 18
#: The newest uploads, those of accounts among them, and the newest games of an account, that
#: `schedule` looks at; the time in which they count, and the seconds until it looks again.
_UPLOADS: Final = 5_000
_ACCOUNT_UPLOADS: Final = 200
_LOOKED_AT: Final = 200
_DAY: Final = timedelta(days=1)
_PAUSE_SECONDS: Final = 30
_SCHEDULED: Final = "analyses-scheduled"
#: The queue is long if a game has waited for this time without a first turn.
_LONG: Final = timedelta(minutes=1)


class NoCards(ValueError):
    """The error for a game without cards, or one that this version cannot play."""


class TooLong(ValueError):
    """The error for a game of more than a year that is requested without an account."""

    def words(self) -> str:
        """Return the sentence that tells the user."""
        return _("Log in to have a game of more than a year analysed.")


class Crowded(Exception):
    """The error for a sender that has ``most`` games waiting.

    New accounts share the limit with other new accounts of their network. Without an account
    (``has_account``) one game of a network can wait.
    """

    def __init__(self, most: int, *, has_account: bool) -> None:
        super().__init__(f"at most {most} games of a sender can wait")
        self.most, self.has_account = most, has_account

    def words(self) -> str:
        """Return the sentences that tell the user."""
        if not self.has_account:
            return _(
                "A game requested from your network waits to be analysed. Try again when it is "
                "done, or log in."
            )
        text = _(
            "You have %(most)d games waiting to be analysed, which is the most. Accounts younger "
            "than a week share this number with others on their network. Try again when one of "
            "the games is done."
        )
        return text % {"most": self.most}


@dataclass(frozen=True, slots=True)
class Stage:
    """The progress of an analysis.

    ``state`` is none, waiting, running, failed or done. ``progress`` is the number of analysed
    choices and deals, of ``total``; None before the first turn. ``analysis`` is the finished one.
    ``is_slow``: the game waits in a long queue (`_LONG`).
    """

    state: str
    progress: int = 0
    total: int | None = None
    analysis: Analysis | None = None
    is_slow: bool = False


def progress_of(record: Record) -> Stage:
    """Return the progress of a game's analysis. Raise NoCards."""
    if record.sheet or record.status in _UNPLAYABLE:
        raise NoCards(record.key)
    analysis = Analysis.objects.filter(record=record, engine=ENGINE, made__isnull=False).first()
    if analysis is not None:
        total = len(analysis.found["choices"]) + len(analysis.found["deals"])
        return Stage("done", total, total, analysis)
    job = Job.objects.filter(kind=ANALYSIS, subject=record.key).first()
    if job is None or job.state == Job.State.DONE:  # done by another version of the engine
        return Stage("none")
    if job.state == Job.State.DEAD_LETTER:
        return Stage("failed", job.progress, job.total)
    if job.state == Job.State.LEASED or job.progress:
        return Stage("running", job.progress, job.total)
    return Stage("waiting", job.progress, job.total, is_slow=_is_slow())


def _is_slow() -> bool:
    """Return whether a game has waited for `_LONG` without a first turn."""
    waiting = Job.objects.filter(kind=ANALYSIS, state=Job.State.WAITING, progress=0)
    return waiting.filter(created__lt=clock.now() - _LONG).exists()


def state_of(key: str) -> tuple[object, ...]:
    """Return what changes with the progress of a game's analysis."""
    analyses = Analysis.objects.filter(record__key=key, engine=ENGINE, made__isnull=False)
    jobs = Job.objects.filter(kind=ANALYSIS, subject=key)
    job = jobs.values_list("state", "progress", "total").first()
    is_waiting = job is not None and job[:2] == (Job.State.WAITING, 0)
    return analyses.values_list("made", flat=True).first(), job, is_waiting and _is_slow()


@transaction.atomic
def request(record: Record, *, account: int | None, origin: str) -> Stage:
    """Enqueue the analysis of a game for a sender, unless it exists or is pending.

    ``account`` is None for a request without an account. ``origin`` is the result of
    `records.serving.senders.origin_of`. The job stores the account and a hash of the origin until
    it is finished. Raise NoCards, Crowded or TooLong.
    """
    sender = hashed(origin)
    lock_names(f"analyses of {account or ''}", f"analyses of {sender}")
    stage = progress_of(record)
    if stage.state not in ("none", "failed"):
        return stage
    if account is None and len(record.verdict["deals"]) > _YEAR:
        raise TooLong(record.key)
    requested = Q(**{f"params__{SENDER}": sender})
    if account is not None:
        requested |= Q(params__account=account)
    waiting = Job.objects.filter(requested, kind=ANALYSIS, state__in=Job.OPEN)
    most = _WAITING_WITHOUT_ACCOUNT if account is None else settings.ANALYSES_WAITING
    if waiting.count() >= most:
        raise Crowded(most, has_account=account is not None)
    params = {SENDER: sender} if account is None else {"account": account, SENDER: sender}
    enqueue(ANALYSIS, record.key, params=params, again=True)
    return progress_of(record)


def schedule() -> None:
    """Enqueue the newest verified game of each account, if none of its games waits.

    At most `settings.ANALYSES_DAILY` new games of an account are analysed on a day. The accounts
    are those of the newest uploads, looked at once in a while. Uploads without an account displace
    none of them.
    """
    if not settings.ANALYSES_DAILY or not cache.add(_SCHEDULED, True, _PAUSE_SECONDS):
        return
    since = clock.now() - _DAY
    newest = Upload.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    uploads = Upload.objects.order_by("-pk").filter(
        pk__gt=newest - _UPLOADS, owner__isnull=False, created__gte=since
    )
    for account in {*uploads.values_list("owner_id", flat=True)[:_ACCOUNT_UPLOADS]}:
        owned = Ownership.objects.filter(
            owner=account,
            created__gte=since,
            withdrawn_at=None,
            record__status=Status.VERIFIED,
            record__sheet=False,
        )
        newest = owned.order_by("-record_id").values_list("record__key", flat=True)
        _enqueue_newest(account, list(newest[:_LOOKED_AT]))


def _enqueue_newest(account: int, keys: Sequence[str]) -> None:
    """Enqueue the first game without an analysis, within the limits of `schedule`."""
    jobs = Job.objects.filter(kind=ANALYSIS, subject__in=keys)
    states = dict(jobs.values_list("subject", "state"))
    made = Analysis.objects.filter(record__key__in=keys, engine=ENGINE, made__isnull=False)
    known = {*states, *made.values_list("record__key", flat=True)}
    left = [key for key in keys if key not in known]
    is_waiting = any(state in Job.OPEN for state in states.values())
    if left and not is_waiting and len(known) < settings.ANALYSES_DAILY:
        params = {"account": account, SENDER: hashed(account_sender(account))}
        enqueue(ANALYSIS, left[0], params=params)


def tidy() -> int:
    """Remove the accounts from dead-letter jobs. Return the number of jobs."""
    dead = Job.objects.filter(kind=ANALYSIS, state=Job.State.DEAD_LETTER)
    return dead.exclude(params={}).update(params={})


def run(job: Job) -> None:
    """Run a turn of a job. Raise :class:`records.jobs.ledger.LeaseLost`."""
    record = Record.objects.filter(key=job.subject).first()
    work = _resume(record) if record is not None else None
    if work is not None:
        work.advance(TURN_SECONDS)
    with transaction.atomic():
        held = hold(job)
        if record is not None and work is not None:
            _save(record, work)
            held.progress, held.total = work.done, work.total
        if work is None or work.is_complete:
            held.params = {}
            finish(held)
        else:
            put_off(held)
            notify(1)


def make(record: Record) -> dict[str, Any]:
    """Return the report of a game's analysis, computing and storing it if needed. Raise NoCards."""
    analysis = progress_of(record).analysis
    if analysis is None:
        work = _resume(record)
        while not work.is_complete:
            work.advance(TURN_SECONDS)
        analysis = _save(record, work)
    whole: dict[str, Any] = analysis.found
    return whole


def _resume(record: Record) -> PartialReport:
    """Return the stored parts of a game's analysis. Raise NoCards."""
    game = read(record.text).game
    if game is None:
        raise NoCards(record.key)
    partial = Analysis.objects.filter(
        record=record, engine=ENGINE, most=settings.ANALYSIS_DEALS, made__isnull=True
    ).first()
    parts = partial.found if partial else {}
    return PartialReport(
        game, settings.ANALYSIS_DEALS, parts.get("choices", ()), parts.get("deals", ())
    )


def _save(record: Record, work: PartialReport) -> Analysis:
    """Store the report if it is complete, the parts otherwise."""
    most = settings.ANALYSIS_DEALS
    if work.is_complete:
        return store_report(record, most, work.make_report())
    parts = {"choices": work.choices, "deals": work.deals}
    return _write(record, most=most, found=parts, made=None, seats=[])


@transaction.atomic
def store_report(record: Record, most: int, whole: dict[str, Any]) -> Analysis:
    """Store a complete report. ``most`` is the limit of simulated deals for each comparison."""
    revisions.advance(record.ruleset)  # Pages and statistics show the analysis.
    outdate(Record.objects.filter(pk=record.pk))
    store_problems(record, whole["choices"])
    numbers = range(1, len(record.players) + 1)
    seats = [sum_up_seat(whole, record.ruleset, seat) for seat in numbers]
    return _write(record, most=most, found=whole, made=clock.now(), seats=seats)


def _write(record: Record, **values: Any) -> Analysis:
    values |= {"engine": ENGINE}
    return Analysis.objects.update_or_create(record=record, defaults=values)[0]

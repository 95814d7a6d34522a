"""The ledger of jobs, and the heartbeats of processes without an address for health checks."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

#: The kinds with tables: `UploadFile` and `Chunk`.
FILE: Final = "file"
CHUNK: Final = "chunk"
#: A change of visibility of an upload and its games: a single job per upload, for the last change.
VISIBILITY: Final = "visibility"
#: The transfer of games of claimed uploads to an account (`records.services.claims`).
CLAIM: Final = "claim"


class Heartbeat(models.Model):
    """A running or killed worker or sweep.

    An orderly exit removes the row. ``seen`` is the time of the last heartbeat.
    """

    class Kind(models.TextChoices):
        """The task of a process; names for operators, not for readers."""

        WORKER = "worker"
        SWEEP = "sweep"

    kind = models.CharField(max_length=8, choices=Kind)
    host = models.CharField(max_length=255)
    pid = models.PositiveIntegerField()
    #: Names of the consumed queues, separated by commas; empty for a worker on the ledger.
    queues = models.CharField(max_length=200, default="", blank=True)
    started = models.DateTimeField(default=timezone.now)
    seen = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("kind", "host", "pid")
        constraints = (
            models.UniqueConstraint(fields=("kind", "host", "pid"), name="heartbeat_process"),
        )
        indexes = (models.Index(fields=("kind", "seen"), name="heartbeat_seen"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.host}:{self.pid}"


class Job(models.Model):
    """A piece of work for the workers, done by the first worker to claim the job.

    ::

        enqueued ─▶ waiting ──claim──▶ leased ──finish, with the results──▶ done
                      ▲  ▲               │ │
                      │  ├───release─────┤ └──fail──▶ failed ──claim, after a pause──▶ leased
                      │  ├───put off─────┤              │
                      │  └───lease ended─┘              │ attempts used up
                      │                                 ▼
                      ├──cut in two ◀───────────────────┤
                      │                                 ▼
                      └──tried again by staff ◀── dead-letter

    A job is released when the worker ends or meets a transient error, and put off when a part is
    done and more remains; neither counts as an attempt. A divisible job (a chunk of several games)
    without attempts left waits again with less work. A finished job of a recurring kind waits
    again.

    The database is the ledger: a message only makes workers look here. `records.jobs.ledger` has
    the transitions, each a compare-and-set. ``lease`` is the token of the worker with a leased job,
    valid until ``lease_until``; heartbeats extend the lease. Only the holder may write ``done``.

    The kind (`records.jobs.kinds`) defines the work. Files and chunks of uploads have rows with the
    same primary key in other tables; other jobs have a ``subject`` (a ruleset, a month, an
    account), unique within the kind, and small ``params``.
    """

    class State(models.TextChoices):
        """The state of a job. A ``failed`` job waits for the next attempt after an error."""

        WAITING = "waiting", _("waiting")
        LEASED = "leased", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed, will be tried again")
        DEAD_LETTER = "dead-letter", _("given up")

    #: A worker may claim the job, once it is due.
    CLAIMABLE: Final = (State.WAITING, State.FAILED)
    #: The job is not over.
    OPEN: Final = (*CLAIMABLE, State.LEASED)

    kind = models.CharField(_("kind"), max_length=16)
    subject = models.CharField(_("subject"), max_length=64, default="", blank=True)
    params = models.JSONField(default=dict, blank=True)
    upload = models.ForeignKey(
        "records.Upload", models.CASCADE, null=True, blank=True, related_name="jobs", db_index=False
    )
    #: The id of the request that caused the job, or "". Log lines of the job contain the id.
    request_id = models.CharField(max_length=64, default="", blank=True)
    #: The sort key of claims: the lowest is claimed first (`records.jobs.ledger`).
    turn = models.BigIntegerField(default=0)
    #: The approximate work, in games of usual length.
    weight = models.PositiveIntegerField(default=1, db_default=1)
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    #: The time from which the job may be claimed.
    due_at = models.DateTimeField(_("due"), default=timezone.now)
    lease = models.CharField(max_length=80, default="", blank=True)
    lease_until = models.DateTimeField(_("leased until"), null=True, blank=True)
    #: The work done so far, in the unit of the kind, and the total, if known.
    progress = models.BigIntegerField(default=0)
    total = models.BigIntegerField(null=True, blank=True)
    #: The error of the last attempt.
    reason = models.TextField(_("reason"), default="", blank=True)
    created = models.DateTimeField(_("created"), default=timezone.now)
    done_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=("kind", "subject"), name="job_subject", condition=~models.Q(subject="")
            ),
        )
        indexes = (
            models.Index(fields=("state", "turn", "id"), name="job_turn"),
            models.Index(fields=("kind", "state"), name="job_kind"),
            models.Index(fields=("upload", "kind", "state"), name="job_upload"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.subject or self.pk}"


class Line(models.Model):
    """The line of a sender: the turn of the last lined-up job (`records.jobs.ledger`).

    ``name`` is the sender's, with a suffix for large uploads; rows of senders without waiting jobs
    are removed. The row `CLAIMED` has the turn reached by claimed jobs, and the time of the last
    claim.
    """

    CLAIMED: Final = "claimed"

    name = models.CharField(max_length=80, primary_key=True)
    last = models.BigIntegerField(default=0)
    at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name}: {self.last}"

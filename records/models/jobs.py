"""The ledger of work: one row for everything that a worker is to do."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

#: The kinds whose jobs have rows of their own: `UploadFile` and `Chunk`.
FILE: Final = "file"
CHUNK: Final = "chunk"
#: A change of visibility of an upload and its games; an upload has one job of it, for the last.
VISIBILITY: Final = "visibility"
#: The games of claimed uploads become an account's (`records.services.claims`).
CLAIM: Final = "claim"


class Job(models.Model):
    """One thing to be done, by whichever worker claims it first.

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

    It is released when its worker ends or meets a transient error, and put off when a part is done
    and the rest is to follow; neither counts as an attempt. A job of which a part can be cut off (a
    chunk of several games) waits again when its attempts are used up, with less to do. One that is
    done waits again if its kind recurs.

    The database is the ledger: a message only makes workers look here. `records.jobs.ledger` has
    the moves, each a compare-and-set. ``lease`` is the token of whoever holds a leased job, until
    ``lease_until``, which its heartbeat moves on: only the holder may write ``done``.

    What there is to do is with the kind (`records.jobs.kinds`): files and chunks of uploads have
    rows of their own with the same primary key; the others have a ``subject`` (a ruleset, a month,
    an account), of which each kind has one row at the most, and small ``params``.
    """

    class State(models.TextChoices):
        """Where a job stands. ``failed`` waits for its next attempt after an error."""

        WAITING = "waiting", _("waiting")
        LEASED = "leased", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed, will be tried again")
        DEAD_LETTER = "dead-letter", _("given up")

    #: A worker may claim it, once it is due.
    CLAIMABLE: Final = (State.WAITING, State.FAILED)
    #: It is not over.
    OPEN: Final = (*CLAIMABLE, State.LEASED)

    kind = models.CharField(_("kind"), max_length=16)
    subject = models.CharField(_("subject"), max_length=64, default="", blank=True)
    params = models.JSONField(default=dict, blank=True)
    upload = models.ForeignKey(
        "records.Upload", models.CASCADE, null=True, blank=True, related_name="jobs", db_index=False
    )
    #: Of the request that asked for it, "" where none did; log lines of the work carry it.
    request_id = models.CharField(max_length=64, default="", blank=True)
    #: The lower, the sooner it is claimed (`records.jobs.turns`).
    turn = models.BigIntegerField(default=0)
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    #: The moment from which it may be claimed.
    due_at = models.DateTimeField(_("due"), default=timezone.now)
    lease = models.CharField(max_length=80, default="", blank=True)
    lease_until = models.DateTimeField(_("leased until"), null=True, blank=True)
    #: How much of it is done, in whatever the kind counts; of ``total``, where that is known.
    progress = models.BigIntegerField(default=0)
    total = models.BigIntegerField(null=True, blank=True)
    #: Why the last attempt failed.
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
    """How far the work of one sender is lined up: the turn of the last job (`records.jobs.turns`).

    ``name`` is the sender's, with a suffix for large uploads; rows of senders without waiting jobs
    are removed. The row `CLAIMED` has the highest turn that a worker claimed, and the time of the
    last claim.
    """

    CLAIMED: Final = "claimed"

    name = models.CharField(max_length=80, primary_key=True)
    last = models.BigIntegerField(default=0)
    at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name}: {self.last}"

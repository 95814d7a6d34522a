"""What every row that a worker must work on has: a state, attempts, and a lease."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Work(models.Model):
    """A piece of work in the ledger. The database says what is to be done; messages only wake.

    ::

        due ──claim──▶ leased ──written, same transaction──▶ done
         ▲                │ error: back after a pause
         ├────────────────┤ worker died: the lease runs out
         │                │ third attempt lost
         └── halves ◀─────┴──▶ aside (one game alone, or a file that cannot be cut), with the reason

    ``records.work.ledger`` holds the moves. ``ready_at`` is the moment from which a worker may take
    the row: at once when due, after a pause when it failed, at the end of the lease when leased.
    ``owner`` is the token of the lease: only its holder may write ``done``.
    """

    class State(models.TextChoices):
        """Where a row stands."""

        DUE = "due", _("waiting")
        LEASED = "leased", _("in work")
        DONE = "done", _("done")
        ASIDE = "aside", _("set aside")

    OPEN = (State.DUE, State.LEASED)

    #: The lower, the sooner it is taken (`records.work.turns`).
    turn = models.BigIntegerField(default=0)
    state = models.CharField(max_length=8, choices=State, default=State.DUE)
    attempts = models.PositiveSmallIntegerField(default=0)
    ready_at = models.DateTimeField(default=timezone.now)
    owner = models.CharField(max_length=80, default="", blank=True)
    reason = models.TextField(default="", blank=True)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


class Line(models.Model):
    """How far the work of one sender is lined up: the turn of the last row (`records.work.turns`).

    ``name`` is the sender's, with an ending where it is of large uploads; rows of senders who wait
    for nothing go. The row `TAKEN` has the highest turn that a worker took, and the moment at which
    the last row was taken.
    """

    TAKEN = "taken"

    name = models.CharField(max_length=80, primary_key=True)
    last = models.BigIntegerField(default=0)
    at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name}: {self.last}"

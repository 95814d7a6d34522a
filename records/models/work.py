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

    ``records.leases`` holds the moves. ``ready_at`` is the moment from which a worker may take the
    row: at once when due, after a pause when it failed, at the end of the lease when leased.
    ``owner`` is the token of the lease: only its holder may write ``done``.
    """

    class State(models.TextChoices):
        """Where a row stands."""

        DUE = "due", _("waiting")
        LEASED = "leased", _("in work")
        DONE = "done", _("done")
        ASIDE = "aside", _("set aside")

    OPEN = (State.DUE, State.LEASED)

    state = models.CharField(max_length=8, choices=State, default=State.DUE)
    attempts = models.PositiveSmallIntegerField(default=0)
    ready_at = models.DateTimeField(default=timezone.now)
    owner = models.CharField(max_length=80, default="", blank=True)
    reason = models.TextField(default="", blank=True)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

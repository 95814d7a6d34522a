"""Deferred changes: what follows for many games when an account is closed or an upload taken down.

They are enqueued by the request and done by workers, some hundred games in a transaction. What is
left to do is always in the database: after a crash the next worker continues.
"""

from __future__ import annotations

from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import transaction

from records.jobs.batches import PAUSE_SECONDS, in_batches
from records.jobs.enqueue import enqueue
from records.jobs.ledger import hold, put_off
from records.models import Job, Ownership, Upload, Visibility
from records.privacy import revisions
from records.store import visibility
from records.store.ownership import BATCH, end_ownerships, take_down

LEAVE: Final = "leave"
WITHDRAW: Final = "withdraw"
TAKE_DOWN: Final = "take-down"
KINDS: Final = (LEAVE, WITHDRAW, TAKE_DOWN)


@transaction.atomic
def for_owner(user: Any, *, withdraw: bool) -> Job:
    """Let the games of a user follow them out, and delete the user at the end.

    The first choice counts. See `records.store.ownership.end_ownerships`.
    """
    existing = Job.objects.filter(kind__in=(LEAVE, WITHDRAW), subject=str(user.pk)).first()
    return existing or enqueue(WITHDRAW if withdraw else LEAVE, str(user.pk))


@transaction.atomic
def for_upload(upload: Upload) -> Job:
    """Take down an upload with its games, whoever else owns them."""
    # The report is then visible to the staff only, and what is still being read comes in hidden.
    hidden = {"visibility": Visibility.WITHDRAWN, "withdrawn_at": None}
    Upload.objects.filter(pk=upload.pk).update(**hidden)
    revisions.advance()
    return enqueue(TAKE_DOWN, upload.key, upload=upload)


def leave(job: Job) -> None:
    """Let games of an account that is closed stay without it, except private ones, for a turn.

    Like `withdraw` and `take_down_upload` it raises :class:`records.jobs.ledger.LeaseLost`.
    """
    _leave(job, withdraw=False)


def withdraw(job: Job) -> None:
    """Withdraw games of an account that is closed, for a turn."""
    _leave(job, withdraw=True)


def take_down_upload(job: Job) -> None:
    """Take down games of an upload, for a turn."""
    in_batches(job, _take_down)


def _leave(job: Job, *, withdraw: bool) -> None:
    if Upload.objects.filter(owner=int(job.subject), claim__gt=0).exists():
        # What is still being given to the account would stay behind as nobody's.
        with transaction.atomic():
            put_off(hold(job), PAUSE_SECONDS)
        return
    visibility.finish_changes_of(int(job.subject))
    in_batches(job, lambda held: _end_ownerships(int(held.subject), withdraw=withdraw))


def _take_down(held: Job) -> bool:
    """The next games of an upload, those after the primary key ``after``."""
    assert held.upload is not None
    games = held.upload.submissions.filter(record__gt=held.params.get("after", 0))
    pks = list(games.order_by("record").values_list("record", flat=True).distinct()[:BATCH])
    if pks:
        take_down(pks)
        held.params["after"] = pks[-1]
        held.progress += len(pks)
    return bool(pks)


def _end_ownerships(owner: int, *, withdraw: bool) -> bool:
    """The next games of an account, and the account itself after the last."""
    # Games read from now on, or again, are visible to nobody; so are those that were private.
    mine = Upload.objects.filter(owner=owner).exclude(visibility=Visibility.WITHDRAWN)
    if not withdraw:
        mine = mine.filter(visibility__lt=Visibility.UNLISTED)
    mine.update(visibility=Visibility.WITHDRAWN, withdrawn_at=None)
    if end_ownerships(owner, withdraw=withdraw):
        return True
    # A transaction that stores a game of theirs waits for this row now, or is waited for.
    user = get_user_model().objects.select_for_update().filter(pk=owner).first()
    if user is None:
        return False
    if Ownership.objects.filter(owner=owner).exists():
        return True
    user.delete()
    return False

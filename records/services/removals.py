"""Deferred changes of many games, after the closing of an account or the removal of an upload.

A request enqueues the change, and workers apply it in batches of some hundred games. The database
always shows which games remain, so that another worker can continue after a crash.
"""

from __future__ import annotations

from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import transaction

from records.ingest.ownership import BATCH, end_ownerships, take_down
from records.jobs.batches import PAUSE_SECONDS, in_batches
from records.jobs.enqueue import enqueue
from records.jobs.ledger import hold, put_off
from records.models import Job, Ownership, Upload, Visibility
from records.privacy import revisions
from records.services import visibility

LEAVE: Final = "leave"
WITHDRAW: Final = "withdraw"
TAKE_DOWN: Final = "take-down"
KINDS: Final = (LEAVE, WITHDRAW, TAKE_DOWN)


@transaction.atomic
def for_owner(user: Any, *, withdraw: bool) -> Job:
    """Enqueue the end of a user's ownerships and the deletion of the user.

    If called twice, the first choice counts. See `records.ingest.ownership.end_ownerships`.
    """
    existing = Job.objects.filter(kind__in=(LEAVE, WITHDRAW), subject=str(user.pk)).first()
    return existing or enqueue(WITHDRAW if withdraw else LEAVE, str(user.pk))


@transaction.atomic
def for_upload(upload: Upload) -> Job:
    """Hide an upload and enqueue the removal of its games, whoever else owns them."""
    # The report is then visible to the staff only, and games read later are stored hidden.
    hidden = {"visibility": Visibility.WITHDRAWN, "withdrawn_at": None}
    Upload.objects.filter(pk=upload.pk).update(**hidden)
    revisions.advance(revisions.OTHER)  # The job follows with the games.
    return enqueue(TAKE_DOWN, upload.key, upload=upload)


def leave(job: Job) -> None:
    """Make games of a closed account anonymous, for a turn; withdraw private ones.

    Raise :class:`records.jobs.ledger.LeaseLost`, like `withdraw` and `take_down_upload`.
    """
    _leave(job, withdraw=False)


def withdraw(job: Job) -> None:
    """Withdraw games of a closed account, for a turn."""
    _leave(job, withdraw=True)


def take_down_upload(job: Job) -> None:
    """Take down games of an upload, for a turn."""
    in_batches(job, _take_down)


def _leave(job: Job, *, withdraw: bool) -> None:
    if Upload.objects.filter(owner=int(job.subject), claim__gt=0).exists():
        # Wait for a pending claim, whose games would otherwise become anonymous afterwards.
        with transaction.atomic():
            put_off(hold(job), PAUSE_SECONDS)
        return
    visibility.finish_changes_of(int(job.subject))
    in_batches(job, lambda held: _end_ownerships(int(held.subject), withdraw=withdraw))


def _take_down(held: Job) -> bool:
    """Take down the next games of an upload. Return False if no games remain."""
    assert held.upload is not None
    games = held.upload.submissions.filter(record__gt=held.params.get("after", 0))
    pks = list(games.order_by("record").values_list("record", flat=True).distinct()[:BATCH])
    if pks:
        take_down(pks)
        held.params["after"] = pks[-1]
        held.progress += len(pks)
    return bool(pks)


def _end_ownerships(owner: int, *, withdraw: bool) -> bool:
    """End the next ownerships of an account, and delete the account after the last.

    Return False after the deletion.
    """
    # Games that are read later, or read again, must be stored hidden.
    uploads = Upload.objects.filter(owner=owner).exclude(visibility=Visibility.WITHDRAWN)
    if not withdraw:
        uploads = uploads.filter(visibility__lt=Visibility.UNLISTED)
    uploads.update(visibility=Visibility.WITHDRAWN, withdrawn_at=None)
    if end_ownerships(owner, withdraw=withdraw):
        return True
    # Synchronize with concurrent storing of games for the user, which also locks this row.
    user = get_user_model().objects.select_for_update().filter(pk=owner).first()
    if user is None:
        return False
    if Ownership.objects.filter(owner=owner).exists():
        return True
    user.delete()
    return False

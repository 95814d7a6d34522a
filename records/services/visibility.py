"""Changes of the visibility of an upload and all its games.

The upload's own visibility changes immediately, and games read later are stored with it. A job
changes the stored games in batches. Each ownership is marked with the job's primary key, then its
chunk, so that another worker can resume after a crash. A chunk that is being read at the time of
the change may have seen either visibility; the job revisits the chunk when reading is done.

An upload has at most one job, for its last change. The job's parameter ``newest`` is the primary
key of the newest upload at the time of the change: later uploads of the same games are not
affected.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Max, Q

from records.base import clock
from records.ingest.ownership import RESTORE_PERIOD, apply_change, changed_by
from records.jobs.batches import in_batches
from records.jobs.enqueue import enqueue
from records.models import Chunk, Job, Upload, Visibility
from records.models.jobs import VISIBILITY
from records.privacy import revisions

#: Games per transaction. Replacing the text of a game is slow.
BATCH: Final = 100
_FIELDS: Final = ("visibility", "visible_before", "withdrawn_at", "withdrawn_change")


class Withdrawn(Exception):
    """The error for an upload that can no longer be restored. Its games must be uploaded again."""


def request_change(upload: Upload, visibility: int) -> None:
    """Set the visibility of an upload and of all its owner's games in the upload.

    Overrule earlier decisions, including those about single games, and replace a pending change.
    Raise :class:`Withdrawn` if the upload is withdrawn; see `restore`.
    """
    with transaction.atomic():
        row = Upload.objects.select_for_update(no_key=True).get(pk=upload.pk)
        if row.visibility == Visibility.WITHDRAWN:
            raise Withdrawn
        job = _enqueue(row)
        row.visible_before, row.visibility = row.visibility, visibility
        if visibility == Visibility.WITHDRAWN:
            row.withdrawn_at, row.withdrawn_change = clock.now(), job.pk
        row.save(update_fields=[*_FIELDS])
        revisions.advance(revisions.OTHER)  # The job follows with the games.
    upload.visibility = visibility


def restore(upload: Upload) -> None:
    """Undo the withdrawal of an upload by its sender.

    Games that were withdrawn singly stay withdrawn. Raise :class:`Withdrawn` after the deadline, or
    if the staff withdrew the upload.
    """
    with transaction.atomic():
        row = Upload.objects.select_for_update(no_key=True).get(pk=upload.pk)
        if restorable_until(row) is None:
            raise Withdrawn
        _enqueue(row, undo=row.withdrawn_change)
        row.visibility, row.withdrawn_at = row.visible_before, None
        row.save(update_fields=[*_FIELDS])
        revisions.advance(revisions.OTHER)  # The job follows with the games.
    upload.visibility = row.visibility


def restorable_until(upload: Upload) -> datetime | None:
    """Return the deadline of `restore`, or None if the upload cannot be restored."""
    if upload.visibility != Visibility.WITHDRAWN or upload.withdrawn_at is None:
        return None
    until = upload.withdrawn_at + RESTORE_PERIOD
    return until if until > clock.now() else None


def _enqueue(upload: Upload, **params: int) -> Job:
    """Enqueue the job of a change and delete the job of an earlier change."""
    # A new row, because games and chunks compare changes by the job's primary key.
    upload.jobs.filter(kind=VISIBILITY).delete()
    newest = Upload.objects.aggregate(newest=Max("pk"))["newest"]
    return enqueue(VISIBILITY, upload.key, params={"newest": newest, **params}, upload=upload)


def run(job: Job) -> None:
    """Work on a leased change for a turn, and put the job off until all games follow the upload.

    Raise :class:`records.jobs.ledger.LeaseLost`.
    """
    in_batches(job, _change_next_games, _is_finished)


def finish_changes_of(owner: int) -> None:
    """Complete all pending changes of an owner's uploads, for stored games.

    Games read later are stored with the visibility of their upload.
    """
    changes = Job.objects.filter(kind=VISIBILITY, upload__owner=owner)
    for pk in list(changes.values_list("pk", flat=True)):
        busy = True
        while busy:
            with transaction.atomic():
                row = changes.select_for_update(no_key=True, of=("self",)).filter(pk=pk).first()
                busy = row is not None and _change_next_games(row)
                if row is not None and not busy:
                    row.delete()


def _upload(change: Job) -> Upload:
    assert change.upload is not None
    return change.upload


def _change_next_games(change: Job) -> bool:
    """Apply a locked change to some games of the next chunk. Return False if no chunk is due.

    A chunk without games left to change is marked as done.
    """
    if _is_orphaned(_upload(change)):
        return False
    # Games of a claimed upload follow after their transfer to the owner.
    claimed = {"follows__gte": _upload(change).claim}
    chunk = _upload(change).chunks.filter(_is_due(change), **claimed).order_by("pk").first()
    if chunk is None:
        return False
    games = changed_by(change).filter(record__submissions__chunk=chunk).order_by("record")
    pks = list(games.values_list("record", flat=True).distinct()[:BATCH])
    if pks:
        apply_change(change, pks)
    else:
        Chunk.objects.filter(pk=chunk.pk).update(follows=change.pk)
    return True


def _is_orphaned(upload: Upload) -> bool:
    """Return whether the account of an upload was deleted."""
    return upload.owner_id is None and not upload.secret


def _is_due(change: Job) -> Q:
    """Return the condition for chunks that are read and do not follow a change yet."""
    return Q(job__state=Job.State.DONE, follows__lt=change.pk)


def _is_finished(change: Job) -> bool:
    """Return whether all games follow a change, or the upload's account was deleted."""
    # Files first: once no file is being cut, the second query sees all chunks.
    upload = _upload(change)
    if _is_orphaned(upload):
        return True
    if upload.files.filter(job__state__in=Job.OPEN).exists():
        return False
    return not upload.chunks.filter(_is_due(change) | Q(job__state__in=Job.OPEN)).exists()

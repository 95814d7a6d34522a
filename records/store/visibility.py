"""A change of an upload's visibility, and of all its games: said at once, done by workers.

In: an upload and its new visibility. Out: a job, and ownerships that follow it.

What is said is the upload's own visibility, so that games which are read from then on come in with
it. A job changes those that are there, some at a time: each ownership is marked with it, and then
its chunk, so that it goes on where it was, whoever is killed. Of a chunk that is being read
meanwhile nobody knows which visibility it saw: it is gone through when it is done.

An upload has one such job, for the last change. Its ``newest`` is the primary key of the newest
upload when it was said: what is sent later is not meant.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from records.jobs.batches import in_batches
from records.jobs.enqueue import enqueue
from records.models import Chunk, Job, Upload, Visibility
from records.models.jobs import VISIBILITY
from records.privacy import revisions
from records.store.ownership import UNDONE, apply_change, changed_by

#: Games in a transaction: to show another text of each takes a while.
BATCH: Final = 100
_FIELDS: Final = ("visibility", "visible_before", "withdrawn_at", "withdrawn_change")


class Withdrawn(Exception):
    """An upload that was taken back too long ago to be restored: only who sends its games again has
    them again.
    """


def request_change(upload: Upload, visibility: int) -> None:
    """Say who may see an upload and all games of it that are its owner's.

    It overrules what they said before, of single games too, and takes the place of a change that is
    still being worked on. For a withdrawn upload see `restore`. Raises :class:`Withdrawn`.
    """
    with transaction.atomic():
        row = Upload.objects.select_for_update(no_key=True).get(pk=upload.pk)
        if row.visibility == Visibility.WITHDRAWN:
            raise Withdrawn
        job = _enqueue(row)
        row.visible_before, row.visibility = row.visibility, visibility
        if visibility == Visibility.WITHDRAWN:
            row.withdrawn_at, row.withdrawn_change = timezone.now(), job.pk
        row.save(update_fields=[*_FIELDS])
        revisions.advance()
    upload.visibility = visibility


def restore(upload: Upload) -> None:
    """Undo that a sender withdrew an upload and its games, those that were withdrawn by themselves
    left out. Raises :class:`Withdrawn` where that was too long ago, or not their doing.
    """
    with transaction.atomic():
        row = Upload.objects.select_for_update(no_key=True).get(pk=upload.pk)
        if undone_until(row) is None:
            raise Withdrawn
        _enqueue(row, undo=row.withdrawn_change)
        row.visibility, row.withdrawn_at = row.visible_before, None
        row.save(update_fields=[*_FIELDS])
        revisions.advance()
    upload.visibility = row.visibility


def undone_until(upload: Upload) -> datetime | None:
    """Until when its sender can undo that they withdrew it; None if they did not, or it is too
    late.
    """
    if upload.visibility != Visibility.WITHDRAWN or upload.withdrawn_at is None:
        return None
    until = upload.withdrawn_at + UNDONE
    return until if until > timezone.now() else None


def _enqueue(upload: Upload, **params: int) -> Job:
    """The work of a change, in the place of a former one's."""
    # A new row: games and chunks know by its primary key which change is the later one.
    upload.jobs.filter(kind=VISIBILITY).delete()
    newest = Upload.objects.aggregate(newest=Max("pk"))["newest"]
    return enqueue(VISIBILITY, upload.key, params={"newest": newest, **params}, upload=upload)


def run(job: Job) -> None:
    """Work on a leased change for a turn; it is put off until all games follow.

    Raises :class:`records.jobs.ledger.LeaseLost`.
    """
    in_batches(job, _step, _is_over)


def finish_changes_of(owner: int) -> None:
    """Bring all changes of an owner's uploads to their end, for games that have been read.

    The others come in with the visibility of their upload.
    """
    changes = Job.objects.filter(kind=VISIBILITY, upload__owner=owner)
    for pk in list(changes.values_list("pk", flat=True)):
        busy = True
        while busy:
            with transaction.atomic():
                row = changes.select_for_update(no_key=True, of=("self",)).filter(pk=pk).first()
                busy = row is not None and _step(row)
                if row is not None and not busy:
                    row.delete()


def _upload(change: Job) -> Upload:
    assert change.upload is not None
    return change.upload


def _step(change: Job) -> bool:
    """Make some games of the next chunk follow a locked change, or mark it; False without one."""
    if _is_left(_upload(change)):
        return False
    # Games of a claimed upload follow once they are its owner's.
    claimed = {"follows__gte": _upload(change).claim}
    chunk = _upload(change).chunks.filter(_behind(change), **claimed).order_by("pk").first()
    if chunk is None:
        return False
    games = changed_by(change).filter(record__submissions__chunk=chunk).order_by("record")
    pks = list(games.values_list("record", flat=True).distinct()[:BATCH])
    if pks:
        apply_change(change, pks)
    else:
        Chunk.objects.filter(pk=chunk.pk).update(follows=change.pk)
    return True


def _is_left(upload: Upload) -> bool:
    """Whether nobody has it any more: its account is gone."""
    return upload.owner_id is None and not upload.secret


def _behind(change: Job) -> Q:
    return Q(job__state=Job.State.DONE, follows__lt=change.pk)


def _is_over(change: Job) -> bool:
    """Whether no chunks are to come, or the account is gone."""
    # A file that is seen as cut has all its chunks in the second question.
    upload = _upload(change)
    if _is_left(upload):
        return True
    if upload.files.filter(job__state__in=Job.OPEN).exists():
        return False
    return not upload.chunks.filter(_behind(change) | Q(job__state__in=Job.OPEN)).exists()

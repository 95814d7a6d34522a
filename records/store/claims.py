"""Uploads that were sent without an account become an account's.

In: the secret of an upload, and the account that claims it. Out: a job, and ownerships of the
account in the place of nobody's.

The secret stands for the sender, so all uploads with the same one are claimed together: corrections
and what they replaced stay with each other. The uploads have their new owner immediately, and games
that are read from then on are stored for it. Games that are there follow chunk by chunk; until then
they count as nobody's (`records.privacy.access.OF_NOBODY`). A chunk that is being read meanwhile
may not have seen the new owner: it follows when it is done, and the job waits for it.

The result is what reading the uploads again with their new owner gives, so that a rebuilt archive
is the same.
"""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Greatest

from records.jobs.batches import in_batches
from records.jobs.enqueue import enqueue
from records.models import Chunk, Job, Ownership, Submission, Upload, Visibility
from records.models.jobs import CLAIM, VISIBILITY
from records.privacy import secret
from records.privacy.access import OF_NOBODY, sent_by_nobody
from records.store.ownership import lock_records, update_records

#: The fields of an ownership whose owner withdrew the game and can undo it.
_UNDONE: Final = ("decided_change", "withdrawn_at", "visible_before", "withdrawn_before")


class NotClaimable(Exception):
    """An upload that does not exist, belongs to another account, or has another secret."""


class Changing(Exception):
    """An upload whose games follow a change of visibility: it can be claimed after that."""


def claim(key: str, words: str, owner: int) -> Upload:
    """Make an account the owner of the upload with this key and of all uploads with its secret.

    Returns the upload, unchanged if it is the account's already. Raises :class:`NotClaimable` and
    :class:`Changing`.
    """
    with transaction.atomic():
        upload = Upload.objects.filter(key=key).first()
        if upload is not None and upload.owner_id == owner:
            return upload
        if upload is None or not secret.opens(upload.secret, words):
            raise NotClaimable
        locked = Upload.objects.select_for_update(no_key=True).order_by("pk")
        uploads = list(locked.filter(owner=None, secret=upload.secret))
        if upload not in uploads:  # another account was faster
            raise NotClaimable
        changes = Job.objects.filter(kind=VISIBILITY, state__in=Job.OPEN)
        if changes.filter(upload__in=uploads).exists():
            raise Changing
        job = enqueue(CLAIM, upload.key, upload=upload)
        pks = [claimed.pk for claimed in uploads]
        Upload.objects.filter(pk__in=pks).update(owner=owner, claim=job.pk)
    upload.refresh_from_db()
    return upload


def run(job: Job) -> None:
    """Work on a leased claim for a turn; it is put off until all its games are the account's.

    Raises :class:`records.jobs.ledger.LeaseLost`.
    """
    in_batches(job, _step, _is_over)


def _step(held: Job) -> bool:
    """Give the games of the next chunk to the account; False without one."""
    chunk = _behind(held).select_related("upload").order_by("pk").first()
    if chunk is None:
        return False
    _adopt(chunk)
    held.progress += chunk.games
    return True


def _behind(claim: Job) -> Any:
    """Return the chunks whose games are stored, and not the account's yet."""
    chunks = Chunk.objects.filter(upload__claim=claim.pk, follows__lt=claim.pk)
    return chunks.filter(job__state=Job.State.DONE)


def _is_over(claim: Job) -> bool:
    """Return whether no chunks are to come. Then the secret is forgotten."""
    # A file that is seen as cut has all its chunks in the second query.
    uploads = Upload.objects.filter(claim=claim.pk)
    if uploads.filter(files__job__state__in=Job.OPEN).exists():
        return False
    if uploads.filter(chunks__job__state__in=Job.OPEN).exists() or _behind(claim).exists():
        return False
    uploads.update(claim=0, secret="")
    return True


def _adopt(chunk: Chunk) -> None:
    """Make the games of a chunk that are nobody's the account's; part of a transaction.

    Nobody's ownership stays where others sent the game without an account too.
    """
    upload = chunk.upload
    sent = chunk.submissions.order_by().filter(record__isnull=False)
    records = lock_records(sent.values_list("record", flat=True).distinct())
    Chunk.objects.filter(pk=chunk.pk).update(follows=upload.claim)
    pks = [record.pk for record in records]
    held = Ownership.objects.filter(owner=None, record__in=pks)
    nobodys = {ownership.record_id: ownership for ownership in held}
    records = [record for record in records if record.pk in nobodys]
    later = Upload.objects.filter(secret=upload.secret, pk__gt=upload.pk)
    keys = [record.key for record in records]
    replaced = set(later.filter(replaces__in=keys).values_list("replaces", flat=True))
    values = {
        record.pk: _values(upload, nobodys[record.pk], is_replaced=record.key in replaced)
        for record in records
    }
    own = Ownership.objects.filter(owner=upload.owner_id, record__in=list(values))
    existing = {ownership.record_id: ownership for ownership in own}
    Ownership.objects.bulk_create(
        Ownership(owner_id=upload.owner_id, record_id=pk, created=nobodys[pk].created, **fields)
        for pk, fields in values.items()
        if pk not in existing
    )
    for pk, ownership in existing.items():
        _join(ownership, upload, values[pk])
    _leave_to_others(list(nobodys.values()))
    update_records(records, same_text=True)


def _values(upload: Upload, nobodys: Ownership, *, is_replaced: bool) -> dict[str, Any]:
    """Return the fields of an account's ownership of a game that a claimed upload brought.

    A game that was withdrawn, replaced or taken down after the upload stays withdrawn.
    """
    is_covered = is_replaced or nobodys.withdrawn_upload >= upload.pk
    if not is_covered and upload.visibility != Visibility.WITHDRAWN:
        return {"visibility": upload.visibility}
    fields: dict[str, Any] = {
        "visibility": Visibility.WITHDRAWN,
        "decided_upload": upload.pk,
        "withdrawn_upload": upload.pk,
    }
    is_senders_choice = upload.visibility == Visibility.WITHDRAWN and not is_replaced
    if is_senders_choice and (nobodys.withdrawn_at is not None or not is_covered):
        undone = (upload.withdrawn_change, upload.withdrawn_at, upload.visible_before, 0)
        fields |= dict(zip(_UNDONE, undone, strict=True))
    return fields


def _join(ownership: Ownership, upload: Upload, fields: dict[str, Any]) -> None:
    """Let the ownership that the account has already follow one more upload of its own."""
    row = Ownership.objects.filter(pk=ownership.pk)
    visibility = fields["visibility"]
    if visibility != Visibility.WITHDRAWN:
        if upload.pk > ownership.decided_upload and visibility > ownership.visibility:
            row.update(visibility=visibility)
        return
    earlier = Submission.objects.filter(record=ownership.record_id, upload__lt=upload.pk)
    earlier = earlier.exclude(OF_NOBODY).filter(upload__owner=upload.owner_id)
    if ownership.visibility == Visibility.WITHDRAWN or not earlier.exists():
        row.update(
            decided_upload=Greatest(F("decided_upload"), upload.pk),
            withdrawn_upload=Greatest(F("withdrawn_upload"), upload.pk),
        )


def _leave_to_others(nobodys: list[Ownership]) -> None:
    """Make nobody's ownerships as visible as the uploads that are still nobody's, and remove those
    without any.
    """
    pks = [ownership.record_id for ownership in nobodys]
    sent = Submission.objects.order_by().filter(OF_NOBODY, record__in=pks)
    shared = set(sent.values_list("record", flat=True))
    rows = Ownership.objects.filter(pk__in=[ownership.pk for ownership in nobodys])
    rows.exclude(record__in=shared).delete()
    counted = sent_by_nobody(shared).values_list("record", "upload", "upload__visibility")
    withdrawn = {ownership.record_id: ownership.withdrawn_upload for ownership in nobodys}
    levels = dict.fromkeys(shared, Visibility.WITHDRAWN.value)
    for record, upload, visibility in counted:
        if record is not None and upload > withdrawn[record]:
            levels[record] = max(levels[record], visibility)
    for level in Visibility:
        lowered = [pk for pk, left in levels.items() if left == level]
        rows.filter(Q(record__in=lowered), visibility__gt=level).update(visibility=level)

"""Claims: an account becomes the owner of uploads that were sent without an account.

The secret of an upload identifies its sender, so all uploads with the same secret are claimed
together. Corrections and the games that they replaced therefore keep the same owner.

The uploads get their new owner immediately, and games read later are stored for the new owner. A
job changes the stored games chunk by chunk; until then they count as anonymous
(`records.privacy.access.IS_ANONYMOUS`). A chunk that is being read during the claim may have seen
either owner; the job waits until reading is done and then changes the chunk.

The result is the same as reading the uploads again with their new owner, so that a rebuilt archive
does not differ.
"""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Greatest

from records.ingest.ownership import lock_records, update_records
from records.jobs.batches import in_batches
from records.jobs.enqueue import enqueue
from records.models import Chunk, Job, Ownership, Submission, Upload, Visibility
from records.models.jobs import CLAIM, VISIBILITY
from records.privacy import access
from records.privacy.access import IS_ANONYMOUS, sent_anonymously

#: The fields of a withdrawn ownership that its owner can restore.
_RESTORABLE: Final = ("decided_change", "withdrawn_at", "visible_before", "withdrawn_before")


class NotClaimable(Exception):
    """The error for an upload that does not exist, has another owner or another secret."""


class Changing(Exception):
    """The error for an upload that cannot be claimed until a change of visibility is complete."""


def claim(key: str, secret: str, owner: int) -> Upload:
    """Make an account the owner of the upload with a key and of all uploads with its secret.

    Return the upload, unchanged if the account is its owner already. Raise :class:`NotClaimable` or
    :class:`Changing`.
    """
    with transaction.atomic():
        upload = Upload.objects.filter(key=key).first()
        if upload is not None and upload.owner_id == owner:
            return upload
        if upload is None or not access.matches(upload.secret, secret):
            raise NotClaimable
        locked = Upload.objects.select_for_update(no_key=True).order_by("pk")
        uploads = list(locked.filter(owner=None, secret=upload.secret))
        if upload not in uploads:  # Another account was faster.
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
    """Work on a leased claim for a turn, and put the job off until the account has all games.

    Raise :class:`records.jobs.ledger.LeaseLost`.
    """
    in_batches(job, _claim_next_chunk, _finish_if_complete)


def _claim_next_chunk(held: Job) -> bool:
    """Give the games of the next chunk to the account. Return False if no chunk is due."""
    chunk = _due_chunks(held).select_related("upload").order_by("pk").first()
    if chunk is None:
        return False
    _adopt(chunk)
    held.progress += chunk.games
    return True


def _due_chunks(claim: Job) -> QuerySet[Chunk]:
    """Return the chunks whose games are stored and do not belong to the account yet."""
    chunks = Chunk.objects.filter(upload__claim=claim.pk, follows__lt=claim.pk)
    return chunks.filter(job__state=Job.State.DONE)


def _finish_if_complete(claim: Job) -> bool:
    """Return whether all games are claimed. If so, delete the secret of the uploads."""
    # Files first: once no file is being cut, the second query sees all chunks.
    uploads = Upload.objects.filter(claim=claim.pk)
    if uploads.filter(files__job__state__in=Job.OPEN).exists():
        return False
    if uploads.filter(chunks__job__state__in=Job.OPEN).exists() or _due_chunks(claim).exists():
        return False
    uploads.update(claim=0, secret="")
    return True


def _adopt(chunk: Chunk) -> None:
    """Give the anonymous games of a chunk to the account. Call it inside a transaction.

    The anonymous ownership of a game stays if other senders uploaded it without an account.
    """
    upload = chunk.upload
    sent = chunk.submissions.order_by().filter(record__isnull=False)
    records = lock_records(sent.values_list("record", flat=True).distinct())
    Chunk.objects.filter(pk=chunk.pk).update(follows=upload.claim)
    pks = [record.pk for record in records]
    held = Ownership.objects.filter(owner=None, record__in=pks)
    anonymous = {ownership.record_id: ownership for ownership in held}
    records = [record for record in records if record.pk in anonymous]
    later = Upload.objects.filter(secret=upload.secret, pk__gt=upload.pk)
    keys = [record.key for record in records]
    replaced = set(later.filter(replaces__in=keys).values_list("replaces", flat=True))
    values = {
        record.pk: _values(upload, anonymous[record.pk], is_replaced=record.key in replaced)
        for record in records
    }
    held = Ownership.objects.filter(owner=upload.owner_id, record__in=list(values))
    existing = {ownership.record_id: ownership for ownership in held}
    Ownership.objects.bulk_create(
        Ownership(owner_id=upload.owner_id, record_id=pk, created=anonymous[pk].created, **fields)
        for pk, fields in values.items()
        if pk not in existing
    )
    for pk, ownership in existing.items():
        _join(ownership, upload, values[pk])
    _reduce_to_others(list(anonymous.values()))
    update_records(records, same_text=True)


def _values(upload: Upload, anonymous: Ownership, *, is_replaced: bool) -> dict[str, Any]:
    """Return the fields of an account's ownership of a game that a claimed upload brought.

    A game that was withdrawn, replaced or taken down after the upload stays withdrawn.
    """
    is_covered = is_replaced or anonymous.withdrawn_upload >= upload.pk
    if not is_covered and upload.visibility != Visibility.WITHDRAWN:
        return {"visibility": upload.visibility}
    fields: dict[str, Any] = {
        "visibility": Visibility.WITHDRAWN,
        "decided_upload": upload.pk,
        "withdrawn_upload": upload.pk,
    }
    is_senders_choice = upload.visibility == Visibility.WITHDRAWN and not is_replaced
    if is_senders_choice and (anonymous.withdrawn_at is not None or not is_covered):
        previous = (upload.withdrawn_change, upload.withdrawn_at, upload.visible_before, 0)
        fields |= dict(zip(_RESTORABLE, previous, strict=True))
    return fields


def _join(ownership: Ownership, upload: Upload, fields: dict[str, Any]) -> None:
    """Update an existing ownership of the account for one more of its uploads."""
    row = Ownership.objects.filter(pk=ownership.pk)
    visibility = fields["visibility"]
    if visibility != Visibility.WITHDRAWN:
        if upload.pk > ownership.decided_upload and visibility > ownership.visibility:
            row.update(visibility=visibility)
        return
    earlier = Submission.objects.filter(record=ownership.record_id, upload__lt=upload.pk)
    earlier = earlier.exclude(IS_ANONYMOUS).filter(upload__owner=upload.owner_id)
    if ownership.visibility == Visibility.WITHDRAWN or not earlier.exists():
        row.update(
            decided_upload=Greatest(F("decided_upload"), upload.pk),
            withdrawn_upload=Greatest(F("withdrawn_upload"), upload.pk),
        )


def _reduce_to_others(anonymous: list[Ownership]) -> None:
    """Reduce anonymous ownerships to the uploads that are still anonymous.

    Lower their visibility accordingly, and delete ownerships without such an upload.
    """
    pks = [ownership.record_id for ownership in anonymous]
    sent = Submission.objects.order_by().filter(IS_ANONYMOUS, record__in=pks)
    shared = set(sent.values_list("record", flat=True))
    rows = Ownership.objects.filter(pk__in=[ownership.pk for ownership in anonymous])
    rows.exclude(record__in=shared).delete()
    counted = sent_anonymously(shared).values_list("record", "upload", "upload__visibility")
    withdrawn = {ownership.record_id: ownership.withdrawn_upload for ownership in anonymous}
    levels = dict.fromkeys(shared, Visibility.WITHDRAWN.value)
    for record, upload, visibility in counted:
        if record is not None and upload > withdrawn[record]:
            levels[record] = max(levels[record], visibility)
    for level in Visibility:
        lowered = [pk for pk, remaining in levels.items() if remaining == level]
        rows.filter(Q(record__in=lowered), visibility__gt=level).update(visibility=level)

"""Choice of a record's text among all uploaded texts of the game.

A record stores a single text. Other texts are read from the uploaded files and judged again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db.models import Count, F, Max

from kafu.judging.verify import Verification
from kafu.notation.reading.reader import read
from kafu.rules.verdict import STATUSES
from records.ingest.judged import judge_piece
from records.ingest.pieces import piece_of
from records.models import Ownership, Record, Submission, Upload, Visibility


def text_for_all(record: Record) -> Verification | None:
    """Return the judged text for a record, or None if no owner's text is left.

    Moves and claims come from the best text of the most public owners, comments and tags from the
    first owner among the most public.
    """
    owners = Ownership.objects.filter(record=record, visibility=record.visibility)
    since: dict[int | None, int] = dict(owners.values_list("owner", "withdrawn_upload"))
    submissions = Submission.objects.filter(record=record)
    candidates = [
        submission
        for submission in submissions.select_related("upload", "file", "chunk").order_by("pk")
        if submission.upload_id > since.get(submission.upload.owner_id, submission.upload_id)
    ]
    if not candidates:
        return None
    visibility = record.visibility
    first = min(candidates, key=lambda sent: (-min(sent.upload.visibility, visibility), sent.pk))
    # Two uploads without an account may come from different senders.
    owner = first.upload.owner_id
    first_owners = [sent for sent in candidates if sent.upload.owner_id == owner]
    worded = _best(first_owners, visibility) if owner else first
    played = _best(candidates, visibility)
    judged = _judge(worded)
    if judged is None or played is worded:
        return judged
    best = _judge(played)
    if best is None or best.verdict.status == judged.verdict.status:
        return judged
    return in_words_of(best, judged.text) or judged


def text_of_owner(record: Record, ownership: Ownership) -> Verification | None:
    """Return the best text of a record by an owner, judged, or None without a text."""
    sent = Submission.objects.filter(record=record, upload__owner=ownership.owner_id)
    sent = sent.filter(upload__gt=ownership.withdrawn_upload)
    submissions = list(sent.select_related("upload", "file", "chunk").order_by("pk"))
    return _judge(_best(submissions, Visibility.PRIVATE)) if submissions else None


def words_of_others(upload: Upload, records: Collection[int]) -> dict[int, str]:
    """Return texts of records with comments and tags of a sender other than the upload's sender.

    Comments and tags come from the most public owners. Uploads without an account count as uploads
    of different senders, except for a game replaced by the upload.
    """
    owned = Ownership.objects.filter(record__in=records, visibility=F("record__visibility"))
    sent = Submission.objects.order_by().filter(record__in=records)
    if upload.owner_id is not None:
        owned = owned.exclude(owner=upload.owner_id)
        sent = sent.exclude(upload__owner=upload.owner_id)
    elif upload.secret and upload.replaces:
        senders = {"upload__owner": None, "upload__secret": upload.secret}
        sent = sent.exclude(**senders, record__key=upload.replaces)
    newest = sent.values_list("record", "upload__owner").annotate(newest=Max("upload"))
    last = {(pk, owner): upload_pk for pk, owner, upload_pk in newest}
    owners = owned.values_list("record", "owner", "withdrawn_upload")
    other_pks = [pk for pk, owner, withdrawn in owners if last.get((pk, owner), 0) > withdrawn]
    return dict(Record.objects.filter(pk__in=other_pks).values_list("pk", "text"))


def in_words_of(verification: Verification, text: str) -> Verification | None:
    """Return a judged game with the comments and tags of another text of the game.

    Return None if the result would be too long. The game is not replayed.
    """
    worded = read(text).game
    assert worded is not None, "canonical text reads"
    return verification.in_words_of(worded)


def sent_by_others(records: Collection[int], owner: int) -> set[int]:
    """Return the records uploaded by senders other than an owner."""
    sent = Submission.objects.order_by().filter(record__in=records).exclude(upload__owner=owner)
    return {pk for pk in sent.values_list("record_id", flat=True).distinct() if pk is not None}


def sent_once(records: Collection[int]) -> set[int]:
    """Return the records uploaded only once, with a single text."""
    sent = Submission.objects.order_by().filter(record__in=records)
    counts = sent.values_list("record").annotate(count=Count("pk")).filter(count=1)
    return {pk for pk, _count in counts if pk is not None}


def _best(submissions: Sequence[Submission], level: int) -> Submission:
    """Return the submission with the most public upload (up to ``level``), then the best status.

    Of equal submissions, return the first.
    """

    def rank(submission: Submission) -> tuple[int, int, int]:
        visibility = min(submission.upload.visibility, level)
        return -visibility, STATUSES.index(submission.status), submission.pk

    return min(submissions, key=rank)


def _judge(submission: Submission) -> Verification | None:
    verification = judge_piece(piece_of(submission)).canonical
    return verification if verification.game is not None else None

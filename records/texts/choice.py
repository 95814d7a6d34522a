"""Choice of a record's text among all uploaded texts of the game.

A record stores a single text. Other texts are read from the uploaded files and judged again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import islice, takewhile
from operator import itemgetter
from typing import Final

from django.db.models import Count, F, Max

from kafu.importers import read_piece
from kafu.judging.verify import Verification
from kafu.notation.reading.reader import read
from kafu.rules.verdict import STATUSES
from records.models import Ownership, Record, Submission, Upload, Visibility
from records.texts.judged import judge_piece
from records.texts.pieces import piece_of

#: Empty tags filled from later senders. (The date is part of the identity.)
FILLED_TAGS: Final = ("Event", "Site", "Round")
#: Maximum number of texts that are read to fill tags.
_MOST_READ: Final = 20
#: An account, the hash of a secret, or an upload without both.
Sender = int | str | tuple[int]


def text_for_all(record: Record) -> Verification | None:
    """Return the judged text for a record, or None if no owner's text is left.

    Moves and claims come from the best text of the most public owners, comments and tags from the
    first sender among the most public. Empty tags of `FILLED_TAGS` come from later senders.
    """
    candidates = _list_candidates(record)
    if not candidates:
        return None
    visibility = record.visibility
    sender = sender_of(candidates[0].upload)
    worded = _best([sent for sent in candidates if sender_of(sent.upload) == sender], visibility)
    played = _best(candidates, visibility)
    judged = _judge(worded)
    if judged is None:
        return None
    if played is not worded:
        best = _judge(played)
        if best is not None and best.verdict.status != judged.verdict.status:
            judged = in_words_of(best, judged.text) or judged
    if visibility < Visibility.UNLISTED:  # The owners must not learn of each other.
        return judged
    return _fill_tags(judged, [sent for sent in candidates if sent.upload.visibility >= visibility])


def list_earlier_texts(record: Record, sender: Sender) -> list[Submission]:
    """Return the texts of a record whose tags come before those of a sender, the first first."""
    candidates = _list_candidates(record)
    return list(takewhile(lambda sent: sender_of(sent.upload) != sender, candidates))[:_MOST_READ]


def sender_of(upload: Upload) -> Sender:
    """Return an identifier of the sender of an upload.

    Without account and secret every upload has a sender of its own.
    """
    return upload.owner_id or upload.secret or (upload.pk,)


def _list_candidates(record: Record) -> list[Submission]:
    """Return the submissions that may give a record its text, those of the first sender first.

    The most public uploads come first. A correction has the place of the text that it corrected.
    """
    owners = Ownership.objects.filter(record=record, visibility=record.visibility)
    since: dict[int | None, int] = dict(owners.values_list("owner", "withdrawn_upload"))
    corrections = Upload.objects.filter(replaces=record.key, owner=None).exclude(secret="")
    last = dict(corrections.order_by().values_list("secret").annotate(last=Max("pk")))
    sent_texts = Submission.objects.filter(record=record).order_by("pk")
    candidates = []
    places: dict[Sender, int] = {}
    for sent in sent_texts.select_related("upload", "file", "chunk"):
        upload = sent.upload
        sender = sender_of(upload)
        first_place = places.setdefault(sender, sent.pk)
        place = first_place if upload.replaces == record.key else sent.pk
        if upload.owner_id is None and upload.pk < last.get(upload.secret, 0):
            continue  # corrected by its sender
        if upload.pk > since.get(upload.owner_id, upload.pk):
            visibility = min(upload.visibility, record.visibility)
            candidates.append((-visibility, place, sent.pk, sent))
    return [sent for *_rank, sent in sorted(candidates, key=itemgetter(0, 1, 2))]


def _fill_tags(judged: Verification, candidates: Iterable[Submission]) -> Verification:
    """Return a judged text with its empty tags filled from other texts of the game, in order."""
    assert judged.game is not None
    missing = [name for name in FILLED_TAGS if not judged.game.tags.get(name)]
    filled: dict[str, str] = {}
    for sent in islice(candidates, _MOST_READ) if missing else ():
        game = read_piece(piece_of(sent)).game
        if game is not None:
            tags = {name: game.tags[name] for name in missing if game.tags.get(name)}
            filled = tags | filled
    if not filled:
        return judged
    worded = replace(judged.game, tags=judged.game.tags | filled)
    return judged.in_words_of(worded) or judged


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


def sent_by_others(records: Collection[int], owner: int | None) -> set[int]:
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

"""Which text a record shows, of all that were uploaded of its game.

In: records, their ownerships and submissions. Out: the chosen text as a `Verification` of itself.
A record keeps one text alone; another one is read from the file in which it was uploaded, and
judged.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db.models import Count, F, Max

from kafu.judging.verify import Verification
from kafu.notation.reading.reader import read
from kafu.rules.verdict import STATUSES
from records.models import Ownership, Record, Submission, Upload, Visibility
from records.store.judged import judge_piece
from records.store.pieces import piece_of


def text_for_all(record: Record) -> Verification | None:
    """What a record is to say, of the texts of its most public owners; None where none is left.

    The moves and claims are those of the best text, the comments and tags those of the first owner.
    """
    owners = Ownership.objects.filter(record=record, visibility=record.visibility)
    since: dict[int | None, int] = dict(owners.values_list("owner", "withdrawn_upload"))
    there = Submission.objects.filter(record=record).select_related("upload", "file", "chunk")
    shown = [
        one
        for one in there.order_by("pk")
        if one.upload_id > since.get(one.upload.owner_id, one.upload_id)
    ]
    if not shown:
        return None
    first = min(shown, key=lambda one: (-min(one.upload.visibility, record.visibility), one.pk))
    # Whoever has no account is not known to be the first once more.
    owner = first.upload.owner_id
    of_first = [one for one in shown if one.upload.owner_id == owner] if owner else [first]
    words, moves = _best(of_first, record.visibility), _best(shown, record.visibility)
    judged = _judged(words)
    if judged is None or moves is words:
        return judged
    best = _judged(moves)
    if best is None or best.verdict.status == judged.verdict.status:
        return judged
    return in_words_of(best, judged.text) or judged


def text_of_owner(record: Record, owned: Ownership) -> Verification | None:
    """The best text of a record among those that its owner uploaded; None where none is left."""
    own = Submission.objects.filter(record=record, upload__owner=owned.owner_id)
    own = own.filter(upload__gt=owned.withdrawn_upload)
    found = list(own.select_related("upload", "file", "chunk").order_by("pk"))
    return _judged(_best(found, Visibility.PRIVATE)) if found else None


def words_of_others(upload: Upload, records: Collection[int]) -> dict[int, str]:
    """The texts of those of the records whose comments and tags are another sender's than an
    upload's.

    They are those of the most public owners. Who has no account is always another, but for the game
    that they replace.
    """
    owned = Ownership.objects.filter(record__in=records, visibility=F("record__visibility"))
    sent = Submission.objects.order_by().filter(record__in=records)
    if upload.owner_id is not None:
        owned = owned.exclude(owner=upload.owner_id)
        sent = sent.exclude(upload__owner=upload.owner_id)
    elif upload.secret and upload.replaces:
        own = {"upload__owner": None, "upload__secret": upload.secret}
        sent = sent.exclude(**own, record__key=upload.replaces)
    newest = sent.values_list("record", "upload__owner").annotate(newest=Max("upload"))
    last = {(pk, owner): upload_pk for pk, owner, upload_pk in newest}
    owners = owned.values_list("record", "owner", "withdrawn_upload")
    others = [pk for pk, owner, withdrawn in owners if last.get((pk, owner), 0) > withdrawn]
    return dict(Record.objects.filter(pk__in=others).values_list("pk", "text"))


def in_words_of(found: Verification, text: str) -> Verification | None:
    """A judged game with the comments and tags of another text of it; None where that would be too
    long. Nothing is replayed.
    """
    other = read(text).game
    assert other is not None, "canonical text reads"
    return found.in_words_of(other)


def sent_by_others(records: Collection[int], owner: int) -> set[int]:
    """Those of the records that anybody else uploaded too."""
    sent = Submission.objects.order_by().filter(record__in=records).exclude(upload__owner=owner)
    return {pk for pk in sent.values_list("record_id", flat=True).distinct() if pk is not None}


def sent_once(records: Collection[int]) -> set[int]:
    """Those of the records that were uploaded once: there is no other text to be shown of them."""
    there = Submission.objects.order_by().filter(record__in=records)
    found = there.values_list("record").annotate(count=Count("pk")).filter(count=1)
    return {pk for pk, _count in found if pk is not None}


def _best(submissions: Sequence[Submission], level: int) -> Submission:
    """The one whose upload was for most viewers, up to ``level``; of equals the best, the first."""
    return min(
        submissions,
        key=lambda one: (-min(one.upload.visibility, level), STATUSES.index(one.status), one.pk),
    )


def _judged(submission: Submission) -> Verification | None:
    found = judge_piece(piece_of(submission)).found
    return found if found.game is not None else None

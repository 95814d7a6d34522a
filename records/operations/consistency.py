"""Consistency of stored games: their rows compared with text, tags, owners and copies.

Ownerships, and whether a game is gone, are decisions of users: the uploads alone cannot show that
they are wrong. They are compared with each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from kafu.comparing.copies import fingerprint
from kafu.notation.reading.reader import read
from kafu.notation.writer import identity
from records.base.bulk import slices
from records.ingest import copies
from records.ingest.ownership import lock_records, update_records
from records.models import Ownership, Record, Submission, Upload, Visibility
from records.privacy import revisions
from records.privacy.access import IS_ANONYMOUS

BATCH: Final = 300
#: Columns of a record with the beginning of a tag.
_TAGS: Final = {"event": "Event", "site": "Site", "round": "Round", "source": "Source"}
_IS_WRONGLY_GONE: Final = (
    Q(visibility__gte=Visibility.UNLISTED, gone__isnull=False)
    | Q(gone=None) & ~Q(gone_why="")
    | Q(gone__isnull=False, gone_why="")
)


def find_faults() -> Iterator[str]:
    """Yield a text for each game whose rows contradict each other."""
    for key, owner in _find_missing().values_list("record__key", "upload__owner").distinct():
        yield f"game {key}: the ownership of account {owner} is missing"
    for record in _find_wrongly_visible():
        yield f"game {record.key}: visibility: {record.visibility} is {record.level} by ownerships"
    listed = Record.objects.exclude(listing=None).exclude(listing__visibility=F("visibility"))
    for key in listed.order_by("pk").values_list("key", flat=True):
        yield f"game {key}: its listing has another visibility"
    for key, gone in Record.objects.filter(_IS_WRONGLY_GONE).values_list("key", "gone"):
        yield f"game {key}: gone: {gone} contradicts its visibility or reason"
    wrong = set(copies.find_wrong())
    for key in Record.objects.order_by("pk").filter(pk__in=wrong).values_list("key", flat=True):
        yield f"game {key}: it is in a wrong group of copies"
    records = Record.objects.order_by("pk").defer("verdict")
    for record in records.iterator(chunk_size=BATCH):
        yield from _compare_text(record)


def _compare_text(record: Record) -> Iterator[str]:
    game = read(record.text).game
    if game is None or identity(game) != record.identity:
        yield f"game {record.key}: its text is another game"
        return
    if game.tags != record.tags:
        yield f"game {record.key}: tags: {record.tags} are {game.tags} in its text"
    if fingerprint(game) != record.first_deal:
        yield f"game {record.key}: its first deal is another in its text"
    for column, tag in _TAGS.items():
        value, expected = getattr(record, column), game.tags.get(tag, "")[:200]
        if value != expected:
            yield f"game {record.key}: {column}: {value!r} is {expected!r} in its text"


def _find_missing() -> QuerySet[Submission]:
    """Return the submissions of accounts without an ownership of the game.

    Ownerships of closed accounts are removed; a visible game without any ownership lost it.
    """
    held = Ownership.objects.filter(record=OuterRef("record"))
    of_sender = held.filter(owner=OuterRef("upload__owner"))
    submissions = Submission.objects.order_by().exclude(record=None)
    of_accounts = ~IS_ANONYMOUS & ~Exists(of_sender)
    lost = Q(record__visibility__gt=Visibility.WITHDRAWN) & ~Exists(held)
    return submissions.filter(of_accounts | lost)


def _find_wrongly_visible() -> QuerySet[Any]:
    """Return the records whose visibility is not that of their most public ownership, ``level``."""
    level = Coalesce(Max("ownerships__visibility"), Value(int(Visibility.WITHDRAWN)))
    records = Record.objects.order_by("pk").defer("text", "verdict", "tags")
    return records.annotate(level=level).exclude(visibility=F("level"))


def mend() -> int:
    """Restore ownerships; correct visibility, ``gone`` and copies; return the corrections.

    No game becomes visible to more viewers than before by a restored ownership.
    """
    count = _restore_ownerships()
    for pks in slices(list(_find_wrongly_visible().values_list("pk", flat=True)), BATCH):
        with transaction.atomic():
            update_records(lock_records(pks))
        count += len(pks)
    for pks in slices(list(copies.find_wrong()), BATCH):
        with transaction.atomic():
            lock_records(pks)
            copies.regroup(pks)
            revisions.advance()
        count += len(pks)
    visible = Record.objects.filter(visibility__gte=Visibility.UNLISTED)
    count += visible.filter(_IS_WRONGLY_GONE).update(gone=None, gone_why="")
    return count


def _restore_ownerships() -> int:
    newest = Upload.objects.aggregate(newest=Max("pk"))["newest"] or 0
    levels: defaultdict[tuple[int, int | None], int] = defaultdict(int)
    columns = ("record", "upload__owner", "upload__visibility", "record__visibility")
    for record, owner, sent, shown in _find_missing().values_list(*columns):
        levels[record, owner] = max(levels[record, owner], min(sent, shown))
    Ownership.objects.bulk_create(
        [
            # An owner's decision may be lost with the row, so no earlier upload may raise the
            # level.
            Ownership(
                record_id=record,
                owner_id=owner,
                visibility=level,
                decided_upload=newest,
                withdrawn_upload=0 if level else newest,
            )
            for (record, owner), level in levels.items()
        ],
        batch_size=BATCH,
        ignore_conflicts=True,
    )
    return len(levels)

"""Who uploaded a game, and what follows for the record.

In: uploads that brought games, decisions of their owners and of the staff. Out: `Ownership` rows,
and records as visible as these say, with a text that may be seen.

A game is stored once and may have many owners. The record is as visible as its most public
ownership, its text is one of those that were uploaded for so many viewers, and only public games
count for their players. Whoever writes an ownership of a record that was there before has the
record locked, records in the order of their identities; counts of players are last.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone

from records.base.bulk import insert_rows
from records.models import Gone, Job, Listing, Ownership, Record, Submission, Upload, Visibility
from records.privacy import revisions
from records.privacy.access import ownerships_of, sent_by_nobody
from records.store import changes
from records.store.players import count_records, write_players
from records.store.rows import rewrite, set_visibility
from records.store.texts import sent_once, text_for_all

BATCH: Final = 500
#: For so long who withdrew a game can undo it.
UNDONE: Final = timedelta(days=7)
_COLUMNS: Final = (
    *("owner_id", "record_id", "visibility"),
    *("decided_upload", "decided_change", "withdrawn_upload", "note", "created"),
)


def add_ownerships(upload: Upload, records: Iterable[int]) -> None:
    """Ownerships of records that this transaction brought."""
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    insert_rows(
        Ownership,
        _COLUMNS,
        ((upload.owner_id, pk, upload.visibility, 0, 0, 0, "", now) for pk in records),
    )


def join_ownerships(upload: Upload, records: Sequence[int]) -> dict[int, int]:
    """Ownerships of records that were there and are locked.

    Returns the visibility that the upload's text of each is meant for. The more public of two
    uploads counts, in whatever order they are worked on; a decision of the owner's counts for all
    uploads before it, and so does what a sender without an account replaced.
    """
    own = Ownership.objects.filter(owner=upload.owner_id, record__in=records)
    before = {one.record_id: one for one in own.defer("note")}
    add_ownerships(upload, [pk for pk in records if pk not in before])
    replaced = _replaced_since(upload, records)
    decided = {
        pk: one.visibility
        for pk, one in before.items()
        if upload.pk <= one.decided_upload or pk in replaced
    }
    raised = [
        one.pk
        for pk, one in before.items()
        if pk not in decided and upload.visibility > one.visibility
    ]
    Ownership.objects.filter(pk__in=raised).update(visibility=upload.visibility)
    return dict.fromkeys(records, upload.visibility) | decided


def _replaced_since(upload: Upload, records: Sequence[int]) -> set[int]:
    """Those of the records that a later upload with the same secret replaced: this one is read
    again.
    """
    if not upload.secret:
        return set()
    later = Upload.objects.filter(secret=upload.secret, pk__gt=upload.pk)
    keys = later.exclude(replaces="").values("replaces")
    return set(Record.objects.filter(pk__in=records, key__in=keys).values_list("pk", flat=True))


def change_visibility(*, owner: int, records: Collection[int], visibility: int) -> int:
    """An owner decides who may see these games; returns how many among them are theirs.

    `Visibility.WITHDRAWN` takes them back: a game that nobody else uploaded is then shown to no
    one. What is withdrawn stays so until it is uploaded again.
    """
    with transaction.atomic():
        own = ownerships_of(owner).filter(record__in=records)
        rows = lock_records(own.values_list("record", flat=True))
        # What is still being worked on, an upload or its change, is older than the decision.
        newest = Upload.objects.aggregate(newest=Max("pk"))["newest"] or 0
        decided_change = Job.objects.aggregate(newest=Max("pk"))["newest"] or 0
        decision = {
            "visibility": visibility,
            "decided_upload": newest,
            "decided_change": decided_change,
        }
        own.update(**decision, **_withdrawn(visibility, newest))
        update_records(rows)
    return len(rows)


def restore(*, owner: int, records: Collection[int]) -> int:
    """An owner undoes that they withdrew these games; returns how many there were to be restored.

    Each is as visible as it was. After `UNDONE` it is too late.
    """
    with transaction.atomic():
        own = withdrawn_by(owner).filter(record__in=records)
        rows = lock_records(own.values_list("record", flat=True))
        _undo(withdrawn_by(owner).filter(record__in=[row.pk for row in rows]))
        update_records(rows)
    return len(rows)


def withdrawn_by(owner: int) -> QuerySet[Ownership]:
    """The ownerships that an account withdrew so lately that it can restore them."""
    return Ownership.objects.filter(_undoable(), owner=owner)


def _undoable() -> Q:
    since = timezone.now() - UNDONE
    return Q(visibility=Visibility.WITHDRAWN, withdrawn_at__gt=since)


def _undo(withdrawn: QuerySet[Ownership]) -> None:
    withdrawn.update(
        visibility=F("visible_before"),
        withdrawn_upload=F("withdrawn_before"),
        withdrawn_at=None,
    )


def apply_change(change: Job, records: Collection[int]) -> None:
    """Make games of a changed upload as visible as it, or as later uploads of them are.

    Part of a transaction.
    """
    upload, newest = change.upload, change.params["newest"]
    assert upload is not None
    own = changed_by(change).filter(record__in=records)
    rows = lock_records(own.values_list("record", flat=True))
    if change.params.get("undo"):
        _undo(own.filter(record__in=[row.pk for row in rows]))
        update_records(rows)
        return
    if upload.owner_id is None:
        _apply_to_nobodys(change, own, rows)
        update_records(rows)
        return
    later = Submission.objects.order_by().filter(
        upload__owner=upload.owner_id, upload__gt=newest, record__in=[one.pk for one in rows]
    )
    later_levels = dict(later.values_list("record").annotate(Max("upload__visibility")))
    for level in Visibility:
        pks = [
            one.pk for one in rows if max(upload.visibility, later_levels.get(one.pk, 0)) == level
        ]
        same = own.filter(record__in=pks)
        decision = {
            "visibility": level,
            "decided_upload": newest,
            "decided_change": change.pk,
        }
        same.update(**decision, **_withdrawn(level, newest))
    update_records(rows)


def _apply_to_nobodys(change: Job, own: QuerySet[Ownership], rows: Sequence[Record]) -> None:
    """Make nobody's games as visible as the most public of the uploads without an account that
    brought them: who withdraws theirs does not withdraw another's.
    """
    pks = [row.pk for row in rows]
    sent = sent_by_nobody(pks)
    levels = dict(sent.values_list("record").annotate(Max("upload__visibility")))
    for level in Visibility:
        same = own.filter(record__in=[pk for pk in pks if levels.get(pk, 0) == level])
        newest = change.params["newest"]
        same.update(visibility=level, decided_change=change.pk, **_withdrawn(level, newest))


def changed_by(change: Job) -> QuerySet[Ownership]:
    """The uploader's ownerships of any games, as far as they have not decided about them since; to
    undo that they withdrew them, those that were withdrawn by that change.
    """
    assert change.upload is not None
    held = Ownership.objects.filter(owner=change.upload.owner_id)
    if undo := change.params.get("undo"):
        return held.filter(_undoable(), decided_change=undo)
    return held.exclude(visibility=Visibility.WITHDRAWN).filter(decided_change__lt=change.pk)


def _withdrawn(visibility: int, newest: int) -> dict[str, Any]:
    """What a decision says besides of ownerships that are not withdrawn: to withdraw, which uploads
    go along, and what they were.
    """
    if visibility != Visibility.WITHDRAWN:
        return {}
    return {
        "withdrawn_upload": newest,
        "withdrawn_at": timezone.now(),
        "visible_before": F("visibility"),
        "withdrawn_before": F("withdrawn_upload"),
    }


def take_down(records: Collection[int]) -> None:
    """The staff takes games out of the archive, whoever owns them; a later upload of one counts
    again.
    """
    with transaction.atomic():
        # Their texts are no longer quoted in the history of the games that replaced them.
        keys = Record.objects.filter(pk__in=records).values_list("key", flat=True)
        Upload.objects.filter(replaces__in=list(keys)).update(former_since=F("pk"))
        rows = lock_records(records)
        newest = Upload.objects.aggregate(newest=Max("pk"))["newest"] or 0
        ownerships = Ownership.objects.filter(record__in=records)
        ownerships.update(
            visibility=Visibility.WITHDRAWN,
            decided_upload=newest,
            withdrawn_upload=newest,
            withdrawn_at=None,
        )
        update_records(rows, why=Gone.REMOVED)
        hidden = Record.objects.filter(pk__in=[row.pk for row in rows], gone__isnull=False)
        hidden.update(gone_why=Gone.REMOVED)
        changes.mark(rows)


def end_ownerships(owner: int, *, withdraw: bool) -> int:
    """End the ownership of some games of an account that is closed; returns how many, 0: no more.

    ``withdraw`` takes all of them back; else the public and unlisted ones stay as nobody's, and the
    private ones are taken back, as nobody could see them any more. Part of a transaction.
    """
    left = Ownership.objects.filter(owner=owner).order_by("record")
    pks = list(left.values_list("record", flat=True)[:BATCH])
    rows = lock_records(pks)
    own = Ownership.objects.filter(owner=owner, record__in=pks)
    if withdraw:
        own.delete()
    else:
        _to_nobody(own)
    update_records(rows, same_text=not withdraw)
    return len(pks)


def _to_nobody(own: QuerySet[Ownership]) -> None:
    """Make ownerships nobody's; nobody may have some of the games already."""
    newest = Upload.objects.aggregate(newest=Max("pk"))["newest"] or 0
    hidden = own.filter(visibility__lt=Visibility.UNLISTED)
    hidden.update(visibility=Visibility.WITHDRAWN, withdrawn_upload=newest)
    levels = dict(own.values_list("record", "visibility"))
    nobodys = Ownership.objects.filter(owner=None, record__in=list(levels))
    for one in own.filter(withdrawn_upload__gt=0):
        nobodys.filter(record=one.record_id, withdrawn_upload__lt=one.withdrawn_upload).update(
            withdrawn_upload=one.withdrawn_upload
        )
    had = dict(nobodys.values_list("record", "visibility"))
    for level in (Visibility.UNLISTED, Visibility.PUBLIC):
        lower = [pk for pk, now in had.items() if now < levels[pk] == level]
        nobodys.filter(record__in=lower).update(visibility=level)
    own.filter(record__in=list(had)).delete()
    own.update(owner=None, note="")


def lock_records(pks: Iterable[int]) -> list[Record]:
    """Return records, locked in the order of their identities, without their large columns."""
    locked = Record.objects.select_for_update(no_key=True).filter(pk__in=list(pks))
    return list(locked.order_by("identity").defer("text", "verdict", "tags"))


def update_records(
    records: Sequence[Record], *, same_text: bool = False, why: Gone = Gone.WITHDRAWN
) -> None:
    """Make locked records as visible as their ownerships, with a text of those that are so.

    ``same_text``: no owner who had a part in the text has gone. ``why`` is said of those that are
    hidden from now on.
    """
    count_records(follow(records, same_text=same_text, why=why))
    revisions.advance()


def follow(records: Sequence[Record], *, same_text: bool = False, why: Gone) -> dict[int, int]:
    """Like `update_records`, but the caller must apply the returned player counts."""
    pks = [record.pk for record in records]
    ownerships = Ownership.objects.order_by().filter(record__in=pks)
    levels = dict(ownerships.values_list("record").annotate(Max("visibility")))
    public: dict[int, int] = {}
    moved: dict[int, list[int]] = defaultdict(list)
    fresh: list[int] = []
    gone: list[int] = []
    single = sent_once(pks)
    for record in records:
        before, now = record.visibility, levels.get(record.pk, Visibility.WITHDRAWN)
        set_visibility(record, now)
        public[record.pk] = (now == Visibility.PUBLIC) - (before == Visibility.PUBLIC)
        best = None
        is_same = record.pk in single or (same_text and now <= before)
        if now >= Visibility.UNLISTED and not is_same:
            best = text_for_all(record)
        if best is not None and best.game and (now > before or best.text != record.text):
            rewrite([(record, best)], write_players([best.game]))
        elif now != before:
            moved[now].append(record.pk)
            if before < Visibility.UNLISTED <= now:
                fresh.append(record.pk)
            elif now < Visibility.UNLISTED <= before:
                gone.append(record.pk)
    Record.objects.filter(pk__in=fresh).update(created=timezone.now(), gone=None, gone_why="")
    Record.objects.filter(pk__in=gone).update(gone=timezone.now(), gone_why=why)
    seen_otherwise = {pk for same in moved.values() for pk in same}
    for level, same in moved.items():
        Record.objects.filter(pk__in=same).update(visibility=level, changed=timezone.now())
        Listing.objects.filter(pk__in=same).update(visibility=level)
    changes.mark(record for record in records if record.pk in seen_otherwise)
    return public

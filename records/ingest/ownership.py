"""Ownership of games: the senders of a game, and the visibility of the record.

A game is stored once and may have many owners. The record is as visible as the most public
ownership, and shows a text uploaded for at least as many viewers. Only public games count in the
statistics of players.

A transaction that writes an ownership of an existing record must lock the record first. Records
are locked in the order of their identities, rows of players last.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet

from records.base import clock
from records.base.bulk import insert_rows
from records.ingest.copies import candidates, regroup
from records.ingest.rows import count_records, rewrite, set_visibility, write_players
from records.models import Gone, Job, Listing, Ownership, Record, Submission, Upload, Visibility
from records.privacy import change_log, revisions
from records.privacy.access import ownerships_of, sent_anonymously
from records.texts.choice import sent_once, text_for_all

BATCH: Final = 500
#: The age up to which `tidy` groups games.
_GROUPED_LATER: Final = timedelta(minutes=5)
#: A sender can restore a withdrawn game within this time.
RESTORE_PERIOD: Final = timedelta(days=7)
_COLUMNS: Final = (
    *("owner_id", "record_id", "visibility"),
    *("decided_upload", "decided_change", "withdrawn_upload", "note", "created"),
)


def add_ownerships(upload: Upload, records: Iterable[int]) -> None:
    """Insert the sender's ownerships of records inserted by the current transaction."""
    now = connection.ops.adapt_datetimefield_value(clock.now())
    insert_rows(
        Ownership,
        _COLUMNS,
        ((upload.owner_id, pk, upload.visibility, 0, 0, 0, "", now) for pk in records),
    )


def join_ownerships(upload: Upload, records: Sequence[int]) -> dict[int, int]:
    """Insert or raise the sender's ownerships of existing, locked records.

    Return the visibility of the upload's text by record. The more public of two uploads counts, in
    any order of processing. A decision of the owner overrules all uploads before the decision. A
    correction sent without an account overrules earlier uploads too.
    """
    senders = Ownership.objects.filter(owner=upload.owner_id, record__in=records)
    existing = {ownership.record_id: ownership for ownership in senders.defer("note")}
    add_ownerships(upload, [pk for pk in records if pk not in existing])
    replaced = _replaced_since(upload, records)
    decided = {
        pk: ownership.visibility
        for pk, ownership in existing.items()
        if upload.pk <= ownership.decided_upload or pk in replaced
    }
    raised = [
        ownership.pk
        for pk, ownership in existing.items()
        if pk not in decided and upload.visibility > ownership.visibility
    ]
    Ownership.objects.filter(pk__in=raised).update(visibility=upload.visibility)
    return dict.fromkeys(records, upload.visibility) | decided


def _replaced_since(upload: Upload, records: Sequence[int]) -> set[int]:
    """Return the records replaced by a later upload with the same secret.

    The set is empty unless the upload is read again.
    """
    if not upload.secret:
        return set()
    later = Upload.objects.filter(secret=upload.secret, pk__gt=upload.pk)
    keys = later.exclude(replaces="").values("replaces")
    return set(Record.objects.filter(pk__in=records, key__in=keys).values_list("pk", flat=True))


def change_visibility(*, owner: int, records: Collection[int], visibility: int) -> int:
    """Set the visibility of an owner's games. Return the number of games of the owner.

    With `Visibility.WITHDRAWN`, a game without another sender is hidden until a new upload of the
    game.
    """
    with transaction.atomic():
        held = ownerships_of(owner).filter(record__in=records)
        rows = lock_records(held.values_list("record", flat=True))
        # The decision overrules pending uploads and changes, because they are older.
        newest = Upload.objects.aggregate(newest=Max("pk"))["newest"] or 0
        decided_change = Job.objects.aggregate(newest=Max("pk"))["newest"] or 0
        decision = {
            "visibility": visibility,
            "decided_upload": newest,
            "decided_change": decided_change,
        }
        held.update(**decision, **_withdrawal_columns(visibility, newest))
        update_records(rows)
    return len(rows)


def restore(*, owner: int, records: Collection[int]) -> int:
    """Restore the previous visibility of games withdrawn by an owner. Return the number of games.

    Games withdrawn more than `RESTORE_PERIOD` ago stay withdrawn.
    """
    with transaction.atomic():
        withdrawn = withdrawn_by(owner).filter(record__in=records)
        rows = lock_records(withdrawn.values_list("record", flat=True))
        _restore_visibility(withdrawn_by(owner).filter(record__in=[row.pk for row in rows]))
        update_records(rows)
    return len(rows)


def withdrawn_by(owner: int) -> QuerySet[Ownership]:
    """Return the withdrawn ownerships still restorable by an account."""
    return Ownership.objects.filter(_is_restorable(), owner=owner)


def _is_restorable() -> Q:
    since = clock.now() - RESTORE_PERIOD
    return Q(visibility=Visibility.WITHDRAWN, withdrawn_at__gt=since)


def _restore_visibility(withdrawn: QuerySet[Ownership]) -> None:
    withdrawn.update(
        visibility=F("visible_before"),
        withdrawn_upload=F("withdrawn_before"),
        withdrawn_at=None,
    )


def apply_change(change: Job, records: Collection[int]) -> None:
    """Give games the visibility of a changed upload, or of a more public later upload.

    Call inside a transaction.
    """
    upload, newest = change.upload, change.params["newest"]
    assert upload is not None
    held = changed_by(change).filter(record__in=records)
    rows = lock_records(held.values_list("record", flat=True))
    pks = [row.pk for row in rows]
    if change.params.get("undo"):
        _restore_visibility(held.filter(record__in=pks))
        update_records(rows)
        return
    if upload.owner_id is None:
        _apply_to_anonymous(change, held, pks)
        update_records(rows)
        return
    later = Submission.objects.order_by().filter(
        upload__owner=upload.owner_id, upload__gt=newest, record__in=pks
    )
    later_levels = dict(later.values_list("record").annotate(Max("upload__visibility")))
    levels = {pk: max(upload.visibility, later_levels.get(pk, 0)) for pk in pks}
    for level in Visibility:
        decision = {
            "visibility": level,
            "decided_upload": newest,
            "decided_change": change.pk,
        }
        changed = held.filter(record__in=[pk for pk in pks if levels[pk] == level])
        changed.update(**decision, **_withdrawal_columns(level, newest))
    update_records(rows)


def _apply_to_anonymous(change: Job, held: QuerySet[Ownership], pks: Sequence[int]) -> None:
    """Give games without an account the visibility of the most public anonymous upload.

    A sender without an account cannot withdraw a game of another anonymous sender.
    """
    sent = sent_anonymously(pks)
    levels = dict(sent.values_list("record").annotate(Max("upload__visibility")))
    newest = change.params["newest"]
    for level in Visibility:
        changed = held.filter(record__in=[pk for pk in pks if levels.get(pk, 0) == level])
        decision = {"visibility": level, "decided_change": change.pk}
        changed.update(**decision, **_withdrawal_columns(level, newest))


def changed_by(change: Job) -> QuerySet[Ownership]:
    """Return the sender's ownerships affected by a change.

    Ownerships with a later decision of the sender are left out. To undo a withdrawal, return the
    ownerships changed by the withdrawal.
    """
    assert change.upload is not None
    held = Ownership.objects.filter(owner=change.upload.owner_id)
    if undo := change.params.get("undo"):
        return held.filter(_is_restorable(), decided_change=undo)
    return held.exclude(visibility=Visibility.WITHDRAWN).filter(decided_change__lt=change.pk)


def _withdrawal_columns(visibility: int, newest: int) -> dict[str, Any]:
    """Return the extra columns of a withdrawal: time, newest upload, previous values."""
    if visibility != Visibility.WITHDRAWN:
        return {}
    return {
        "withdrawn_upload": newest,
        "withdrawn_at": clock.now(),
        "visible_before": F("visibility"),
        "withdrawn_before": F("withdrawn_upload"),
    }


def take_down(records: Collection[int]) -> None:
    """Withdraw games of all owners, for the staff. A later upload lists the game again."""
    with transaction.atomic():
        # The history of replacement games must no longer quote the withdrawn texts.
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
        change_log.mark(rows)


def end_ownerships(owner: int, *, withdraw: bool) -> int:
    """End up to `BATCH` ownerships of a closed account. Return the number, 0 at the end.

    With ``withdraw``, delete the ownerships. Otherwise make public and unlisted ownerships
    anonymous, and withdraw private ownerships, because no user could see the games. Call inside a
    transaction.
    """
    games = Ownership.objects.filter(owner=owner).order_by("record")
    pks = list(games.values_list("record", flat=True)[:BATCH])
    rows = lock_records(pks)
    ending = Ownership.objects.filter(owner=owner, record__in=pks)
    if withdraw:
        ending.delete()
    else:
        _make_anonymous(ending)
    update_records(rows, same_text=not withdraw)
    return len(pks)


def _make_anonymous(ownerships: QuerySet[Ownership]) -> None:
    """Remove the owner, merging with anonymous ownerships of the same games."""
    newest = Upload.objects.aggregate(newest=Max("pk"))["newest"] or 0
    hidden = ownerships.filter(visibility__lt=Visibility.UNLISTED)
    hidden.update(visibility=Visibility.WITHDRAWN, withdrawn_upload=newest)
    levels = dict(ownerships.values_list("record", "visibility"))
    anonymous = Ownership.objects.filter(owner=None, record__in=list(levels))
    for ownership in ownerships.filter(withdrawn_upload__gt=0):
        withdrawn = ownership.withdrawn_upload
        earlier = anonymous.filter(record=ownership.record_id, withdrawn_upload__lt=withdrawn)
        earlier.update(withdrawn_upload=withdrawn)
    anonymous_levels = dict(anonymous.values_list("record", "visibility"))
    for level in (Visibility.UNLISTED, Visibility.PUBLIC):
        lower = [pk for pk, before in anonymous_levels.items() if before < levels[pk] == level]
        anonymous.filter(record__in=lower).update(visibility=level)
    ownerships.filter(record__in=list(anonymous_levels)).delete()
    ownerships.update(owner=None, note="")


def lock_records(pks: Iterable[int]) -> list[Record]:
    """Return records without the large columns, locked in the order of the identities.

    Their copies are locked too, because another game of a group may count afterwards.
    """
    listed = set(pks)
    chosen = Record.objects.order_by().filter(pk__in=listed, first_deal__isnull=False)
    condition = Q(pk__in=listed) | candidates(chosen.values_list("first_deal", flat=True))
    locked = Record.objects.select_for_update(no_key=True).filter(condition)
    rows = locked.order_by("identity").defer("text", "verdict", "tags")
    return [row for row in rows if row.pk in listed]


def tidy() -> int:
    """Group recently stored games that are copies of each other; part of the sweep.

    Two workers that store copies simultaneously do not see each other's game. Return the number of
    games without a group that may have copies.
    """
    ungrouped = Record.objects.order_by().filter(copy_of=None, first_deal__isnull=False)
    twins = ungrouped.filter(first_deal=OuterRef("first_deal")).exclude(pk=OuterRef("pk"))
    recent = ungrouped.filter(created__gt=clock.now() - _GROUPED_LATER)
    pks = list(recent.filter(Exists(twins)).values_list("pk", flat=True)[:BATCH])
    if pks:
        with transaction.atomic():
            lock_records(pks)
            if regroup(pks):
                revisions.advance()
    return len(pks)


def update_records(
    records: Sequence[Record], *, same_text: bool = False, why: Gone = Gone.WITHDRAWN
) -> None:
    """Update the visibility, the text and the player counts of locked records.

    ``same_text`` states that all contributors to the texts still own the games. ``why`` is stored
    with records that become hidden.
    """
    count_records(follow(records, same_text=same_text, why=why))
    if records:
        revisions.advance(*(record.ruleset for record in records))


def follow(records: Sequence[Record], *, same_text: bool = False, why: Gone) -> dict[int, int]:
    """Like `update_records`, but the caller must apply the returned player counts."""
    pks = [record.pk for record in records]
    ownerships = Ownership.objects.order_by().filter(record__in=pks)
    levels = dict(ownerships.values_list("record").annotate(Max("visibility")))
    public_changes: dict[int, int] = {}
    changed_levels: dict[int, list[int]] = defaultdict(list)
    appeared: list[int] = []
    disappeared: list[int] = []
    single = sent_once(pks)
    for record in records:
        before, level = record.visibility, levels.get(record.pk, Visibility.WITHDRAWN)
        set_visibility(record, level)
        public_changes[record.pk] = (level == Visibility.PUBLIC) - (before == Visibility.PUBLIC)
        best = None
        is_same = record.pk in single or (same_text and level <= before)
        if level >= Visibility.UNLISTED and not is_same:
            best = text_for_all(record)
        if best is not None and best.game and (level > before or best.text != record.text):
            rewrite([(record, best)], write_players([best.game]))
        elif level != before:
            changed_levels[level].append(record.pk)
            if before < Visibility.UNLISTED <= level:
                appeared.append(record.pk)
            elif level < Visibility.UNLISTED <= before:
                disappeared.append(record.pk)
    now = clock.now()
    Record.objects.filter(pk__in=appeared).update(created=now, gone=None, gone_why="")
    Record.objects.filter(pk__in=disappeared).update(gone=now, gone_why=why)
    changed = {pk for level_pks in changed_levels.values() for pk in level_pks}
    for level, level_pks in changed_levels.items():
        Record.objects.filter(pk__in=level_pks).update(visibility=level, changed=now)
        Listing.objects.filter(pk__in=level_pks).update(visibility=level)
    change_log.mark(record for record in records if record.pk in changed)
    regroup(pks)
    return public_changes

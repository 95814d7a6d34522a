"""Who holds which game, and what follows for the record.

A game is stored once and may have many holders. The record is as visible as its most public
ownership, its text is one of those that were uploaded for so many eyes, and only public games count
for their players. Whoever writes an ownership of a record that was there before has the record
locked, records in the order of their identities; counts of players are last.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from django.db import transaction
from django.db.models import Count, F, Max, QuerySet
from django.utils import timezone

from kafu.importers import read_piece
from kafu.judging.verify import Verification, verify
from kafu.notation.reading.reader import read
from kafu.notation.words import with_words_of
from kafu.notation.writer import write
from kafu.rules.verdict import STATUSES
from records.models import (
    Job,
    Listing,
    Ownership,
    Player,
    Record,
    Seat,
    Submission,
    Upload,
    Visibility,
)
from records.privacy.access import held_by
from records.store import revisions
from records.totals.sums_of_games import Totals

BATCH: Final = 500


def hold_new(upload: Upload, records: Iterable[int]) -> None:
    """Ownerships of records that this transaction brought."""
    now = timezone.now()
    Ownership.objects.bulk_create(
        (
            Ownership(
                owner_id=upload.owner_id, record_id=pk, visibility=upload.visibility, created=now
            )
            for pk in records
        ),
        batch_size=BATCH,
    )


def hold_known(upload: Upload, records: Sequence[int]) -> dict[int, int]:
    """Ownerships of records that were there and are locked.

    Returns for how many eyes the upload's text of each is. The more public of two uploads counts,
    in whatever order they are worked on; a decision of the holder's own counts for all uploads
    before it.
    """
    held = Ownership.objects.filter(owner=upload.owner_id, record__in=records)
    before = {one.record_id: one for one in held.defer("note")}
    hold_new(upload, [pk for pk in records if pk not in before])
    raised = [
        one.pk
        for one in before.values()
        if upload.pk > one.decided_upload and upload.visibility > one.visibility
    ]
    Ownership.objects.filter(pk__in=raised).update(visibility=upload.visibility)
    decided = {pk: one.visibility for pk, one in before.items() if upload.pk <= one.decided_upload}
    return dict.fromkeys(records, upload.visibility) | decided


def decide(*, owner: int, records: Collection[int], visibility: int) -> int:
    """A holder says who may see these games; returns how many he holds among them.

    `Visibility.WITHDRAWN` takes them back: a game that nobody else holds is then shown to no one.
    What is withdrawn stays so until it is sent again.
    """
    with transaction.atomic():
        mine = held_by(owner).filter(record__in=records)
        rows = _locked(mine.values_list("record", flat=True))
        # What is still being worked on, an upload or its change, is older than the decision.
        newest = Upload.objects.aggregate(newest=Max("pk"))["newest"] or 0
        decided_change = Job.objects.aggregate(newest=Max("pk"))["newest"] or 0
        said = {
            "visibility": visibility,
            "decided_upload": newest,
            "decided_change": decided_change,
        }
        mine.update(**said, **_taken_back(visibility, newest))
        follow(rows)
    return len(rows)


def follow_change(change: Job, records: Collection[int]) -> None:
    """Make games of a changed upload as visible as it, or as later uploads of them are.

    ``change`` is the job of `records.store.visibility`. To be called within a transaction.
    """
    upload, newest = change.upload, change.params["newest"]
    assert upload is not None
    mine = to_follow(change).filter(record__in=records)
    rows = _locked(mine.values_list("record", flat=True))
    later = Submission.objects.order_by().filter(
        upload__owner=upload.owner_id, upload__gt=newest, record__in=[one.pk for one in rows]
    )
    again = dict(later.values_list("record").annotate(Max("upload__visibility")))
    for level in Visibility:
        pks = [one.pk for one in rows if max(upload.visibility, again.get(one.pk, 0)) == level]
        told = mine.filter(record__in=pks)
        said = {"visibility": level, "decided_upload": newest, "decided_change": change.pk}
        told.update(**said, **_taken_back(level, newest))
    follow(rows)


def to_follow(change: Job) -> QuerySet[Ownership]:
    """The uploader's ownerships of any games, as far as he has not decided about them since."""
    assert change.upload is not None and change.upload.owner_id is not None
    return held_by(change.upload.owner_id).filter(decided_change__lt=change.pk)


def _taken_back(visibility: int, newest: int) -> dict[str, int]:
    """What a decision says beside of uploads up to the newest one."""
    return {"withdrawn_upload": newest} if visibility == Visibility.WITHDRAWN else {}


def take_down(records: Collection[int]) -> None:
    """The staff takes games out of the archive, whoever holds them; a later upload holds anew."""
    with transaction.atomic():
        rows = _locked(records)
        newest = Upload.objects.aggregate(newest=Max("pk"))["newest"] or 0
        held = Ownership.objects.filter(record__in=records)
        held.update(visibility=Visibility.WITHDRAWN, decided_upload=newest, withdrawn_upload=newest)
        follow(rows)


def give_up(owner: int, *, withdraw: bool) -> int:
    """Some of a holder's games as they are when his account is gone; returns how many, 0: no more.

    ``withdraw`` takes all of them back; else the public and unlisted ones stay as nobody's, and the
    private ones are taken back, as nobody could see them any more. Within a transaction.
    """
    held = Ownership.objects.filter(owner=owner).order_by("record")
    pks = list(held.values_list("record", flat=True)[:BATCH])
    rows = _locked(pks)
    mine = Ownership.objects.filter(owner=owner, record__in=pks)
    if withdraw:
        mine.delete()
    else:
        _give_up(mine)
    follow(rows, same_text=not withdraw)
    return len(pks)


def _give_up(mine: QuerySet[Ownership]) -> None:
    """Ownerships go over to nobody, who may have some of the games already."""
    newest = Upload.objects.aggregate(newest=Max("pk"))["newest"] or 0
    hidden = mine.filter(visibility__lt=Visibility.UNLISTED)
    hidden.update(visibility=Visibility.WITHDRAWN, withdrawn_upload=newest)
    levels = dict(mine.values_list("record", "visibility"))
    nobodys = Ownership.objects.filter(owner=None, record__in=list(levels))
    for one in mine.filter(withdrawn_upload__gt=0):
        nobodys.filter(record=one.record_id, withdrawn_upload__lt=one.withdrawn_upload).update(
            withdrawn_upload=one.withdrawn_upload
        )
    had = dict(nobodys.values_list("record", "visibility"))
    for level in (Visibility.UNLISTED, Visibility.PUBLIC):
        lower = [pk for pk, now in had.items() if now < levels[pk] == level]
        nobodys.filter(record__in=lower).update(visibility=level)
    mine.filter(record__in=list(had)).delete()
    mine.update(owner=None, note="")


def _locked(pks: Iterable[int]) -> list[Record]:
    """Records, locked in the order of their identities; without what is large."""
    locked = Record.objects.select_for_update(no_key=True).filter(pk__in=list(pks))
    return list(locked.order_by("identity").defer("text", "verdict", "tags"))


def follow(records: Sequence[Record], *, same_text: bool = False) -> None:
    """Make locked records as visible as their ownerships, with a text of those that are so.

    ``same_text``: no holder who had a part in the text has gone.
    """
    from records.store.rows import write_players
    from records.store.storing import rewrite, show_to

    totals = Totals()
    rows = Ownership.objects.order_by().filter(record__in=[record.pk for record in records])
    levels = dict(rows.values_list("record").annotate(Max("visibility")))
    public: Counter[int] = Counter()
    moved: dict[int, list[int]] = defaultdict(list)
    fresh: list[int] = []
    single = _of_one_text(records)
    for record in records:
        before, now = record.visibility, levels.get(record.pk, Visibility.WITHDRAWN)
        show_to(record, now)
        public[record.pk] = (now == Visibility.PUBLIC) - (before == Visibility.PUBLIC)
        best = None
        is_same = record.pk in single or (same_text and now <= before)
        if now >= Visibility.UNLISTED and not is_same:
            best = _text_for(record)
        if best is not None and (now > before or best.text != record.text):
            rewrite([(record, best)], write_players([best]), totals)
        elif now != before:
            moved[now].append(record.pk)
            if before < Visibility.UNLISTED <= now:
                fresh.append(record.pk)
    Record.objects.filter(pk__in=fresh).update(created=timezone.now())
    for level, pks in moved.items():
        Record.objects.filter(pk__in=pks).update(visibility=level, changed=timezone.now())
        Listing.objects.filter(pk__in=pks).update(visibility=level)
        totals.show(pks, counted=level == Visibility.PUBLIC)
    _count(public)
    totals.close()
    revisions.advance()


def _of_one_text(records: Iterable[Record]) -> set[int]:
    """Those of the records that came in once: there is no other text to be shown of them."""
    there = Submission.objects.order_by().filter(record__in=[record.pk for record in records])
    found = there.values_list("record").annotate(count=Count("pk")).filter(count=1)
    return {pk for pk, _count in found if pk is not None}


def _count(public: Counter[int]) -> None:
    """Add games that became public to the counts of their players, take away those that ceased."""
    changed = [pk for pk, by in public.items() if by]
    more: dict[int, int] = defaultdict(int)
    seats = Seat.objects.order_by().filter(record__in=changed)
    for record, player in seats.values_list("record", "player").distinct():
        more[player] += public[record]
    pks = sorted(pk for pk, by in more.items() if by)
    list(Player.objects.select_for_update(no_key=True).filter(pk__in=pks).order_by("pk"))
    alike: dict[int, list[int]] = defaultdict(list)
    for pk in pks:
        alike[more[pk]].append(pk)
    for by, same in alike.items():
        Player.objects.filter(pk__in=same).update(games=F("games") + by)


def _text_for(record: Record) -> Verification | None:
    """What a record is to say, of the texts of its most public holders; None where none is left.

    The moves and claims are those of the best text, the words those of the first holder.
    """
    holders = Ownership.objects.filter(record=record, visibility=record.visibility)
    since: dict[int | None, int] = dict(holders.values_list("owner", "withdrawn_upload"))
    there = Submission.objects.filter(record=record).select_related("upload", "file")
    shown = [
        one
        for one in there.order_by("pk")
        if one.upload_id > since.get(one.upload.owner_id, one.upload_id)
    ]
    if not shown:
        return None
    first = min(shown, key=lambda one: (-min(one.upload.visibility, record.visibility), one.pk))
    # Whoever has no account is not known to be the first once more.
    whose = first.upload.owner_id
    words = [one for one in shown if one.upload.owner_id == whose] if whose else [first]
    said = _best(words, record.visibility)
    best = _best(shown, record.visibility)
    if best is None or said is None or best.verdict.status == said.verdict.status:
        return said
    return in_words_of(best, said.text) or said


def words_of_others(upload: Upload, records: Collection[int]) -> dict[int, str]:
    """The texts of those of the records in which the words are another sender's than an upload's.

    They are those of the most public holders. Who has no account is always another.
    """
    held = Ownership.objects.filter(record__in=records, visibility=F("record__visibility"))
    sent = Submission.objects.order_by().filter(record__in=records)
    if upload.owner_id is not None:
        held, sent = (
            held.exclude(owner=upload.owner_id),
            sent.exclude(upload__owner=upload.owner_id),
        )
    newest = sent.values_list("record", "upload__owner").annotate(newest=Max("upload"))
    last = {(pk, owner): upload_pk for pk, owner, upload_pk in newest}
    rows = Record.objects.filter(
        pk__in=[
            pk
            for pk, owner, withdrawn_upload in held.values_list(
                "record", "owner", "withdrawn_upload"
            )
            if last.get((pk, owner), 0) > withdrawn_upload
        ]
    )
    return dict(rows.values_list("pk", "text"))


def in_words_of(found: Verification, text: str) -> Verification | None:
    """A verified game with the comments and tags of another text of it; None where it would not be
    the same game any more, or get another verdict.
    """
    words = read(text).game
    assert found.game is not None and words is not None, "canonical text reads"
    again = verify(read(write(with_words_of(found.game, words))))
    mine, its = found.verdict, again.verdict
    same = (mine.identity, mine.status) == (its.identity, its.status)
    return again if same else None


def text_of(record: Record, held: Ownership) -> Verification | None:
    """The best text of a record among those that its holder uploaded; None where none is left."""
    mine = Submission.objects.filter(record=record, upload__owner=held.owner_id)
    mine = mine.filter(upload__gt=held.withdrawn_upload)
    return _best(list(mine.select_related("upload", "file").order_by("pk")), Visibility.PRIVATE)


def others_too(records: Collection[int], owner: int) -> set[int]:
    """Those of the records that anybody else handed in."""
    sent = Submission.objects.order_by().filter(record__in=records).exclude(upload__owner=owner)
    return {pk for pk in sent.values_list("record_id", flat=True).distinct() if pk is not None}


def _best(submissions: Sequence[Submission], level: int) -> Verification | None:
    """The text whose upload was for most eyes, up to so many, with the best verdict, the first."""
    from records.intake.judging import piece_of

    if not submissions:
        return None
    best = min(
        submissions,
        key=lambda one: (
            -min(one.upload.visibility, level),
            STATUSES.index(one.status),
            one.pk,
        ),
    )
    found = verify(read_piece(piece_of(best)))
    return found if found.game is not None else None

"""Writing judged games: submissions, records with their parts, the chunk's ``done``, all at once.

Rules of the archive:

- A game is stored once, by identity. A submission of a game that is there already links to it and
  is a ``duplicate``.
- Identity leaves claims, comments and most tags out, so that two texts of one game can differ in
  their verdict. The record holds the better one (verified, consistent, unfinished, mismatch,
  unsupported, illegal, in this order): a later submission with a better status replaces the
  record's text, tags, verdict and parts. Key and creation stay. Among equals the first stays.
- A better verdict gives nobody the last word: where another sender's comments and tags stand in the
  record they stay, and only moves and claims are the better text's.
- Comments and tags of a text are for those for whom it was uploaded: what a record shows comes from
  its most public ownerships (`records.store.ownership`). A more public text takes a record over
  whatever their verdicts, a less public one never. For the same reason a game is no duplicate of
  one that its sender cannot see.
- A piece that cannot be read has no record, only its submission.

Two workers may store the same games at the same moment. Each inserts players, then records, both in
sorted order and ignoring those that are there; one waits for the other at the first game they
share, so they cannot lock each other out. Only afterwards does each lock the records that were
there, again in sorted order, and take over those that it can better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from kafu.judging.verify import Verification
from kafu.rules.verdict import STATUSES
from records.base.keys import record_key
from records.intake import quotas
from records.intake.judging import Found
from records.intake.stopping import look
from records.models import Chunk, Deal, Job, Listing, Record, Seat, Submission, Upload, Visibility
from records.store import revisions
from records.store.ownership import hold_known, hold_new, in_words_of, words_of_others
from records.store.rows import count_games, fill, stored, write_parts, write_players
from records.totals.sums_of_games import Totals
from records.work.ledger import finish, hold

#: Warnings kept with a submission; a text may give one for every line.
MAX_WARNINGS: Final = 20
#: Bytes of the identity in a key: the short form, and what is taken where it is another game's.
KEY_SIZES: Final = (8, 16, 32)
BATCH: Final = 500


def store(job: Job, found: Sequence[Found]) -> None:
    """Write a leased chunk: what was found, its counters and its ``done``, in one transaction.

    Raises :class:`records.work.ledger.LeaseLost`, having written nothing, where the lease is
    another's.
    """
    games = best_of(found)
    totals = Totals()
    with transaction.atomic():
        held = hold(job)
        chunk = Chunk.objects.get(pk=held.pk)
        upload = Upload.objects.get(pk=chunk.upload_id)
        players = write_players(in_order(found, games))
        new = insert(chunk, games, upload.visibility)
        write_parts([(record, games[record.identity]) for record in new.values()], players, totals)
        hold_new(upload, [record.pk for record in new.values()])
        there = {i: v for i, v in games.items() if i not in new}
        known, first, published = take_over(chunk, upload, there, players, totals)
        records = {identity: record.pk for identity, record in new.items()} | known
        submissions = list(_submissions(chunk, found, records, first.union(new)))
        Submission.objects.bulk_create(submissions, batch_size=BATCH)
        for status, count in Counter(s.status for s in submissions).items():
            setattr(chunk, status, count)
        chunk.duplicates = sum(submission.duplicate for submission in submissions)
        chunk.games = len(submissions)
        chunk.save()
        finish(held)
        if upload.visibility == Visibility.PUBLIC:
            published |= set(new)
        count_games((games[identity] for identity in published), players)
        totals.close()
        revisions.advance()
        quotas.add(upload, quotas.MALFORMED, chunk.malformed)
    if chunk.malformed:
        look(chunk)


def better(status: str, than: str) -> bool:
    """Whether a verdict is better: ``better("verified", than="mismatch")`` is True."""
    return STATUSES.index(status) < STATUSES.index(than)


def best_of(found: Iterable[Found]) -> dict[str, Verification]:
    """The games among what was found, by identity in sorted order, each with its best verdict."""
    best: dict[str, Verification] = {}
    for verification in (one.verification for one in found):
        identity = verification.verdict.identity
        if verification.game is None or identity is None:
            continue
        known = best.get(identity)
        if known is None or better(verification.verdict.status, known.verdict.status):
            best[identity] = verification
    return dict(sorted(best.items()))


def in_order(found: Iterable[Found], games: Mapping[str, Verification]) -> Iterator[Verification]:
    """The games of `best_of` as they stood in the file: the first spelling of a name is shown."""
    ours = {id(verification) for verification in games.values()}
    return (one.verification for one in found if id(one.verification) in ours)


def insert(chunk: Chunk, games: Mapping[str, Verification], visibility: int) -> dict[str, Record]:
    """Insert the games that the archive lacks; returns those that this chunk brought."""
    rows: dict[str, Record] = {}
    now = timezone.now()
    missing = dict(games)
    for size in KEY_SIZES:
        known = _known(missing)
        missing = {i: v for i, v in missing.items() if i not in known}
        if not missing:
            break
        for identity, verification in missing.items():
            row = rows[identity] = Record(
                identity=identity,
                key=record_key(identity, size),
                first_chunk=chunk,
                visibility=visibility,
                created=now,
                changed=now,
            )
            fill(row, verification)
        Record.objects.bulk_create(
            [rows[identity] for identity in missing], ignore_conflicts=True, batch_size=BATCH
        )
    ours = Record.objects.filter(identity__in=list(rows), first_chunk=chunk)
    for identity, pk in ours.values_list("identity", "pk"):
        rows[identity].pk = pk
    return {identity: row for identity, row in rows.items() if row.pk is not None}


def _known(games: Mapping[str, Any]) -> dict[str, int]:
    """Identity to primary key, of those games that the archive has."""
    return dict(
        Record.objects.order_by().filter(identity__in=list(games)).values_list("identity", "pk")
    )


def take_over(
    chunk: Chunk,
    upload: Upload,
    games: Mapping[str, Verification],
    players: Mapping[str, int],
    totals: Totals,
) -> tuple[dict[str, int], set[str], set[str]]:
    """Hold the records that were there already, and give them the better or more public text.

    Returns primary keys by identity; the identities of those that are none for the sender before
    this, hence no duplicates; and of those that become public. Among the former are the bare ones:
    without a submission, while the archive is built anew (`records.operations.rebuild`). Such a
    record becomes what this text says, and this chunk's.
    """
    locked = Record.objects.select_for_update(no_key=True).filter(identity__in=list(games))
    rows = {
        record.identity: record
        for record in locked.order_by("identity").defer("text", "verdict", "tags")
    }
    known = {identity: record.pk for identity, record in rows.items()}
    if not known:
        return known, set(), set()
    held = hold_known(upload, list(known.values()))
    # Asked now that they are ours: another worker may just have brought the first.
    lone = [record.pk for record in rows.values() if record.first_chunk_id is None]
    seen = set(
        Submission.objects.order_by().filter(record__in=lone).values_list("record_id", flat=True)
    )
    before = _seen_before(upload, rows.values())
    first, published, changed = set(), set(), []
    bettered: list[int] = []
    for identity, record in rows.items():
        verification, level = games[identity], held[record.pk]
        is_bare = record.first_chunk_id is None and record.pk not in seen
        if is_bare or record.pk not in before:
            first.add(identity)
        if level > record.visibility:
            if level == Visibility.PUBLIC:
                published.add(identity)
            show_to(record, level)
        elif level < record.visibility or not (
            is_bare or better(verification.verdict.status, record.status)
        ):
            continue
        elif not is_bare:
            bettered.append(record.pk)
        if is_bare:
            record.first_chunk = chunk
        changed.append((record, verification))
    rewrite(list(_in_first_words(upload, changed, bettered)), players, totals)
    return known, first, published


def _in_first_words(
    upload: Upload, changed: Iterable[tuple[Record, Verification]], bettered: Collection[int]
) -> Iterator[tuple[Record, Verification]]:
    """The same games; those that are only ``bettered`` keep their words, if they are another's."""
    words = words_of_others(upload, bettered) if bettered else {}
    for record, verification in changed:
        told: Verification | None = verification
        if record.pk in words:
            told = in_words_of(verification, words[record.pk])
        if told is not None:
            yield record, told


def show_to(record: Record, level: int) -> None:
    """Set how visible a locked record is, unsaved. Whoever sees it only now sees it come in now."""
    if record.visibility < Visibility.UNLISTED <= level:
        record.created = timezone.now()
    record.visibility = level


def _seen_before(upload: Upload, records: Iterable[Record]) -> set[int]:
    """Those of the records that the sender of an upload could know of, by primary key."""
    rows = {record.pk: record for record in records}
    there = Submission.objects.order_by().filter(record__in=list(rows))
    # Compared as uploads are, not as records stand now: built anew it comes out the same.
    shown = there.filter(upload__visibility__gte=Visibility.UNLISTED)
    before = {
        pk
        for pk in shown.values_list("record_id", flat=True)
        if rows[pk].visibility >= Visibility.UNLISTED
    }
    if upload.owner_id is not None:
        before |= set(
            there.filter(upload__owner=upload.owner_id).values_list("record_id", flat=True)
        )
    return before


def rewrite(
    games: Sequence[tuple[Record, Verification]], players: Mapping[str, int], totals: Totals
) -> None:
    """Replace what locked records say by other verifications of the same games."""
    pks = [record.pk for record, _ in games]
    totals.drop(pks)
    for record, verification in games:
        fill(record, verification)
        record.changed = timezone.now()
        record.save()
    for model in (Listing, Seat, Deal):
        model._default_manager.filter(record__in=pks).delete()
    write_parts(games, players, totals)
    revisions.advance()


def _submissions(
    chunk: Chunk, found: Iterable[Found], records: Mapping[str, int], new: set[str]
) -> Iterable[Submission]:
    """One row for each piece. The first text of a game that this chunk brought is no duplicate."""
    for one in found:
        verdict = one.verification.verdict
        form = stored(verdict)
        identity = verdict.identity if one.verification.game is not None else None
        duplicate = identity is not None and identity not in new
        if identity is not None:
            new.discard(identity)
        yield Submission(
            upload_id=chunk.upload_id,
            chunk=chunk,
            file_id=chunk.file_id,
            number=one.number,
            line=one.line,
            offset=one.offset,
            length=one.length,
            encoding=one.encoding,
            status=verdict.status,
            error=form["error"],
            mismatches=form["mismatches"],
            warnings=form["warnings"][:MAX_WARNINGS],
            record_id=records[identity] if identity is not None else None,
            duplicate=duplicate,
        )

"""Writing judged games: submissions, records with their parts, the chunk's ``done``, all at once.

Rules of the archive:

- A game is stored once, by identity. A submission of a game that is there already links to it and
  is a ``duplicate``.
- Identity leaves claims, comments and most tags out, so that two texts of one game can differ in
  their verdict. The record holds the better one (verified, consistent, unfinished, mismatch,
  unsupported, illegal, in this order): a later submission with a better status replaces the
  record's text, tags, verdict and parts. Key and creation stay. Among equals the first stays.
- A piece that cannot be read has no record, only its submission.

Two workers may store the same games at the same moment. Each inserts players, then records, both in
sorted order and ignoring those that are there; one waits for the other at the first game they
share, so they cannot lock each other out. Only afterwards does each take over records that it
can better, again in sorted order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from records.engine.verdict import STATUSES
from records.engine.verify import Verification
from records.ingest import Found
from records.keys import record_key
from records.leases import finish, hold
from records.models import Chunk, Record, Submission
from records.rows import fill, stored, write_parts, write_players

#: Warnings kept with a submission; a text may give one for every line.
MAX_WARNINGS: Final = 20
#: Bytes of the identity in a key: the short form, and what is taken where it is another game's.
KEY_SIZES: Final = (8, 16, 32)
BATCH: Final = 500


def store(pk: int, owner: str, found: Sequence[Found]) -> None:
    """Write a leased chunk: what was found, its counters and its ``done``, in one transaction.

    Raises :class:`records.leases.LeaseLost`, having written nothing, where the lease is another's.
    """
    games = best_of(found)
    with transaction.atomic():
        chunk = hold(Chunk, pk, owner)
        players = write_players(games.values())
        new = insert(chunk, games)
        write_parts([(record, games[record.identity]) for record in new.values()], players)
        known = take_over({i: v for i, v in games.items() if i not in new})
        records = {identity: record.pk for identity, record in new.items()} | known
        submissions = list(_submissions(chunk, found, records, set(new)))
        Submission.objects.bulk_create(submissions, batch_size=BATCH)
        for status, count in Counter(s.status for s in submissions).items():
            setattr(chunk, status, count)
        chunk.duplicates = sum(submission.duplicate for submission in submissions)
        chunk.games = len(submissions)
        finish(chunk)


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


def insert(chunk: Chunk, games: Mapping[str, Verification]) -> dict[str, Record]:
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


def take_over(games: Mapping[str, Verification]) -> dict[str, int]:
    """Give records that were there already the better text; returns primary keys by identity."""
    known: dict[str, int] = {}
    worse = []
    there = Record.objects.order_by().filter(identity__in=list(games))
    for identity, pk, status in there.values_list("identity", "pk", "status"):
        known[identity] = pk
        if better(games[identity].verdict.status, status):
            worse.append(pk)
    locked = Record.objects.select_for_update(no_key=True).filter(pk__in=worse).order_by("identity")
    for record in locked:
        if better(games[record.identity].verdict.status, record.status):
            rewrite(record, games[record.identity])
    return known


def rewrite(record: Record, verification: Verification) -> None:
    """Replace what a locked record says by another verification of the same game."""
    fill(record, verification)
    record.changed = timezone.now()
    record.save()
    record.seats.all().delete()
    record.deals.all().delete()
    write_parts([(record, verification)], write_players([verification]))


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

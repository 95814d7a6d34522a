"""Judged games become rows: submissions, records with their parts, and the counts of their chunk.

In: a locked chunk, and what judging found of its pieces (`records.store.judged`); nothing is read
or replayed here. Out: rows, as a part of the transaction that ends the chunk.

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
- A game of an upload that replaces another takes its place (`records.store.replacing`).

Two workers may store the same games at the same moment. Each inserts players, then records, both in
sorted order and ignoring those that are there; one waits for the other at the first game they
share, so they cannot lock each other out. Only afterwards does each lock the records that were
there, again in sorted order, and replace the text of those that it can better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import msgspec
from django.db.models import Q
from django.utils import timezone

from kafu.judging.verify import Verification
from kafu.notation.game import Game
from kafu.rules.verdict import STATUSES
from records.base.bulk import columns_of, insert_new, insert_rows, values_of
from records.base.keys import player_key, record_key
from records.facts.rows import is_counted
from records.facts.storing import FactGame, store_facts
from records.models import Chunk, GameChange, Record, Submission, Upload, Visibility
from records.privacy import revisions
from records.store import changes
from records.store.judged import JudgedGame
from records.store.ownership import add_ownerships, join_ownerships
from records.store.players import count_games, write_players
from records.store.replacing import take_place, visible_since
from records.store.rows import faults, fill, rewrite, set_visibility, write_parts
from records.store.texts import in_words_of, words_of_others

#: Warnings kept with a submission; a text may give one for every line.
MAX_WARNINGS: Final = 20
#: Bytes of the identity in a key: the short form, and what is taken where it is another game's.
KEY_SIZES: Final = (8, 16, 32)
_SUBMISSION: Final = (
    *("upload_id", "chunk_id", "file_id", "number", "line", "status"),
    *("error", "mismatches", "warnings", "record_id", "duplicate"),
)


@dataclass(frozen=True, slots=True)
class KnownGame:
    """A game of an upload that the archive had already.

    ``record`` is locked; ``found`` is the upload's text of it, meant for viewers of ``level``.
    ``is_bare``: the record has no submission yet, while the archive is rebuilt
    (`records.operations.rebuild`), and becomes what this text says. ``is_new_to_sender``: the
    sender could not know that it was there, so the submission is no duplicate.
    """

    record: Record
    found: Verification
    level: int
    is_bare: bool
    is_new_to_sender: bool

    @property
    def is_more_public(self) -> bool:
        """Whether the upload's text is for more viewers than the record's is."""
        return self.level > self.record.visibility

    @property
    def is_better(self) -> bool:
        """Whether it is for the same viewers, and has the better verdict."""
        is_better = better(self.found.verdict.status, self.record.status)
        return self.level == self.record.visibility and is_better and not self.is_bare

    @property
    def takes_over(self) -> bool:
        """Whether the record is to show the upload's text."""
        is_first = self.is_bare and self.level == self.record.visibility
        return self.is_more_public or self.is_better or is_first


class LockedGames(NamedTuple):
    """Records that were there before, locked: the games that are stored again, and the one whose
    place is to be taken (which may be among them).
    """

    games: list[KnownGame]
    former: Record | None
    #: Of ``former``: the result of `records.store.replacing.visible_since`.
    former_since: int


def write(chunk: Chunk, judged: Sequence[JudgedGame]) -> None:
    """Part of the transaction that ends a locked chunk: write what judging found of its pieces.

    Sets the chunk's counters, unsaved.
    """
    upload = Upload.objects.get(pk=chunk.upload_id)
    if upload.replaces:
        # `take_place` writes it. Uploads are locked before records, as `take_down` does too.
        upload = Upload.objects.select_for_update(no_key=True).get(pk=upload.pk)
    games = best_of(judged)
    players = write_players(in_order(judged, games))
    rows = {id(game.found): game.rows for game in judged}
    has_facts = upload.visibility == Visibility.PUBLIC and all(
        rows[id(found)] is not None for found in games.values() if is_counted(found)
    )
    new = insert(chunk, games, upload.visibility, has_facts=has_facts)
    write_parts([(record, games[record.identity]) for record in new.values()], players)
    if has_facts:
        store_facts(
            FactGame(
                record,
                [players[player_key(name)] for name in players_of(games[record.identity])],
                rows[id(games[record.identity])],
            )
            for record in new.values()
        )
    add_ownerships(upload, [record.pk for record in new.values()])
    locked = lock_known(upload, {i: found for i, found in games.items() if i not in new})
    known = locked.games
    public = [one.found for one in known if one.is_more_public and one.level == Visibility.PUBLIC]
    if upload.visibility == Visibility.PUBLIC:
        public += [games[identity] for identity in new]
    if known:
        rewrite(take_over(chunk, upload, known), players)

    records = [*new.values(), *(one.record for one in known)]
    first = {*new, *(one.record.identity for one in known if one.is_new_to_sender)}
    pks = {record.identity: record.pk for record in records}
    insert_rows(Submission, _SUBMISSION, _submissions(chunk, judged, pks, first))
    for status, count in Counter(one.sent.status for one in judged).items():
        setattr(chunk, status, count)
    # The first text of a game that is ``first`` is no duplicate.
    chunk.duplicates = sum(one.identity is not None for one in judged) - len(first)
    chunk.games = len(judged)
    changes: dict[int, int] = {}
    if locked.former is not None and len(records) == 1:
        changes = take_place(upload, locked.former, locked.former_since, records[0])
    count_games((found.game for found in public if found.game is not None), players, changes)
    revisions.advance()


def better(status: str, than: str) -> bool:
    """Whether a verdict is better: ``better("verified", than="mismatch")`` is True."""
    return STATUSES.index(status) < STATUSES.index(than)


def best_of(judged: Iterable[JudgedGame]) -> dict[str, Verification]:
    """The games among what was judged, by identity in sorted order, each with its best verdict."""
    best: dict[str, Verification] = {}
    for one in judged:
        if one.identity is None:
            continue
        known = best.get(one.identity)
        if known is None or better(one.found.verdict.status, known.verdict.status):
            best[one.identity] = one.found
    return dict(sorted(best.items()))


def in_order(judged: Iterable[JudgedGame], games: Mapping[str, Verification]) -> Iterator[Game]:
    """The games of `best_of` as they stood in the file: the first spelling of a name is shown."""
    ours = {id(found) for found in games.values()}
    for one in judged:
        if one.found.game is not None and id(one.found) in ours:
            yield one.found.game


def players_of(verification: Verification) -> tuple[str, ...]:
    """Return the names of the players of a game that was read."""
    assert verification.game is not None
    return tuple(verification.game.players)


def insert(
    chunk: Chunk, games: Mapping[str, Verification], visibility: int, *, has_facts: bool
) -> dict[str, Record]:
    """Insert the games that the archive lacks and return the records that this chunk brought.

    ``has_facts``: the caller writes their facts in the same transaction.
    """
    new: dict[str, Record] = {}
    now = timezone.now()
    change: GameChange | None = None
    missing = dict(games)
    for size in KEY_SIZES:
        known = _known(missing)
        rows: dict[str, Record] = {}
        if change is None and visibility == Visibility.PUBLIC and len(known) < len(missing):
            change = changes.begin()
        for identity, verification in missing.items():
            if identity not in known:
                row = rows[identity] = Record(
                    identity=identity,
                    key=record_key(identity, size),
                    first_chunk=chunk,
                    visibility=visibility,
                    created=now,
                    changed=now,
                    change=change,
                    facts=0 if has_facts else -1,
                )
                fill(row, verification)
        values = values_of(rows.values())
        for identity, pk in insert_new(Record, columns_of(Record), values, "identity").items():
            new[identity] = rows[identity]
            new[identity].pk = pk
        missing = {identity: games[identity] for identity in rows if identity not in new}
        if not missing:
            break
    return dict(sorted(new.items()))


def _known(games: Mapping[str, Any]) -> dict[str, int]:
    """Identity to primary key, of those games that the archive has."""
    return dict(
        Record.objects.order_by().filter(identity__in=list(games)).values_list("identity", "pk")
    )


def lock_known(upload: Upload, games: Mapping[str, Verification]) -> LockedGames:
    """The records of these games that were there already, locked, and the sender's too now; and
    the one that the upload replaces.
    """
    wanted = Q(identity__in=list(games))
    if upload.replaces:
        wanted |= Q(key=upload.replaces)
    locked = Record.objects.select_for_update(no_key=True).filter(wanted)
    rows = list(locked.order_by("identity").defer("text", "verdict", "tags"))
    former = next((row for row in rows if row.key == upload.replaces), None)
    since = visible_since(upload, former) if former is not None else upload.pk
    records = [row for row in rows if row.identity in games]
    levels = join_ownerships(upload, [record.pk for record in records])
    # Asked now that they are ours: another worker may just have brought the first.
    bare = _without_submission(records)
    known_before = _known_to_sender(upload, records)
    found = [
        KnownGame(
            record,
            games[record.identity],
            levels[record.pk],
            is_bare=record.pk in bare,
            is_new_to_sender=record.pk in bare or record.pk not in known_before,
        )
        for record in records
    ]
    return LockedGames(found, former, since)


def _without_submission(records: Iterable[Record]) -> set[int]:
    lone = {record.pk for record in records if record.first_chunk_id is None}
    there = Submission.objects.order_by().filter(record__in=lone)
    return lone - set(there.values_list("record_id", flat=True))


def _known_to_sender(upload: Upload, records: Iterable[Record]) -> set[int]:
    """Those of the records that the sender of an upload could know of, by primary key."""
    rows = {record.pk: record for record in records}
    there = Submission.objects.order_by().filter(record__in=list(rows))
    # Compared as uploads are, not as records stand now: rebuilt it comes out the same.
    shown = there.filter(upload__visibility__gte=Visibility.UNLISTED)
    known = {
        pk
        for pk in shown.values_list("record_id", flat=True)
        if rows[pk].visibility >= Visibility.UNLISTED
    }
    if upload.owner_id is not None:
        own = there.filter(upload__owner=upload.owner_id)
        known |= set(own.values_list("record_id", flat=True))
    return known


def take_over(
    chunk: Chunk, upload: Upload, known: Iterable[KnownGame]
) -> list[tuple[Record, Verification]]:
    """The records that are to be rewritten, with the text that each shows from now on.

    Where the upload's text is only better, another sender's comments and tags stay.
    """
    changed = [one for one in known if one.takes_over]
    words = words_of_others(upload, [one.record.pk for one in changed if one.is_better])
    texts = []
    for one in changed:
        found: Verification | None = one.found
        if one.record.pk in words:
            found = in_words_of(one.found, words[one.record.pk])
        if one.is_bare:
            one.record.first_chunk = chunk
        if one.is_more_public:
            set_visibility(one.record, one.level)
        if found is not None:
            texts.append((one.record, found))
    return texts


def _submissions(
    chunk: Chunk, judged: Iterable[JudgedGame], records: Mapping[str, int], first: Iterable[str]
) -> Iterator[tuple[Any, ...]]:
    """The values of `_SUBMISSION`, one row for each piece."""
    of_chunk = chunk.upload_id, chunk.pk, chunk.file_id
    rest = set(first)
    for one in judged:
        is_duplicate = one.identity is not None and one.identity not in rest
        if one.identity is not None:
            rest.discard(one.identity)
        record = records[one.identity] if one.identity is not None else None
        error, mismatches, warnings = faults(one.sent, MAX_WARNINGS)
        yield (
            *(*of_chunk, one.number, one.line, one.sent.status),
            *(error and _json(error), _json(mismatches), _json(warnings)),
            *(record, is_duplicate),
        )


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()

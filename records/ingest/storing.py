"""Storage of the judged games of a chunk: submissions, records, parts of records and facts.

The rows are written in the transaction that ends the chunk. Nothing is read or replayed here.

Rules of the archive:

- A game is stored once, by identity. A submission of an existing game is a ``duplicate`` and links
  to the existing record.
- Claims, comments and most tags are not part of the identity; two texts of a game can have
  different verdicts. The record shows the text with the better status (in order: verified,
  consistent, unfinished, mismatch, unsupported, illegal), the first of equal texts. Key and time of
  creation stay.
- If only the verdict is better, the record keeps the comments and tags of the earlier sender and
  takes moves and claims from the better text. Empty tags are filled (`records.ingest.tags`).
- A record shows a text of the most public ownerships (`records.ingest.ownership`). A more public
  text always replaces a less public text, never the other way round. A game is not a duplicate of
  a game invisible to the sender.
- An unreadable piece has a submission without a record.
- Of the copies of a game one counts (`records.ingest.copies`).
- A game of an upload with ``replaces`` takes the place of another (`records.ingest.succession`).

Two workers may store the same games simultaneously. Each inserts players, then records, in sorted
order, ignoring existing rows. The slower worker waits at the first common game, without a deadlock.
Then each worker locks and updates the existing records, in sorted order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import msgspec
from django.db.models import Q

from kafu.comparing.copies import fingerprint
from kafu.judging.verify import Verification
from kafu.notation.game import Game
from kafu.rules.verdict import STATUSES
from records.base import clock
from records.base.bulk import columns_of, insert_new, insert_rows, values_of
from records.base.keys import player_key, record_key
from records.facts.parts import FactGame, store_facts
from records.facts.rows import is_counted
from records.ingest.copies import candidates, regroup
from records.ingest.ownership import add_ownerships, join_ownerships
from records.ingest.rows import (
    count_games,
    rewrite,
    set_visibility,
    write_parts,
    write_players,
)
from records.ingest.succession import take_place, visible_since
from records.ingest.tags import fill_tags, warn_of_lost_tags
from records.models import Chunk, GameChange, Record, Submission, Upload, Visibility
from records.privacy import change_log, revisions
from records.privacy.circles import game_replaced, games_stored
from records.texts.choice import in_words_of, words_of_others
from records.texts.columns import faults, fill
from records.texts.judged import JudgedGame

#: Maximum number of warnings stored with a submission. A text may cause a warning on every line.
MAX_WARNINGS: Final = 20
#: Bytes of the identity in a key. A longer key is used if a different game has the shorter key.
KEY_SIZES: Final = (8, 16, 32)
_SUBMISSION: Final = (
    *("upload_id", "chunk_id", "file_id", "number", "line", "status"),
    *("error", "mismatches", "warnings", "record_id", "duplicate"),
)


@dataclass(frozen=True, slots=True)
class KnownGame:
    """A game of an upload with an existing record.

    ``record`` is locked. ``text`` is the upload's text of the game, visible to viewers of
    ``level``. ``is_bare``: the record has no submission yet, as during a rebuild
    (`records.operations.rebuild`), and takes ``text``. ``is_new_to_sender``: the sender could not
    see the record before, and the submission is not a duplicate.
    """

    record: Record
    text: Verification
    level: int
    is_bare: bool
    is_new_to_sender: bool

    @property
    def is_more_public(self) -> bool:
        """Whether the upload's text is more public than the record."""
        return self.level > self.record.visibility

    @property
    def is_better(self) -> bool:
        """Whether the upload's text is as public as the record and has a better verdict."""
        has_better_status = is_better(self.text.verdict.status, self.record.status)
        return self.level == self.record.visibility and has_better_status and not self.is_bare

    @property
    def takes_over(self) -> bool:
        """Whether the record must show the upload's text."""
        is_first = self.is_bare and self.level == self.record.visibility
        return self.is_more_public or self.is_better or is_first


class LockedGames(NamedTuple):
    """Existing records, locked for a chunk.

    ``games`` are the existing games of the chunk. ``former`` is the game to be replaced by the
    upload, or None, and may be among ``games``. ``former_since`` is the result of
    `records.ingest.succession.visible_since` for ``former``.
    """

    games: list[KnownGame]
    former: Record | None
    former_since: int


def write(chunk: Chunk, judged: Sequence[JudgedGame]) -> None:
    """Write the rows of a locked chunk's judged pieces, and set the chunk's counters, unsaved.

    Call it in the transaction that ends the chunk.
    """
    upload = Upload.objects.get(pk=chunk.upload_id)
    if upload.replaces:
        # `take_place` updates the upload. Lock it before the records, like `take_down`.
        upload = Upload.objects.select_for_update(no_key=True).get(pk=upload.pk)
    games = best_texts(judged)
    players = write_players(in_file_order(judged, games))
    rows = {id(game.canonical): game.rows for game in judged}
    has_facts = upload.visibility == Visibility.PUBLIC and all(
        rows[id(text)] is not None for text in games.values() if is_counted(text)
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
    locked = lock_known(upload, games, new)
    existing = locked.games
    public = [
        game.text for game in existing if game.is_more_public and game.level == Visibility.PUBLIC
    ]
    if upload.visibility == Visibility.PUBLIC:
        public += [games[identity] for identity in new]
    if existing:
        rewrite(take_over(chunk, upload, existing), players)

    records = [*new.values(), *(game.record for game in existing)]
    first = {*new, *(game.record.identity for game in existing if game.is_new_to_sender)}
    pks = {record.identity: record.pk for record in records}
    insert_rows(Submission, _SUBMISSION, _submissions(chunk, judged, pks, first))
    for status, count in Counter(game.sent.status for game in judged).items():
        setattr(chunk, status, count)
    # The first text of each game in ``first`` is not a duplicate.
    chunk.duplicates = sum(game.identity is not None for game in judged) - len(first)
    chunk.games = len(judged)
    player_counts: dict[int, int] = {}
    if locked.former is not None and len(records) == 1:
        former, fresh = locked.former, records[0]
        player_counts = take_place(upload, former, locked.former_since, fresh)
        game_replaced.send(Upload, upload=upload, former=former.pk, fresh=fresh.pk)
    records_by_identity = {record.identity: record for record in records}
    fill_tags(upload, judged, records_by_identity, players)
    unknown = {game.record.identity for game in existing if game.is_new_to_sender}
    seen = {key: row for key, row in records_by_identity.items() if key not in unknown}
    warn_of_lost_tags(chunk, judged, seen)
    regroup(pks.values())
    count_games((text.game for text in public if text.game is not None), players, player_counts)
    games_stored.send(Upload, upload=upload, records=sorted(pks.values()))
    changed = records if locked.former is None else [*records, locked.former]
    if changed:
        revisions.advance(*(record.ruleset for record in changed))


def is_better(status: str, than: str) -> bool:
    """Return whether a status is better: ``is_better("verified", than="mismatch")`` is True."""
    return STATUSES.index(status) < STATUSES.index(than)


def best_texts(judged: Iterable[JudgedGame]) -> dict[str, Verification]:
    """Return the text with the best status of each judged game, by identity, sorted."""
    best: dict[str, Verification] = {}
    for game in judged:
        if game.identity is None:
            continue
        before = best.get(game.identity)
        if before is None or is_better(game.canonical.verdict.status, before.verdict.status):
            best[game.identity] = game.canonical
    return dict(sorted(best.items()))


def in_file_order(
    judged: Iterable[JudgedGame], games: Mapping[str, Verification]
) -> Iterator[Game]:
    """Yield the games of `best_texts` in their order in the file.

    The order decides which spelling of a player's name is shown.
    """
    texts = {id(text) for text in games.values()}
    for judged_game in judged:
        text = judged_game.canonical
        if text.game is not None and id(text) in texts:
            yield text.game


def players_of(verification: Verification) -> tuple[str, ...]:
    """Return the names of the players of a readable game."""
    assert verification.game is not None
    return tuple(verification.game.players)


def insert(
    chunk: Chunk, games: Mapping[str, Verification], visibility: int, *, has_facts: bool
) -> dict[str, Record]:
    """Insert the games missing in the archive. Return the new records by identity.

    ``has_facts`` states that the caller writes the facts in the same transaction.
    """
    new: dict[str, Record] = {}
    now = clock.now()
    change: GameChange | None = None
    missing = dict(games)
    for size in KEY_SIZES:
        existing = _find_existing(missing)
        rows: dict[str, Record] = {}
        if change is None and visibility == Visibility.PUBLIC and len(existing) < len(missing):
            change = change_log.begin()
        for identity, verification in missing.items():
            if identity not in existing:
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


def _find_existing(games: Mapping[str, Any]) -> dict[str, int]:
    """Return the primary keys of the archived games, by identity."""
    return dict(
        Record.objects.order_by().filter(identity__in=list(games)).values_list("identity", "pk")
    )


def lock_known(
    upload: Upload, games: Mapping[str, Verification], new: Collection[str]
) -> LockedGames:
    """Lock the existing records of games, of their copies and of the replaced game.

    ``new`` are the identities of games whose records the current transaction inserted. Add the
    sender as owner of the others.
    """
    condition = Q(identity__in=games.keys() - set(new))
    condition |= candidates(fingerprint(text.game) for text in games.values() if text.game)
    if upload.replaces:
        condition |= Q(key=upload.replaces)
    locked = Record.objects.select_for_update(no_key=True).filter(condition)
    rows = list(locked.order_by("identity").defer("text", "verdict"))
    former = next((row for row in rows if row.key == upload.replaces), None)
    since = visible_since(upload, former) if former is not None else upload.pk
    records = [row for row in rows if row.identity in games and row.identity not in new]
    levels = join_ownerships(upload, [record.pk for record in records])
    # Query after locking: another worker may just have stored the first submission.
    bare = _without_submission(records)
    visible_before = _known_to_sender(upload, records)
    known_games = [
        KnownGame(
            record,
            games[record.identity],
            levels[record.pk],
            is_bare=record.pk in bare,
            is_new_to_sender=record.pk in bare or record.pk not in visible_before,
        )
        for record in records
    ]
    return LockedGames(known_games, former, since)


def _without_submission(records: Iterable[Record]) -> set[int]:
    candidates = {record.pk for record in records if record.first_chunk_id is None}
    submissions = Submission.objects.order_by().filter(record__in=candidates)
    return candidates - set(submissions.values_list("record_id", flat=True))


def _known_to_sender(upload: Upload, records: Iterable[Record]) -> set[int]:
    """Return the primary keys of the records visible to the sender before the upload."""
    rows = {record.pk: record for record in records}
    submissions = Submission.objects.order_by().filter(record__in=list(rows))
    # Compare visibilities of uploads, because a rebuild must have the same result.
    visible = submissions.filter(upload__visibility__gte=Visibility.UNLISTED)
    pks = {
        pk
        for pk in visible.values_list("record_id", flat=True)
        if rows[pk].visibility >= Visibility.UNLISTED
    }
    if upload.owner_id is not None:
        senders = submissions.filter(upload__owner=upload.owner_id)
        pks |= set(senders.values_list("record_id", flat=True))
    return pks


def take_over(
    chunk: Chunk, upload: Upload, games: Iterable[KnownGame]
) -> list[tuple[Record, Verification]]:
    """Return the records to rewrite, each with the new text.

    If the upload's text is only better, another sender's comments and tags stay.
    """
    changed = [game for game in games if game.takes_over]
    words = words_of_others(upload, [game.record.pk for game in changed if game.is_better])
    texts = []
    for game in changed:
        text: Verification | None = game.text
        if game.record.pk in words:
            text = in_words_of(game.text, words[game.record.pk])
        if game.is_bare:
            game.record.first_chunk = chunk
        if game.is_more_public:
            set_visibility(game.record, game.level)
        if text is not None:
            texts.append((game.record, text))
    return texts


def _submissions(
    chunk: Chunk, judged: Iterable[JudgedGame], records: Mapping[str, int], first: Iterable[str]
) -> Iterator[tuple[Any, ...]]:
    """Yield the values of `_SUBMISSION` for each piece."""
    of_chunk = chunk.upload_id, chunk.pk, chunk.file_id
    unseen = set(first)
    for game in judged:
        is_duplicate = game.identity is not None and game.identity not in unseen
        if game.identity is not None:
            unseen.discard(game.identity)
        record = records[game.identity] if game.identity is not None else None
        error, mismatches, warnings = faults(game.sent, MAX_WARNINGS)
        yield (
            *(*of_chunk, game.number, game.line, game.sent.status),
            *(error and _json(error), _json(mismatches), _json(warnings)),
            *(record, is_duplicate),
        )


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()

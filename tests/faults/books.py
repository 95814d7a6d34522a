"""The expected contents of the archive, counted naively from the sent files, and the comparison."""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from kafu.cli.sources import read_pieces
from kafu.importers import read_piece
from kafu.judging.verify import verify
from kafu.rules.verdict import STATUSES
from records.base.keys import player_key
from records.base.packed import opened
from tests.conftest import Environment, Hana
from tests.faults.poison import SLOW
from tests.records.jobs.ledger import Ledger


@dataclass(frozen=True)
class Sent:
    """One acknowledged upload: its key, and the bytes of its only file."""

    key: str
    data: bytes


@dataclass(frozen=True)
class Seen:
    """One game of a file, as the engine alone reads it."""

    number: int
    status: str
    identity: str | None
    players: tuple[str, ...]
    deals: int
    is_poison: bool


@cache
def seen(data: bytes) -> tuple[Seen, ...]:
    """Return the games of a file or archive, read and judged in this process."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        return tuple(_seen(item.piece) for item in read_pieces(file.name))


def _seen(piece: Any) -> Seen:
    verification = verify(read_piece(piece))
    game, verdict = verification.game, verification.verdict
    event = game.tags.get("Event", "") if game else ""
    return Seen(
        piece.number,
        verdict.status,
        verdict.identity if game else None,
        tuple(game.players) if game else (),
        len(verdict.deals),
        event.startswith("poison: ") and event != f"poison: {SLOW}",
    )


@dataclass
class Books:
    """All uploads sent to one archive."""

    env: Environment
    sent: list[Sent] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.env)

    def is_settled(self) -> bool:
        """Return whether no file and no chunk is open."""
        return not self.ledger.number(
            "SELECT count(*) FROM records_job"
            " WHERE kind IN ('file', 'chunk') AND state NOT IN ('done', 'dead-letter')"
        )

    def check(self, hana: Hana | None = None) -> None:
        """Check that acknowledged games are stored once, and that every count is right.

        With ``hana``, check stored bytes too, after orphans are removed.
        """
        assert self.is_settled()
        self._uploads()
        self._games()
        self._counts()
        if hana:
            self._bytes(hana)

    def _uploads(self) -> None:
        keys = [key for (key,) in self.ledger.ask("SELECT key FROM records_upload")]
        assert sorted(keys) == sorted(sent.key for sent in self.sent)
        rows = self.ledger.ask(
            "SELECT u.key, s.file_id, s.number, s.status FROM records_submission s"
            " JOIN records_upload u ON u.id = s.upload_id ORDER BY s.file_id, s.number"
        )
        for sent in self.sent:
            stored = sorted((n, status) for key, _, n, status in rows if key == sent.key)
            expected = sorted((s.number, s.status) for s in seen(sent.data) if not s.is_poison)
            assert stored == expected, f"upload {sent.key}"
        given_up = self.ledger.ask(
            "SELECT u.key, c.first_game, c.games FROM records_chunk c"
            " JOIN records_upload u ON u.id = c.upload_id"
            " JOIN records_job j ON j.id = c.job_id WHERE j.state = 'dead-letter'"
        )
        poison = [(t.key, s.number, 1) for t in self.sent for s in seen(t.data) if s.is_poison]
        assert sorted(given_up) == sorted(poison)
        assert not self.ledger.number(
            "SELECT count(*) FROM records_job WHERE kind <> 'chunk' AND state = 'dead-letter'"
        )

    def _games(self) -> None:
        texts = self._read()
        expected: dict[str, str] = {}
        for game in texts:
            assert game.identity is not None
            known_status = expected.get(game.identity, game.status)
            expected[game.identity] = min(known_status, game.status, key=STATUSES.index)
        rows = self.ledger.ask("SELECT identity, status FROM records_record")
        assert len(rows) == len(expected)
        assert dict(rows) == expected
        assert self.ledger.number("SELECT count(*) FROM records_listing") == len(expected)

        distinct = {game.identity: game for game in texts}.values()
        seats = sum(len(game.players) for game in distinct)
        assert self.ledger.number("SELECT count(*) FROM records_seat") == seats
        deals = sum(game.deals for game in distinct)
        for table, column in (("record", "deals_played"), ("listing", "deals")):
            assert self.ledger.number(f"SELECT sum({column}) FROM records_{table}") == deals
        players = Counter(
            key for game in distinct for key in {player_key(name) for name in game.players}
        )
        assert dict(self.ledger.ask("SELECT key, games FROM records_player")) == players

    def _read(self) -> Sequence[Seen]:
        every = [game for sent in self.sent for game in seen(sent.data)]
        return [game for game in every if game.identity is not None and not game.is_poison]

    def _counts(self) -> None:
        """Compare the counters of chunks, which progress adds up, with the counted rows."""
        names = (*STATUSES, "duplicates")
        sums = ", ".join(f"sum({name})" for name in names)
        for key, *counted in self.ledger.ask(
            f"SELECT u.key, sum(CASE j.state WHEN 'done' THEN c.games ELSE 0 END), {sums}"
            " FROM records_chunk c JOIN records_upload u ON u.id = c.upload_id"
            " JOIN records_job j ON j.id = c.job_id GROUP BY u.key"
        ):
            rows = self.ledger.ask(
                "SELECT s.status, s.duplicate FROM records_submission s"
                f" JOIN records_upload u ON u.id = s.upload_id WHERE u.key = '{key}'"
            )
            by_status = Counter(status for status, _ in rows)
            expected = [len(rows), *(by_status[name] for name in STATUSES)]
            assert [int(n) for n in counted] == [*expected, sum(bool(d) for _, d in rows)], key
        fresh = "SELECT count(*) FROM records_submission WHERE record_id IS NOT NULL AND "
        games = self.ledger.number("SELECT count(*) FROM records_record")
        assert self.ledger.number(f"{fresh} NOT duplicate") == games
        assert self.ledger.number(f"{fresh} duplicate") == len(self._read()) - games

    def _bytes(self, hana: Hana) -> None:
        """Compare stored bytes with sent bytes, after the removal of orphans."""
        uploads = Path(self.env["HANA_VAR"]) / "uploads"
        long_ago = time.time() - 3 * 86400
        for path in uploads.glob("*/*"):
            os.utime(path, (long_ago, long_ago))
        hana("sweep", "--once", "--remove-orphans", env=self.env)
        rows = self.ledger.ask("SELECT stored, size, sha256 FROM records_uploadfile")
        named = {stored: (size, digest) for stored, size, digest in rows if stored}
        paths = {str(path.relative_to(uploads)): path for path in uploads.glob("*/*")}
        assert paths.keys() == named.keys()
        for name, path in paths.items():
            with opened(path) as stream:
                data = stream.read()
            assert (len(data), hashlib.sha256(data).hexdigest()) == named[name]
        top = self.ledger.ask(
            "SELECT u.key, f.sha256 FROM records_uploadfile f"
            " JOIN records_upload u ON u.id = f.upload_id WHERE f.parent_id IS NULL"
        )
        assert sorted(top) == sorted(
            (sent.key, hashlib.sha256(sent.data).hexdigest()) for sent in self.sent
        )

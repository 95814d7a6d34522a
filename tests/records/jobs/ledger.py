"""An external view of the archive: its database, read directly while processes work on it."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import psycopg

from tests.conftest import Environment, Hana
from tests.records.makers import MALFORMED, joined, text, with_wrong_score

#: Replacements of a player's name: each gives the same years a different identity.
NAMES = ("Aya", "Gin", "Hana", "Iku", "Jun", "Kei")
SEEDS = range(1, 11)
#: Different years of `games`.
YEARS = len(NAMES) * len(SEEDS)
PATIENCE = 120.0


def games() -> list[str]:
    """Return `YEARS` different years, one of them with a wrong claim."""
    texts = [text(seed).replace('"Aya"', f'"{name}"') for name in NAMES for seed in SEEDS]
    texts[7] = with_wrong_score(8)
    return texts


#: Verdicts on a file of `games` with a duplicate and a malformed game.
COUNTS = {"verified": YEARS, "mismatch": 1, "malformed": 1}


def sample() -> bytes:
    """Return the file of `COUNTS`."""
    texts = games()
    return joined(*texts[:50], MALFORMED, *texts[50:], texts[3])


class Ledger:
    """Queries in SQL to the database of an environment."""

    def __init__(self, env: Environment) -> None:
        self.env = env

    def ask(self, question: str) -> list[tuple[Any, ...]]:
        """Return the rows of one query, on a separate connection."""
        url = self.env.get("DATABASE_URL")
        if url:
            with psycopg.connect(url) as postgres:
                return postgres.execute(question.encode()).fetchall()
        path = Path(self.env["HANA_VAR"]) / "hana.sqlite3"
        sqlite = sqlite3.connect(path, timeout=60)
        try:
            return sqlite.execute(question).fetchall()
        finally:
            sqlite.close()

    def do(self, statement: str) -> None:
        """Change something behind the archive's back."""
        url = self.env.get("DATABASE_URL")
        if url:
            with psycopg.connect(url) as postgres:
                postgres.execute(statement.encode())
            return
        path = Path(self.env["HANA_VAR"]) / "hana.sqlite3"
        with contextlib.closing(sqlite3.connect(path, timeout=60)) as sqlite, sqlite:
            sqlite.execute(statement)

    def number(self, question: str) -> int:
        """Return the single number of a query."""
        return int(self.ask(question)[0][0])

    def in_work(self) -> int:
        """Count the chunks that a worker has leased."""
        return self.number(
            "SELECT count(*) FROM records_job WHERE kind = 'chunk' AND state = 'leased'"
        )

    def chunks_done(self) -> int:
        """Count the written chunks."""
        return self.number(
            "SELECT count(*) FROM records_job WHERE kind = 'chunk' AND state = 'done'"
        )

    def is_done(self) -> bool:
        """Return whether every file is cut and every chunk written."""
        open_jobs = "kind IN ('file', 'chunk') AND state <> 'done'"
        return not self.number(f"SELECT count(*) FROM records_job WHERE {open_jobs}")

    def wait(self, condition: Callable[[], bool | int], *, tick: float = 0.2) -> None:
        """Wait for a condition, checked every ``tick`` seconds; fail if it stays false."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, self.ask(
                "SELECT kind, state, attempts, reason, count(*) FROM records_job"
                " GROUP BY 1, 2, 3, 4"
            )
            time.sleep(tick)

    def check(self, *, uploads: int = 1) -> None:
        """Compare with ``uploads`` uploads of `sample`: games stored once, rows, counters."""
        assert self.is_done()
        pieces = sum(COUNTS.values())
        statuses = self.ask("SELECT status FROM records_submission")
        assert Counter(status for (status,) in statuses) == {
            status: count * uploads for status, count in COUNTS.items()
        }
        numbers = self.ask("SELECT file_id, number FROM records_submission ORDER BY 1, 2")
        assert [n for _, n in numbers] == [*range(1, pieces + 1)] * uploads

        assert self.number("SELECT count(*) FROM records_record") == YEARS
        assert self.number("SELECT count(DISTINCT identity) FROM records_record") == YEARS
        assert self.number("SELECT count(*) FROM records_player") == len(NAMES) + 1
        assert self.number("SELECT count(*) FROM records_seat") == 2 * YEARS
        assert self.number("SELECT count(*) FROM records_listing") == YEARS
        deals = self.number("SELECT sum(deals_played) FROM records_record")
        assert self.number("SELECT sum(deals) FROM records_listing") == deals

        stored = "SELECT count(*) FROM records_submission WHERE record_id IS NOT NULL"
        assert self.number(f"{stored} AND NOT duplicate") == YEARS
        without_game = "SELECT count(*) FROM records_submission WHERE record_id IS NULL"
        assert self.number(without_game) == uploads * COUNTS["malformed"]
        for status in COUNTS:
            assert self.number(f"SELECT sum({status}) FROM records_chunk") == sum(
                counted == status for (counted,) in statuses
            )
        duplicates = uploads * (YEARS + 1) - YEARS
        assert self.number("SELECT sum(duplicates) FROM records_chunk") == duplicates


RECEIVE = """
import sys
from records.ingest.receiving import Part, receive
for name in sys.stdin.read().split():
    with open(name, "rb") as stream:
        parts = [Part("games.kafu", iter(lambda: stream.read(4096), b""))]
        print(receive(parts=parts, via="api").key)
"""
#: For `hand_in`: do all jobs of the uploads in the receiving process.
WORK_OFF = "from records.operations.rebuild import work; work(lambda _: None)"


def hand_in(hana: Hana, env: Environment, *files: bytes, then: str = "") -> Sequence[str]:
    """Upload each file in another process, as a web process would; return the uploads' keys.

    ``then`` is code that the process runs afterwards.
    """
    paths = []
    for number, data in enumerate(files):
        path = Path(env["HANA_VAR"]) / f"incoming-{number}"
        path.write_bytes(data)
        paths.append(str(path))
    code = RECEIVE + then
    out = hana("shell", "--no-imports", "-c", code, env=env, stdin="\n".join(paths)).stdout
    return out.split()[: len(files)]

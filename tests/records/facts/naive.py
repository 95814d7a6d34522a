"""Facts counted naively from the texts of public games, and the jobs that write them."""

from __future__ import annotations

from collections import Counter
from typing import Final

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from records.facts.current import current_snapshot
from records.facts.rows import collect_rows
from records.facts.tables import TABLES
from records.models import Record, Visibility
from records.operations import facts_check
from tests.records.idle import do_idle_jobs

#: The tables whose rows come from analyses.
OF_ANALYSES: Final = ("losses", "luck")


def count(table: str) -> int:
    """Return the number of counted rows of a table."""
    snapshot = current_snapshot()
    with snapshot.open_cursor() as cursor:
        row = cursor.execute(f"SELECT count(*) FROM {snapshot.source(table)}").fetchone()
    assert row is not None
    return int(row[0])


def count_naively() -> Counter[str]:
    """Return the expected number of rows of each table."""
    rows: Counter[str] = Counter()
    for record in Record.objects.filter(visibility=Visibility.PUBLIC, copy_of=None):
        game = collect_rows(verify(read(record.text), facts=True))
        for name, table in (game.tables if game is not None else {}).items():
            rows[name] += len(table)
    return rows


def assert_right() -> None:
    """Write the due facts and check that they equal the games."""
    do_idle_jobs("facts")
    assert find_differences() == []
    expected = count_naively()
    names = [name for name in TABLES if name not in OF_ANALYSES]
    assert {name: count(name) for name in names} == {name: expected[name] for name in names}


def find_differences() -> list[str]:
    """Return the differences between facts and games."""
    return facts_check.check(lambda games: None).differences

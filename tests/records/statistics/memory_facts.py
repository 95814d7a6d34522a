"""Answers of figures over facts in memory instead of an archive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import count
from typing import Any, Final, cast

import duckdb
from django.http import QueryDict

from kafu.judging.verify import Verification, verify
from kafu.notation.reading.reader import read
from lengths import part
from records.facts import current
from records.facts.parts import select_empty, select_typed
from records.facts.rows import GameInfo, RowBatch, collect_rows
from records.facts.snapshot import Snapshot
from records.facts.tables import TABLES
from records.statistics.answer import Answer
from records.statistics.questions import Question
from records.statistics.registry import FIGURES
from tests.conformance import OWN

_NUMBERS: Final = count()


class MemoryFacts:
    """The facts of some games of a ruleset in a separate database, instead of a snapshot."""

    def __init__(self, ruleset: str = "", verifications: Iterable[Verification] = ()) -> None:
        batch = RowBatch(ruleset)
        for number, verification in enumerate(verifications, start=1):
            rows = collect_rows(verification)
            if rows is not None:
                assert verification.game is not None
                seats = len(verification.game.players)
                info = GameInfo(number, 0, ruleset, "", False, range(seats), None, None, 0, None)
                batch.add(info, rows)
        self.key = f"memory {next(_NUMBERS)}"
        self.database = duckdb.connect()
        columns = dict(batch.tables()) if batch.games else {}
        for name, table in TABLES.items():
            if name in columns:
                self.database.register("rows", columns[name])
            select = select_typed(table) if name in columns else select_empty(table.columns)
            self.database.execute(f"CREATE TABLE {name} AS {select}")

    def key_of(self, ruleset: str) -> str:
        """Return the key of these facts."""
        return self.key

    def as_of(self, ruleset: str) -> None:
        """Return no time."""

    def insert(self, table: str, select: str) -> None:
        """Add the rows of a SELECT; columns missing in the SELECT are null."""
        self.database.execute(f"INSERT INTO {table} BY NAME {select}")

    def source(self, table: str, rulesets: Sequence[str] = ()) -> str:
        """Return the table."""
        return table

    def split(self, rulesets: Sequence[str], size: int) -> Iterator[MemoryFacts]:
        """Yield the facts in one piece."""
        yield self

    @contextmanager
    def open_cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Return a cursor."""
        with self.database.cursor() as cursor:
            yield cursor


@contextmanager
def hold(facts: MemoryFacts) -> Iterator[None]:
    """Make all queries use these facts."""
    token = current._HELD.set(cast(Snapshot, facts))
    try:
        yield
    finally:
        current._HELD.reset(token)


def parse(id: str, query: str) -> Question:
    """Return the query about a figure, which must be valid."""
    question, faults = FIGURES[id].parse(QueryDict(query))
    assert not faults
    return question


def answer(id: str, query: str, facts: MemoryFacts | None = None) -> Answer:
    """Return the answer computed from ``facts``, or from none."""
    with hold(facts or no_facts()):
        return FIGURES[id].answer(parse(id, query))


def row(answer: Answer, **values: Any) -> dict[str, Any]:
    """Return the only row with these values."""
    (match,) = (
        dict(row)
        for row in answer.rows
        if all(row[name] == value for name, value in values.items())
    )
    return match


def verify_cases(ruleset: str, one_of: int) -> tuple[Verification, ...]:
    """Judge the test games of a ruleset, or a part of them; of each identity only the first."""
    verifications: dict[str, Verification] = {}
    for path in part(sorted((OWN / ruleset).rglob("*.kafu")), one_of=one_of):
        verification = verify(read(path.read_text(encoding="utf-8")), facts=True)
        verifications.setdefault(verification.verdict.identity or path.name, verification)
    return tuple(verifications.values())


@cache
def verified(ruleset: str) -> tuple[Verification, ...]:
    """Return all our own test games of a ruleset, judged."""
    return verify_cases(ruleset, one_of=1)


@cache
def facts_of(ruleset: str) -> MemoryFacts:
    """Return the facts of test games of a ruleset: of a third of the games, or of all."""
    return MemoryFacts(ruleset, verify_cases(ruleset, one_of=3))


@cache
def no_facts() -> MemoryFacts:
    """Return facts without a game."""
    return MemoryFacts()

"""Queries as a query string has them, and answers from sums made by hand or from games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, cast

import duckdb
from django.http import QueryDict

from kafu.judging.verify import Verification, verify
from kafu.notation.reading.reader import read
from lengths import part
from records.facts.parts import select_empty, select_typed
from records.facts.rows import GameInfo, RowBatch, collect_rows
from records.facts.snapshot import Snapshot
from records.facts.tables import TABLES
from records.statistics import questions
from records.statistics.answer import Answer
from records.statistics.gather import Gathered
from records.statistics.questions import Question
from records.statistics.registry import FIGURES
from records.statistics.selection import Selection
from records.statistics.sums import ALL, NO_SUMS, QUERIES, Sums, compute_sums
from tests.conformance import OWN

#: Numbers by key by the name of their query.
Vectors = Mapping[str, Mapping[str, Sequence[int]]]


def sums_of(vectors: Vectors) -> dict[str, Sums]:
    """Return sums with these numbers, in the order of their names."""
    sums = dict(NO_SUMS)
    for name, rows in vectors.items():
        names = QUERIES[name].names
        sums[name] = Sums(
            names, {key: dict(zip(names, row, strict=True)) for key, row in rows.items()}
        )
    return sums


def gathered(sums: Mapping[str, Sums]) -> Gathered:
    """Return sums as if the archive had gathered them."""
    counts = sums["games"][ALL]
    return Gathered(sums, stamp="stamp", games=counts["games"], deals=counts["deals"])


class MemoryFacts:
    """The facts of some games of a ruleset in a database of their own, in place of a snapshot."""

    as_of = None

    def __init__(self, ruleset: str, verifications: Iterable[Verification]) -> None:
        batch = RowBatch(ruleset)
        for number, verification in enumerate(verifications, start=1):
            rows = collect_rows(verification)
            if rows is not None:
                assert verification.game is not None
                seats = len(verification.game.players)
                info = GameInfo(number, 0, ruleset, "", False, range(seats), None, None, 0, None)
                batch.add(info, rows)
        self.key = f"memory {ruleset} {len(batch.games)}"
        self.database = duckdb.connect()
        columns = dict(batch.tables())
        for name, table in TABLES.items():
            if name in columns:
                self.database.register("rows", columns[name])
            select = select_typed(table) if name in columns else select_empty(table.columns)
            self.database.execute(f"CREATE TABLE {name} AS {select}")

    def source(self, table: str, rulesets: Sequence[str] = ()) -> str:
        """Return the table."""
        return table

    @contextmanager
    def open_cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Return a cursor."""
        with self.database.cursor() as cursor:
            yield cursor


def question(id: str, query: str) -> questions.Question:
    """Return the query about a figure, which must be valid."""
    figure = FIGURES[id]
    parsed, faults = questions.read(QueryDict(query), figure.filters, figure.own, figure.rulesets)
    assert not faults
    return parsed


def answer(id: str, query: str, sums: Mapping[str, Sums] = NO_SUMS) -> Answer:
    """Return the answer computed from these sums."""
    return FIGURES[id].answer(question(id, query), gathered(sums))


def answer_vectors(id: str, query: str, vectors: Vectors) -> Answer:
    """Return the answer computed from sums with these numbers."""
    return answer(id, query, sums_of(vectors))


def row(answer: Answer, **values: Any) -> dict[str, Any]:
    """Return the only row with these values."""
    (match,) = (
        dict(row)
        for row in answer.rows
        if all(row[name] == value for name, value in values.items())
    )
    return match


def verify_cases(ruleset: str, one_of: int) -> tuple[Verification, ...]:
    """Judge our own test games of a ruleset, or a part of them; of one identity only the first."""
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
def whole(ruleset: str) -> Mapping[str, Sums]:
    """Return the sums of test games of a ruleset: a third of the games, or all."""
    facts = MemoryFacts(ruleset, verify_cases(ruleset, one_of=3))
    selection = Selection(Question(ruleset), cast(Snapshot, facts))
    with facts.database:
        return {
            name: Sums(query.names, compute_sums(selection, query))
            for name, query in QUERIES.items()
        }

"""Queries as a query string has them, and answers from sums made by hand or from games."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import Any

from django.http import QueryDict

from kafu.judging.verify import Verification, verify
from kafu.notation.reading.reader import read
from lengths import part
from records.base.sums import TABLE, Sums, Tally, add_tally, merge_seats
from records.statistics import questions
from records.statistics.answer import Answer
from records.statistics.gather import Gathered
from records.statistics.registry import FIGURES
from records.totals.layout import games_and_deals
from records.totals.tally import tally
from tests.conformance import OWN


def gathered(of: Tally) -> Gathered:
    """Return a tally as if the archive had gathered it."""
    games, deals = games_and_deals(of)
    return Gathered(merge_seats(of), of.get(TABLE, {}), stamp="stamp", games=games, deals=deals)


def of_seat(sums: Sums) -> Tally:
    """Return a tally with these sums of one seat and of the table."""
    return {TABLE: sums, "1": sums}


def question(id: str, query: str) -> questions.Question:
    """Return the query about a figure, which must be valid."""
    figure = FIGURES[id]
    parsed, faults = questions.read(QueryDict(query), figure.filters, figure.own, figure.rulesets)
    assert not faults
    return parsed


def answer(id: str, query: str, of: Tally) -> Answer:
    """Return the answer computed from this tally."""
    return FIGURES[id].answer(question(id, query), gathered(of))


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
def whole(ruleset: str) -> Tally:
    """Return the tallies of test games of a ruleset together: a third of the games, or all."""
    sums: Tally = defaultdict(dict)
    for verification in verify_cases(ruleset, one_of=3):
        add_tally(sums, tally(verification))
    return dict(sums)

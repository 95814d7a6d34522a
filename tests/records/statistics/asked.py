"""Questions as a query string asks them, and answers from sums made by hand or from games."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

from django.http import QueryDict

from kafu.judging.verify import Verification, verify
from kafu.notation.reading.reader import read
from records.base.sums import TABLE, Sums, Tally, add_tally, merge_seats
from records.statistics import questions
from records.statistics.answer import Answer
from records.statistics.gather import Gathered
from records.statistics.registry import FIGURES
from records.totals.layout import games_and_deals
from records.totals.tally import tally
from tests.conformance import OWN


def gathered(of: Tally) -> Gathered:
    """A tally as if it were what the archive gave."""
    games, deals = games_and_deals(of)
    return Gathered(merge_seats(of), of.get(TABLE, {}), stamp="stamp", games=games, deals=deals)


def of_seat(sums: Sums) -> Tally:
    """A tally of one seat, and the table's of the same sums."""
    return {TABLE: sums, "1": sums}


def question(id: str, query: str) -> questions.Question:
    """The question about a figure; it must be faultless."""
    figure = FIGURES[id]
    found, faults = questions.read(QueryDict(query), figure.filters, figure.own, figure.rulesets)
    assert not faults
    return found


def answer(id: str, query: str, of: Tally) -> Answer:
    """The answer from this tally."""
    return FIGURES[id].answer(question(id, query), gathered(of))


def row(found: Answer, **wanted: Any) -> dict[str, Any]:
    """The one row with these values."""
    (one,) = (
        dict(row) for row in found.rows if all(row[name] == value for name, value in wanted.items())
    )
    return one


@cache
def verified(ruleset: str) -> tuple[Verification, ...]:
    """Our own test games of a ruleset, judged; of those with one identity the first."""
    found: dict[str, Verification] = {}
    for path in sorted(Path(OWN / ruleset).rglob("*.kafu")):
        one = verify(read(path.read_text(encoding="utf-8")), facts=True)
        found.setdefault(one.verdict.identity or path.name, one)
    return tuple(found.values())


@cache
def whole(ruleset: str) -> Tally:
    """Their tallies together."""
    sums: Tally = defaultdict(dict)
    for one in verified(ruleset):
        add_tally(sums, tally(one))
    return dict(sums)

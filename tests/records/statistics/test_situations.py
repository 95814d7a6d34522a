"""Games with the same situation: counts compared with plain Python, and hidden games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from typing import NamedTuple

import pytest

from kafu.comparing.situations import Aspect, Compared, Match
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.rules.rulesets import RULESETS
from kafu.simulation.simulate import simulate
from lengths import LONG
from naive_situations import read_situations
from records.models import Record
from records.search.selection import AFTER, BEFORE
from records.statistics.situations import SituationQuery, compare_text, query_situation
from shared import shared
from tests.records.makers import ingest, joined, text

pytestmark = [pytest.mark.django_db, pytest.mark.long]

#: The number of compared parts by match, in the order of `NaiveSituation.parts`.
PARTS = {Match.YAKU: 1, Match.VALUE: 2, Match.EXACT: 3}


class Case(NamedTuple):
    """A place of `SituationQuery.list_places`, with the choice in words."""

    game: int
    deal: int
    step: int
    choice: Hashable
    margin: int
    score: int


def make_games() -> list[str]:
    """Return short games of all rulesets, with many similar decisions in one house of koi-koi."""
    houses: list[tuple[str, dict[str, str]]] = [
        (rules, {"months": "6"} if "months" in ruleset.options else {})
        for rules, ruleset in RULESETS.items()
    ]
    houses += [("koikoi", {"profile": "koikoi-ai"})] * (4 if LONG else 2)
    return [write(simulate(rules, seed=n, options=of)) for n, (rules, of) in enumerate(houses)]


def list_cases(record: Record) -> list[tuple[tuple[Hashable, ...], Case]]:
    """Return the situations of a game by plain Python: the parts of each, and the case."""
    game = read(record.text).game
    assert game is not None
    deals = verify(read(record.text)).verdict.deals
    cases = []
    for row in read_situations(game):
        scores = deals[row.deal - 1].score
        score = scores[row.seat - 1] - row.paid
        opponent = scores[2 - row.seat] if sum(scores) else 0
        case = Case(record.pk, row.deal, row.step, row.choice, score - opponent, score)
        cases.append((row.parts, case))
    return cases


def list_all(query: SituationQuery) -> list[tuple[int, ...]]:
    """Return all places of a situation, page by page, the same in both directions."""
    size = 7
    page = query.list_places(size)
    places = list(page.places)
    assert not page.before
    while page.behind:
        page = query.list_places(size, AFTER, places[-1].order)
        assert page.before
        places += page.places
    backward = list(page.places)
    while page.before:
        page = query.list_places(size, BEFORE, backward[0].order)
        backward = [*page.places, *backward]
    assert backward == places
    behind_all = query.list_places(size, AFTER, places[-1].order if places else (0, 0, 0))
    assert (behind_all.places, behind_all.before, behind_all.behind) == ([], False, False)
    return [(*place[:3], *place[4:]) for place in places]


def test_counts_equal_a_plain_search_of_the_games() -> None:
    """Compare the most common situations of each kind and ruleset, by each match."""
    ingest(joined(*make_games()))
    expected: dict[tuple[Hashable, ...], list[Case]] = defaultdict(list)
    examples: dict[tuple[Hashable, ...], tuple[str, Compared]] = {}
    for record in Record.objects.order_by("pk"):
        situations = compare_text(record.text)
        for (parts, case), example in zip(list_cases(record), situations, strict=True):
            for size in range(1, len(parts) + 1):
                expected[parts[:size]].append(case)
                examples[parts[:size]] = record.ruleset, example
    tested: dict[tuple[str, Aspect, int], int] = defaultdict(int)
    for parts in sorted(expected, key=lambda parts: -len(expected[parts])):
        cases, (ruleset, compared) = expected[parts], examples[parts]
        match = next(match for match, size in PARTS.items() if size == len(parts))
        kind = compared.situation.kind
        tested[ruleset, kind, len(parts)] += 1
        if tested[ruleset, kind, len(parts)] > (2 if LONG else 1):
            continue
        query = query_situation(compared, ruleset, match)
        counts = query.count()
        cases.sort(key=lambda case: case[:3], reverse=True)
        assert list_all(query) == [(*case[:3], *case[4:]) for case in cases]
        assert (counts.cases, counts.games) == (len(cases), len({case.game for case in cases}))
        by_choice: dict[Hashable, list[Case]] = defaultdict(list)
        for case in cases:
            by_choice[case.choice].append(case)
        figures = sorted((len(group), sum(c.margin for c in group)) for group in by_choice.values())
        assert figures == sorted(
            (choice.cases, round((choice.margin.value or 0) * choice.cases))
            for choice in counts.choices
        )
        for choice in counts.choices:
            assert choice.share.value == choice.cases / len(cases)
    assert {ruleset for ruleset, _kind, _size in tested} == set(RULESETS)
    assert {(kind, size) for _ruleset, kind, size in tested} >= {(Aspect.DECISION, 3)}


@pytest.mark.long_only  # tests/api/test_situations.py compares it too
def test_all_who_stop_get_what_stopping_is_worth() -> None:
    """A game with kasu of 1 to 5 points, among other games with these yaku."""
    games = [path.read_bytes() for path in shared("cases/analysis").glob("kasu-*.kafu")]
    ingest(*games, joined(*(text(seed) for seed in range(1, 5))))
    stopped = 0
    for record in Record.objects.all():
        for compared in compare_text(record.text):
            if compared.decisive is None:
                continue
            counts = query_situation(compared, record.ruleset, Match.VALUE).count()
            stops = [choice for choice in counts.choices if choice.means.word == "shobu"]
            stopped += sum(choice.cases for choice in stops)
            assert all(choice.score.value == compared.decisive.stop for choice in stops)
    assert stopped > 20

"""Head to head, lists of players and ratings as answers, compared with their games."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import pytest
from django.http import QueryDict

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import part
from records.models import Player
from records.statistics import questions, ratings
from records.statistics.answer import Answer
from records.statistics.figures import careers
from records.statistics.intervals import wilson
from records.statistics.registry import FIGURES
from tests.people.world import sent
from tests.records.idle import do_idle_jobs
from tests.records.statistics import rated
from tests.records.statistics.memory_facts import parse, row
from tests.records.statistics.rated import store
from tests.records.statistics.test_gather import games

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@dataclass(frozen=True)
class Ended:
    """A game by its verdict."""

    rules: str
    date: str
    final: dict[str, int]


@pytest.fixture(scope="module")
def ended(rows_for_all: None) -> list[Ended]:
    """Store games, the last of them of three players, and return them."""
    texts = [*games(), write(simulate("ten-five-one", seed=3, players=3, options={"months": "1"}))]
    games_by_verdict = []
    sent(*texts)
    for text in texts:
        verification = verify(read(text), facts=True)
        assert verification.game is not None and verification.verdict.final is not None
        final = dict(zip(verification.game.players, verification.verdict.final, strict=True))
        unit = 12 if verification.game.rules == "hachihachi" else 1
        games_by_verdict.append(
            Ended(
                verification.game.rules,
                verification.game.tags.get("Date", ""),
                {name: unit * sum_ for name, sum_ in final.items()},
            )
        )
    do_idle_jobs("ratings")
    return games_by_verdict


def query_figure(id: str, query: str) -> Answer:
    """Return the answer of the archive to a valid query."""
    figure = FIGURES[id]
    question = parse(id, query)
    questions.check(question)
    return figure.answer(question)


# Head to head -------------------------------------------------------------------------------------


def check(line: dict[str, Any], more: list[int]) -> None:
    counts = [sum(x > 0 for x in more), more.count(0), sum(x < 0 for x in more)]
    assert [line["ahead"], line["level"], line["behind"]] == counts
    assert line["n"] == len(more)
    assert line["more"] == pytest.approx(sum(more) / len(more))
    rate = wilson(counts[0], len(more))
    assert (line["ahead_rate"], line["ahead_rate_low"], line["ahead_rate_high"]) == rate


def test_two_players_are_compared_by_month(ended: list[Ended]) -> None:
    common_games = [
        game for game in ended if game.rules == "koikoi" and {"Aya", "Ben"} <= set(game.final)
    ]
    response = query_figure("versus", "player=Aya&opponent=Ben&ruleset=koikoi&by=month")
    months = defaultdict(list)
    for game in common_games:
        when = game.date[:7].removesuffix("-??") or "unknown month"
        months[when].append(game.final["Aya"] - game.final["Ben"])
    assert {line["name"] for line in response.rows} == set(months)
    for name, more in months.items():
        check(row(response, name=name), more)
    few = query_figure("versus", "player=Aya&opponent=Ben&ruleset=koikoi&from=2026-02&to=2026")
    assert few.n == len(months["2026-02"]) + len(months["2026"])
    assert query_figure("versus", "player=Aya&opponent=Ben&last=2").games == 2


def test_level_game_is_neither_ahead_nor_behind() -> None:
    store(rated.Ended([("Dora", 1), ("Emi", 1)]))
    response = query_figure("versus", "player=Dora&opponent=Emi&ruleset=koikoi")
    check(row(response, ruleset="koikoi"), [0])


# Lists --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "query", "by"),
    part(
        [
            ("players", "games_min=1&sort=won", "rate_low"),
            ("players", "games_min=1", "games"),
            ("players", "last=1000", "games"),
            ("ratings", "games_min=1", "floor"),
            ("players", "from=2026-01&sort=won", "rate_low"),
            ("ratings", "", "floor"),
        ]
    ),
)
def test_lists_are_sorted_and_continued_by_their_cursor(
    ended: list[Ended], id: str, query: str, by: str
) -> None:
    query = f"ruleset=koikoi&{query}"
    whole = query_figure(id, query)
    assert [line["place"] for line in whole.rows] == [1, 2, 3] and not whole.next
    values = [float(line[by] or 0) for line in whole.rows]
    assert values == sorted(values, reverse=True)
    read_on: list[Any] = []
    following = ""
    for _ in range(3):
        part = query_figure(id, f"{query}&page_size=1&cursor={following}")
        read_on += part.rows
        following = part.next
    assert read_on == list(whole.rows) and not following


@pytest.mark.parametrize("cursor", ["x", "WyJiIiwxLDEsMV0", "WyJhIiwxLDFd", "é"])
def test_invalid_cursor_is_refused(cursor: str) -> None:
    figure = FIGURES["players"]
    _question, faults = questions.read(
        QueryDict(f"ruleset=koikoi&cursor={cursor}"), figure.filters, figure.own
    )
    assert [fault.name for fault in faults] == ["cursor"]


def test_player_without_statistics_is_not_compared(
    ended: list[Ended], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(careers, "LEAST", 1)
    query = "ruleset=koikoi&player=Ben"
    assert {line["n"] for line in query_figure("strengths", query).rows} == {2}
    Player.objects.filter(name="Aya").update(statistics=False)
    assert {line["n"] for line in query_figure("strengths", query).rows} == {1}


def test_ratings_that_are_due_are_noted(ended: list[Ended]) -> None:
    queries = (("ratings", "ruleset=koikoi"), ("rating", "ruleset=koikoi&player=Aya"))
    for id, query in queries:
        assert query_figure(id, query).rows and not query_figure(id, query).notes
    ratings.forget()
    for id, query in queries:
        assert query_figure(id, query).notes

"""Head to head, lists of players and ratings as answers, against the games they are about."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

import pytest
from django.http import QueryDict

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.models import Player, Rating, Record
from records.statistics import questions, ratings
from records.statistics.answer import Answer
from records.statistics.figures.careers import strengths
from records.statistics.figures.players import LEAST
from records.statistics.intervals import wilson
from records.statistics.registry import FIGURES
from records.store.ownership import take_down
from tests.people.world import sent
from tests.records.idle import do_idle_jobs
from tests.records.statistics import rated
from tests.records.statistics.asked import row
from tests.records.statistics.rated import store
from tests.records.statistics.test_gather import games

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@dataclass(frozen=True)
class Ended:
    """A game as its verdict tells it."""

    rules: str
    date: str
    final: dict[str, int]


@pytest.fixture(scope="module")
def ended(rows_for_all: None) -> list[Ended]:
    """Games in the archive; the last is of three players."""
    texts = [*games(), write(simulate("ten-five-one", seed=3, players=3, options={"months": "1"}))]
    found = []
    sent(*texts)
    for text in texts:
        seen = verify(read(text), facts=True)
        assert seen.game is not None and seen.verdict.final is not None
        final = dict(zip(seen.game.players, seen.verdict.final, strict=True))
        unit = 12 if seen.game.rules == "hachihachi" else 1
        found.append(
            Ended(
                seen.game.rules,
                seen.game.tags.get("Date", ""),
                {name: unit * sum_ for name, sum_ in final.items()},
            )
        )
    do_idle_jobs("ratings")
    return found


def asked(id: str, query: str) -> Answer:
    """What the archive answers; the question must be faultless."""
    figure = FIGURES[id]
    question, faults = questions.read(
        QueryDict(query),
        figure.filters,
        figure.own,
        figure.rulesets,
        any_ruleset=figure.any_ruleset,
    )
    assert not faults
    questions.check(question)
    return figure.answer(question, figure.gather(question))


# Head to head -------------------------------------------------------------------------------------


def together(ended: list[Ended], one: str, other: str) -> dict[str, list[int]]:
    """By ruleset, what one had more than the other in each game of both."""
    found = defaultdict(list)
    for game in ended:
        if {one, other} <= set(game.final):
            found[game.rules].append(game.final[one] - game.final[other])
    return found


@pytest.mark.parametrize(("one", "other"), [("Aya", "Ben"), ("Ben", "Aya"), ("Chie", "Ben")])
def test_two_players_are_compared_by_ruleset(ended: list[Ended], one: str, other: str) -> None:
    wanted = together(ended, one, other)
    found = asked("versus", f"player={one}&opponent={other}")
    assert {line["ruleset"] for line in found.rows} == set(wanted)
    assert found.n == found.games == sum(map(len, wanted.values()))
    for rules, more in wanted.items():
        line = row(found, ruleset=rules)
        check(line, more)
        expected = line["expected"]
        back = row(asked("versus", f"player={other}&opponent={one}"), ruleset=rules)["expected"]
        if expected is not None:
            assert expected + back == pytest.approx(1)
    assert any(line["expected"] is not None for line in found.rows)


def check(line: dict[str, Any], more: list[int]) -> None:
    counts = [sum(x > 0 for x in more), more.count(0), sum(x < 0 for x in more)]
    assert [line["ahead"], line["level"], line["behind"]] == counts
    assert line["n"] == len(more)
    assert line["more"] == pytest.approx(sum(more) / len(more))
    rate = wilson(counts[0], len(more))
    assert (line["ahead_rate"], line["ahead_rate_low"], line["ahead_rate_high"]) == rate


def test_two_players_are_compared_by_month(ended: list[Ended]) -> None:
    mine = [game for game in ended if game.rules == "koikoi" and {"Aya", "Ben"} <= set(game.final)]
    found = asked("versus", "player=Aya&opponent=Ben&ruleset=koikoi&by=month")
    months = defaultdict(list)
    for game in mine:
        when = game.date[:7].removesuffix("-??") or "unknown month"
        months[when].append(game.final["Aya"] - game.final["Ben"])
    assert {line["name"] for line in found.rows} == set(months)
    for name, more in months.items():
        check(row(found, name=name), more)
    few = asked("versus", "player=Aya&opponent=Ben&ruleset=koikoi&from=2026-02&to=2026")
    assert few.n == len(months["2026-02"]) + len(months["2026"])
    assert asked("versus", "player=Aya&opponent=Ben&last=2").games == 2


def test_level_game_is_neither_ahead_nor_behind() -> None:
    store(rated.Ended([("Dora", 1), ("Emi", 1)]))
    found = asked("versus", "player=Dora&opponent=Emi&ruleset=koikoi")
    check(row(found, ruleset="koikoi"), [0])


def test_comparison_without_two_players_is_empty(ended: list[Ended]) -> None:
    for query in ("", "player=Aya"):
        found = asked("versus", query)
        assert (found.n, found.games, found.rows) == (0, 0, []) and found.notes
    found = asked("versus", "player=Aya&opponent=Ben&event=nowhere")
    assert (found.n, list(found.rows), found.as_of) == (0, [], None)


def test_removed_game_changes_the_stamp(ended: list[Ended]) -> None:
    figure = FIGURES["versus"]
    question = questions.Question(player="Aya", opponent="Ben")
    before = figure.gather(question).stamp
    assert figure.gather(question).stamp == before
    take_down([Record.objects.filter(seats__name="Aya").filter(seats__name="Ben")[0].pk])
    assert figure.gather(question).stamp != before


# Lists --------------------------------------------------------------------------------------------


def players(ended: list[Ended], rules: str) -> dict[str, list[tuple[int, int, int]]]:
    """Of each player's games the place, whether others share it, and the final sum."""
    found = defaultdict(list)
    for game in ended:
        if game.rules != rules:
            continue
        for name, final in game.final.items():
            all_ = list(game.final.values())
            place = 1 + sum(other > final for other in all_)
            found[name].append((place, all_.count(final) - 1, final))
    return found


def test_players_of_a_ruleset_have_their_games_and_places(ended: list[Ended]) -> None:
    for rules in ("koikoi", "hachihachi", "ten-five-one"):
        wanted = players(ended, rules)
        found = asked("players", f"ruleset={rules}&games_min=1")
        assert {line["player"] for line in found.rows} == set(wanted)
        assert found.n == found.games == sum(game.rules == rules for game in ended)
        for name, played in wanted.items():
            line = row(found, player=name)
            assert line["games"] == line["n"] == len(played)
            assert line["first"] == sum(place == 1 and not shared for place, shared, _ in played)
            assert line["shared"] == sum(place == 1 and shared > 0 for place, shared, _ in played)
            assert line["mean_place"] == pytest.approx(
                sum(place for place, *_ in played) / len(played)
            )
            assert line["final"] == pytest.approx(sum(sum_ for *_, sum_ in played) / len(played))
    many = {name for name, played in players(ended, "koikoi").items() if len(played) >= LEAST}
    assert {line["player"] for line in asked("players", "ruleset=koikoi").rows} == many


@pytest.mark.parametrize(
    ("id", "query", "by"),
    [
        ("players", "games_min=1", "games"),
        ("players", "games_min=1&sort=won", "rate_low"),
        ("players", "last=1000", "games"),
        ("players", "from=2026-01&sort=won", "rate_low"),
        ("ratings", "games_min=1", "floor"),
        ("ratings", "", "floor"),
    ],
)
def test_lists_are_sorted_and_continued_by_their_cursor(
    ended: list[Ended], id: str, query: str, by: str
) -> None:
    query = f"ruleset=koikoi&{query}"
    whole = asked(id, query)
    assert [line["place"] for line in whole.rows] == [1, 2, 3] and not whole.next
    values = [float(line[by] or 0) for line in whole.rows]
    assert values == sorted(values, reverse=True)
    read_on: list[Any] = []
    following = ""
    for _ in range(3):
        part = asked(id, f"{query}&page_size=1&cursor={following}")
        read_on += part.rows
        following = part.next
    assert read_on == list(whole.rows) and not following


@pytest.mark.parametrize("rules", ["koikoi", "hachihachi", "ten-five-one"])
def test_list_of_single_games_equals_that_of_the_ruleset(ended: list[Ended], rules: str) -> None:
    whole = asked("players", f"ruleset={rules}&games_min=1")
    same = asked("players", f"ruleset={rules}&last=1000")
    assert whole.rows and (same.games, same.deals_played) == (whole.games, whole.deals_played)
    by_name = {line["player"]: {**line, "place": 0} for line in whole.rows}
    assert {line["player"]: {**line, "place": 0} for line in same.rows} == by_name


def test_players_of_filtered_games_are_listed(ended: list[Ended]) -> None:
    february = [game for game in ended if game.date[:7] in ("2026-02", "2026-??")]
    february = [game for game in february if game.rules == "koikoi"]
    names = Counter(name for game in february for name in game.final)
    found = asked("players", "ruleset=koikoi&from=2026-02&to=2026-02")
    assert {line["player"]: line["games"] for line in found.rows} == names
    assert found.n == found.games == len(february)
    most = max(names.values())
    few = asked("players", f"ruleset=koikoi&from=2026-02&to=2026-02&games_min={most}")
    assert {line["player"] for line in few.rows} == {n for n in names if names[n] == most}
    seats = [asked("players", f"ruleset=koikoi&seat={seat}").rows for seat in (1, 2)]
    all_: Counter[Any] = Counter()
    for line in (line for rows in seats for line in rows):
        all_[line["player"]] += int(line["games"] or 0)
    assert all_ == {
        line["player"]: line["games"] for line in asked("players", "ruleset=koikoi&last=1000").rows
    }
    none = asked("players", "ruleset=koikoi&event=none such")
    assert (none.n, none.rows) == (0, [])


@pytest.mark.parametrize("cursor", ["x", "WyJiIiwxLDEsMV0", "WyJhIiwxLDFd", "é"])
def test_invalid_cursor_is_refused(cursor: str) -> None:
    figure = FIGURES["players"]
    _question, faults = questions.read(
        QueryDict(f"ruleset=koikoi&cursor={cursor}"), figure.filters, figure.own
    )
    assert [one.name for one in faults] == ["cursor"]


def test_player_without_statistics_is_in_no_list(ended: list[Ended]) -> None:
    before = {id: FIGURES[id].gather(questions.Question("koikoi")).stamp for id in ("ratings",)}
    Player.objects.filter(name="Aya").update(statistics=False)
    for id in ("players", "ratings"):
        found = asked(id, "ruleset=koikoi&games_min=1")
        assert {line["player"] for line in found.rows} == {"Ben", "Chie"}
        assert [line["place"] for line in found.rows] == [1, 2]
    narrow = asked("players", "ruleset=koikoi&last=1000")
    assert {line["player"] for line in narrow.rows} == {"Ben", "Chie"}
    assert FIGURES["ratings"].gather(questions.Question("koikoi")).stamp != before["ratings"]
    assert Rating.objects.filter(player__name="Aya").exists()


def test_player_without_statistics_is_not_compared(
    ended: list[Ended], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strengths, "LEAST", 1)
    query = "ruleset=koikoi&player=Ben"
    assert {line["n"] for line in asked("strengths", query).rows} == {2}
    Player.objects.filter(name="Aya").update(statistics=False)
    assert {line["n"] for line in asked("strengths", query).rows} == {1}


def test_ratings_are_those_stored(ended: list[Ended]) -> None:
    found = asked("ratings", "ruleset=koikoi")
    assert found.n == len(found.rows) == 3  # who is rated
    for one in ratings.newest("koikoi"):
        line = row(found, player=one.player.name)
        assert line["provisional"] == (one.deviation > 110)
        assert (line["rating"], line["n"]) == (round(one.rating), one.rated)
        course = asked("rating", f"ruleset=koikoi&player={one.player.name}")
        lines: list[Any] = list(course.rows)
        assert sum(month["n"] for month in lines) == course.n == one.rated
        assert lines[-1]["rating"] == round(one.rating)
        months = [month["month"] for month in lines]
        assert months == sorted(months) and set(months) <= {"2026-01", "2026-02"}
        assert all(month["rating_low"] < month["rating"] < month["rating_high"] for month in lines)
    few = asked("rating", "ruleset=koikoi&player=Aya&from=2026-02")
    assert [month["month"] for month in few.rows] == ["2026-02"]
    assert asked("rating", "ruleset=koikoi").notes and not found.notes
    ratings.forget()
    assert asked("ratings", "ruleset=koikoi").notes


def test_players_of_removed_games_are_not_listed(ended: list[Ended]) -> None:
    for record in Record.objects.filter(seats__name="Aya").distinct():
        take_down([record.pk])
    left = asked("players", "ruleset=koikoi&games_min=1").rows
    assert {line["player"] for line in left} <= {"Ben", "Chie"}

"""Daily problems: chosen once, never twice within a year, and gone together with their game."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from kafu import cards
from kafu.judging.replay import stored_replay
from kafu.notation.reading.reader import read
from records.ingest.ownership import change_visibility
from records.models import Analysis, Problem, ProblemAnswer, Record, Visibility
from records.services import analyses, problems
from records.services.problems import Answer, NoProblem, parse_answer, problem_of, table_of
from tests.people.world import sent, user
from tests.records import makers
from tests.records.problems import list_choices, store_some

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

TODAY = date(2026, 11, 30)
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(problems, "today", lambda: TODAY)


@pytest.fixture(scope="module")
def games_for_all(rows_for_all: None) -> list[Record]:
    """Return two public games of an owner, each with two problems."""
    sent(makers.text(1), makers.text(2), owner=user("owner"))
    games = list(Record.objects.order_by("pk"))
    for record in games:
        store_some(record, 2)
    return games


@pytest.fixture
def games(games_for_all: list[Record], db: None) -> list[Record]:
    return games_for_all


def find_problem(day: date = TODAY) -> Problem:
    return problem_of("koikoi", day).problem


def find_owner(record: Record) -> int:
    owner = record.ownerships.get().owner_id
    assert owner is not None
    return owner


def hide(record: Record, visibility: Visibility) -> None:
    change_visibility(owner=find_owner(record), records=[record.pk], visibility=visibility)


def test_problem_of_a_day_stays(games: list[Record]) -> None:
    first = find_problem()
    assert first.day == TODAY and find_problem() == first
    Problem.objects.update(day=None)
    assert find_problem() == first  # the same archive chooses the same problem


def test_future_days_and_days_before_the_first_problem_have_none(games: list[Record]) -> None:
    for day in (TODAY + DAY, TODAY - DAY):
        with pytest.raises(NoProblem) as error:
            find_problem(day)
        assert error.value.is_future == (day > TODAY)
    with pytest.raises(NoProblem):
        problem_of("hachihachi", TODAY)
    assert not Problem.objects.exclude(day=None).exists()


def test_problem_does_not_occur_twice_within_a_year(
    games: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = []
    for i in range(4):
        monkeypatch.setattr(problems, "today", lambda day=TODAY + i * DAY: day)
        chosen.append(find_problem(TODAY + i * DAY))
    assert len({problem.pk for problem in chosen}) == 4
    for later, expected in ((5, None), (365, None), (366, chosen[0])):
        day = TODAY + later * DAY
        monkeypatch.setattr(problems, "today", lambda day=day: day)
        if expected is None:
            with pytest.raises(NoProblem):
                find_problem(day)
        else:
            assert find_problem(day) == expected


def test_day_without_visitors_gets_its_problem_later(
    games: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    find_problem()
    monkeypatch.setattr(problems, "today", lambda: TODAY + 2 * DAY)
    assert find_problem(TODAY + DAY).day == TODAY + DAY
    assert problems.days_before("koikoi", TODAY + 2 * DAY) == [TODAY + DAY, TODAY]


@pytest.mark.parametrize(
    "visibility", [Visibility.UNLISTED, Visibility.PRIVATE, Visibility.WITHDRAWN]
)
def test_problem_of_a_hidden_game_is_replaced(games: list[Record], visibility: Visibility) -> None:
    hidden = find_problem()
    hide(hidden.record, visibility)
    other = find_problem()
    assert other.record_id != hidden.record_id
    hide(other.record, visibility)
    with pytest.raises(NoProblem):
        find_problem()
    assert problems.rulesets() == []


def test_problem_of_a_hidden_game_does_not_come_back(
    games: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    hidden = find_problem()
    hide(hidden.record, Visibility.PRIVATE)
    find_problem()
    hide(hidden.record, Visibility.PUBLIC)
    later = TODAY + 2 * DAY
    monkeypatch.setattr(problems, "today", lambda: later)
    chosen = [find_problem(TODAY + DAY), find_problem(later)]
    assert hidden.pk not in [problem.pk for problem in chosen]
    assert not Problem.objects.filter(day=None).exists()


def test_problem_of_a_deleted_game_is_replaced(games: list[Record]) -> None:
    deleted = find_problem()
    deleted.record.delete()
    other = find_problem()
    assert other.record_id not in (None, deleted.record_id) and other.day == TODAY


def test_problem_of_a_copy_is_not_shown(games: list[Record]) -> None:
    first, copy = games
    Record.objects.filter(pk=copy.pk).update(copy_of=first)
    assert find_problem().record_id == first.pk


def test_new_analysis_replaces_problems_and_keeps_their_days(games: list[Record]) -> None:
    record = games[0]
    Problem.objects.exclude(record=record).delete()
    kept = find_problem()
    changed = [choice for choice in list_choices(record, 3) if choice["step"] == kept.step]
    changed += [choice for choice in list_choices(record, 3)[2:] if choice["step"] != kept.step]
    analyses.store_report(record, 2, {"choices": changed, "deals": []})
    assert Problem.objects.get(day=TODAY).pk == kept.pk
    assert Problem.objects.filter(record=record).count() == len(changed)
    analyses.store_report(record, 2, {"choices": [], "deals": []})
    with pytest.raises(NoProblem):
        find_problem()


def test_problem_that_the_engine_plays_differently_is_dropped(games: list[Record]) -> None:
    problem = find_problem()
    Problem.objects.filter(pk=problem.pk).update(choice=problem.choice | {"step": 999})
    assert find_problem().pk != problem.pk
    assert not Problem.objects.filter(pk=problem.pk).exists()


def test_table_has_only_cards_that_the_seat_knew(games: list[Record]) -> None:
    """Hidden cards are those of the other hand and of the draw pile."""
    for record in games:
        game = read(record.text).game
        assert game is not None
        replay = stored_replay(game)
        for choice in list_choices(record, 5):
            seen = table_of(record.text, choice)
            assert seen is not None
            before = replay["deals"][choice["deal"] - 1]["steps"][choice["step"] - 1]
            own, other = choice["seat"] - 1, 2 - choice["seat"]
            assert seen.table.hands[own] == before["hands"][own]
            assert seen.table.hands[other] == cards.UNKNOWN * len(before["hands"][other])
            assert {option["move"][0] for option in choice["options"]} == {*before["hands"][own]}
            assert (seen.table.field, seen.turned) == (before["field"], "")


def test_first_answer_of_a_day_counts(games: list[Record]) -> None:
    account, problem = user("aya"), find_problem()
    best, other = problem.best, problem.choice["options"][1]["move"]
    assert problems.store_answers(account.pk, [Answer("koikoi", TODAY, other)]) == 1
    assert problems.store_answers(account.pk, [Answer("koikoi", TODAY, best)]) == 1
    assert problems.answers_of(account.pk, "koikoi") == {str(TODAY): [other, False]}
    for answer in (("koikoi", TODAY, "xx"), ("koikoi", TODAY - DAY, best), ("go", TODAY, best)):
        assert problems.store_answers(account.pk, [Answer(*answer)]) == 0
    account.delete()
    assert not ProblemAnswer.objects.exists()


def test_answer_is_parsed() -> None:
    assert parse_answer("koikoi 2026-11-30 AxB") == ("koikoi", TODAY, "AxB")
    for text in ("", "koikoi", "koikoi 2026-13-30 A", "koikoi today A", "\0 2026-11-30 A"):
        assert parse_answer(text) is None


@pytest.mark.parametrize(
    ("days", "streak"), [("", 0), ("r", 1), ("rr", 2), ("-rr", 2), ("w", 0), ("rw", 1), ("--r", 0)]
)
def test_streak_counts_consecutive_right_days(days: str, streak: int) -> None:
    """``days`` begin with today: right, wrong, or without an answer."""
    answers = {
        str(TODAY - i * DAY): ["A", letter == "r"] for i, letter in enumerate(days) if letter != "-"
    }
    assert problems.count_streak(answers, TODAY) == streak


def test_own_choices_are_the_costly_ones_of_own_games(games: list[Record]) -> None:
    record = games[0]
    owner, other = find_owner(record), user("other")
    choices = [choice | {"costly": True} for choice in list_choices(record, 3)]
    choices[1]["better"] = 9.0
    Analysis.objects.create(
        record=record, engine="x", most=2, made="2026-01-01T00:00Z", found={"choices": choices}
    )
    own = problems.own_choices(owner)
    assert own[0].choice["better"] == 9.0 and len(own) == 3
    assert own[0].player == record.players[choices[1]["seat"] - 1]
    assert problems.own_choices(other.pk) == []
    hide(record, Visibility.PRIVATE)
    assert len(problems.own_choices(owner)) == 3
    hide(record, Visibility.WITHDRAWN)
    assert problems.own_choices(owner) == []

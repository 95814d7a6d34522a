"""Ratings: by the paper, in any order of ingest, and interrupted at any point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lengths import LONG
from records.base import clock
from records.facts.current import current_snapshot
from records.facts.snapshot import Snapshot
from records.jobs import executor
from records.models import (
    FactPart,
    Job,
    Listing,
    Player,
    RatedGames,
    Rating,
    Record,
    Status,
    Visibility,
)
from records.models.facts import FOREVER
from records.statistics import ratings
from records.statistics.rating import RatingState
from tests.records.idle import do_idle_jobs
from tests.records.makers import do_idle, text, upload
from tests.records.statistics.rated import (
    Ended,
    Rated,
    glicko,
    rated_month,
    rested,
    set_visibility,
    store,
)

if TYPE_CHECKING:
    from records.statistics.glicko import RatedMonth

pytestmark = pytest.mark.django_db

DAY = date(2026, 1, 5).toordinal()
NAMES = "abcde"


def compute() -> None:
    """Compute all due ratings."""
    do_idle_jobs("ratings")
    assert not any(map(is_due, ("koikoi", "hachihachi")))


def is_due(ruleset: str) -> bool:
    """Return whether a month of a ruleset is due."""
    return ratings.find_due_month(current_snapshot(), ruleset) is not None


def rows() -> list[tuple[Any, ...]]:
    """Return all ratings, sorted by names."""
    ratings_ = Rating.objects.select_related("player").order_by("player__name", "ruleset", "month")
    return [
        (
            *(row.player.name, row.ruleset, row.month, row.until, row.day),
            *(row.rating, row.deviation, row.volatility, row.games, row.rated, row.standing),
        )
        for row in ratings_
    ]


# One month ----------------------------------------------------------------------------------------


def start_month() -> RatedMonth:
    """Return a month without players, and import SciPy, which only these tests need."""
    from records.statistics.glicko import RatedMonth

    return RatedMonth()


def test_example_of_the_paper_is_computed() -> None:
    """1500/200 beats 1400/30 and loses to 1550/100 and 1700/300: 1464.06, 151.52, 0.05999."""
    opponents = [(Rated(1400, 30), 1.0), (Rated(1550, 100), 0.0), (Rated(1700, 300), 0.0)]
    rated = glicko(Rated(1500, 200), opponents)
    assert rated.rating == pytest.approx(1464.06, abs=0.01)
    assert rated.deviation == pytest.approx(151.52, abs=0.01)
    assert rated.volatility == pytest.approx(0.05999, abs=0.00001)


def test_game_is_rated_as_the_paper_says() -> None:
    players = {
        1: RatingState(1500, 200, 0.06, DAY - 10, 3),
        2: RatingState(1400, 30, 0.06, DAY - 10, 9),
        3: RatingState(1700, 300, 0.05, DAY - 10, 0),
        4: RatingState(2300, 60, 0.06, DAY - 10, 0),
    }
    # The last is an upset, after which the volatility is another.
    for better, worse, score in ((1, 2, 1.0), (3, 1, 1.0), (2, 3, 0.5), (2, 4, 1.0)):
        month = start_month()
        for player, state in players.items():
            month.join(player, state)
        month.play(DAY, {better: 1, worse: 2 if score == 1 else 1})
        states = {player: state for player, state, _games in month.states()}
        assert set(states) == {better, worse}
        winner, loser = (Rated(*astuple(players[player])) for player in (better, worse))
        check(states[better], glicko(winner, [(loser, score)]))
        check(states[worse], glicko(loser, [(winner, 1 - score)]))
        assert states[better].games == players[better].games + 1


def astuple(state: RatingState) -> tuple[float, float, float]:
    return state.rating, state.deviation, state.volatility


def check(state: RatingState, expected: Rated) -> None:
    assert state.rating == pytest.approx(expected.rating, abs=1e-3)
    assert state.deviation == pytest.approx(expected.deviation, abs=1e-3)
    assert state.volatility == pytest.approx(expected.volatility, abs=1e-6)


def test_deviation_of_a_resting_player_grows() -> None:
    month = start_month()
    month.join(1, RatingState(1500, 60, 0.06, DAY - 365, 40))
    month.join(2, None)
    month.play(DAY, {1: 2, 2: 1})
    (_, state, _), _ = month.states()
    rested_state = rested(Rated(1500, 60, 0.06, DAY - 365), "2026-01")
    assert rested_state.deviation > 65
    check(state, glicko(rested_state, [(Rated(), 0.0)]))


def even_month(order: Sequence[int]) -> dict[int, RatingState]:
    """Return the ratings of two equal players and a third after games in this order."""
    games = (
        [{1: 1, 2: 2}] * 29 + [{2: 1, 1: 2}] * 29 + [{1: 1, 2: 1}] * 2 + [{3: 1, 1: 2, 2: 2}] * 3
    )
    month = start_month()
    for player, state in ((1, None), (2, None), (3, RatingState(1712.3, 81.7, 0.059, DAY - 90, 9))):
        month.join(player, state)
    for place in order:
        month.play(DAY + place % 20, games[place])
    return {player: state for player, state, _games in month.states()}


def test_order_of_games_in_a_month_does_not_change_ratings() -> None:
    """Equal players get equal ratings, and every permutation gives the same last bit."""
    order = list(range(63))
    expected = even_month(order)
    for seed in range(300 if LONG else 30):
        Random(seed).shuffle(order)
        assert even_month(order) == expected
    assert expected[1] == expected[2]
    assert expected[1].games == 63 and expected[3].games == 12


# The archive --------------------------------------------------------------------------------------


def naive(games: Sequence[Ended]) -> dict[str, Rated]:
    """Return the ratings after all games, month by month by the paper."""
    states: dict[str, Rated] = {}
    for month in sorted({game.date[:7] for game in games}):
        played = [game for game in games if game.date.startswith(month)]
        ends = [
            (game.date, {name: -place for name, place in reversed(game.places)}) for game in played
        ]
        states |= rated_month(states, ends)
    return states


@pytest.mark.long
def test_ratings_of_several_months_equal_the_paper() -> None:
    games = [
        Ended(
            [(NAMES[(n + k) % 5], 1 + (n * k) % 3) for k in range(2 + n % 3)],
            # Several a month, and months without a game.
            f"20{24 + n // 24}-{1 + n % 24 // 8 * 4:02}-{1 + n % 28:02}",
            number=n,
        )
        for n in range(0, 48, 1 if LONG else 2)
    ]
    for game in games:
        store(game)
    compute()
    expected = naive(games)
    newest = Rating.objects.filter(until=FOREVER)
    assert {row.player.name for row in newest} == set(NAMES)
    for row in newest.select_related("player"):
        due = expected[row.player.name]
        assert row.rating == pytest.approx(due.rating, abs=0.01)
        assert row.deviation == pytest.approx(due.deviation, abs=0.01)
        assert row.day == due.day
        played = [game for game in games if row.player.name in dict(game.places)]
        assert (
            row.rated
            == len(played)
            == sum(month.games for month in ratings.history("koikoi", row.player.name))
        )
    assert not list(ratings.differences())


#: Changes of a game, and whether it is rated.
COUNTING: list[tuple[dict[str, Any], bool]] = [
    ({}, True),
    ({"date": "2026-02-??"}, True),
    ({"date": "2026-??-??"}, False),
    ({"date": "????-??-??"}, False),
    ({"status": Status.MISMATCH}, True),
    ({"status": Status.CONSISTENT}, True),
    ({"status": Status.UNFINISHED}, False),
    ({"status": Status.ILLEGAL}, False),
    ({"visibility": Visibility.UNLISTED}, False),
    ({"places": [("{} a", 1)]}, False),
    ({"places": [("{} a", 1), ("{} a", 2)]}, False),
]


def test_only_public_legal_games_of_two_or_more_count() -> None:
    """Each change is made to a game of two players of its own."""
    for change, _counts in COUNTING:
        game = replace(Ended([("{} a", 1), ("{} b", 2)]), **change)
        store(replace(game, places=[(name.format(change), place) for name, place in game.places]))
    compute()
    rated = {f"{change} {seat}" for change, counts in COUNTING if counts for seat in "ab"}
    assert {row[0] for row in rows()} == rated


def test_several_seats_of_one_player_count_once() -> None:
    store(Ended([("a", 2), ("b", 1), ("a", 3)]))
    compute()
    before = rows()
    forget_all()
    store(Ended([("a", 2), ("b", 1)]))
    compute()
    assert rows() == before


PLAYED = st.builds(
    Ended,
    places=st.lists(st.tuples(st.sampled_from(NAMES), st.integers(1, 3)), min_size=2, max_size=4),
    date=st.builds("2026-{:02}-{:02}".format, st.integers(1, 5), st.integers(1, 3)),
    ruleset=st.sampled_from(["koikoi", "hachihachi"]),
    number=st.integers(0, 99),
)


@pytest.mark.long_only  # `test_month_that_changes…` and `test_order_of…` have short forms
@settings(max_examples=150 if LONG else 2)
@given(data=st.data(), games=st.lists(PLAYED, min_size=3, max_size=12, unique_by=repr))
@pytest.mark.long
def test_ratings_do_not_depend_on_order_or_detours(data: st.DataObject, games: list[Ended]) -> None:
    forget_all()
    for game in games:
        store(game)
    compute()
    expected = rows()
    forget_all()
    shuffled = data.draw(st.permutations(games))
    for game in shuffled:
        pk = store(game)
        for _ in range(data.draw(st.integers(0, 2))):
            ratings.step(game.ruleset)  # broken off anywhere
        if data.draw(st.booleans()):
            set_visibility(pk, Visibility.WITHDRAWN)
            for _ in range(data.draw(st.integers(0, 3))):
                ratings.step(game.ruleset)
            set_visibility(pk, Visibility.PUBLIC)
    compute()
    assert rows() == expected
    assert not list(ratings.differences())
    for pk in list(Listing.objects.values_list("pk", flat=True)):
        set_visibility(pk, Visibility.WITHDRAWN)
    compute()
    assert not Rating.objects.exists()


def forget_all() -> None:
    for model in (Record, Rating, RatedGames, FactPart, Player):
        model._default_manager.all().delete()


def test_month_that_changes_while_it_is_rated_is_due_again(monkeypatch: pytest.MonkeyPatch) -> None:
    store(Ended([("a", 1), ("b", 2)]))
    written = ratings._write
    late = Ended([("b", 1), ("c", 2)])

    def slow(*arguments: Any) -> bool:
        if not Record.objects.filter(seats__name="c").exists():
            store(late)
        return written(*arguments)

    monkeypatch.setattr(ratings, "_write", slow)
    assert ratings.step("koikoi")
    assert {row[0] for row in rows()} == set("ab")
    assert is_due("koikoi")
    compute()
    assert {row[0] for row in rows()} == set("abc")
    assert not list(ratings.differences())


def test_worker_that_was_overtaken_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    store(Ended([("a", 1), ("b", 2)]))
    computed = ratings._compute

    def overtaken(snapshot: Snapshot, ruleset: str, month: int) -> Any:
        result = computed(snapshot, ruleset, month)
        monkeypatch.undo()
        store(Ended([("b", 1), ("c", 2)]))
        compute()
        return result

    monkeypatch.setattr(ratings, "_compute", overtaken)
    assert ratings.step("koikoi")
    assert {row[0] for row in rows()} == set("abc")
    assert not list(ratings.differences())


def test_unchanged_months_are_not_rated_again() -> None:
    for month in (1, 2, 3):
        store(Ended([("a", 1), ("b", 2)], f"2026-{month:02}-01"))
    compute()
    before = list(Rating.objects.order_by("pk").values())
    RatedGames.objects.filter(month=202601).update(digest="other")
    assert ratings.step("koikoi") and not ratings.step("koikoi")
    assert list(Rating.objects.order_by("pk").values()) == before


def test_ratings_wait_for_uploads() -> None:
    store(Ended([("a", 1), ("b", 2)]))
    upload(text(1).encode())
    executor.run_next()
    assert Job.objects.filter(kind="chunk", state__in=Job.OPEN).exists()
    RatedGames.objects.create(ruleset="koikoi", month=0, digest="other")
    do_idle()
    assert not Rating.objects.exists()
    RatedGames.objects.update(changed=clock.now() - ratings.WAIT)
    do_idle()
    assert Rating.objects.count() == 2


#: Changes of a rating, and what is reported of each.
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"rating": 1.0}, "should be"),
    ({"standing": 1}, "standing"),
    ({"until": 202602}, "until"),
    ({"month": 202603}, "no game is rated"),
]


def test_wrong_row_is_reported() -> None:
    store(Ended([("a", 1), ("b", 2)]))
    compute()
    row = Rating.objects.filter(player__name="a")
    pk = row.get().pk
    for change, message in WRONG:
        right = row.values(*change).get()
        row.update(**change)
        differences = list(ratings.differences())
        assert any(message in difference for difference in differences), (change, differences)
        Rating.objects.filter(pk=pk).update(**right)
    Rating.objects.all().delete()
    assert any("missing" in difference for difference in ratings.differences())
    ratings.forget()
    assert not list(ratings.differences())
    compute()
    assert not list(ratings.differences())


def test_streaks_follow_the_time_of_day() -> None:
    """Test uploads in another order than the time of day.

    In the order of uploads, a won streaks of 1, 1 and 2; by the clock, a streak of 4. A game
    without a time is the first of its day.
    """
    games = (("2026-02-01", "18:00", "a"), ("2026-02-01", "17:59:30", "b"), ("2026-02-02", "", "a"))
    later = (("2026-02-03", "21:00", "b"), ("2026-02-03", "", "a"), ("2026-02-03", "20:00", "a"))
    for number, (day, time, best) in enumerate((*games, *later)):
        loser = "b" if best == "a" else "a"
        store(Ended([(best, 1), (loser, 2)], day, number=number, time=time))
    compute()
    assert Rating.objects.get(player__name="a").longest == 4


def test_expected_score_is_that_of_the_paper() -> None:
    strong, weak = Rating(rating=1700, deviation=50), Rating(rating=1500, deviation=50)
    likely = ratings.expected(strong, weak)
    assert likely == pytest.approx(1 - ratings.expected(weak, strong))
    assert 0.74 < likely < 0.76
    unsure = Rating(rating=1700, deviation=350)
    assert 0.5 < ratings.expected(unsure, weak) < likely

"""The chance to win a game, compared with games played to their end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import sqrt
from random import Random
from statistics import fmean

import pytest

from kafu.analysis.policy import Policy
from kafu.analysis.winning import GameEnd, WinChances, load_win_chances
from kafu.rules.grades import Carried
from kafu.rules.play.machine import Phase, State
from kafu.rules.rulesets import RULESETS, machine_of
from kafu.rules.verdict import placed
from lengths import LONG

pytestmark = pytest.mark.long

#: States after a deal, games played to their end from each, and simulated games for chances.
STATES, PLAYED, GAMES = (400, 100, 512) if LONG else (4, 6, 16)
#: Difference allowed on average beyond its error, because few games are simulated, and for a state.
BIAS, APART = (0.005, 0.03) if LONG else (0.01, 0.3)
TABLES = (*((rules, None) for rules in RULESETS), ("hachihachi-bga", 5), ("ten-five-one", 7))
#: In the short form: two seats, and a table with more players than seats.
SHORT = (("koikoi", None), ("hachihachi-bga", 5))
ALL = 2_048


def _after_a_deal(policy: Policy, state: State, random: Random) -> State:
    state = policy.machine.step(state.copy(), policy.machine.deal(state, random))
    return policy.play_out(policy.begin(state, random))


def _states(policy: Policy, random: Random) -> Iterator[State]:
    """Yield random states between the deals of games."""
    while True:
        states = [policy.machine.start()]
        while states[-1].phase is not Phase.OVER:
            states.append(_after_a_deal(policy, states[-1], random))
        yield random.choice(states[1:-1])


def _shares(policy: Policy, state: State, random: Random) -> list[float]:
    """Play a game to its end, and return the share of each seat in the win."""
    while state.phase is not Phase.OVER:
        state = _after_a_deal(policy, state, random)
    assert state.final is not None and state.result is not None
    places = placed(state.final, state.result.first)
    return [(place == 1) / places.count(1) for place in places]


@pytest.mark.parametrize("rules", tuple(RULESETS) if LONG else ("koikoi",))
def test_chances_are_near_those_of_games_played_to_their_end(rules: str) -> None:
    """Chances of the leader and the dealer have no significant bias, and all are within a few %."""
    machine, random = machine_of(rules, {}, RULESETS[rules].seats[0]), Random(f"ends {rules}")
    policy, chances = Policy(machine), load_win_chances(machine, GAMES)
    of: dict[str, list[float]] = {"leader": [], "dealer": [], "all": []}
    noise = []
    for state in islice(_states(policy, random), STATES):
        ends = [_shares(policy, state, random) for _ in range(PLAYED)]
        for seat in range(1, machine.players + 1):
            truth = fmean(end[seat - 1] for end in ends)
            difference = chances.chance(state, seat, ends=ALL) - truth
            of["all"].append(difference)
            noise.append(truth * (1 - truth) / PLAYED)
            if state.totals[seat - 1] == max(state.totals):
                of["leader"].append(difference)
            if seat == state.dealer:
                of["dealer"].append(difference)
    squares = fmean(difference * difference for difference in of["all"])
    apart = sqrt(max(0.0, squares - fmean(noise)))
    print(f"{rules}: {100 * apart:.1f} % apart", end="")
    for name in ("leader", "dealer"):
        error = sqrt(max(squares, fmean(noise)) / len(of[name]))
        print(f", {name} {100 * fmean(of[name]):+.1f} ± {100 * error:.1f} %", end="")
        assert abs(fmean(of[name])) < 3 * error + BIAS
    print()
    assert apart < APART


@pytest.mark.parametrize("rules, players", TABLES if LONG else SHORT)
def test_chances_of_all_seats_add_up_to_one(rules: str, players: int | None) -> None:
    """After the last deal the chances follow from the settlement."""
    machine = machine_of(rules, {}, players or RULESETS[rules].seats[0])
    chances, random = WinChances(machine, 2), Random(7)
    policy, state = Policy(machine), machine.start()
    while state.phase is not Phase.OVER:
        state = _after_a_deal(policy, state, random)
        seats = [chances.chance(state, seat, first=5) for seat in range(1, machine.players + 1)]
        assert sum(seats) == pytest.approx(1)
    best = max(state.final or ())
    assert [chance > 0 for chance in seats] == [sum_ == best for sum_ in state.final or ()]


def test_seat_far_ahead_has_won() -> None:
    machine = machine_of("hanaawase", {}, 3)
    state = _after_a_deal(Policy(machine), machine.start(), Random(1))
    state.totals = (5_000, -2_500, -2_500)
    chances = WinChances(machine, 4)
    assert [chances.chance(state, seat) for seat in (1, 2, 3)] == [1, 0, 0]
    state.month = 13
    state.final, state.totals = (10, 10, -20), (0, 0, 0)
    assert [chances.chance(state, seat) for seat in (1, 2, 3)] == [0.5, 0.5, 0]


def test_game_of_any_length_may_be_prolonged_by_a_tie() -> None:
    """The season after a tie in koi-koi equals the one before (K13), in a game of any length."""
    for months in ("12", "1"):
        chances = WinChances(machine_of("koikoi", {"months": months}, 2), 2)
        last = chances.ends(int(months))
        assert chances.ends(int(months) + 3) is last
        assert all(min(end.scores) >= 0 for end in last)


def test_carried_brights_have_their_own_ends() -> None:
    """Brights left over make the next month at least a large one (B2).

    Months with the same carried value represent it, or all months if the value is rare.
    """
    chances = WinChances(machine_of("hachihachi-bga", {"months": "6"}, 3), 64)
    plain = chances.ends(6)
    assert chances.ends(6, Carried(0, 1)) is not plain
    assert chances.ends(6, Carried(2, 2)) is plain
    koikoi = WinChances(machine_of("koikoi", {"months": "2"}, 2), 2)
    assert koikoi.ends(2, Carried(0, 1)) is koikoi.ends(2)


@pytest.mark.parametrize(
    "winners, dealer, is_played_over, winning_places",
    [((1, 1), 1, False, [0]), ((1, 1), 2, True, [1]), ((1, 2), 2, False, [])],
)
def test_winner_of_two_months_may_win_the_season_whole(
    winners: tuple[int, ...], dealer: int, is_played_over: bool, winning_places: list[int]
) -> None:
    """Only this seat can get 小引 for the third month (K12); places count from the dealer."""
    machine = machine_of("koikoi", {"kobiki": "99"}, 2)
    state = machine.start()
    state.winners, state.dealer, state.replayed = winners, dealer, is_played_over
    ends = load_win_chances(machine, 128).ends(12, machine.find_carried(state))
    paid = [place for place in (0, 1) if any(end.scores[place] > 99 for end in ends)]
    assert paid == winning_places


def test_bust_seat_has_lost() -> None:
    """A house may end the game for a bust seat (K15), in spite of possible later wins."""
    machine = machine_of("koikoi", {"profile": "koikoi-ai"}, 2)
    state = _after_a_deal(Policy(machine), machine.start(), Random(1))
    chances = WinChances(machine, 8)
    state.dealer, state.month = 1, 2
    state.totals = (1, 59)
    ends = chances.ends(2, machine.find_carried(state))
    near = chances.chance(state, 1, ends=len(ends))
    paths = [list(_sums_by_month(end)) for end in ends]
    lost = [path for path in paths if min(1 + first for first, _ in path) <= 0]
    came_back = sum((path[-1][0] > 29) + (path[-1][0] == 29) / 2 for path in lost)
    assert 0 < near < 1 - len(lost) / len(ends) + 1e-9
    state.totals = (1_000_001, 1_000_059)
    late = chances.chance(state, 1, ends=len(ends))
    assert late == pytest.approx(near + came_back / len(ends))


def _sums_by_month(end: GameEnd) -> Iterator[tuple[int, ...]]:
    """Yield the totals after each month of an end, in seat order from its first dealer."""
    sums, first = [0] * len(end.scores), 0
    part: GameEnd | None = end
    while part is not None:
        for i, sum_ in enumerate(part.month.scores):
            sums[(first + i) % len(sums)] += sum_
        yield tuple(sums)
        first, part = first + part.month.shift, part.later
    assert tuple(sums) == end.scores


def test_first_seat_to_reach_the_target_has_won() -> None:
    """K18: later months do not matter."""
    options = {"first-to": "40", "nagare": "next", "ginmi": "no"}
    machine = machine_of("koikoi", options, 2)
    state = _after_a_deal(Policy(machine), machine.start(), Random(1))
    chances = WinChances(machine, 8)
    state.dealer, state.month, state.totals = 1, 2, (39, 30)
    won = 0.0
    ends = chances.ends(2, machine.find_carried(state))
    for end in ends:
        after = [(39 + first, 30 + second) for first, second in _sums_by_month(end)]
        over = next((sums for sums in after if max(sums) >= 40), after[-1])
        won += (over[0] > over[1]) + (over[0] == over[1]) / 2
    assert chances.chance(state, 1, ends=len(ends)) == pytest.approx(won / len(ends))
    assert 0.5 < won / len(ends) < 1

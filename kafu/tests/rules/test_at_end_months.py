"""Properties of 三人花合わせ and the 10/5/1 game over some 3,000 simulated months each."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafu import cards
from kafu.judging.playthrough import Playthrough
from kafu.judging.replay import stored_replay
from kafu.judging.verify import verify
from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.rules.play.actions import Action
from kafu.rules.play.at_end import AtEndState
from kafu.rules.play.machine import Phase
from kafu.rules.rulesets import machine_of
from kafu.rules.ten_five_one import machine as ten_five_one
from kafu.simulation.simulate import PLAYERS, simulate
from lengths import LONG

pytestmark = pytest.mark.long

MONTHS = 3_000 if LONG else 400
PARTS = 5
SEEDS = st.integers(0, 2**32)
#: (ruleset, count of a card's points, points of the pack)
COUNTS: dict[str, tuple[Callable[[int], int], int]] = {
    "hanaawase": (cards.points, 264),
    "ten-five-one": (ten_five_one.points, 330),
}


def options(rules: str, random: Random) -> dict[str, str]:
    """Return random house rules, with years of three months if the house permits."""
    chosen = {
        name: random.choice(sorted(values.known)) for name, values in RULES[rules].options.items()
    }
    return chosen | ({"months": "3"} if chosen else {})


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("rules", sorted(COUNTS))
def test_sums_of_simulated_months_are_zero(rules: str, part: int) -> None:
    """Check lines, scores, captured points and settlement.

    Lines and scores sum to zero (C4; T7: 330 points less 330), including seats that sit out, which
    get nothing; all points of the pack are captured; the settlement sums to zero.
    """
    random = Random(part)
    count, whole = COUNTS[rules]
    seats = RULES[rules].seats
    players = seats[part % len(seats)]
    played = 0
    while played < MONTHS // PARTS:
        machine = machine_of(rules, options(rules, random), players)
        state: AtEndState = machine.start()
        while state.phase is not Phase.OVER:
            action: Action
            if state.phase is Phase.DEAL:
                action = machine.deal(state, random)
            elif state.phase is Phase.PILE:
                action = machine.pile(state, random)
            else:
                action = PLAYERS["random"](machine, state, machine.legal_actions(state), random)
            state, _ = machine.apply(state, action)
            if state.result is None:
                continue
            played += 1
            result = state.result
            assert all(sum(line.amounts) == 0 for line in result.ledger)
            assert sum(result.score) == 0
            if result.end in ("played-out", "fuke"):
                assert sum(map(count, state.table.captured)) == whole
                assert (state.table.left, state.table.field) == (0, 0)
                out = set(range(1, players + 1)) - set(state.order)
                assert len(out) == players - 3
                assert not any(line.amounts[seat - 1] for line in result.ledger for seat in out)
            else:
                assert result.end == "redeal"
                assert not result.ledger
        assert state.final is not None
        assert sum(state.final) == 0


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Draw a game of either ruleset, with random or sensible players."""
    rules = draw(st.sampled_from(sorted(COUNTS)))
    seed = draw(SEEDS)
    return simulate(
        rules,
        seed=seed,
        players=draw(st.sampled_from(RULES[rules].seats)),
        player=draw(st.sampled_from(sorted(PLAYERS))),
        options=options(rules, Random(seed)),
    )


@given(games())
def test_simulated_game_is_verified(game: Game) -> None:
    text = write(game)
    verification = verify(read(text))
    assert verification.verdict.status == "verified", verification.verdict.error
    assert (verification.verdict.warnings, verification.text) == ([], text)


@given(games())
def test_every_step_partitions_the_pack(game: Game) -> None:
    """C3: players who sit out hold their cards until the bids end, then the stock has them."""
    for deal in stored_replay(game)["deals"]:
        for step in deal["steps"]:
            lying = "".join([*step["hands"], step["field"], *step["captured"]])
            assert len(lying) == len(set(lying)) == 48 - step["stock"]


@given(games())
def test_every_listed_action_can_be_applied(game: Game) -> None:
    """`legal_actions` and `apply` agree, all along a game by chance."""
    rules = machine_of(game.rules, game.options, len(game.players))
    for played in Playthrough(game, rules).advance():
        for action in rules.legal_actions(played.state):
            rules.apply(played.state, action)

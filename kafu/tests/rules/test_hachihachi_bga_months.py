"""Properties of 八八 (hachihachi-bga) over simulated months, and of whole records."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafu import cards
from kafu.judging.replay import stored_replay
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.rules.play.actions import Action
from kafu.rules.play.machine import Phase
from kafu.rules.rulesets import machine_of
from kafu.simulation.simulate import PLAYERS, simulate
from lengths import LONG

pytestmark = pytest.mark.long

MONTHS = 4_000 if LONG else 400
SEATS = (3, 4, 5, 6)
SEEDS = st.integers(0, 2**32)


@pytest.mark.parametrize("players", SEATS)
def test_ledgers_of_simulated_months_add_up(players: int) -> None:
    """Every ledger line and the settlement sum to zero (B1, C4), including seats that sit out.

    Captured points are 264 when the hands are played out.
    """
    random = Random(players)
    played = 0
    while played < MONTHS // len(SEATS):
        machine = machine_of("hachihachi-bga", {"months": random.choice(["6", "12"])}, players)
        state = machine.start()
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
            assert result.next_dealer in state.playing
            fees = [line for line in result.ledger if line.label == "ori"]
            assert len(fees) == len(state.bidding.left)
            if result.end in ("played-out", "special", "nagare"):
                assert sum(map(cards.points, state.table.captured)) == 264
        assert sum(state.final) == 0


@given(SEEDS, st.sampled_from(sorted(PLAYERS)), st.sampled_from(SEATS))
def test_simulated_game_is_verified(seed: int, player: str, players: int) -> None:
    options = {"months": "6"}
    game = simulate("hachihachi-bga", seed=seed, players=players, player=player, options=options)
    text = write(game)
    verification = verify(read(text))
    assert verification.verdict.status == "verified", verification.verdict.error
    assert (verification.verdict.warnings, verification.text) == ([], text)


@given(SEEDS, st.sampled_from(SEATS))
def test_every_step_of_a_replay_partitions_the_pack(seed: int, players: int) -> None:
    """C3."""
    game = simulate("hachihachi-bga", seed=seed, players=players, options={"months": "6"})
    for deal in stored_replay(game)["deals"]:
        for step in deal["steps"]:
            lying = "".join([*step["hands"], step["field"], *step["captured"]])
            assert len(lying) == len(set(lying)) == 48 - step["stock"]


@given(SEEDS, st.sampled_from(SEATS))
def test_record_without_sage_has_the_same_verdict(seed: int, players: int) -> None:
    """B7: a record without its =sage has the same verdict, word for word."""
    options = {"months": "6"}
    game = simulate("hachihachi-bga", seed=seed, players=players, player="random", options=options)
    text = write(game)
    silent = text.replace("=sage", "")
    complete, shortened = verify(read(text)).verdict, verify(read(silent)).verdict
    assert shortened.status == complete.status == "verified"
    assert (shortened.deals, shortened.final) == (complete.deals, complete.final)

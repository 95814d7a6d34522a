"""Properties of 三人はちはち in simulated months, and in every step of some months."""

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
from kafu.rules.play.machine import Phase
from kafu.rules.rulesets import machine_of
from kafu.simulation.simulate import PLAYERS, simulate
from lengths import LONG

pytestmark = pytest.mark.long

MONTHS = 20_000 if LONG else 600
PARTS = 4 if LONG else 1
OPTIONS = [{"ba": ba, "etsunen": etsunen} for ba in "ABCDEF" for etsunen in ("no", "yes")]
SEEDS = st.integers(0, 2**32)


@pytest.mark.parametrize("part", range(PARTS))
def test_ledgers_of_simulated_months_add_up(part: int) -> None:
    """Every ledger line (C4) and the settlement (H20) sum to zero.

    Captured points are 264 when the hands are played out.
    """
    random = Random(part)
    played = 0
    while played < MONTHS // PARTS:
        rules = machine_of("hachihachi", random.choice(OPTIONS), 3)
        state = rules.start()
        while state.phase is not Phase.OVER:
            dealt = [rules.deal(state, random)] if state.phase is Phase.DEAL else []
            actions = dealt or rules.legal_actions(state)
            state, _ = rules.apply(state, PLAYERS["random"](rules, state, actions, random))
            if state.result is None:
                continue
            played += 1
            result = state.result
            assert all(sum(line.amounts) == 0 for line in result.ledger)
            assert sum(result.score) == 0
            if result.end in ("played-out", "special"):
                assert sum(map(cards.points, state.table.captured)) == 264
            else:
                assert any(not line.void for line in result.ledger)
        assert sum(state.final) == 0
        assert all(total % 12 == 0 for total in state.final)


@given(SEEDS, st.sampled_from(sorted(PLAYERS)), st.sampled_from(OPTIONS))
def test_simulated_year_is_verified(seed: int, player: str, options: dict[str, str]) -> None:
    text = write(simulate("hachihachi", seed=seed, player=player, options=options))
    verification = verify(read(text))
    assert verification.verdict.status == "verified", verification.verdict.error
    assert (verification.verdict.warnings, verification.text) == ([], text)


@given(SEEDS)
def test_every_step_of_a_replay_partitions_the_pack(seed: int) -> None:
    """C3."""
    for deal in stored_replay(simulate("hachihachi", seed=seed))["deals"]:
        for step in deal["steps"]:
            lying = "".join([*step["hands"], step["field"], *step["captured"]])
            assert len(lying) == len(set(lying)) == 48 - step["stock"]

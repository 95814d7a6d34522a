"""The fast playthrough, on a state that changes in place, and the careful playthrough agree."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden import broken, facts_of, text_of
from kafu.judging import playthrough
from kafu.judging.facts import Observer
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.rules.play.actions import Action, Illegal
from kafu.rules.play.machine import State
from kafu.rules.rulesets import machine_of
from lengths import LONG

GAMES = st.tuples(st.sampled_from(sorted(RULES)), st.integers(0, 100_000))


def ignore(*_: Any) -> None:
    """Ignore every action; a watched game is played with care."""


@given(GAMES, st.booleans())
def test_game_played_in_place_equals_the_game_played_with_copies(
    game: tuple[str, int], breaks: bool
) -> None:
    """Deals, state, warnings, fault and facts are the same for every kind of fault."""
    text = text_of(*game)
    record = read(broken(text, Random(game[1])) if breaks else text).game
    if record is None or record.is_sheet:
        return
    rules = machine_of(record.rules, record.options, len(record.players))
    facts, careful_facts = Observer(rules), Observer(rules)
    fast = playthrough.play(record, rules, observer=facts)
    careful = playthrough.play(record, rules, ignore, careful_facts)
    assert fast.game == careful.game
    assert fast.state == careful.state
    for name in ("deals", "warnings", "fault", "refused", "unknown", "stopped", "hidden"):
        assert getattr(fast, name) == getattr(careful, name), name
    assert facts_of(facts.facts) == facts_of(careful_facts.facts)


@pytest.mark.parametrize("rules", sorted(RULES))
def test_game_in_order_is_played_without_copies(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of a plain record is made twice: no turns of its movetext, no copy of a state."""
    copies: list[object] = []

    def copied(state: State) -> State:
        copies.append(state)
        return state

    monkeypatch.setattr(State, "copy", copied)
    for seed in range(0, 40 if LONG else 12, 4):  # games without rare events, some with house rules
        game = read(text_of(rules, seed)).game
        assert game is not None
        machine = machine_of(rules, game.options, len(game.players))
        outcome = playthrough.play(game, machine)
        assert outcome.fault is None
        if all(month.moves is not None for month in game.months):
            assert not copies
        copies.clear()


@given(GAMES)
def test_applied_action_leaves_its_state_unchanged(game: tuple[str, int]) -> None:
    """`apply` leaves its state unchanged, even for a refused action, and agrees with `step`."""
    record = read(text_of(*game)).game
    assert record is not None
    machine = machine_of(record.rules, record.options, len(record.players))
    steps: list[tuple[Action, Any]] = []
    playthrough.play(
        record, machine, lambda _n, action, state, _e, _c: steps.append((action, state))
    )
    before = machine.start()
    for number, (action, after) in enumerate(steps):
        unchanged = before.copy()
        if number % 7 == 0 and number:
            try:
                machine.apply(before, steps[number // 2][0])
            except Illegal:
                pass
            assert before == unchanged
        stepped = machine.step(before, action)
        stepped.heard = None
        assert stepped.replace(unproved=None) == after.replace(unproved=None)
        assert machine.apply(unchanged, action)[0] == after
        before = after.copy()

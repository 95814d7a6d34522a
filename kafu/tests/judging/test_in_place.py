"""Play on a state that changes in place, from canonical movetext and from turns."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden import broken, facts_of, text_of
from kafu.judging.facts import collect_facts
from kafu.judging.playthrough import Playthrough
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.rules.play.actions import Illegal
from kafu.rules.play.machine import State
from kafu.rules.rulesets import machine_of
from lengths import LONG

GAMES = st.tuples(st.sampled_from(sorted(RULES)), st.integers(0, 100_000))


@given(GAMES, st.booleans())
def test_game_played_by_turns_equals_the_game_played_by_canonical_movetext(
    game: tuple[str, int], breaks: bool
) -> None:
    """Deals, state, warnings, fault and facts are the same for every kind of fault."""
    text = text_of(*game)
    text = broken(text, Random(game[1])) if breaks else text
    record, by_turns = read(text).game, read(text).game
    if record is None or by_turns is None or record.is_sheet:
        return
    for month in by_turns.months:
        assert month.statements
    rules = machine_of(record.rules, record.options, len(record.players))
    plays = Playthrough(record, rules), Playthrough(by_turns, rules)
    facts = [facts_of(collect_facts(play)) for play in plays]
    assert facts[0] == facts[1]
    outcome, outcome_by_turns = (play.outcome for play in plays)
    silent = Playthrough(record, rules).run()
    for name in (
        *("game", "deals", "steps", "warnings", "fault", "refused", "unknown", "stopped"),
        *("state", "hidden"),
    ):
        expected = getattr(outcome, name)
        assert expected == getattr(outcome_by_turns, name) == getattr(silent, name), name


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
        outcome = Playthrough(game, machine).run()
        assert outcome.fault is None
        if all(month.rows is not None for month in game.months):
            assert not copies
        copies.clear()


@given(GAMES)
def test_applied_action_leaves_its_state_unchanged(game: tuple[str, int]) -> None:
    """`apply` leaves its state unchanged, even for a refused action, and agrees with `step`."""
    record = read(text_of(*game)).game
    assert record is not None
    machine = machine_of(record.rules, record.options, len(record.players))
    steps = [
        (step.action, step.state.copy(), step.events)
        for step in Playthrough(record, machine).steps()
    ]
    before = machine.start()
    for number, (action, after, events) in enumerate(steps):
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
        assert machine.apply(unchanged, action) == (after, events)
        before = after.copy()

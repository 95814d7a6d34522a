"""Exact counts, against the machine trying every stock card."""

from __future__ import annotations

import pytest

from kafu.analysis.counting import lacking, next_turn
from kafu.analysis.game import Point, points
from kafu.cards import ALL, bits, mask
from kafu.rules.play.actions import Draw, Play
from kafu.rules.play.machine import Phase
from kafu.rules.play.table import captures
from kafu.rules.rulesets import RULESETS, machine_of
from kafu.simulation.simulate import simulate

pytestmark = pytest.mark.long


def _tried(rules: str, point: Point, play: Play, yaku: str) -> int:
    """With how many stock cards a turn makes the yaku, as the machine plays it."""
    machine = machine_of(rules, {}, RULESETS[rules].seats[0])
    view, count = point.view, 0
    assert view is not None
    for card in bits(view.unseen):
        made = False
        start = view._state(view._hands([0] * view.covered), (card,))
        state = machine.step(start.copy(), play)
        if state.phase is Phase.DECIDE:  # as soon as a hand card makes one (B7)
            made = yaku in {one.id for one in machine.yaku(state, point.seat)}
            field = state.table.field
            assert field is not None
        else:
            for take in captures(state.table.field, card):
                after = machine.step(state.copy(), Draw(card, take))
                made = made or yaku in {one.id for one in machine.yaku(after, point.seat)}
        count += made
    return count


@pytest.mark.parametrize("rules", ("koikoi", "hanaawase", "ten-five-one", "hachihachi"))
def test_chance_of_a_yaku_equals_what_the_machine_finds(rules: str) -> None:
    machine = machine_of(rules, {}, RULESETS[rules].seats[0])
    seen = 0
    for seed in range(40):
        for point in points(simulate(rules, seed=seed)):
            if point.view is None or point.kind != "hand":
                continue
            for chance in next_turn(machine, point.view)[:2]:
                if chance.makes < chance.unseen:
                    assert chance.makes == _tried(rules, point, chance.play, chance.yaku)
                    seen += 1
        if seen >= 20:
            return
    pytest.fail(f"{seen} chances only")


def test_lacking_cards_complete_a_yaku() -> None:
    """Two of three blue slips: the third completes 青短; with the other side it is out of reach."""
    machine = machine_of("koikoi", {}, 2)
    state = machine.start()
    state.table = state.table.replace(captured=[mask("Vh"), mask("B")], hands=[0, 0])
    lacks = {lack.yaku: lack for lack in lacking(machine, state, 1)}
    assert lacks["aotan"].missing == 1 and lacks["aotan"].cards == mask("l")
    assert "akatan" not in lacks
    assert lacks["sanko"].missing == 3
    assert not lacks["aotan"].cards & ~ALL

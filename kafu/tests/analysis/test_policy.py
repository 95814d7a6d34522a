"""The policy of play-outs beats the random and the greedy player of simulations."""

from __future__ import annotations

from random import Random

import pytest

from analysis.matches import play_match
from kafu import cards
from kafu.analysis.policy import Policy
from kafu.rules.play.machine import Phase
from kafu.rules.play.table import TableCards
from kafu.rules.rulesets import RULESETS, machine_of
from lengths import LONG

pytestmark = pytest.mark.long

#: A few games show the advantage over the random player. The greedy player takes hundreds.
GAMES = 2_000 if LONG else 16


@pytest.mark.parametrize("other", ("random", "sensible") if LONG else ("random",))
@pytest.mark.parametrize("rules", tuple(RULESETS))
def test_policy_wins_more_than_other_players(rules: str, other: str) -> None:
    """The advantage exceeds two standard errors, with alternating seats."""
    margin = play_match(rules, other, GAMES)
    print(f"{rules}: {margin.mean:.2f} ± {margin.error:.2f} a game over {GAMES} against {other}")
    assert margin.mean > 2 * margin.error


@pytest.mark.parametrize("rules", tuple(RULESETS))
def test_policy_plays_the_same_card_wherever_hidden_cards_are(rules: str) -> None:
    machine = machine_of(rules, {}, RULESETS[rules].seats[0])
    policy, random = Policy(machine), Random(5)
    for _ in range(4):
        state = machine.step(machine.start(), machine.deal(machine.start(), random))
        state = policy.begin(state, random)
        while state.phase not in (Phase.DEAL, Phase.OVER):
            if state.phase is Phase.HAND:
                rearranged = state.copy()
                rearranged.table = _shuffled(state.table, state.seat, random)
                assert policy.choose_card(rearranged) == policy.choose_card(state)
            policy.step(state)


def _shuffled(table: TableCards, seat: int, random: Random) -> TableCards:
    """Return the table with the cards hidden from a seat shuffled."""
    loose = [
        card for i, hand in enumerate(table.hands) if i != seat - 1 for card in cards.bits(hand)
    ]
    loose += table.ahead
    random.shuffle(loose)
    hands = []
    for i, hand in enumerate(table.hands):
        count = hand.bit_count()
        hands.append(hand if i == seat - 1 else sum(loose[:count]))
        if i != seat - 1:
            del loose[:count]
    stock = (*table.stock[: table.turned], *loose)
    return table.replace(hands=hands, stock=stock)

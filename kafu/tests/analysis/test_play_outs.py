"""Play-outs on the table end like those whose every card the machine judges."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from kafu import cards
from kafu.analysis.knowledge import shuffle
from kafu.analysis.policy import Policy
from kafu.rules.play.machine import AT_HAND, Machine, Phase, State
from kafu.rules.rulesets import RULESETS, machine_of
from kafu.rules.weights import NEUTRAL
from lengths import LONG

#: Deals a ruleset, and deals with the same house rules.
DEALS = 100_000 if LONG else 120
HOUSE = 40 if LONG else 6
#: Actions at most before the play-out, chosen at random.
ACTIONS = 24


@pytest.mark.parametrize("rules", tuple(RULESETS))
def test_play_outs_end_like_those_that_the_machine_judges(rules: str) -> None:
    """The results of all seats are equal, after any actions and by any house rules."""
    random, played = Random(rules), 0
    while played < DEALS:
        machine = make_machine(rules, random)
        policy = Policy(machine)
        for _ in range(HOUSE):
            state = begin_deal(policy, random)
            judged = state.copy()
            policy.play_out(state)
            while judged.phase in (Phase.HAND, Phase.STOCK, Phase.DECIDE):
                policy.step(judged)
            assert state.table == judged.table
            assert (state.result, state.totals) == (judged.result, judged.totals)
            assert (state.phase, state.dealer) == (judged.phase, judged.dealer)
            assert state.final == judged.final
            assert machine.find_carried(state) == machine.find_carried(judged)
            played += 1


@pytest.mark.parametrize("rules", tuple(RULESETS))
def test_worths_of_cards_follow_from_the_rows_of_yaku(rules: str) -> None:
    """The best card is the best of all, with fitted and with neutral weights."""
    random, compared = Random(rules), 0
    while compared < (5_000 if LONG else 200):
        machine = make_machine(rules, random)
        policy = Policy(machine, random.choice((None, NEUTRAL)))
        state = begin_deal(policy, random)
        while state.result is None:
            if state.phase is AT_HAND:
                listed = policy.list_worths(state)
                assert [row[1:] for row in listed] == state.table.plays(state.seat)
                for worth, card, take in listed:
                    assert worth == pytest.approx(find_worth(policy, state, card, take))
                worth, card, take = max(listed, key=lambda row: row[0])
                assert policy.choose_card(state) == (card, take)
                compared += 1
            policy.step(state)


def make_machine(rules: str, random: Random) -> Machine[Any]:
    """Return the machine of a preset or of random house rules, at a table of any size."""
    ruleset = RULESETS[rules]
    chosen = random.choice([{}, *(preset.options for preset in ruleset.presets)])
    options = dict(chosen)
    for name, option in ruleset.options.items():
        if random.random() < 0.2:
            options[name] = random.choice(
                sorted(option.known) or list(map(str, option.numbers or ()))
            )
    return machine_of(rules, options, random.choice(ruleset.seats))


def begin_deal(policy: Policy, random: Random) -> State:
    """Return a deal at a hand card after some random actions, or at its end."""
    machine = policy.machine
    start = machine.start().replace(month=random.randint(1, 12))
    state: State = policy.begin(machine.step(start, machine.deal(start, random)), random)
    actions = random.randrange(ACTIONS)
    while state.result is None and (actions > 0 or state.phase is not AT_HAND):
        state = machine.step(state, random.choice(machine.legal_actions(state)))
        actions -= 1
    return state


def find_worth(policy: Policy, state: State, card: int, take: int) -> float:
    """Return the worth of a hand card, computed from the definitions of the weights."""
    weights, table, i = policy.weights, state.table, state.seat - 1
    hand, gone = table.hands[i], 0
    for captured in table.captured:
        gone |= captured
    unseen = cards.ALL & ~(hand | table.field | gone)
    covered = sum(other.bit_count() for k, other in enumerate(table.hands) if k != i)
    share = covered / unseen.bit_count() if unseen else 0.0
    risk = 1.0 - (1.0 - share) ** (cards.MATCH[card] & unseen).bit_count()
    opponents = [seat for seat in policy.machine.in_play(state) if seat != state.seat]

    def own(group: int) -> float:
        turns = hand.bit_count()
        chances = weights.chance * turns, weights.near * turns
        worth = find_gain(policy, state, i, group, *chances) * len(opponents)
        return worth + sum(policy.plain[each] for each in cards.bits(group))

    def threat(group: int) -> float:
        worth = 0.0
        for seat in opponents:
            chance = weights.threat * table.hands[seat - 1].bit_count()
            worth += find_gain(policy, state, seat - 1, group, chance, chance)
        return worth

    if take:
        kept = own(take) * (1.0 - weights.safe * (1.0 - risk))
        denied = (weights.denied + weights.contested * risk) * threat(take)
        return weights.spent * own(card) + kept + denied
    loss = risk * (weights.lost * own(card) + weights.given * threat(card))
    if cards.MATCH[card] & hand & ~card:
        loss -= (1.0 - risk) * (weights.preserved * own(card) + weights.pair)
    return -loss


def find_gain(
    policy: Policy, state: State, i: int, group: int, chance: float, near: float
) -> float:
    """Return the gain of a player from some cards, each for the yaku that it counts for."""
    weights, captured, others = policy.weights, state.table.captured[i], 0
    for k, cards_ in enumerate(state.table.captured):
        others |= cards_ if k != i else 0
    gain = 0.0
    for row in policy.machine.yaku_table(state):
        count = (group & row.cards).bit_count()
        lacking = row.need - (captured & row.cards).bit_count()
        free = (row.cards & ~(captured | others)).bit_count()
        if lacking <= 0:
            gain += count * row.step * policy.unit
        elif free >= lacking and not row.must & others:
            odds = min((near if lacking == 1 else chance) * free / lacking, weights.ceiling)
            value = (row.value + weights.bonus) * policy.unit
            gain += count * value * odds ** (lacking - 1) * (1.0 - odds)
    return gain


def test_shuffle_equals_the_one_of_the_standard_library() -> None:
    for seed in range(60):
        ours, theirs = list(range(seed)), list(range(seed))
        first, second = Random(seed), Random(seed)
        shuffle(ours, first)
        second.shuffle(theirs)
        assert (ours, first.random()) == (theirs, second.random())

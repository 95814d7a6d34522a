"""Luck and choices add up to the result, and luck is zero on average."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import sqrt
from statistics import fmean, stdev

import pytest

from kafu.analysis.luck import DealLuck, account_for_deal
from kafu.cards import UNKNOWN
from kafu.facade.judging import verify
from kafu.rules.rulesets import RULESETS
from kafu.simulation.simulate import simulate
from lengths import LONG
from rare.simulation import simulate_rare

pytestmark = pytest.mark.long

#: Deals per ruleset, and play-outs per part: fewer are unbiased too, but noisier.
DEALS, PLAYOUTS = (2_000, 8) if LONG else (6, 3)
#: With few play-outs an error is itself uncertain: the mean of squares exceeds 1. A single one of
#: eight play-outs has 1.4 (Student's distribution).
SQUARES = 1.5 if LONG else 2.5
#: All rulesets, and larger tables with bids and the blank card.
TABLES = (*((rules, None) for rules in RULESETS), ("hachihachi-bga", 5), ("ten-five-one", 7))
#: In the short form: two seats, and a table with more players than seats.
SHORT = (("koikoi", None), ("ten-five-one", 7))


def _deals(rules: str, players: int | None) -> Iterator[tuple[DealLuck, bool]]:
    """Yield the accounts of deals by both kinds of players, and whether the cards are random.

    The cards of some games are stacked for rare events: their luck need not be zero on average.
    """
    seed = 0
    while True:
        player = ("random", "sensible")[seed % 2]
        rare = seed % 4 == 3
        if rare:
            game = simulate_rare(rules, seed=seed, players=players)
        else:
            game = simulate(rules, seed=seed, players=players, player=player)
        for number in range(1, len(game.months) + 1):
            account = account_for_deal(game, number, seed=seed, playouts=PLAYOUTS)
            thrown = game.months[number - 1]
            ended = thrown.actions("redeal") or thrown.actions("void")
            assert account is not None or ended or rare
            if account is not None:
                yield account, not rare
        seed += 1


@pytest.mark.parametrize("rules, players", TABLES if LONG else SHORT)
def test_luck_and_choices_of_simulated_deals_add_up_to_the_result(
    rules: str, players: int | None
) -> None:
    """The remainder agrees with its error; its mean and a seat's mean luck are zero."""
    deals = list(islice(_deals(rules, players), DEALS))
    accounts = [account for account, _is_random in deals]
    parts = ("start", "deal", "stock", "choices", "opponents")
    for account in accounts:
        for i, result in enumerate(account.result):
            sums = sum(getattr(account, name).value[i] for name in parts)
            assert result == pytest.approx(sums + account.remainder.value[i])
        assert account.course[0].step == 0
        assert account.course[-1].amounts.value == account.result
    rests = [account.remainder for account in accounts]
    scaled = [
        remainders.value[0] / remainders.error[0] for remainders in rests if remainders.error[0]
    ]
    squares, mean = fmean(value * value for value in scaled), fmean(scaled)
    print(f"{rules} {players or ''}: rest {mean:.3f} of its error, squares {squares:.3f}")
    assert squares < SQUARES and abs(mean) < 3 / sqrt(len(scaled))
    for name in ("deal", "stock"):
        luck = [getattr(account, name).value[0] for account, is_random in deals if is_random]
        error = stdev(luck) / sqrt(len(luck))
        print(f"{rules} {players or ''}: luck of the {name} {fmean(luck):.2f} ± {error:.2f}")
        assert abs(fmean(luck)) < 3 * error


def test_deal_with_unknown_cards_has_no_account() -> None:
    game = simulate("koikoi", seed=1, options={"months": "1"})
    month = game.months[0]
    game.months[0] = month.replace(hands=month.hands | {2: UNKNOWN * 8})
    assert account_for_deal(game, 1, playouts=1) is None
    assert verify(game).status in ("consistent", "verified")


def test_hand_that_is_not_shown_counts_as_a_choice_of_its_seat() -> None:
    """A shown dealt hand is paid; a silent holder loses the payment."""
    for seed in range(200):
        game = simulate("hachihachi", seed=seed, player="sensible")
        month = game.months[0]
        shows = month.actions("show")
        if shows and "shiso" not in shows[0].say:
            break
    seat = shows[0].seat
    before = account_for_deal(game, 1, playouts=32)
    month.put("show", [])
    month.score = None
    after = account_for_deal(game, 1, playouts=32)
    assert before is not None and after is not None
    assert after.choices.value[seat - 1] < before.choices.value[seat - 1]
    assert after.result[seat - 1] < before.result[seat - 1]


def test_hand_not_shown_that_deals_the_month_again_counts_as_a_choice() -> None:
    """月三手, three sorts of cards (A1), is not shown by its player."""
    game = simulate("hanaawase", seed=16, player="random")
    assert not game.months[11].actions("redeal")
    account = account_for_deal(game, 12, playouts=4)
    assert account is not None and any(account.choices.value)


def test_deal_whose_split_names_another_dealer_has_an_account() -> None:
    """After a misdeal of January the cards are split anew (K1)."""
    game = simulate_rare("koikoi", seed=51)
    assert game.months[1].dealer != game.months[0].dealer
    assert account_for_deal(game, 2, seed=1, playouts=1) is not None

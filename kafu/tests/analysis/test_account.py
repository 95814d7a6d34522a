"""Luck and choices add up to the result, and on average nobody is lucky."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import sqrt
from statistics import fmean, stdev

import pytest

from kafu.analysis.account import Account, of_deal
from kafu.cards import UNKNOWN
from kafu.facade.judging import verify
from kafu.rules.rulesets import RULESETS
from kafu.simulation.simulate import simulate
from lengths import LONG

#: Deals a ruleset, and play-outs for each part: fewer are as right, and less steady.
DEALS, PLAYOUTS = (2_000, 8) if LONG else (8, 4)
#: With so few play-outs an error is itself uncertain: the mean of squares is above 1.
SQUARES = 1.25 if LONG else 2.5
#: Where bids and the blank card come into it too.
TABLES = (*((rules, None) for rules in RULESETS), ("hachihachi-bga", 5), ("ten-five-one", 7))


def _deals(rules: str, players: int | None) -> Iterator[Account]:
    """The deals of games, whoever plays and however rare what happens."""
    seed = 0
    while True:
        player = ("random", "sensible")[seed % 2]
        rare = seed % 4 == 3
        game = simulate(rules, seed=seed, players=players, player=player, rare=rare)
        for number in range(1, len(game.months) + 1):
            account = of_deal(game, number, seed=seed, playouts=PLAYOUTS)
            thrown = game.months[number - 1]
            assert account is not None or thrown.redeal or thrown.void or rare
            if account is not None:
                yield account
        seed += 1


@pytest.mark.long
@pytest.mark.parametrize("rules, players", TABLES)
def test_luck_and_choices_add_up_to_the_result(rules: str, players: int | None) -> None:
    """What is left over is as large as its error says, and on average nothing; and so is the luck
    of a seat, whoever plays.
    """
    found = list(islice(_deals(rules, players), DEALS))
    parts = ("start", "deal", "stock", "own", "others")
    for one in found:
        for i, result in enumerate(one.result):
            sums = sum(getattr(one, name).value[i] for name in parts)
            assert result == pytest.approx(sums + one.rest.value[i])
        assert one.course[0].step == 0 and one.course[-1].amounts.value == one.result
    scaled = [one.rest.value[0] / one.rest.error[0] for one in found if one.rest.error[0]]
    squares, mean = fmean(one * one for one in scaled), fmean(scaled)
    print(f"{rules} {players or ''}: rest {mean:.3f} of its error, squares {squares:.3f}")
    assert squares < SQUARES and abs(mean) < 3 / sqrt(len(scaled))
    for name in ("deal", "stock"):
        luck = [getattr(one, name).value[0] for one in found]
        error = stdev(luck) / sqrt(len(luck))
        print(f"{rules} {players or ''}: luck of the {name} {fmean(luck):.2f} ± {error:.2f}")
        assert abs(fmean(luck)) < 3 * error


def test_a_deal_is_not_measured_where_cards_are_missing() -> None:
    game = simulate("koikoi", seed=1, options={"months": "1"})
    month = game.months[0]
    game.months[0] = month.with_hands(month.hands | {2: UNKNOWN * 8})
    assert of_deal(game, 1, playouts=1) is None
    assert verify(game).status in ("consistent", "verified")


def test_what_a_seat_does_not_show_is_its_own_choice() -> None:
    """A dealt hand that is paid if it is shown: who does not show it loses that, and the others
    gain it.
    """
    for seed in range(200):
        game = simulate("hachihachi", seed=seed, player="sensible")
        month = game.months[0]
        if month.shows and "shiso" not in month.shows[0].yaku:
            break
    seat = month.shows[0].seat
    before = of_deal(game, 1, playouts=4)
    game.months[0].shows, game.months[0].score = [], None
    after = of_deal(game, 1, playouts=4)
    assert before is not None and after is not None
    assert after.own.value[seat - 1] < before.own.value[seat - 1]
    assert after.result[seat - 1] < before.result[seat - 1]


def test_a_hand_that_was_not_shown_may_have_had_the_month_dealt_again() -> None:
    """月三手, three sorts of cards (A1), which its player did not show."""
    game = simulate("hanaawase", seed=16, player="random")
    assert game.months[11].redeal is None
    account = of_deal(game, 12, playouts=4)
    assert account is not None and any(account.own.value)

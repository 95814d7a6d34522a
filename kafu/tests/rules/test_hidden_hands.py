"""Hidden hands (C9): what is known of them, what follows, and what can't be checked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kafu.judging.verify import verify
from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.rules.verdict import Verdict
from kafu.simulation.simulate import simulate


def judged(game: Game) -> Verdict:
    """The verdict on a game, by way of its text."""
    return verify(read(write(game))).verdict


def hidden(game: Game, *seats: int) -> Game:
    """The game with the dealt hands of some seats (of all, if none is named) not written down."""
    return replace(
        game,
        months=[
            replace(
                month,
                hands={
                    seat: hand if seats and seat not in seats else "?" * len(hand)
                    for seat, hand in month.hands.items()
                },
            )
            for month in game.months
        ],
    )


# What is known ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [10, 36, 54, 55])
def test_who_let_a_three_go_is_known_by_what_he_plays_later(seed: int) -> None:
    """H15 (b): the fourth card was in the thrower's hand, as his later play shows (C9)."""
    game = simulate("hachihachi", seed=seed)
    whole, found = judged(game), judged(hidden(game))
    assert any(0 in line.amounts for deal in whole.deals for line in deal.ledger)
    assert found.status == "consistent"
    assert [deal.ledger for deal in found.deals] == [deal.ledger for deal in whole.deals]

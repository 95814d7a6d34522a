"""Claims of exemption in records with unknown hands (C9, H14)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from kafu.judging.playthrough import Playthrough
from kafu.judging.verify import verify
from kafu.notation.actions import Action
from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.rules.hachihachi.machine import Hachihachi
from kafu.rules.play.actions import Play
from kafu.simulation.simulate import simulate
from lengths import LONG


def thrown(game: Game) -> list[tuple[int, int]]:
    """Return every played hatto card: the number of its deal, and of its turn."""
    plays = []
    for played in Playthrough(game, Hachihachi({})).advance():
        state: Any = played.state
        if isinstance(played.action, Play) and (state.fresh or state.fresh_debts):
            plays.append((played.number, state.turn))
    return plays


def claims(seeds: range) -> Iterator[tuple[Game, Game, int]]:
    """Yield games up to a month with a claim of exemption for a hatto card.

    Each comes with a copy without the hands and stock of the month, and the turn of the claim.
    """
    for seed in seeds:
        game = simulate("hachihachi", seed=seed, claims=False)
        for number, turn in thrown(game):
            before, month = game.months[: number - 1], game.months[number - 1]
            turns = list(month.turns)
            at = [i for i, item in enumerate(turns) if item.keyword == "turn"][turn - 1]
            claim = turns[at]
            play, *following = claim.value
            turns[at] = replace(claim, value=(play, Action("say", say="menjo"), *following))
            told = month.replace(turns=turns)
            told.put("show", [])
            hands = {seat: "?" * len(hand) for seat, hand in month.hands.items()}
            untold = told.replace(hands=hands, stock=None)
            tags = {"Termination": "unfinished"}
            yield (
                replace(game, months=[*before, told], tags=tags),
                replace(game, months=[*before, untold], tags=tags),
                turn,
            )


@pytest.mark.long
def test_exemption_disproved_by_later_plays_is_illegal_at_its_turn() -> None:
    """C9: later plays were in the hand when the player claimed to hold only hatto cards."""
    accepted = refused = 0
    for told, untold, turn in claims(range(12, 40) if LONG else range(12, 24)):
        due, error = (verify(read(write(game))).verdict.error for game in (told, untold))
        if due is None:
            assert error is None
            accepted += 1
        else:
            assert error is not None
            assert (error.code.id, error.deal, error.turn) == ("exemption-false", due.deal, turn)
            assert (due.code.id, due.turn) == ("exemption-false", turn)
            refused += 1
    assert accepted
    assert refused > 3

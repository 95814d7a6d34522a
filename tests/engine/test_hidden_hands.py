"""Hidden hands (C9): what is known of them, what follows, and what can't be checked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from records import cards
from records.engine.simulate import simulate
from records.engine.verdict import Verdict
from records.engine.verify import verify
from records.kafu.game import Game, Month, Show, Turn
from records.kafu.reader import read
from records.kafu.writer import write


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


def declared(rules: str, options: dict[str, str] | None = None, seeds: int = 12) -> list[Game]:
    """Simulated games in which hands are declared."""
    games = (simulate(rules, seed=seed, options=options) for seed in range(seeds))
    return [game for game in games if any(month.shows for month in game.months)]


def test_a_yaku_of_a_hand_played_out_is_paid_though_the_hand_is_hidden() -> None:
    """B6: a hand that is played out is known, so the payment is due without a word."""
    paid = 0
    for seed in range(8):
        game = simulate("hachihachi-bga", seed=seed)
        for ours, theirs in zip(judged(hidden(game)).deals, judged(game).deals, strict=True):
            if ours.end == "played-out":
                assert ours == theirs
                paid += len(ours.ledger) > 1
    assert paid


def test_a_declaration_that_later_plays_disprove_is_false() -> None:
    """C9: before any play 赤 may be right; the hand played out holds what is no slip."""
    game = simulate("hachihachi", seed=2)
    deals = judged(game).deals
    i, seat, open_ = next(
        (i, seat, cards.letters(open_))
        for i, month in enumerate(game.months)
        if deals[i].end == "played-out"
        for seat, hand in month.hands.items()
        for open_ in [cards.mask(hand) & cards.DREGS & ~cards.MONTHS[11]]
        if 3 <= open_.bit_count() <= 5 and cards.mask(hand) & (cards.BRIGHTS | cards.ANIMALS)
        if all(show.seat != seat for show in month.shows)
    )
    game.months[i].shows.append(Show(seat, ("aka",), open_))
    found = judged(hidden(game))
    assert (found.status, found.error and found.error.code.id) == ("illegal", "show-false")
    stopped = replace(game, months=game.months[: i + 1], result=None, final=None)
    stopped.tags["Termination"] = "unfinished"
    stopped.months[i] = replace(stopped.months[i], turns=[], score=None)
    found = judged(hidden(stopped))
    assert (found.status, found.error) == ("unfinished", None)
    warned = [warning.values for warning in found.warnings if warning.deal == i + 1]
    assert {"seat": seat, "what": "aka"} in warned


def is_known(game: Game, month: Month, show: Show) -> bool:
    """Whether all cards of the hand that declares were played or lie open (three at play)."""
    players = len(game.players)
    turns = [turn for turn in month.turns if isinstance(turn, Turn)]
    place = (show.seat - month.dealer) % players
    assert players == 3
    played = {turn.play for turn in turns[place::3]}
    return len(played | set(show.cards)) == 7


# What can't be checked ----------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["hachihachi", "hachihachi-bga", "hanaawase", "ten-five-one"])
def test_a_declaration_that_nothing_proves_is_named(rules: str) -> None:
    """C9: consistent, with a warning at the declaration; one of a hand that is known gets none."""
    named = 0
    for game in declared(rules):
        found = judged(hidden(game))
        assert found.status in ("consistent", "mismatch"), found.error
        due = {
            (i, show.seat, "+".join(show.yaku))
            for i, month in enumerate(game.months, 1)
            for show in month.shows
            if not is_known(game, month, show)
        }
        named += len(due)
        warned = {
            (warning.deal, warning.values["seat"], warning.values["what"])
            for warning in found.warnings
        }
        assert warned == due
        for warning in found.warnings:
            assert (warning.code.id, warning.turn) == ("not-checkable", None)
        assert judged(game).warnings == []
    assert named or rules in ("hanaawase", "ten-five-one")  # there every hand is played out

"""The knowledge of a seat, and the deals consistent with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from kafu.analysis.choices import ChoicePoint, analyse, find_choices
from kafu.analysis.knowledge import View
from kafu.analysis.policy import Policy
from kafu.analysis.search import Effort
from kafu.cards import ALL, UNKNOWN, bits, mask
from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from kafu.rules.play.actions import Blind
from kafu.rules.play.machine import Phase
from kafu.rules.rulesets import RULESETS, machine_of
from kafu.simulation.simulate import simulate
from lengths import part
from rare.simulation import simulate_rare

pytestmark = pytest.mark.long


def _points(
    rules: str, games: int, *, rare: bool = False, players: int | None = None
) -> Iterator[tuple[ChoicePoint, View]]:
    simulate_game = simulate_rare if rare else simulate
    for seed in range(games):
        for point in find_choices(simulate_game(rules, seed=seed, players=players)):
            if point.view is not None:
                yield point, point.view


@pytest.mark.parametrize(
    "rules, players",
    [*((rules, None) for rules in RULESETS), ("hachihachi-bga", 5), ("ten-five-one", 7)],
)
def test_sampled_deal_keeps_what_the_seat_knows(rules: str, players: int | None) -> None:
    """Each card occurs once, all visible cards stay in place, and all sizes are unchanged.

    At larger tables the hands of seats that are out lie in the stock.
    """
    random, moved = Random(1), 0
    for number, (point, view) in enumerate(_points(rules, 1, players=players)):
        if number % 7 or point.kind == "bid":
            continue
        before, after = view.state.table, view.sample(random).table
        assert after.hands[point.seat - 1] == before.hands[point.seat - 1]
        assert (after.field, after.captured) == (before.field, before.captured)
        sizes = [hand.bit_count() for hand in before.hands]
        assert [hand.bit_count() for hand in after.hands] == sizes
        assert len(after.ahead) == before.left
        places = [*after.hands, after.field, *after.captured, sum(after.ahead)]
        seen_stock = sum(before.stock[: before.turned]) & ~(sum(before.captured) | before.field)
        assert not seen_stock and sum(places) == ALL
        assert not view.turned or after.ahead[0] == view.turned
        moved += after.hands != before.hands
    assert moved > 10


@pytest.mark.parametrize("rules, players", (("hachihachi-bga", 5), ("ten-five-one", 7)))
def test_bidder_knows_the_own_hand_and_the_field(rules: str, players: int) -> None:
    """All other cards are random, and after the bids each card occurs once.

    A seat that may go in blind has not looked at its hand.
    """
    machine = machine_of(rules, {}, players)
    policy, random, moved = Policy(machine), Random(1), 0
    bids = [pair for pair in _points(rules, 1, players=players) if pair[0].kind == "bid"]
    for point, view in bids[::4]:
        before, state = view.state.table, view.sample(random)
        blind = any(isinstance(action, Blind) for action in point.actions)
        is_same_hand = state.table.hands[point.seat - 1] == before.hands[point.seat - 1]
        assert is_same_hand != blind
        assert state.table.field == before.field
        moved += state.table.hands != before.hands
        table = policy.begin(state, random).table
        places = [*table.hands, table.field, *table.captured, sum(table.ahead)]
        assert sum(places) == ALL and len(table.ahead) == table.left
    assert moved == len(bids[::4]) > 5


@pytest.mark.parametrize(
    "rules", part(("hachihachi-bga", "hachihachi", "ten-five-one", "hanaawase"), one_of=2)
)
def test_sampled_hands_fit_their_declarations(rules: str) -> None:
    """Open cards stay in place, and the covered cards justify the declaration."""
    random, count = Random(2), 0
    for number, (point, view) in enumerate(_points(rules, 4, rare=True)):
        if number % 9 or not view.is_restricted:
            continue
        hands = view.sample(random).table.hands
        for seat in view.public.shows:
            unplayed = view.public.opened[seat - 1] & ~view.public.played[seat - 1]
            assert seat == point.seat or not unplayed & ~hands[seat - 1]
            count += 1
        assert view.public.fits(point.seat, hands)
        swapped = view.public.copy()
        swapped.shows = dict.fromkeys((1, 2, 3), (("nothing",), 0))
        assert not swapped.fits(point.seat, hands)
    assert count > 5


def test_every_deal_is_equally_likely() -> None:
    """Sampling and enumeration agree for one hidden hand card and the top of the stock."""
    _, view = next(
        point for point in _points("koikoi", 9) if point[1].count == 990 and not point[1].turned
    )
    every = list(view.enumerate_states())
    assert len({(tuple(state.table.hands), state.table.ahead[:2]) for state in every}) == 990
    random = Random(3)
    hands = Counter(view.sample(random).table.hands[2 - view.seat] for _ in range(2_200))
    assert len(hands) == 11 and all(120 < count < 280 for count in hands.values())


def _with_hidden(game: Game, seat: int) -> Game:
    """Return the first three turns of a game, with no recorded card in the hand of a seat."""
    month = game.months[0]
    month = month.replace(hands=month.hands | {seat: UNKNOWN * len(month.hands[seat])})
    month.turns, month.stock, month.score = month.turns[:3], None, None
    return Game(game.rules, game.players, tags={"Termination": "unfinished"}, months=[month])


def test_choices_from_an_unknown_hand_are_not_analysed() -> None:
    """The opponent's choices are analysed, as the opponent never knows the hand."""
    game = _with_hidden(simulate("koikoi", seed=1), 2)
    choices = list(analyse(game, effort=Effort(first=1, most=1, games=1)))
    assert {point.reason for point, _ in choices if point.seat == 2} == {"hand"}
    assert all(valued is None for point, valued in choices if point.seat == 2)
    assert any(valued is not None for point, valued in choices if point.seat == 1)


def test_first_player_does_not_know_the_stock() -> None:
    """Exactly the opponent's hand and the stock are unseen."""
    _, view = next(iter(_points("koikoi", 1)))
    table = view.state.table
    assert view.unseen == table.hands[2 - view.seat] | sum(table.ahead)
    assert len(list(bits(view.unseen))) == 32


#: The fourth of seat 2's three lies in the stock; seat 1 left the first of it on the field.
THREE_LET_GO = """
month 1 dealer 1
hand 1 GIKNVXb
hand 2 DFUipqr
hand 3 CLWgmst
field JTaceh
stock PHOuBlnfdQjAYvZESRMok
show 2 sanbon pqr
1. IxJ/P ixh/H m/OxP
2. bxa/u FxH/B sxu/lxm
3. X/n UxX/fxc CxB/dxe
4. K/QxT r/j gxj/A
5. G/Y DxA/v txv/ZxY
6. N/ExG pxr/S LxK/RxS
"""


def test_three_let_go_is_paid_by_seat_one_where_a_sampled_deal_gives_it_the_fourth() -> None:
    """H15 (b): the hand of a seat that let the three go differs between samples."""
    players = "".join(f'[Player{seat} "{seat}"]\n' for seat in (1, 2, 3))
    game = read(f'[Kafu "1"]\n[Rules "hachihachi"]\n{players}{THREE_LET_GO}').game
    assert game is not None
    rules, random = machine_of("hachihachi", {}, 3), Random(1)
    view = find_choices(game)[-1].view
    assert view is not None
    payers = set()
    for _ in range(60):
        state = view.sample(random)
        has_fourth = bool(state.table.hands[0] & mask("o"))
        while state.phase is not Phase.DEAL:
            actions = sorted(rules.legal_actions(state), key=repr)
            state = rules.apply(state, random.choice(actions))[0]
            paid = [entry for entry in state.entries if entry.line.label == "tobikomi"]
            if paid:
                payers.add((has_fourth, paid[0].payer.seat))
                break
    assert payers == {(True, 1), (False, 0)}

"""Small tables for engine tests: one turn of koi-koi from a position given in card letters."""

from __future__ import annotations

from kafu import cards
from kafu.rules.koikoi.machine import Koikoi
from kafu.rules.koikoi.profiles import PROFILES
from kafu.rules.koikoi.state import State
from kafu.rules.play.actions import Draw, Play
from kafu.rules.play.machine import Phase
from kafu.rules.play.table import TableCards

RULES = Koikoi(PROFILES["koikoi"])


def position(
    captured: str = "",
    other: str = "",
    *,
    hand: str,
    field: str = "",
    stock: str,
    turn: int = 0,
    replayed: bool = False,
    rules: Koikoi = RULES,
) -> State:
    """Seat 1 is to play ``hand``; the yaku it holds already are taken as made in earlier turns."""
    table = TableCards(
        hands=(cards.mask(hand), 0),
        hidden=(0, 8),
        field=cards.mask(field),
        captured=(cards.mask(captured), cards.mask(other)),
        stock=tuple(cards.BIT[card] for card in stock),
        left=24,
        seen=cards.mask(hand + field + captured + other + stock),
    )
    state = State().replace(
        phase=Phase.HAND,
        dealer=1,
        settling=False,
        replayed=replayed,
        deals=1,
        table=table,
        seat=1,
        turn=turn,
    )
    return state.replace(made=(rules.yaku(state, 1), rules.yaku(state, 2)))


def after(state: State, text: str, rules: Koikoi = RULES) -> State:
    """The state after a turn in Kafu, like ``BxA/GxH``."""
    hand, _, stock = text.partition("/")
    for part, action in ((hand, Play), (stock, Draw)):
        card, _, take = part.partition("x")
        state, _ = rules.apply(state, action(cards.BIT[card], cards.mask(take)))
    return state


def yaku(state: State, rules: Koikoi = RULES) -> dict[str, int]:
    """The yaku of seat 1 with their values."""
    return {one.id: one.value for one in rules.yaku(state, 1)}

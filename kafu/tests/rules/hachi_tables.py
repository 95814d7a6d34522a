"""Small tables of 三人はちはち for tests: some turns from a position given in card letters."""

from __future__ import annotations

from kafu import cards
from kafu.rules.hachihachi.hatto import Three
from kafu.rules.hachihachi.machine import Hachihachi
from kafu.rules.hachihachi.state import HachihachiClaim, HachihachiState
from kafu.rules.play.actions import Action, CallAction, Draw, Play, Say
from kafu.rules.play.machine import Phase
from kafu.rules.play.table import TableCards

MACHINE = Hachihachi({})
#: Filler for hands with irrelevant cards: never played, only counted.
Seats = dict[int, str]


def position(
    hands: Seats,
    captured: Seats,
    field: str,
    stock: str,
    *,
    seat: int,
    turn: int = 9,
    threes: Seats | None = None,
    grade: str = "small",
) -> HachihachiState:
    """Return a table in the middle of a deal; yaku already held were made and shared before."""
    held = tuple(cards.mask(captured.get(i, "")) for i in (1, 2, 3))
    dealt = tuple(cards.mask(hands.get(i, "")) for i in (1, 2, 3))
    everything = "".join([*hands.values(), *captured.values(), field, stock])
    assert len(set(everything)) == len(everything), "a card twice"
    table = TableCards(
        hands=dealt,
        hidden=(0, 0, 0),
        field=cards.mask(field),
        captured=held,
        stock=tuple(cards.BIT[card] for card in stock),
        left=len(stock),
        seen=cards.mask(everything),
    )
    declared = tuple(
        Three(i, cards.mask(three), cards.MATCH[cards.BIT[three[0]]] & ~cards.mask(three))
        for i, three in (threes or {}).items()
    )
    return HachihachiState().replace(
        phase=Phase.HAND,
        month=5,
        dealer=1,
        deals=5,
        grade=grade,
        table=table,
        seat=seat,
        turn=turn,
        claims=tuple(HachihachiClaim(three.seat, ("sanbon",)) for three in declared),
        threes=declared,
    )


def actions(text: str) -> list[Action]:
    """Return the actions of movetext: ``n=menjo/axb=sage`` or ``=torikeshi 1``."""
    parsed: list[Action] = []
    words = iter(text.split())
    for word in words:
        if word.startswith("="):
            parsed.append(CallAction(word[1:], int(next(words))))
            continue
        for number, part in enumerate(word.split("/")):
            move, *decisions = part.split("=")
            card, _, take = move.partition("x")
            bits = cards.BIT[card], cards.mask(take)
            parsed.append(Draw(*bits) if number else Play(*bits))
            parsed += map(Say, decisions)
    return parsed


def after(state: HachihachiState, text: str, machine: Hachihachi = MACHINE) -> HachihachiState:
    """Return the state after some turns. Raises Illegal."""
    for action in actions(text):
        state, _ = machine.apply(state, action)
    return state


def ledger(state: HachihachiState) -> dict[str, tuple[int, ...]]:
    """Return the payments of the ended deal, in kan of 12 points if they are whole."""
    assert state.result is not None
    return {line.label: line.amounts for line in state.result.ledger}

"""Small tables of 八八 (hachihachi-bga) for tests: some turns from a position in card letters."""

from __future__ import annotations

from kafu import cards
from kafu.rules.hachihachi.hatto import Three
from kafu.rules.hachihachi_bga.machine import HachihachiBga
from kafu.rules.hachihachi_bga.state import HachihachiBgaState
from kafu.rules.play.declaring import Bidding
from kafu.rules.play.machine import Phase
from kafu.rules.play.seating import turn_order
from kafu.rules.play.table import TableCards
from kafu.rules.verdict import DealResult
from rules.hachi_tables import Seats, actions

MACHINE = HachihachiBga({}, 3)


def position(
    hands: Seats,
    captured: Seats,
    field: str,
    stock: str,
    *,
    seat: int = 1,
    turn: int = 9,
    threes: Seats | None = None,
    grade: str = "small",
) -> HachihachiBgaState:
    """Return a table of three in the middle of a deal; seat 1 is dealer, nobody is in 下げ."""
    everything = "".join([*hands.values(), *captured.values(), field, stock])
    assert len(set(everything)) == len(everything), "a card twice"
    dealt = tuple(cards.mask(hands.get(i, "")) for i in (1, 2, 3))
    table = TableCards(
        hands=dealt,
        hidden=(0, 0, 0),
        field=cards.mask(field),
        captured=tuple(cards.mask(captured.get(i, "")) for i in (1, 2, 3)),
        stock=tuple(cards.BIT[card] for card in stock),
        left=len(stock),
        seen=cards.mask(everything),
    )
    bidding = Bidding(turn_order(1, 3))
    return HachihachiBgaState().replace(
        phase=Phase.HAND,
        totals=(-60, -60, -60),
        table=table,
        month=5,
        dealer=1,
        deals=5,
        grade=grade,
        seat=seat,
        turn=turn,
        bidding=bidding,
        playing=bidding.players,
        dealt=dealt,
        lowered=(frozenset(),) * 3,
        dead=(frozenset(),) * 3,
        stones=(0, 0, 0),
        threes=tuple(
            Three(i, cards.mask(three), cards.MATCH[cards.BIT[three[0]]] & ~cards.mask(three))
            for i, three in (threes or {}).items()
        ),
    )


def after(
    state: HachihachiBgaState, text: str, machine: HachihachiBga = MACHINE
) -> HachihachiBgaState:
    """Return the state after some turns of movetext. Raises Illegal."""
    for action in actions(text):
        state, _ = machine.apply(state, action)
    return state


def ledger(state: HachihachiBgaState) -> dict[str, tuple[int, ...]]:
    """Return the payments of the ended deal, in mon."""
    assert state.result is not None
    return {line.label: line.amounts for line in state.result.ledger}


def outcome(state: HachihachiBgaState) -> DealResult:
    """Return the result of the ended deal."""
    assert state.result is not None
    return state.result

"""Declarations of dealt hands in 八八 as on Board Game Arena: free to write, but right (B6)."""

from __future__ import annotations

from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.hachihachi_bga import hands as hachihachi_bga_hands
from kafu.rules.hachihachi_bga import pay
from kafu.rules.hachihachi_bga.state import State
from kafu.rules.play import declaring
from kafu.rules.play.actions import Show


def offers(state: State) -> list[Show]:
    """What the three can still declare, as far as their hands are known."""
    return [
        Show(seat, found.yaku, found.cards)
        for seat in state.playing
        if seat not in state.shown
        and (found := hachihachi_bga_hands.declaration(state.dealt[seat - 1]))
    ]


def known(state: State, seat: int, opened: int) -> State:
    """The state with cards of a dealt hand known that were hidden before."""
    i = seat - 1
    if not opened & ~state.dealt[i]:
        return state
    dealt = (*state.dealt[:i], state.dealt[i] | opened, *state.dealt[i + 1 :])
    return state._replace(dealt=dealt)


def check(state: State, seat: int, yaku: tuple[str, ...], opened: int | None = None) -> None:
    """Raise Illegal unless a known dealt hand makes just this yaku, and opens these cards (B6)."""
    where = f"show.{state.shown.index(seat)}"
    found = hachihachi_bga_hands.declaration(state.dealt[seat - 1])
    right = [found] if found else []
    declaring.check(right, seat, yaku, opened, rulings=("B6", "B6"), where=where)


def check_hidden(state: State, show: Show) -> None:
    """Raise Illegal unless a hand, as far as it is known, can make what it shows (B6)."""

    def right(hand: int) -> list[hachihachi_hands.Declaration]:
        found = hachihachi_bga_hands.declaration(hand)
        return [found] if found else []

    among = hachihachi_hands.rest(show.yaku)
    declaring.check_hidden(state.table, show, right, rulings=("B6", "B6"), among=among)


def late(state: State, *, everyone: bool = False) -> State:
    """Hands that were hidden when they were dealt, and known now that they are played out: a
    declaration is checked, a yaku that nobody wrote is paid (B6). ``everyone`` as in
    `hachihachi_bga_pay.declare`.
    """
    claimed = {claim.seat: claim.yaku for claim in state.claims}
    for seat in state.playing:
        if seat in claimed:
            if seat in state.shown:
                check(state, seat, claimed[seat])
        elif found := hachihachi_bga_hands.declaration(state.dealt[seat - 1]):
            state = pay.declare(state, seat, found, everyone=everyone)
            while (jumped := pay.tobikomi(state, seat))[1]:
                state = jumped[0]
    return state

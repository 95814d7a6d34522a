"""Declarations of dealt hands in 三人はちはち: which are possible, and which are struck out."""

from __future__ import annotations

from kafu.rules import codes
from kafu.rules.hachihachi import hands
from kafu.rules.hachihachi.state import SEATS, State
from kafu.rules.play.actions import Event, Illegal, Show


def offers(state: State) -> list[Show]:
    """The declarations still possible, each seat once, as far as the hands are known (H2)."""
    done = {*state.disputed, *(claim.seat for claim in state.claims)}
    return [
        Show(seat, one.yaku, one.cards)
        for seat in SEATS
        if seat not in done and not state.table.hidden[seat - 1]
        for one in hands.declarations(state.table.hands[seat - 1])
    ]


def strike_out(state: State, seat: int) -> None:
    """=void-show: a declaration that proved false is struck out whole, once (H22).

    Raises Illegal if ``seat`` made none that the record strikes out, or if it was before.
    """
    if seat not in state.disputed:
        raise Illegal(codes.VOID_SHOW_NOTHING, seat=seat)
    if seat in state.struck:
        raise Illegal(codes.VOID_SHOW_TWICE, seat=seat)
    state.struck = (*state.struck, seat)
    if state.heard is not None:
        state.heard.append(Event("say", seat, "void-show"))

"""Rain, and which yaku give the right to declare 勝負 or こいこい (K6–K8)."""

from __future__ import annotations

from kafu import cards
from kafu.rules.koikoi.profiles import Profile
from kafu.rules.koikoi.state import State
from kafu.rules.yaku import Made, Yaku


def rains(house: Profile, captured: int) -> bool:
    """Return whether captured willow voids the sake yaku: not with the crane (K7), unless a house
    has no 日の出 (K15).
    """
    revived = house.crane and captured & cards.CRANE
    return house.rain and bool(captured & cards.WILLOW) and not revived


def gives_right(house: Profile, state: State, row: Yaku, fresh: Made) -> bool:
    """Return whether a yaku that this turn made or raised, with its row of the table, lets its
    player declare.

    Dregs with the cup at exactly ten do not (K6). A sake yaku does only in the turn in which its
    last card was captured, if no rain voided it at that capture (K8).
    """
    captured = state.table.captured[state.seat - 1]
    if row.bare & captured and fresh.held == row.need:
        return False
    if row.sake:
        # It is valid at the end of the turn; the capture of its last card decides.
        if row.cards & state.turned:
            return not rains(house, captured)
        return bool(row.cards & state.played) and not rains(house, captured & ~state.turned)
    return True

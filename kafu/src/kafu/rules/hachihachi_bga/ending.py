"""End of a month and of a game of 八八: payments, winner, prize (B9, B11–B13, B15)."""

from __future__ import annotations

from collections.abc import Sequence

from kafu.rules.hachihachi_bga import pay
from kafu.rules.hachihachi_bga.house import HachihachiBgaHouse
from kafu.rules.hachihachi_bga.state import LOWERED, YAKU, HachihachiBgaState
from kafu.rules.play.actions import PlayEvent
from kafu.rules.play.ledger import Entry, score
from kafu.rules.play.machine import Phase
from kafu.rules.verdict import DealResult, Line
from kafu.rules.yaku import Made, made, missing


def find_held_yaku(state: HachihachiBgaState, seat: int) -> tuple[Made, ...]:
    """Return the captured yaku of ``seat`` with a value, in kan without the grade (B8, B12)."""
    if not state.dead:
        return ()
    table = LOWERED if "shiko" in state.lowered[seat - 1] else YAKU
    yaku = made(table, state.table.captured[seat - 1], rained=False, called=False)
    return tuple(yaku_made for yaku_made in yaku if yaku_made.id not in state.dead[seat - 1])


def has_yaku_in_reach(state: HachihachiBgaState) -> bool:
    """Return whether another yaku is still in reach for the seat in turn (B8).

    五光 need not be checked: it is out of reach after a 下げ with 四光, and without 四光 in reach.
    """
    captured = state.table.captured[state.seat - 1]
    captured_by_others = sum(state.table.captured) - captured
    return any(missing(row, captured, taken=captured_by_others) for row in LOWERED)


def find_shiso_maker(house: HachihachiBgaHouse, state: HachihachiBgaState) -> int:
    """Return the seat whose 四三 ends the game, 0 for none (B15).

    Of two makers the earlier in play order counts.
    """
    if not house.shiso_ends:
        return 0
    makers = {claim.seat for claim in state.claims if "shiso" in claim.yaku}
    return next((seat for seat in state.playing if seat in makers), 0)


def close_played_out(house: HachihachiBgaHouse, state: HachihachiBgaState) -> None:
    """Close a month whose hands are played out.

    A player in 下げ gets half, and nothing else of the captured cards counts (B9). Otherwise
    special yaku are paid and payments for dealt hands struck out (B12). Without special yaku card
    points count, and 抜け is paid. The bonus of a blind dealer (みずてん) is paid in any case
    (B11).
    """
    paid = pay.list_mizuten(state)
    if state.sager:
        lowered = find_held_yaku(state, state.sager)
        paid += pay.list_nuke(state) + pay.list_yaku_entries(state, state.sager, lowered, half=True)
        close(house, state, "nagare", state.sager, paid)
        return
    if special := pay.list_specials(state):
        state.entries = tuple(entry.struck() for entry in state.entries)
        sums = score([entry.line for entry in special], len(state.totals))
        best = max(state.playing, key=lambda seat: sums[seat - 1])
        close(house, state, "special", best, paid + special)
        return
    points = pay.score_points(state)
    paid += pay.list_nuke(state)
    if any(points):
        paid += (Entry(Line("points", points), 0),)
    best = max(state.playing, key=lambda seat: points[seat - 1])
    close(house, state, "played-out", best, paid)


def _result(state: HachihachiBgaState, winner: int, end: str) -> DealResult:
    """Return the result of the month."""
    lines = tuple(entry.line for entry in state.entries)
    deal = state.month, state.dealer, state.grade, state.bound.strongest
    sums = score(lines, len(state.totals))
    dealer = None if end == "shiso" else winner or state.dealer
    return DealResult(*deal, lines, sums, dealer, end, winner or None)


def close_unplayed(state: HachihachiBgaState, end: str) -> None:
    """Close a redeal or void deal: the same dealer deals the month again (C6)."""
    state.entries = () if end == "redeal" else tuple(entry.void() for entry in state.entries)
    state.result = _result(state, 0, end)
    state.phase = Phase.DEAL
    if state.heard is not None:
        state.heard.append(PlayEvent("deal-end", 0, end, amounts=state.result.score))


def close(
    house: HachihachiBgaHouse,
    state: HachihachiBgaState,
    end: str,
    winner: int,
    paid: Sequence[Entry],
) -> None:
    """Close the month with its last payments; the winner takes the fees and deals next (B13)."""
    paid = (*paid, *pay.list_fees(state, winner))
    state.entries = (*state.entries, *paid)
    state.result = result = _result(state, winner, end)
    if house.tsukifuda and end != "shiso":
        stones = list(state.stones)
        stones[winner - 1] += 1
        state.stones = tuple(stones)
    state.month += 1
    state.dealer = winner
    state.bound = state.carries
    state.totals = tuple(map(sum, zip(state.totals, result.score, strict=True)))
    state.phase = Phase.DEAL
    if _is_over(house, state, result):
        state.phase = Phase.OVER
        state.final = pay.settle(state.totals, house.start_kan, state.stones)
    if state.heard is not None:
        state.heard += [entry.event() for entry in paid]
        state.heard.append(PlayEvent("deal-end", winner, end, amounts=result.score))
        if state.final is not None:
            state.heard.append(PlayEvent("game-end", amounts=state.final))


def _is_over(house: HachihachiBgaHouse, state: HachihachiBgaState, result: DealResult) -> bool:
    """Return whether the game is over after this month.

    With the option 越年 it goes on while a grade is carried; with ``shiso_ends`` 四三 ends it
    (B15).
    """
    if find_shiso_maker(house, state):
        return True
    return result.month >= house.months and not (house.etsunen and any(state.carries))

"""The end of a deal of 三人はちはち: special yaku, 抜け and card points, the month closed, the year
settled (H16–H20).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kafu import cards
from kafu.rules import grades
from kafu.rules.hachihachi import hands, pay, year
from kafu.rules.hachihachi.state import State
from kafu.rules.play import ledger
from kafu.rules.play.actions import Event
from kafu.rules.play.ledger import Entry
from kafu.rules.play.machine import Phase
from kafu.rules.play.seating import turn_order
from kafu.rules.verdict import DealResult, Line

EVEN: Final = 88

Step = tuple[State, tuple[Event, ...]]


def _points(state: State) -> tuple[int, ...]:
    """The card points that each seat captured."""
    return tuple(cards.points(captured) for captured in state.table.captured)


def specials(state: State, scale: grades.Scale) -> list[Entry]:
    """The payments of special yaku; if there are any, card points are not paid (H16)."""
    return [
        Entry(pay.line(label, seat, scale.yaku(kan)), seat)
        for label, seat, kan in year.specials(state.table.captured, state.dealer)
    ]


def best_paid(state: State, special: Sequence[Entry]) -> int:
    """The seat that special yaku pay most; of equals the first in turn."""
    order = turn_order(state.dealer, 3)
    paid = {
        seat: sum(one.line.amounts[seat - 1] for one in special if one.seat == seat)
        for seat in order
    }
    return max(order, key=lambda seat: paid[seat])


def counted(state: State, scale: grades.Scale) -> list[Entry]:
    """A seat that declared a hand of dregs (not 光一) and captured 89 points gets 抜け; everybody's
    points beyond 88 count, times the grade (H17).
    """
    points = _points(state)
    entries = []
    for claim in state.claims:
        if hands.NUKE & set(claim.yaku) and points[claim.seat - 1] > EVEN:
            line = pay.line("nuke", claim.seat, scale.plain(hands.NUKE_KAN))
            entries.append(Entry(line, claim.seat, dealt=True))
    deviations = scale.card_points(tuple(p - EVEN for p in points))
    if any(deviations):
        entries.append(Entry(Line("points", deviations), 0))
    return entries


def most_points(state: State) -> int:
    """The seat with most card points; of equals the first in turn."""
    points = _points(state)
    return max(turn_order(state.dealer, 3), key=lambda seat: points[seat - 1])


def again(state: State, end: str) -> Step:
    """A redeal or a void deal: the same dealer deals again (C6), nothing is carried on (H22)."""
    lines = () if end == "redeal" else tuple(e.line._replace(void=True) for e in state.entries)
    result = DealResult(
        state.month,
        state.dealer,
        state.grade,
        state.bound,
        lines,
        (0, 0, 0),
        state.dealer,
        end,
    )
    return state._replace(phase=Phase.DEAL, result=result, forced=0), (
        Event("deal-end", 0, end, amounts=(0, 0, 0)),
    )


def close(
    state: State,
    end: str,
    winner: int,
    paid: Sequence[Entry],
    makers: tuple[int, ...],
    *,
    etsunen: bool,
) -> Step:
    """Close the month with its last payments: its winner deals next and puts a stone into the
    board (H19). After December the game goes on only with 越年, while a 二代しばり holds (H21).
    ``makers`` are those of 四三, who end the year at once and put no stone in (H6).
    """
    lines = tuple(entry.line for entry in (*state.entries, *paid))
    score = ledger.score(lines, 3)
    stones = list(state.stones)
    if not makers:
        stones[winner - 1] += 1
    result = DealResult(
        state.month,
        state.dealer,
        state.grade,
        state.bound,
        lines,
        score,
        None if makers else winner,
        end,
        winner,
    )
    state = state._replace(
        phase=Phase.DEAL,
        month=state.month + 1,
        dealer=winner,
        bound=state.carries,
        totals=tuple(map(sum, zip(state.totals, score, strict=True))),
        stones=tuple(stones),
        result=result,
        sager=0,
    )
    paying = (entry.event() for entry in paid)
    events = (*paying, Event("deal-end", winner, end, amounts=score))
    over = makers or (result.month >= 12 and not (etsunen and state.carries))
    if not over:
        return state, events
    final = year.settle(state.totals, state.stones, result.dealer, makers)
    return state._replace(phase=Phase.OVER, final=final), (
        *events,
        Event("game-end", amounts=final),
    )

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


def again(state: State, end: str) -> None:
    """A redeal or a void deal: the same dealer deals again (C6), nothing is carried on (H22)."""
    state.entries = () if end == "redeal" else tuple(one.void() for one in state.entries)
    state.result = DealResult(
        state.month,
        state.dealer,
        state.grade,
        state.bound,
        tuple(entry.line for entry in state.entries),
        (0, 0, 0),
        state.dealer,
        end,
    )
    state.phase, state.forced = Phase.DEAL, 0
    if state.heard is not None:
        state.heard.append(Event("deal-end", 0, end, amounts=(0, 0, 0)))


def close(
    state: State,
    end: str,
    winner: int,
    paid: Sequence[Entry],
    makers: tuple[int, ...],
    *,
    etsunen: bool,
) -> None:
    """Close the month with its last payments: its winner deals next and puts a stone into the
    board (H19). After December the game goes on only with 越年, while a 二代しばり holds (H21).
    ``makers`` are those of 四三, who end the year at once and put no stone in (H6).
    """
    state.entries = (*state.entries, *paid)
    lines = tuple(entry.line for entry in state.entries)
    score = ledger.score(lines, 3)
    stones = list(state.stones)
    if not makers:
        stones[winner - 1] += 1
    dealer, month = state.dealer, state.month
    state.result = DealResult(
        month,
        dealer,
        state.grade,
        state.bound,
        lines,
        score,
        None if makers else winner,
        end,
        winner,
    )
    over = bool(makers) or (month >= 12 and not (etsunen and state.carries))
    state.phase = Phase.OVER if over else Phase.DEAL
    state.month += 1
    state.dealer = winner
    state.bound = state.carries
    state.totals = tuple(map(sum, zip(state.totals, score, strict=True)))
    state.stones = tuple(stones)
    state.sager = 0
    if over:
        state.final = year.settle(state.totals, state.stones, dealer, makers)
    if state.heard is not None:
        state.heard += [entry.event() for entry in paid]
        state.heard.append(Event("deal-end", winner, end, amounts=score))
        if state.final is not None:
            state.heard.append(Event("game-end", amounts=state.final))

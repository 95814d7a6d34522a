"""End of a deal of 三人はちはち: special yaku, 抜け, card points, the year (H16–H20)."""

from __future__ import annotations

from collections.abc import Sequence

from kafu import cards
from kafu.notation.vocabulary import KAN
from kafu.rules.hachihachi import pay, year
from kafu.rules.hachihachi.state import HachihachiState
from kafu.rules.payments import POINTS, PaymentTable
from kafu.rules.play import ledger
from kafu.rules.play.actions import PlayEvent
from kafu.rules.play.ledger import Entry
from kafu.rules.play.machine import Phase
from kafu.rules.play.seating import turn_order
from kafu.rules.verdict import DealResult, Line


def _points(state: HachihachiState) -> tuple[int, ...]:
    """Return the card points captured by each seat."""
    return tuple(cards.points(captured) for captured in state.table.captured)


def list_specials(state: HachihachiState, payments: PaymentTable) -> list[Entry]:
    """Return the payments of special yaku; if there are any, card points are not paid (H16)."""
    return [
        Entry(pay.line(label, seat, payments.find_each(label, KAN * kan)), seat)
        for label, seat, kan in year.specials(state.table.captured, state.dealer)
    ]


def find_best_paid(state: HachihachiState, special: Sequence[Entry]) -> int:
    """Return the seat that special yaku pay most; of equals the first in turn order (H25)."""
    order = turn_order(state.dealer, 3)
    gains = {
        seat: sum(entry.line.amounts[seat - 1] for entry in special if entry.seat == seat)
        for seat in order
    }
    return max(order, key=lambda seat: gains[seat])


def list_point_entries(state: HachihachiState, payments: PaymentTable) -> list[Entry]:
    """Return the payments of 抜け and of card points (H17).

    抜け needs a declared hand of chaff (not 光一) and 89 points. Points beyond 88 are multiplied by
    the grade.
    """
    points = _points(state)
    entries = []
    for claim in state.claims:
        if year.has_nuke(state.table.captured[claim.seat - 1], claim.yaku):
            line = pay.line("nuke", claim.seat, payments.find_each("nuke"))
            entries.append(Entry(line, claim.seat, dealt=True))
    deviations = payments.scale.card_points(tuple(p - year.EVEN for p in points))
    if any(deviations):
        entries.append(Entry(Line(POINTS, deviations), 0))
    return entries


def find_most_points(state: HachihachiState) -> int:
    """Return the seat with most card points; of equals the first in turn order (H19)."""
    points = _points(state)
    return max(turn_order(state.dealer, 3), key=lambda seat: points[seat - 1])


def close_unplayed(state: HachihachiState, end: str) -> None:
    """Close a redeal or void deal: the same dealer deals the month again (C6, H22)."""
    state.entries = () if end == "redeal" else tuple(entry.void() for entry in state.entries)
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
        state.heard.append(PlayEvent("deal-end", 0, end, amounts=(0, 0, 0)))


def close(
    state: HachihachiState,
    end: str,
    winner: int,
    paid: Sequence[Entry],
    makers: tuple[int, ...],
    *,
    etsunen: bool,
) -> None:
    """Close the month with its last payments.

    The winner deals next and puts a stone on the month board (H19). After December the game goes on
    only with 越年, while a 二代しばり is carried (H21). ``makers`` are the players with 四三, who
    end the year immediately and put no stone in (H6).
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
        state.heard.append(PlayEvent("deal-end", winner, end, amounts=score))
        if state.final is not None:
            state.heard.append(PlayEvent("game-end", amounts=state.final))

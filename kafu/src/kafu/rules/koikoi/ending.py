"""The end of a month and of a game of koi-koi: who gets and who deals, the prizes (K2, K12–K14), by
the house rules (K15, K18).
"""

from __future__ import annotations

from collections.abc import Sequence

from kafu.rules.koikoi.profiles import Profile
from kafu.rules.koikoi.state import State
from kafu.rules.verdict import Line


def line(house: Profile, label: str, seat: int, amount: int) -> Line:
    """A ledger line: the seat gets, nobody pays, unless the house says that the other does
    (C4).
    """
    other = -amount if house.zero_sum else 0
    return Line(label, (amount, other) if seat == 1 else (other, amount))


def next_dealer(house: Profile, dealer: int, winner: int | None, *, flowed: bool) -> int:
    """The winner of a month deals the next, after 流れ the dealer changes (K2); a house may have
    either otherwise (K15).
    """
    if winner:
        return {"winner": winner, "loser": 3 - winner, "turns": 3 - dealer}[house.succession]
    return 3 - dealer if flowed and house.exhausted_change else dealer


def grand(house: Profile, winners: Sequence[int]) -> int:
    """The seat that gets 大引 in houses that have it: two months or more of every season of the
    year just over (K15); 0 for nobody.
    """
    if len(winners) != house.months or len(winners) % 3:
        return 0
    seasons = [winners[i : i + 3] for i in range(0, len(winners), 3)]
    won = (seat for seat in (1, 2) if all(season.count(seat) >= 2 for season in seasons))
    return next(won, 0)


def is_over(house: Profile, state: State) -> bool:
    """Over after the last month, a tie adding a season (K13), or when the sums decide it: one is
    bust (K15) or has what is played for (K18).
    """
    if house.is_decided(state.totals):
        return True
    beyond = len(state.winners) - house.months
    tie = state.totals[0] == state.totals[1]
    return beyond >= 0 and not (house.extend and (tie or beyond % 3))


def settle(house: Profile, state: State) -> tuple[int, ...]:
    """The winner alone gets 吟味, 5 mon and 1 for each month won, and nobody pays it (K14); a house
    may differ (K15).
    """
    first, second = state.totals
    if house.prize is None or first == second:
        return state.totals
    seat = 1 if first > second else 2
    prize = house.prize + house.prize_month * state.winners.count(seat)
    return (first + prize, second) if seat == 1 else (first, second + prize)

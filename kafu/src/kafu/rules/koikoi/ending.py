"""The state of a game of こいこい, and the end of a month and of the game (K2, K12–K15, K18).

The functions for the end cover ledger lines, the next dealer, 大引 and 吟味, each by the rules of
the house.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final, Self

from kafu.rules.koikoi.profiles import Profile
from kafu.rules.play import machine
from kafu.rules.teyaku import HandYaku
from kafu.rules.verdict import Line
from kafu.rules.yaku import Made

_FIELDS: Final = (
    "calls",
    "made",
    "played",
    "replayed",
    "settling",
    "shown",
    "turned",
    "winners",
)


class KoikoiState(machine.State):
    """State of a game of こいこい. Pairs have one item per seat; masks are sets of cards.

    - ``settling``: no card of January has been played, so a split may still decide the dealer (K1,
      K2).
    - ``replayed``: the month is played over after a 流れ (K9).
    - ``winners``: the winner of each month, 0 for nobody.
    - ``played``, ``turned``: the captures of the hand card and of the stock card in the current
      turn, including the played or turned card; 0 without a capture.
    - ``made``: the captured yaku of each seat.
    - ``calls``: the number of こいこい of each seat in the deal.
    - ``shown``: the dealt-hand yaku shown, with the seats.
    """

    __slots__ = _FIELDS
    fields: ClassVar[tuple[str, ...]] = (*machine.State.fields, *_FIELDS)
    of_turn: ClassVar[frozenset[str]] = frozenset(("played", "turned"))

    def __init__(self) -> None:
        """Create the state before January."""
        super().__init__()
        self.totals = (0, 0)
        self.settling = True
        self.replayed = False
        self.winners: tuple[int, ...] = ()
        self.played = 0
        self.turned = 0
        self.made: tuple[tuple[Made, ...], tuple[Made, ...]] = ((), ())
        self.calls: tuple[int, int] = (0, 0)
        self.shown: tuple[tuple[int, HandYaku], ...] = ()

    def next_deal(self) -> Self:
        """Return the state of the next deal, with the months' winners carried over."""
        state = super().next_deal()
        state.settling, state.replayed, state.winners = self.settling, self.replayed, self.winners
        return state

    @property
    def scored(self) -> bool:
        """Return whether the shown hands win the month, which makes シマ no 流れ.

        Two shown hands of equal value do not win (K3).
        """
        return len({yaku.value for _, yaku in self.shown}) == len(self.shown) > 0


def line(profile: Profile, label: str, seat: int, amount: int) -> Line:
    """Return a ledger line of ``amount`` mon to ``seat``, paid by nobody (C4).

    In a zero-sum house the opponent pays.
    """
    opponent = -amount if profile.zero_sum else 0
    return Line(label, (amount, opponent) if seat == 1 else (opponent, amount))


def next_dealer(profile: Profile, dealer: int, winner: int | None, *, flowed: bool) -> int:
    """Return the dealer of the next month.

    By the document the winner deals, and after a 流れ the dealer changes (K2); houses differ (K15).
    ``winner`` is None where nobody won, ``flowed`` is true after a 流れ.
    """
    if winner:
        return {"winner": winner, "loser": 3 - winner, "turns": 3 - dealer}[profile.succession]
    return 3 - dealer if flowed and profile.exhausted_change else dealer


def list_prizes(profile: Profile, winners: Sequence[int]) -> Iterator[Line]:
    """Yield 小引 (K12) and 大引 (K15) of the last of the months that ``winners`` won, 0 for nobody.

    小引 is for all three months of a season. 大引 is due after the last month, for two months or
    more of every season.
    """
    seasons = [winners[i : i + 3] for i in range(0, len(winners), 3)]
    last = set(seasons[-1])
    if profile.season and len(seasons[-1]) == 3 and len(last) == 1 and last != {0}:
        yield line(profile, "kobiki", winners[-1], profile.season)
    if profile.grand and len(winners) == profile.months and len(seasons[-1]) == 3:
        for seat in (1, 2):
            if all(season.count(seat) >= 2 for season in seasons):
                yield line(profile, "obiki", seat, profile.grand)


def is_over(profile: Profile, totals: Sequence[int], winners: Sequence[int]) -> bool:
    """Return whether the game is over.

    The last month ends the game, unless a tie adds a season (K13). So do the totals, when a seat is
    bust (K15) or has reached the target (K18).
    """
    if profile.is_decided(totals):
        return True
    beyond = len(winners) - profile.months
    tie = totals[0] == totals[1]
    return beyond >= 0 and not (profile.extend and (tie or beyond % 3))


def settle(profile: Profile, totals: tuple[int, ...], winners: Sequence[int]) -> tuple[int, ...]:
    """Return the final sums: the totals, plus 吟味 for the winner.

    吟味 is 5 mon and 1 mon for each month won, paid by nobody (K14); houses differ (K15).
    """
    first, second = totals
    if profile.prize is None or first == second:
        return totals
    seat = 1 if first > second else 2
    prize = profile.prize + profile.prize_month * winners.count(seat)
    return (first + prize, second) if seat == 1 else (first, second + prize)

"""Special yaku at the end of the hands, and the settlement of the year (H16, H20)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from records import cards
from records.kafu.vocabulary import KAN

#: 190貫持ち200貫返し: what every player is short of.
SHORT: Final = 10 * KAN
_DREGS: Final = cards.DREGS | cards.MONTHS[11]


def specials(captured: Sequence[int], dealer: int) -> Iterator[tuple[str, int, int]]:
    """The special yaku of hands played out: label, seat, kan from each other (H16, H23).

    総八 10 kan; 二八 10 from 168 points, 1 more for each point; 素十六 12 from 16 dregs, 2 more for
    each card, all willow being dregs.
    """
    points = [cards.points(taken) for taken in captured]
    if len(set(points)) == 1:
        yield "sohachi", dealer, 10
    for seat, taken in enumerate(captured, start=1):
        if points[seat - 1] >= 168:
            yield "futahachi", seat, 10 + points[seat - 1] - 168
        dregs = (taken & _DREGS).bit_count()
        if dregs >= 16:
            yield "sujuroku", seat, 12 + 2 * (dregs - 16)


class Settlement(NamedTuple):
    """The year's settlement step by step, points a seat.

    ``board`` is what the month board gave beyond the own stones (月石清算), ``after`` the totals
    with it and short of 10 kan (再計), ``final`` whole kan (最終得点). ``top`` is the seat that
    takes what is left of rounding.
    """

    top: int
    board: tuple[int, ...]
    after: tuple[int, ...]
    final: tuple[int, ...]


def settlement(
    totals: Sequence[int], stones: Sequence[int], dealer: int, shiso: Sequence[int] = ()
) -> Settlement | None:
    """How the year is settled (H20; H6 for makers of 四三); None where nobody wins it.

    ``totals`` are the months' sums without stones, ``dealer`` he of the last month.
    """
    if len(shiso) > 1 or (len(set(totals)) == 1 and not shiso):
        return None
    order = [(dealer + i - 1) % 3 + 1 for i in range(3)]
    top = shiso[0] if shiso else max(order, key=lambda seat: totals[seat - 1])
    board = [-stone for stone in stones]
    for seat, share in _board(totals, sum(stones), top, shiso):
        board[seat - 1] += share
    after = [total + share - SHORT for total, share in zip(totals, board, strict=True)]
    kan = [int(points / KAN) for points in after]
    kan[top - 1] -= sum(kan)
    return Settlement(top, tuple(board), tuple(after), tuple(KAN * one for one in kan))


def settle(
    totals: Sequence[int], stones: Sequence[int], dealer: int, shiso: Sequence[int] = ()
) -> tuple[int, ...]:
    """What the year comes to in points, whole kan a seat: 0 for all where nobody wins it."""
    found = settlement(totals, stones, dealer, shiso)
    return found.final if found else (0,) * len(totals)


def _board(
    totals: Sequence[int], stones: int, top: int, shiso: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Who takes how much of the month board: the lowest, or the maker of 四三."""
    if shiso:
        yield shiso[0], stones
        return
    lowest = [seat for seat, total in enumerate(totals, start=1) if total == min(totals)]
    for seat in lowest:
        yield seat, stones // len(lowest)
    yield top, stones % len(lowest)

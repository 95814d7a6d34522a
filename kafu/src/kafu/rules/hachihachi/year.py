"""Special yaku at the end of the hands, and the settlement of the year (H16, H20)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from kafu import cards
from kafu.notation.vocabulary import KAN
from kafu.rules.play.seating import turn_order

#: 190貫持ち200貫返し: the amount that every player starts without.
SHORT: Final = 10 * KAN
_DREGS: Final = cards.DREGS | cards.WILLOW


class Special(NamedTuple):
    """A special yaku: kan for ``least`` points or cards, ``step`` more for each above."""

    kan: int
    least: int = 0
    step: int = 0


#: 特殊役 by captured cards (H16): 総八, all even; 二八 by points; 素十六 by cards of dregs.
SPECIALS: Final[Mapping[str, Special]] = {
    "sohachi": Special(10),
    "futahachi": Special(10, 168, 1),
    "sujuroku": Special(12, 16, 2),
}


def specials(captured: Sequence[int], dealer: int) -> Iterator[tuple[str, int, int]]:
    """The special yaku of hands played out: label, seat, kan from each other.

    総八, 88 points each, is the ``dealer``'s; 二八 is for 168 points, 素十六 for 16 dregs with all
    willow among them (H16). All that are made are paid (H23).
    """
    points = [cards.points(taken) for taken in captured]
    if len(set(points)) == 1:
        yield "sohachi", dealer, SPECIALS["sohachi"].kan
    for seat, taken in enumerate(captured, start=1):
        for label, count in (
            ("futahachi", points[seat - 1]),
            ("sujuroku", (taken & _DREGS).bit_count()),
        ):
            kan, least, step = SPECIALS[label]
            if count >= least:
                yield label, seat, kan + step * (count - least)


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
    """The settlement of the year; None if nobody wins it.

    The lowest total takes the stones, everybody is 10 kan short, all but the top are cut to whole
    kan, and the top takes what is left; with three equal totals nobody wins (H20). The maker of
    四三 is the top and takes the stones, whatever the totals; of two makers nobody wins (H6).
    ``totals`` are the months' sums without stones, ``dealer`` is that of the last month.
    """
    if len(shiso) > 1 or (len(set(totals)) == 1 and not shiso):
        return None
    top = shiso[0] if shiso else max(turn_order(dealer, 3), key=lambda seat: totals[seat - 1])
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
    """The result of the year in points, whole kan a seat: 0 for all if nobody wins it."""
    found = settlement(totals, stones, dealer, shiso)
    return found.final if found else (0,) * len(totals)


def steps(
    totals: Sequence[int], stones: Sequence[int], dealer: int, shiso: Sequence[int] = ()
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The same as what each step gives a seat, until the sums are the result (S11)."""
    found = settlement(totals, stones, dealer, shiso)
    if found is None:
        yield "void", tuple(-total for total in totals)
        return
    yield "board", found.board
    yield "short", (-SHORT,) * len(totals)
    left = tuple(end - sum_ for end, sum_ in zip(found.final, found.after, strict=True))
    yield "kan", tuple(0 if seat == found.top else kan for seat, kan in enumerate(left, start=1))
    yield "rest", tuple(kan if seat == found.top else 0 for seat, kan in enumerate(left, start=1))


def _board(
    totals: Sequence[int], stones: int, top: int, shiso: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Who takes how much of the month board: the lowest (H20), or the maker of 四三 (H6)."""
    if shiso:
        yield shiso[0], stones
        return
    lowest = [seat for seat, total in enumerate(totals, start=1) if total == min(totals)]
    for seat in lowest:
        yield seat, stones // len(lowest)
    yield top, stones % len(lowest)

"""Special yaku and 抜け of 三人はちはち, and the settlement of the year (H16, H17, H20)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from kafu import cards
from kafu.notation.vocabulary import KAN
from kafu.rules.hachihachi.hands import NUKE
from kafu.rules.play.seating import turn_order

#: 190貫持ち200貫返し: the amount that every player starts without.
SHORT: Final = 10 * KAN
#: The points of each player if all have equal points.
EVEN: Final = 88
#: The cards that count as chaff in a special yaku: all chaff, and willow.
CHAFF: Final = cards.CHAFF | cards.WILLOW


class Special(NamedTuple):
    """A special yaku: ``kan`` for ``least`` points or cards, ``step`` more for each further."""

    kan: int
    least: int = 0
    step: int = 0


#: 特殊役 by captured cards (H16): 総八, all even; 二八 by points; 素十六 by chaff cards.
SPECIALS: Final[Mapping[str, Special]] = {
    "sohachi": Special(10),
    "futahachi": Special(10, 168, 1),
    "sujuroku": Special(12, 16, 2),
}


def specials(captured: Sequence[int], dealer: int) -> Iterator[tuple[str, int, int]]:
    """Yield the special yaku of a deal played out: label, seat, kan from each other player.

    総八, 88 points each, is the ``dealer``'s; 二八 is for 168 points, 素十六 for 16 chaff cards
    with all willow counting (H16). All that are made are paid (H23).
    """
    points = [cards.points(cards_taken) for cards_taken in captured]
    if len(set(points)) == 1:
        yield "sohachi", dealer, SPECIALS["sohachi"].kan
    for seat, cards_taken in enumerate(captured, start=1):
        for label, count in (
            ("futahachi", points[seat - 1]),
            ("sujuroku", (cards_taken & CHAFF).bit_count()),
        ):
            kan, least, step = SPECIALS[label]
            if count >= least:
                yield label, seat, kan + step * (count - least)


def has_nuke(captured: int, yaku: Iterable[str]) -> bool:
    """Return whether a player is paid 抜け: for a hand of chaff, not 光一, and 89 points (H17)."""
    return cards.points(captured) > EVEN and not NUKE.isdisjoint(yaku)


class Settlement(NamedTuple):
    """The steps of the year's settlement, in points per seat.

    ``board`` is the gain from the month board (月石清算), ``after`` the totals with it less 10 kan
    (再計), ``final`` the result in whole kan (最終得点). ``top`` is the seat that takes the
    remainder of rounding.
    """

    top: int
    board: tuple[int, ...]
    after: tuple[int, ...]
    final: tuple[int, ...]


def settlement(
    totals: Sequence[int], stones: Sequence[int], dealer: int, shiso: Sequence[int] = ()
) -> Settlement | None:
    """Return the settlement of the year, None if nobody wins it (無勝負).

    The lowest total takes the stones, everybody loses 10 kan, all but the top are cut to whole kan,
    and the top takes the remainder; with three equal totals nobody wins (H20). The maker of 四三 is
    the top and takes the stones, whatever the totals; with two makers nobody wins (H6).

    ``totals`` are the sums of the months without stones, ``dealer`` is the dealer of the last
    month.
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
    return Settlement(
        top, tuple(board), tuple(after), tuple(KAN * kan_of_seat for kan_of_seat in kan)
    )


def settle(
    totals: Sequence[int], stones: Sequence[int], dealer: int, shiso: Sequence[int] = ()
) -> tuple[int, ...]:
    """Return the result of the year in points, whole kan per seat; 0 for all if nobody wins it."""
    result = settlement(totals, stones, dealer, shiso)
    return result.final if result else (0,) * len(totals)


def steps(
    totals: Sequence[int], stones: Sequence[int], dealer: int, shiso: Sequence[int] = ()
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the settlement as steps (S11): a label, and the points that each seat gets."""
    result = settlement(totals, stones, dealer, shiso)
    if result is None:
        yield "void", tuple(-total for total in totals)
        return
    yield "board", result.board
    yield "short", (-SHORT,) * len(totals)
    rounding = tuple(end - sum_ for end, sum_ in zip(result.final, result.after, strict=True))
    yield (
        "kan",
        tuple(0 if seat == result.top else kan for seat, kan in enumerate(rounding, start=1)),
    )
    yield (
        "rest",
        tuple(kan if seat == result.top else 0 for seat, kan in enumerate(rounding, start=1)),
    )


def _board(
    totals: Sequence[int], stones: int, top: int, shiso: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Yield the shares of the month board: to the lowest (H20), or the maker of 四三 (H6)."""
    if shiso:
        yield shiso[0], stones
        return
    lowest = [seat for seat, total in enumerate(totals, start=1) if total == min(totals)]
    for seat in lowest:
        yield seat, stones // len(lowest)
    yield top, stones % len(lowest)

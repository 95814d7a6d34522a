"""The lines of a ledger and the sums for each seat (C4).

Lines sum to zero, except in koi-koi.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from kafu.rules.play.actions import PlayEvent
from kafu.rules.verdict import Line


class Payer(NamedTuple):
    """The payer of a yaku: every other player a share (seat 0), or one player for all.

    ``why`` is "share", "hatto" (for ``card``, discarded in ``turn``) or "sage" (in 下げ since
    ``turn``).
    """

    seat: int = 0
    why: str = "share"
    card: int = 0
    turn: int = 0


SHARED: Final = Payer()
#: Labels of lines other than yaku: card points, fees, prizes (rulings.md, Yaku ids).
OTHER: Final = frozenset(
    (
        *("points", "ori", "oikomi", "mizuten", "kobiki", "obiki", "ginmi", "oyaken"),
        *("koikoi", "bai", "koikoigaeshi", "month"),
    )
)


class Thrown(NamedTuple):
    """A hatto (法度) card, as a mask, and the seat that threw it and may pay for others."""

    seat: int
    card: int


class Entry(NamedTuple):
    """A ledger line with the seat of its owner, and its payer.

    ``dealt`` marks dealt-hand payments, 飛込み and 抜け, struck out by special yaku (H16, B12).
    """

    line: Line
    seat: int
    payer: Payer = SHARED
    dealt: bool = False

    def event(self) -> PlayEvent:
        """Return the payment as an event, with its reason."""
        label, amounts = self.line.label, self.line.amounts
        payer, why, card, turn = self.payer
        return PlayEvent(
            "pay", self.seat, label, cards=card, amounts=amounts, payer=payer, why=why, turn=turn
        )

    def void(self) -> Entry:
        """Return the entry struck out."""
        return self._replace(line=self.line._replace(void=True))

    def struck(self) -> Entry:
        """Return the entry after 吹き消し: void for dealt-hand payments (H16, B12)."""
        return self.void() if self.dealt else self


def share(
    label: str, seat: int, each: int, among: Sequence[int], players: int = 3, payer: int = 0
) -> Line:
    """Return a payment of ``each`` to ``seat`` from every other seat ``among`` the seats in play.

    ``payer`` is the seat paying all of the shares, 0 for none.

    >>> share("akatan", 2, 7, (1, 2, 3)).amounts
    (-7, 14, -7)
    """
    amounts = [0] * players
    for player in among:
        if player != seat:
            amounts[(payer or player) - 1] -= each
            amounts[seat - 1] += each
    return Line(label, tuple(amounts))


def score(ledger: Sequence[Line], players: int) -> tuple[int, ...]:
    """Return the sum of a ledger for each seat, without void lines (C4)."""
    sums = [0] * players
    for _, amounts, void in ledger:
        if not void:
            for i, amount in enumerate(amounts):
                sums[i] += amount
    return tuple(sums)


def maker(line: Line) -> tuple[int | None, int]:
    """Return the seat that made the yaku of a line, and the amount.

    The seat is None if several gained the same.
    """
    # In koi-koi the loser's shown yaku reduces the winner's gain: [-4, 0] is seat 2's yaku.
    gain = max(line.amounts)
    return (line.amounts.index(gain) + 1 if line.amounts.count(gain) == 1 else None), gain


def gains(line: Line) -> list[tuple[int | None, int]]:
    """Return the seats of a line with amounts.

    A yaku belongs to the maker alone, another line to every seat with an amount.
    """
    if line.label.partition("+")[0] in OTHER:
        return [(seat, sum_) for seat, sum_ in enumerate(line.amounts, start=1) if sum_]
    return [maker(line)]

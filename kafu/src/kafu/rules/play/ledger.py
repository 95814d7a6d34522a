"""Lines of a ledger, which sum to zero except in koi-koi, and their sums a seat (C4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from kafu.rules.play.actions import Event
from kafu.rules.verdict import Line


class Payer(NamedTuple):
    """Who pays for a yaku: everyone their share (seat 0), or one player for all, and why.

    ``why`` is "share", "hatto" (for ``card``, thrown in ``turn``) or "sage" (in 下げ since
    ``turn``).
    """

    seat: int = 0
    why: str = "share"
    card: int = 0
    turn: int = 0


SHARED: Final = Payer()
#: Labels that are no yaku: card points, fees, prizes (rulings.md, Yaku ids).
OTHER: Final = frozenset(
    (
        *("points", "ori", "oikomi", "mizuten", "kobiki", "obiki", "ginmi", "oyaken"),
        *("koikoi", "bai", "koikoigaeshi", "month"),
    )
)


class Entry(NamedTuple):
    """A ledger line with its owner; ``dealt`` for dealt-hand payments, 飛込み and 抜け, which
    special yaku strike out (H16, B12).
    """

    line: Line
    seat: int
    payer: Payer = SHARED
    dealt: bool = False

    def event(self) -> Event:
        """The payment as an event, with its reason."""
        label, amounts = self.line.label, self.line.amounts
        who, why, card, turn = self.payer
        return Event(
            "pay", self.seat, label, cards=card, amounts=amounts, payer=who, why=why, turn=turn
        )

    def void(self) -> Entry:
        """The entry struck out."""
        return self._replace(line=self.line._replace(void=True))

    def struck(self) -> Entry:
        """The entry after 吹き消し: void if it is of a dealt hand (H16, B12)."""
        return self.void() if self.dealt else self


def share(
    label: str, seat: int, each: int, among: Sequence[int], players: int = 3, payer: int = 0
) -> Line:
    """A payment of ``each`` to ``seat`` from every other seat ``among`` those who play, or all of
    it from ``payer``.

    >>> share("akatan", 2, 7, (1, 2, 3)).amounts
    (-7, 14, -7)
    """
    amounts = [0] * players
    for other in among:
        if other != seat:
            amounts[(payer or other) - 1] -= each
            amounts[seat - 1] += each
    return Line(label, tuple(amounts))


def score(ledger: Sequence[Line], players: int) -> tuple[int, ...]:
    """The total of a ledger a seat: the sum of its lines, without void ones (C4)."""
    sums = [0] * players
    for _, amounts, void in ledger:
        if not void:
            for i, amount in enumerate(amounts):
                sums[i] += amount
    return tuple(sums)


def maker(line: Line) -> tuple[int | None, int]:
    """The seat that made the yaku of a line, and its amount; None if several got the same."""
    # In koi-koi what the loser showed is taken off the winner: [-4, 0] is seat 2's yaku.
    gain = max(line.amounts)
    return (line.amounts.index(gain) + 1 if line.amounts.count(gain) == 1 else None), gain


def gains(line: Line) -> list[tuple[int | None, int]]:
    """The seats of a line, and their amounts: a yaku belongs to its maker alone, other lines to all
    whose sums they change.
    """
    if line.label.partition("+")[0] in OTHER:
        return [(seat, sum_) for seat, sum_ in enumerate(line.amounts, start=1) if sum_]
    return [maker(line)]

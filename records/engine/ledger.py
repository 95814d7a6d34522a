"""Lines of a ledger and their sums (C4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from records.engine.actions import Event
from records.engine.verdict import Line


class Payer(NamedTuple):
    """Who pays for a yaku: everyone his share (seat 0), or one player for all, and why.

    ``why`` is "share", "hatto" (for ``card``, thrown in ``turn``) or "sage" (in 下げ since
    ``turn``).
    """

    seat: int = 0
    why: str = "share"
    card: int = 0
    turn: int = 0


SHARED: Final = Payer()


class Entry(NamedTuple):
    """A ledger line with whose it is; ``dealt`` for dealt-hand payments, 飛込み and 抜け, which
    special yaku strike out (H16, B12).
    """

    line: Line
    seat: int
    payer: Payer = SHARED
    dealt: bool = False

    def event(self) -> Event:
        """The payment as something that happened, with its reason."""
        label, amounts = self.line.label, self.line.amounts
        who, why, card, turn = self.payer
        return Event(
            "pay", self.seat, label, cards=card, amounts=amounts, payer=who, why=why, turn=turn
        )

    def struck(self) -> Entry:
        """The entry after 吹き消し: void if it is of a dealt hand."""
        return self._replace(line=self.line._replace(void=True)) if self.dealt else self


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
    """What a ledger gives each seat: the sum of its lines, void ones left out."""
    return tuple(sum(line.amounts[i] for line in ledger if not line.void) for i in range(players))

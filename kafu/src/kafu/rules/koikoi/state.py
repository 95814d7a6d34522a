"""The state of a game of koi-koi."""

from __future__ import annotations

from typing import Final, NamedTuple

from kafu.rules.play.machine import Phase
from kafu.rules.play.table import TableCards
from kafu.rules.teyaku import HandYaku
from kafu.rules.verdict import DealResult
from kafu.rules.yaku import Made

_NOTHING: Final = TableCards((0, 0), (0, 0), 0, (0, 0), (), 0, 0)


class State(NamedTuple):
    """A game of koi-koi. Pairs are a seat; masks are sets of cards; seats and months count from
    1.

    ``month`` and ``dealer`` are those of the current deal or the next one; dealer 0 is free,
    ``settling`` says that no card of January has been played, so that a split may decide the
    dealer (K1, K2). ``replayed``: the month is played over after a 流れ (K9). ``before`` and
    ``held`` are the captured cards of the seat in turn before its turn and after its hand card,
    ``made`` its yaku before it, ``calls`` how often each declared こいこい in the deal, ``shown``
    the declarations.
    """

    phase: Phase = Phase.DEAL
    month: int = 1
    dealer: int = 0
    settling: bool = True
    replayed: bool = False
    deals: int = 0
    totals: tuple[int, ...] = (0, 0)
    winners: tuple[int, ...] = ()
    table: TableCards = _NOTHING
    seat: int = 0
    turn: int = 0
    before: int = 0
    held: int = 0
    made: tuple[tuple[Made, ...], tuple[Made, ...]] = ((), ())
    calls: tuple[int, int] = (0, 0)
    shown: tuple[tuple[int, HandYaku], ...] = ()
    grade: str | None = None
    result: DealResult | None = None
    final: tuple[int, ...] | None = None

    @property
    def scored(self) -> bool:
        """Whether the declarations win the month, so that シマ is no 流れ: not where both are worth
        the same (K3).
        """
        return len({yaku.value for _, yaku in self.shown}) == len(self.shown) > 0

"""State of a game of こいこい."""

from __future__ import annotations

from typing import ClassVar, Final, Self

from kafu.rules.play import machine
from kafu.rules.teyaku import HandYaku
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


class State(machine.State):
    """State of a game of こいこい. Pairs have one item per seat; masks are sets of cards.

    - ``settling``: no card of January has been played, so a split may still decide the dealer (K1,
      K2).
    - ``replayed``: the month is played over after a 流れ (K9).
    - ``winners``: the winner of each month, 0 for nobody.
    - ``played``, ``turned``: the captures of the hand card and of the stock card of this turn,
      including that card; 0 without a capture.
    - ``made``: the captured yaku of each seat.
    - ``calls``: how often each seat declared こいこい in the deal.
    - ``shown``: the dealt-hand yaku shown, with their seats.
    """

    __slots__ = _FIELDS
    fields: ClassVar[tuple[str, ...]] = (*machine.State.fields, *_FIELDS)

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

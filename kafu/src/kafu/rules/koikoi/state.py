"""The state of a game of koi-koi."""

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
    """A game of koi-koi. Pairs are a seat; masks are sets of cards.

    ``settling`` says that no card of January has been played, so that a split may decide the
    dealer (K1, K2). ``replayed``: the month is played over after a 流れ (K9). ``winners`` are those
    of the months, 0 for nobody. ``played`` and ``turned`` are the cards that the hand card and the
    stock card of the turn captured, with that card (0: nothing), ``made`` the yaku of each seat,
    ``calls`` how often each declared こいこい in the deal, ``shown`` the declarations.
    """

    __slots__ = _FIELDS
    fields: ClassVar[tuple[str, ...]] = (*machine.State.fields, *_FIELDS)

    def __init__(self) -> None:
        """Before January."""
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
        """As in `machine.State`."""
        other = super().next_deal()
        other.settling, other.replayed, other.winners = self.settling, self.replayed, self.winners
        return other

    @property
    def scored(self) -> bool:
        """Whether the declarations win the month, so that シマ is no 流れ: not where both are worth
        the same (K3).
        """
        return len({yaku.value for _, yaku in self.shown}) == len(self.shown) > 0

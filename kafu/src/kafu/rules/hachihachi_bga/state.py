"""State of a game of 八八 as on Board Game Arena, and the table of captured yaku."""

from __future__ import annotations

from typing import ClassVar, Final, NamedTuple, Self

from kafu import cards
from kafu.rules.grades import Carried
from kafu.rules.hachihachi.hatto import Owed, Three, Throw, list_thrown
from kafu.rules.play import machine
from kafu.rules.play.actions import ShowAction
from kafu.rules.play.declaring import Bidding
from kafu.rules.play.ledger import Payer, Thrown
from kafu.rules.yaku import CapturedYaku, YakuTable, whole

#: The cards that count as chaff in every yaku: all chaff, and willow (B6).
PLAIN: Final = cards.CHAFF | cards.WILLOW

#: 出来役, values in kan. 七短 does not grow, and the ribbon of willow does not count.
YAKU: Final = YakuTable(
    (
        whole("goko", cards.BRIGHTS, 12, over=("shiko",)),
        whole("shiko", cards.DRY_BRIGHTS, 10),
        CapturedYaku("nanatan", cards.RIBBONS & ~PLAIN, 7, 10),
        whole("akatan", cards.RED_POEMS, 7),
        whole("aotan", cards.BLUE_RIBBONS, 7),
    )
)
#: The table of a seat after its decision to go on with 四光, which excludes 五光 (下げのルール).
LOWERED: Final = YakuTable(row for row in YAKU if row.id != "goko")


_NO_BRIGHTS: Final = Carried()
_NO_BIDS: Final = Bidding(())


class HachihachiBgaClaim(NamedTuple):
    """A valid dealt-hand yaku: seat and yaku ids."""

    seat: int
    yaku: tuple[str, ...]


_FIELDS: Final = (
    "bidding",
    "blind",
    "bound",
    "carries",
    "claims",
    "closed",
    "covered",
    "dead",
    "dealt",
    "debts",
    "let_go",
    "lowered",
    "opening",
    "payers",
    "playing",
    "sager",
    "shown",
    "since",
    "stones",
    "threes",
    "throws",
    "turned",
)


class HachihachiBgaState(machine.State):
    """State of a game of 八八.

    Tuples have one item per seat; masks are sets of cards; sums are mon.

    - ``bound``, ``carries``: the brights carried into the month, and the brights that the deal
      carries on.
    - ``bidding``: the bids. ``playing``: the seats in play, in play order, as far as decided.
      ``blind``: the dealer went in blind (みずてん).
    - ``dealt``: the known cards of the dealt hands. ``opening``: the table when play began.
    - ``shown``: seats that have declared. ``covered``: the declarations of hands with unknown
      cards.
    - ``claims``: the dealt-hand yaku paid.
    - ``threes``: threes that may make a 飛込み. ``debts``: the payer of each such 飛込み.
      ``let_go``: the seats that left the first card of a three, which pay if they prove to hold the
      fourth (B15).
    - ``throws``: the hatto cards thrown in the deal. ``payers``: the payer of each captured yaku,
      by seat and yaku.
    - ``lowered``: the yaku with which each seat said 下げ. ``dead``: the yaku that another player's
      下げ made worthless.
    - ``sager``, ``since``: the seat in 下げ, and the turn of the 下げ.
    - ``stones``: the mon of each seat on the month card (B15).
    - ``turned``: the stock card of the turn lies open.
    - ``closed``: the deal ended without a decision, which may still be written (B8).
    """

    __slots__ = _FIELDS
    fields: ClassVar[tuple[str, ...]] = (*machine.State.fields, *_FIELDS)
    of_turn: ClassVar[frozenset[str]] = frozenset(("turned",))

    def __init__(self) -> None:
        """Create the state before January."""
        super().__init__()
        self.bound = self.carries = _NO_BRIGHTS
        self.bidding = _NO_BIDS
        self.playing: tuple[int, ...] = ()
        self.blind = False
        self.dealt: tuple[int, ...] = ()
        self.opening = self.table
        self.shown: tuple[int, ...] = ()
        self.covered: tuple[ShowAction, ...] = ()
        self.claims: tuple[HachihachiBgaClaim, ...] = ()
        self.threes: tuple[Three, ...] = ()
        self.throws: tuple[Throw, ...] = ()
        self.payers: tuple[tuple[int, str, Payer], ...] = ()
        self.lowered: tuple[frozenset[str], ...] = ()
        self.dead: tuple[frozenset[str], ...] = ()
        self.sager = 0
        self.since = 0
        self.debts: tuple[Owed, ...] = ()
        self.let_go: tuple[Owed, ...] = ()
        self.stones: tuple[int, ...] = ()
        self.turned = False
        self.closed = False

    @property
    def thrown(self) -> set[Thrown]:
        """The hatto cards of the deal."""
        return list_thrown(self.throws, self.debts, self.let_go, self.table.hands)

    def next_deal(self) -> Self:
        """Return the state of the next deal, with brights and stones carried over."""
        state = super().next_deal()
        state.bound, state.stones = self.bound, self.stones
        return state

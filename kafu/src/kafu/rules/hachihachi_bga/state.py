"""The state of a game of 八八 as on Board Game Arena, and the table of its captured-hand yaku."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar, Final, NamedTuple, Self

from kafu import cards
from kafu.rules.grades import Carried
from kafu.rules.hachihachi.hatto import Owed, Three, Throw
from kafu.rules.play import machine
from kafu.rules.play.actions import Show
from kafu.rules.play.bidding import Bidding
from kafu.rules.play.ledger import Entry, Payer
from kafu.rules.yaku import Yaku, YakuTable, whole

#: What counts as dregs in every yaku: willow too (B6).
PLAIN: Final = cards.DREGS | cards.WILLOW

#: 出来役, values in kan. 七短 does not grow, and is of the nine slips without willow.
YAKU: Final = YakuTable(
    (
        whole("goko", cards.BRIGHTS, 12, over=("shiko",)),
        whole("shiko", cards.DRY_BRIGHTS, 10),
        Yaku("nanatan", cards.SLIPS & ~PLAIN, 7, 10),
        whole("akatan", cards.RED_POEMS, 7),
        whole("aotan", cards.BLUE_SLIPS, 7),
    )
)
#: The table of a seat that has gone on with 四光: it cannot make 五光 any more (下げのルール).
LOWERED: Final = YakuTable(row for row in YAKU if row.id != "goko")


_NO_BRIGHTS: Final = Carried()
_NO_BIDS: Final = Bidding(())


class Claim(NamedTuple):
    """A dealt-hand yaku that stands: seat and yaku ids."""

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
    "entries",
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


class State(machine.State):
    """A game. Lists are a seat; masks are sets of cards; sums are mon.

    ``bound`` are the brights carried into the month, ``carries`` what this deal carries on.
    ``bidding`` says who is in, ``playing`` are those in play order as far as it is known, ``blind``
    whether the dealer went in unseen. ``dealt`` are the known cards of the dealt hands, ``opening``
    the table when play began. ``shown`` has declared, ``covered`` are the declarations of hands
    with unknown cards. ``entries`` are the payments of the deal so far, ``claims`` the dealt-hand
    yaku paid, ``threes`` what may make a 飛込み. ``throws`` are the hatto cards thrown so far.
    ``payers`` says who pays for which captured yaku. ``lowered`` are the yaku with which a seat
    went on, ``dead`` those that another's yaku made worthless. ``sager`` is in 下げ since turn
    ``since``. ``debts`` says who pays for which 飛込み, ``let_go`` who left the first of a three
    and pays if the fourth proves to be theirs, ``stones`` what each put on the month card (options
    of B15). ``turned``: the stock card of the turn lies open. ``closed``: the deal ended without a
    decision, which may still be written (B8).
    """

    __slots__ = _FIELDS
    fields: ClassVar[tuple[str, ...]] = (*machine.State.fields, *_FIELDS)

    def __init__(self) -> None:
        """Before January."""
        super().__init__()
        self.bound = self.carries = _NO_BRIGHTS
        self.bidding = _NO_BIDS
        self.playing: tuple[int, ...] = ()
        self.blind = False
        self.dealt: tuple[int, ...] = ()
        self.opening = self.table
        self.shown: tuple[int, ...] = ()
        self.covered: tuple[Show, ...] = ()
        self.entries: tuple[Entry, ...] = ()
        self.claims: tuple[Claim, ...] = ()
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
    def carried(self) -> Hashable:
        """The brights of earlier fields that are left for this month (B2)."""
        return self.bound if any(self.bound) else None

    def next_deal(self) -> Self:
        """As in `machine.State`."""
        other = super().next_deal()
        other.bound, other.stones = self.bound, self.stones
        return other

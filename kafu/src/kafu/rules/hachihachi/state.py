"""The state of a game of 三人はちはち, and the table of its captured-hand yaku."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar, Final, NamedTuple, Self

from kafu import cards
from kafu.rules.hachihachi.hatto import Owed, Three, Throw
from kafu.rules.play import machine
from kafu.rules.play.actions import Show
from kafu.rules.play.ledger import SHARED, Entry, Payer
from kafu.rules.play.table import TableCards
from kafu.rules.yaku import Made, YakuTable, counting, whole

SEATS: Final = (1, 2, 3)

#: 出来役, values in kan (H8: 七短 grows with each slip, 五光 replaces 四光).
YAKU: Final = YakuTable(
    (
        whole("goko", cards.BRIGHTS, 20, over=("shiko",)),
        whole("shiko", cards.DRY_BRIGHTS, 12),
        whole(
            "goun", cards.WARBLER | cards.BRIDGE | cards.BUTTERFLIES | cards.BOAR | cards.CUP, 12
        ),
        counting("nanatan", cards.SLIPS, 7, value=10),
        whole("akatan", cards.RED_POEMS, 7),
        whole("aotan", cards.BLUE_SLIPS, 7),
        whole("inoshikacho", cards.BOAR | cards.DEER | cards.BUTTERFLIES, 6),
    )
)


class Claim(NamedTuple):
    """A dealt-hand declaration that stands: seat and yaku ids."""

    seat: int
    yaku: tuple[str, ...]


_FIELDS: Final = (
    "bound",
    "carries",
    "caught",
    "claims",
    "covered",
    "debts",
    "disputed",
    "earlier",
    "echo",
    "entries",
    "forced",
    "fresh",
    "fresh_debts",
    "let_go",
    "liable",
    "locked",
    "made",
    "payers",
    "sager",
    "since",
    "stones",
    "struck",
    "threes",
    "throws",
    "turned",
)


class State(machine.State):
    """A game. Lists are a seat; masks are sets of cards; sums are points.

    ``bound`` is the 二代しばり carried into the month, ``carries`` the one that this deal carries
    on, ``stones`` what each put into the month board. ``entries`` are the payments of the deal so
    far, ``claims`` the declarations that stand, ``disputed`` the seats with one that the record
    strikes out, ``struck`` those struck out by now, ``covered`` all declarations of hands with
    unknown cards, ``threes`` what may make a 飛込み, ``debts`` who pays for one, and ``let_go`` who
    left the first of a three and pays if the fourth proves to be theirs. ``throws`` are the
    hatto cards thrown so far, ``fresh`` those of the card just played, ``earlier`` the table
    before it (where it is hatto). ``turned`` says that the stock card of the turn lies open and
    nothing was decided yet. ``caught`` are the captures of this turn (card, captured cards).
    ``made`` are captured yaku, ``payers`` who pays for which, ``liable`` the first hatto payer
    of each (H13). ``sager`` is in 下げ since turn ``since``; ``locked`` by 二枚めくり.
    """

    __slots__ = _FIELDS
    fields: ClassVar[tuple[str, ...]] = (*machine.State.fields, *_FIELDS)

    def __init__(self) -> None:
        """Before January."""
        super().__init__()
        self.totals = (0, 0, 0)
        self.bound: str | None = None
        self.carries: str | None = None
        self.stones: tuple[int, ...] = (0, 0, 0)
        self.entries: tuple[Entry, ...] = ()
        self.claims: tuple[Claim, ...] = ()
        self.disputed: tuple[int, ...] = ()
        self.struck: tuple[int, ...] = ()
        self.covered: tuple[Show, ...] = ()
        self.threes: tuple[Three, ...] = ()
        self.debts: tuple[Owed, ...] = ()
        self.let_go: tuple[Owed, ...] = ()
        self.throws: tuple[Throw, ...] = ()
        self.fresh: tuple[Throw, ...] = ()
        self.fresh_debts: tuple[Owed, ...] = ()
        self.earlier: TableCards | None = None
        self.turned = False
        self.caught: tuple[tuple[int, int], ...] = ()
        self.made: tuple[tuple[Made, ...], ...] = ((), (), ())
        self.payers: tuple[tuple[int, str, Payer], ...] = ()
        self.liable: tuple[Payer, ...] = (SHARED, SHARED, SHARED)
        self.sager = 0
        self.since = 0
        self.locked = False
        self.echo = ""
        self.forced = 0

    @property
    def carried(self) -> Hashable:
        """The 二代しばり, which makes the month large or absolute (H1)."""
        return self.bound

    def next_deal(self) -> Self:
        """As in `machine.State`."""
        other = super().next_deal()
        other.bound, other.stones = self.bound, self.stones
        return other

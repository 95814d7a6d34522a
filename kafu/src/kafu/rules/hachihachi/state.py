"""State of a game of 三人はちはち, and the table of captured yaku."""

from __future__ import annotations

from typing import ClassVar, Final, NamedTuple, Self

from kafu import cards
from kafu.rules.hachihachi.hatto import Owed, Three, Throw, list_thrown
from kafu.rules.play import machine
from kafu.rules.play.actions import ShowAction
from kafu.rules.play.ledger import SHARED, Payer, Thrown
from kafu.rules.play.table import TableCards
from kafu.rules.yaku import Made, YakuTable, counting, whole

SEATS: Final = (1, 2, 3)

#: 出来役, values in kan (H8: 七短 grows with each ribbon, 五光 replaces 四光).
YAKU: Final = YakuTable(
    (
        whole("goko", cards.BRIGHTS, 20, over=("shiko",)),
        whole("shiko", cards.DRY_BRIGHTS, 12),
        whole(
            "goun", cards.WARBLER | cards.BRIDGE | cards.BUTTERFLIES | cards.BOAR | cards.CUP, 12
        ),
        counting("nanatan", cards.RIBBONS, 7, value=10),
        whole("akatan", cards.RED_POEMS, 7),
        whole("aotan", cards.BLUE_RIBBONS, 7),
        whole("inoshikacho", cards.BOAR | cards.DEER | cards.BUTTERFLIES, 6),
    )
)


class HachihachiClaim(NamedTuple):
    """A valid dealt-hand declaration: seat and yaku ids."""

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


class HachihachiState(machine.State):
    """State of a game of 三人はちはち.

    Tuples have one item per seat; masks are sets of cards; sums are points.

    - ``bound``, ``carries``: the 二代しばり carried into the month, and the 二代しばり that the
      deal carries on.
    - ``stones``: the points of each seat on the month board (月石).
    - ``claims``: the valid declarations. ``disputed``: seats whose declaration the record strikes
      out. ``struck``: seats whose declaration has been struck out. ``covered``: all declarations of
      hands with unknown cards.
    - ``threes``: declared threes that may make a 飛込み. ``debts``: the payer of each such 飛込み.
      ``let_go``: the seats that left the first card of a three, which pay if they prove to hold the
      fourth.
    - ``throws``: the hatto cards thrown in the deal. ``fresh``, ``fresh_debts``: throws and debts
      of the card just played. ``earlier``: the table before that card, if it is hatto.
    - ``turned``: the stock card of the turn lies open and nothing has been decided.
    - ``caught``: the captures of the turn, as pairs of a card and the cards captured with it.
    - ``made``: the captured yaku of each seat. ``payers``: the payer of each captured yaku, by seat
      and yaku. ``liable``: the first hatto payer for each seat (H13).
    - ``sager``, ``since``: the seat in 下げ, and the turn of the 下げ. ``locked``: the 下げ was
      forced by 二枚めくり.
    - ``echo``: a decision that was made by force and may still be written (H22).
    - ``forced``: the seat of a forced 取消し that may still be written (H9).
    """

    __slots__ = _FIELDS
    fields: ClassVar[tuple[str, ...]] = (*machine.State.fields, *_FIELDS)
    of_turn: ClassVar[frozenset[str]] = frozenset(("caught", "earlier", "turned"))

    def __init__(self) -> None:
        """Create the state before January."""
        super().__init__()
        self.totals = (0, 0, 0)
        self.bound: str | None = None
        self.carries: str | None = None
        self.stones: tuple[int, ...] = (0, 0, 0)
        self.claims: tuple[HachihachiClaim, ...] = ()
        self.disputed: tuple[int, ...] = ()
        self.struck: tuple[int, ...] = ()
        self.covered: tuple[ShowAction, ...] = ()
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
    def thrown(self) -> set[Thrown]:
        """The hatto cards of the deal."""
        return list_thrown(self.throws, self.debts, self.let_go, self.table.hands)

    def next_deal(self) -> Self:
        """Return the state of the next deal, with 二代しばり and stones carried over."""
        state = super().next_deal()
        state.bound, state.stones = self.bound, self.stones
        return state

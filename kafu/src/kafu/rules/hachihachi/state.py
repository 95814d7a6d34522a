"""The state of a game of 三人はちはち, and the table of its captured-hand yaku."""

from __future__ import annotations

from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.hachihachi.hatto import Three, Throw
from kafu.rules.play.actions import Show
from kafu.rules.play.ledger import SHARED, Entry, Payer
from kafu.rules.play.machine import Phase
from kafu.rules.play.table import TableCards
from kafu.rules.verdict import DealResult
from kafu.rules.yaku import Made, YakuTable, counting, whole

SEATS: Final = (1, 2, 3)
_NOTHING: Final = TableCards((0, 0, 0), (0, 0, 0), 0, (0, 0, 0), (), 0, 0)

#: 出来役, values in kan (H8: 七短 grows with each slip, 五光 replaces 四光).
YAKU: Final = YakuTable(
    (
        whole("goko", "AIcos", 20, over=("shiko",)),
        whole("shiko", "AIcs", 12),
        whole("goun", "EQUYg", 12),
        counting("nanatan", cards.SLIPS, 7, value=10),
        whole("akatan", "BFJ", 7),
        whole("aotan", "Vhl", 7),
        whole("inoshikacho", "YkU", 6),
    )
)


class Claim(NamedTuple):
    """A dealt-hand declaration that stands: seat and yaku ids."""

    seat: int
    yaku: tuple[str, ...]


class State(NamedTuple):
    """A game. Lists are a seat; masks are sets of cards; sums are points.

    ``bound`` is the 二代しばり carried into the month, ``carries`` the one that this deal carries
    on, ``stones`` what each put into the month board. ``claims`` are the declarations that
    stand, ``disputed`` the seats with one that the record strikes out, ``struck`` those struck
    out by now, ``covered`` all declarations of hands with unknown cards, ``threes`` what may
    make a 飛込み and ``debts`` who pays for one. ``throws`` are the hatto cards thrown so far,
    ``fresh`` those of the card just played, ``earlier`` the table before it. ``turned`` says
    that the stock card of the turn lies open and nothing was decided yet. ``caught`` are the
    captures of this turn (card, captured cards). ``made`` are captured yaku, ``payers`` who
    pays for which, ``liable`` the first hatto payer of each (H13). ``sager`` is in 下げ since
    turn ``since``; ``locked`` by 二枚めくり.
    """

    phase: Phase = Phase.DEAL
    month: int = 1
    dealer: int = 0
    bound: str | None = None
    deals: int = 0
    totals: tuple[int, ...] = (0, 0, 0)
    stones: tuple[int, ...] = (0, 0, 0)
    grade: str | None = None
    carries: str | None = None
    table: TableCards = _NOTHING
    seat: int = 0
    turn: int = 0
    entries: tuple[Entry, ...] = ()
    claims: tuple[Claim, ...] = ()
    disputed: tuple[int, ...] = ()
    covered: tuple[Show, ...] = ()
    struck: tuple[int, ...] = ()
    threes: tuple[Three, ...] = ()
    debts: tuple[tuple[Three, Payer], ...] = ()
    throws: tuple[Throw, ...] = ()
    fresh: tuple[Throw, ...] = ()
    fresh_debts: tuple[tuple[Three, Payer], ...] = ()
    earlier: TableCards = _NOTHING
    caught: tuple[tuple[int, int], ...] = ()
    made: tuple[tuple[Made, ...], ...] = ((), (), ())
    payers: tuple[tuple[int, str, Payer], ...] = ()
    liable: tuple[Payer, ...] = (SHARED, SHARED, SHARED)
    sager: int = 0
    since: int = 0
    locked: bool = False
    turned: bool = False
    echo: str = ""
    forced: int = 0
    result: DealResult | None = None
    final: tuple[int, ...] | None = None

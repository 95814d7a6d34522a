"""The state of a game of 八八 as on Board Game Arena, and the table of its captured-hand yaku."""

from __future__ import annotations

from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.grades import Carried
from kafu.rules.hachihachi.hatto import Three, Throw
from kafu.rules.play.actions import Show
from kafu.rules.play.bidding import Bidding
from kafu.rules.play.ledger import Entry, Payer
from kafu.rules.play.machine import Phase
from kafu.rules.play.table import TableCards
from kafu.rules.verdict import DealResult
from kafu.rules.yaku import Yaku, YakuTable, whole

_NOTHING: Final = TableCards((), (), 0, (), (), 0, 0)

#: What counts as dregs in every yaku: willow too (B6).
PLAIN: Final = cards.DREGS | cards.MONTHS[11]

#: 出来役, values in kan. 七短 does not grow, and is of the nine slips without willow.
YAKU: Final = YakuTable(
    (
        whole("goko", "AIcos", 12, over=("shiko",)),
        whole("shiko", "AIcs", 10),
        Yaku("nanatan", cards.SLIPS & ~PLAIN, 7, 10),
        whole("akatan", "BFJ", 7),
        whole("aotan", "Vhl", 7),
    )
)
#: The table of a seat that has gone on with 四光: it cannot make 五光 any more (下げのルール).
LOWERED: Final = YakuTable(row for row in YAKU if row.id != "goko")


class Claim(NamedTuple):
    """A dealt-hand yaku that stands: seat and yaku ids."""

    seat: int
    yaku: tuple[str, ...]


class State(NamedTuple):
    """A game. Lists are a seat; masks are sets of cards; sums are mon.

    ``bound`` are the brights carried into the month, ``carries`` what this deal carries on.
    ``bidding`` says who is in, ``blind`` whether the dealer went in unseen. ``dealt`` are the known
    cards of the dealt hands, ``opening`` the table when play began. ``shown`` has declared,
    ``covered`` are the declarations of hands with unknown cards. ``claims`` are the dealt-hand
    yaku paid, ``threes`` what may make a 飛込み. ``throws`` are the hatto cards thrown so far.
    ``payers`` says who pays for which captured yaku. ``lowered`` are the yaku with which a seat
    went on, ``dead`` those that another's yaku made worthless. ``sager`` is in 下げ since turn
    ``since``. ``debts`` says who pays for which 飛込み, ``stones`` what each put on the month card
    (options of B15). ``turned``: the stock card of the turn lies open. ``closed``: the deal ended
    without a decision, which may still be written (B8).
    """

    phase: Phase
    totals: tuple[int, ...]
    table: TableCards
    month: int = 1
    dealer: int = 0
    bound: Carried = Carried()
    deals: int = 0
    grade: str | None = None
    carries: Carried = Carried()
    seat: int = 0
    turn: int = 0
    bidding: Bidding = Bidding(())
    blind: bool = False
    dealt: tuple[int, ...] = ()
    opening: TableCards = _NOTHING
    shown: tuple[int, ...] = ()
    covered: tuple[Show, ...] = ()
    entries: tuple[Entry, ...] = ()
    claims: tuple[Claim, ...] = ()
    threes: tuple[Three, ...] = ()
    throws: tuple[Throw, ...] = ()
    payers: tuple[tuple[int, str, Payer], ...] = ()
    lowered: tuple[frozenset[str], ...] = ()
    dead: tuple[frozenset[str], ...] = ()
    sager: int = 0
    since: int = 0
    debts: tuple[tuple[Three, Payer], ...] = ()
    stones: tuple[int, ...] = ()
    turned: bool = False
    closed: bool = False
    result: DealResult | None = None
    final: tuple[int, ...] | None = None

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that are in, in play order."""
        return self.bidding.players

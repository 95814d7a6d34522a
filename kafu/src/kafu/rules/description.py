"""A ruleset in one object: whoever needs a property of a ruleset asks its `Ruleset`.

A new ruleset is a machine (`kafu.rules.play.machine`), its description, and a call of
`kafu.rules.rulesets.register`; nothing else in the library or above it names rulesets.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from kafu.notation.vocabulary import KAN, Rules, Values
from kafu.rules.names import Name
from kafu.rules.play.machine import Machine
from kafu.rules.play.wishes import Wishes
from kafu.rules.sheets.form import Sheet
from kafu.rules.teyaku import WITH_RAIN, HandYaku
from kafu.rules.yaku import YakuTable

_NO_YAKU: Final = YakuTable(())
_NO_OPTIONS: Final[Mapping[str, str]] = {}
#: The row and the column of a dealt hand: a yaku by count and one of the dregs family, or `NONE`.
Cell = tuple[str, str]


class Choice(NamedTuple):
    """The decision that plays on after making a yaku, and the one that stops."""

    on: str
    stop: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Dealt:
    """The dealt-hand yaku (手役) of a ruleset, as needed for their odds.

    - ``rows`` are the yaku by count and ``columns`` those of the dregs family (none if there is one
      family), each with its value in the small unit.
    - ``judge`` gives the row and column of a hand (mask). House options do not matter: every yaku
      that a house may play counts.
    - ``in_house`` maps a row or column to what a house, given by its machine, makes of such hands:
      the same yaku, one that it plays instead, or `NONE`. The flag is true for the hand of 胴二.
      Without it every house plays all of them for every seat.
    - ``key`` gives what the yaku of a hand, and of that hand with further months, depend on: hands
      with one key are judged once.
    - ``alone`` are yaku whose rows leave out hands that count for another; their own numbers are
      given separately.
    - ``named`` lists the dregs yaku that the choice of willow leaves open in a hand, each as id,
      value and slips it names.
    - ``held`` are the captured-hand yaku that count in the hand of a seat that is shut out (つかみ,
      B4), and ``alike`` the groups of cards that these do not distinguish.
    """

    rows: Mapping[str, int]
    judge: Callable[[int], Cell]
    key: Callable[[int], Hashable]
    columns: Mapping[str, int] = dataclasses.field(default_factory=dict)
    in_house: Callable[[Any, str, bool], str] | None = None
    alone: tuple[HandYaku, ...] = ()
    named: Callable[[int], Iterable[tuple[str, int, int]]] | None = None
    held: YakuTable = _NO_YAKU
    alike: tuple[int, ...] = ()

    @property
    def ids(self) -> frozenset[str]:
        """The ids that may be declared."""
        return frozenset((*self.rows, *self.columns)) - {WITH_RAIN}


class CardIndex(NamedTuple):
    """A document's index of the values of cards, where it survives: that of dregs which are not
    among its most valuable, and those of these, whose pictures are lost.
    """

    dregs: float
    dearest: tuple[float, ...]


class Grades(NamedTuple):
    """How field grades follow each other over a year, month by month from nothing carried.

    ``step`` gives the grade of a field (mask) with what is carried in, and what is carried on.
    ``name`` names what is carried by one of `kafu.rules.grades.BOUNDS`, and ``of`` has one of each
    name. ``extends``: what is left after the last month extends the year (越年).
    """

    of: Mapping[str | None, Any]
    step: Callable[[int, Any], tuple[str, Any]]
    name: Callable[[Any], str | None]
    extends: bool


class Played(NamedTuple):
    """A game that is over, for its settlement: sums in the small unit, a seat.

    ``totals`` are the sums of the months, ``stones`` how often each seat dealt next (and put a
    stone in), ``dealer`` that of the last month, ``shiso`` the makers of 四三 that ended the game.
    """

    options: Mapping[str, str]
    totals: tuple[int, ...]
    stones: tuple[int, ...]
    dealer: int
    shiso: tuple[int, ...]
    final: tuple[int, ...]


#: The steps of a settlement after the totals: what each is, by `kafu.rules.names.STEPS`, and what
#: it gives each seat.
Steps = Iterable[tuple[str, tuple[int, ...]]]


def _no_steps(played: Played) -> Steps:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ruleset:
    """One ruleset.

    - ``id`` is the word of the Rules tag, ``name`` what people call it, ``dealer`` its document's
      word for the dealer, one character for badges.
    - ``seats`` are how many may play, ``hand`` and ``field`` the cards dealt, ``round`` the turns
      of a round, ``months`` the deals of a game unless an option or the play says otherwise.
    - ``mon``: its document counts in mon (文), else in points. ``kan``: sums are written in kan
      (貫) of twelve of these, and what is left is in ``rest``. ``mon_above_zero``: its document
      writes −5 as −1貫7文. ``final_unit``: how many of the
      small unit one of the settlement is. ``zero_sum``: the scores of a deal add up to zero.
    - ``machine`` makes its state machine of a game's options and number of players. It raises
      `kafu.rules.rulesets.Unsupported` for a house that this version does not play.
    - ``own_yaku`` are the names of yaku that no other ruleset has (the five's are in
      `kafu.rules.names`). ``special`` are the ids of those that neither a dealt hand nor captured
      cards show alone: 八十八, 抜け and their like; ``monthly`` those of captured yaku that the
      month decides and options add (K16).
    - ``options`` are their values by name; ``houses`` the house rules by id, the document's first,
      each with what the options but ``profile`` are where a record leaves them out.
    - ``decisions`` are the words of its turns, each with the Japanese one; ``choice`` the two among
      them that play on and stop. ``hatto``: a thrown card may make one pay for the others (法度).
    - ``card_points`` counts captured cards (a mask), None where they are not counted.
      ``card_index`` is what its document says that cards are worth, if it does.
    - ``dealt`` are its dealt-hand yaku, ``grades`` its field grades, None where it has none.
    - ``sheet`` makes a score sheet of it, to be checked, of a game's options and number of players;
      None where sheets are not judged. ``settlement`` are the steps from its totals to the final
      result (S11).
      ``columns``: months that stand in one column of a sheet drawn with a row a player, 0 for
      months below each other, payment by payment.
    - ``wishes``: what simulations want that otherwise hardly ever occurs, by its machine.
    - ``bins``: the widths by which statistics tell apart scores of deals and of games.

    >>> import kafu
    >>> koikoi = next(one for one in kafu.rulesets() if one.id == "koikoi")
    >>> koikoi.name.ja, list(koikoi.seats), koikoi.options["months"].expected
    ('こいこい', [2], ('1…48',))
    >>> koikoi.defaults("koikoi-ai")["months"]
    '8'
    """

    id: str
    name: Name
    seats: range
    hand: int
    field: int
    round: int
    machine: Callable[[Mapping[str, str], int], Machine[Any]]
    dealer: str = "親"
    months: int = 12
    mon: bool = False
    kan: bool = False
    mon_above_zero: bool = False
    rest: str = ""
    final_unit: int = 1
    zero_sum: bool = True
    own_yaku: tuple[Name, ...] = ()
    special: tuple[str, ...] = ()
    monthly: tuple[str, ...] = ()
    options: Mapping[str, Values] = dataclasses.field(default_factory=dict)
    houses: Mapping[str, Mapping[str, str]] = dataclasses.field(default_factory=dict)
    decisions: Mapping[str, str] = dataclasses.field(default_factory=dict)
    choice: Choice | None = None
    hatto: bool = False
    card_points: Callable[[int], int] | None = None
    card_index: CardIndex | None = None
    dealt: Dealt | None = None
    grades: Grades | None = None
    sheet: Callable[[Mapping[str, str], int], Sheet] | None = None
    settlement: Callable[[Played], Steps] = _no_steps
    columns: int = 0
    wishes: Callable[[Any], Wishes] | None = None
    bins: tuple[int, int] = (12, 60)

    @property
    def counted(self) -> str:
        """The unit of its document's values: ``kan``, ``mon`` or ``points``."""
        return "kan" if self.kan else "mon" if self.mon else "points"

    @property
    def unit(self) -> int:
        """How many of the small unit that is."""
        return KAN if self.kan else 1

    @property
    def profiles(self) -> tuple[str, ...]:
        """Its house rules by id, the document's first: its own id where there is but one house."""
        return tuple(self.houses) or (self.id,)

    def defaults(self, profile: str = "") -> Mapping[str, str]:
        """Every option of a house but ``profile``, with its default."""
        return self.houses.get(profile or self.id, {})

    def captured_yaku(self, options: Mapping[str, str] = _NO_OPTIONS) -> YakuTable:
        """The captured-hand yaku (出来役) of a house in every month, most valuable first, at the
        smallest table.
        """
        return self.machine(options, self.seats[0]).captured_yaku

    def month_yaku(self, month: int, options: Mapping[str, str] = _NO_OPTIONS) -> YakuTable:
        """As `captured_yaku`, with those of a month (K16)."""
        machine = self.machine(options, self.seats[0])
        return machine.yaku_table(machine.start().replace(month=month))

    @property
    def yaku(self) -> tuple[str, ...]:
        """The ids of all yaku that its houses and options play: dealt, captured and special
        ones.
        """
        dealt = (*self.dealt.rows, *self.dealt.columns) if self.dealt else ()
        captured = (
            yaku.id
            for house in self.profiles
            for yaku in self.captured_yaku({**self.defaults(house), "profile": house})
        )
        every = dict.fromkeys((*dealt, *captured, *self.monthly, *self.special))
        return tuple(id for id in every if id != WITH_RAIN)

    @property
    def form(self) -> Rules:
        """Its properties for the notation."""
        shows = self.dealt.ids if self.dealt else frozenset[str]()
        return Rules(
            self.id,
            self.seats,
            self.kan,
            self.round,
            self.options,
            shows,
            self.decisions,
            self.mon_above_zero,
        )

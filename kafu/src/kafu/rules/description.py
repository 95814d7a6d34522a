"""The description of a ruleset: one `Ruleset` has every property for use by other code.

A new ruleset is a machine (`kafu.rules.play.machine`), a table of its payments
(`kafu.rules.payments`), a description, and a call of `kafu.rules.rulesets.register`. No other code
of the library or the archive names rulesets.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from kafu.notation.vocabulary import KAN, RulesetNotation
from kafu.rules.action_ids import list_actions
from kafu.rules.grades import Grades
from kafu.rules.house_rules import HouseOption, Preset
from kafu.rules.names import Name
from kafu.rules.play.machine import Machine
from kafu.rules.sheets.form import GameSheet
from kafu.rules.teyaku import WITH_RAIN, HandYaku
from kafu.rules.weights import NEUTRAL, PolicyWeights
from kafu.rules.yaku import YakuTable

_NO_YAKU: Final = YakuTable(())
_NO_OPTIONS: Final[Mapping[str, str]] = {}
#: The row and the column of a dealt hand: a yaku by count and one of the chaff family, or `NONE`.
Cell = tuple[str, str]


class Choice(NamedTuple):
    """The decision to play on after making a yaku, and the decision to stop."""

    on: str
    stop: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Dealt:
    """The dealt-hand yaku (手役) of a ruleset, as needed for odds.

    - ``rows`` are the yaku by count and ``columns`` those of the chaff family (none for a ruleset
      with a single family), each with its value in the small unit.
    - ``judge`` returns the row and column of a hand (mask). House options are ignored: every yaku
      of any house counts.
    - ``in_house`` maps a row or column to the yaku paid by a house, given by its machine: the same
      yaku, a lower one, or `NONE`. The flag is true for the hand of 胴二. Without ``in_house``
      every house plays all yaku for every seat.
    - ``key`` returns everything on which the yaku of a hand depend, alone or with further months:
      hands with equal keys are judged once.
    - ``alone`` are yaku with rows that leave out hands counted for another yaku; the full counts
      are listed separately.
    - ``named`` lists the chaff yaku that a hand may declare by the choice of willow: id, value and
      number of ribbons.
    - ``held`` are the captured-hand yaku that count in the hand of a seat that is shut out (つかみ,
      B4), and ``alike`` groups of cards not distinguished by these yaku.
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
        """The ids of yaku that a player may declare."""
        return frozenset((*self.rows, *self.columns)) - {WITH_RAIN}


class CardIndex(NamedTuple):
    """The surviving values of a document's index of cards.

    ``dearest`` are the values of the dearest cards (the pictures are lost), ``chaff`` is the value
    of all other chaff cards.
    """

    chaff: float
    dearest: tuple[float, ...]


class Played(NamedTuple):
    """A finished game, for settlement. Sums are in the small unit, one for each seat.

    ``totals`` are the sums of the months. ``stones`` count how often each seat dealt next, and
    thereby put in a stone. ``dealer`` dealt the last month, and ``shiso`` are the seats that ended
    the game with 四三.
    """

    options: Mapping[str, str]
    totals: tuple[int, ...]
    stones: tuple[int, ...]
    dealer: int
    shiso: tuple[int, ...]
    final: tuple[int, ...]


#: The steps of a settlement after the totals: an id of `kafu.rules.names.STEPS`, and the amount of
#: each seat.
Steps = Iterable[tuple[str, tuple[int, ...]]]


def _no_steps(played: Played) -> Steps:
    """Return no steps, for a ruleset settled by totals alone."""
    return ()


def _find_neutral_weights(machine: Machine[Any]) -> PolicyWeights:
    """Return neutral weights, for a ruleset without fitted ones."""
    return NEUTRAL


def _is_always_zero_sum(options: Mapping[str, str]) -> bool:
    """Return true, for a ruleset whose losers pay in every house."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ruleset:
    """One ruleset.

    - ``id`` is the word of the Rules tag, ``name`` the name for people, ``dealer`` the document's
      word for the dealer, one character for badges.
    - ``seats`` are the possible numbers of players, ``hand`` and ``field`` the numbers of dealt
      cards, ``round`` the turns of a round, ``months`` the deals of a game unless an option or the
      play says otherwise.
    - ``mon``: the document counts in mon (文), else in points. ``kan``: sums are written in kan
      (貫) of twelve, with a remainder in the unit ``rest``. ``mon_above_zero``: the document writes
      −5 as −1貫7文. ``final_unit``: the unit of the settlement, in small units. ``zero_sum``
      returns whether the scores of a deal add up to zero, from the options of a house.
    - ``machine`` makes the state machine from a game's options and number of players. It raises
      `kafu.rules.rulesets.Unsupported` for a house not played by this version.
    - ``own_yaku`` are the names of yaku in no other ruleset (`kafu.rules.names` has those of the
      five built-in rulesets). ``special`` are the ids of yaku that depend on more than a dealt hand
      or captured cards: 八十八, 抜け and others. ``monthly`` are captured yaku depending on the
      month, added by options (K16).
    - ``options`` are the options by id, with their values and texts. ``houses`` are the house rules
      by id, the document's first, each with the default of every option but ``profile``.
    - ``presets`` are sets of house rules that players know by name. ``questions`` are the options
      to be asked first, at most six; all others are rarely changed.
    - ``decisions`` are the words of a turn, each with the Japanese word; ``choice`` the two
      decisions to play on and to stop. ``hatto``: a player may have to pay for the others because
      of a discarded card (法度).
    - ``card_points`` counts captured cards (a mask), None for a ruleset without card points.
      ``card_index`` are the values of cards by the document, if there are any.
    - ``dealt`` are the dealt-hand yaku, ``grades`` the field grades, None for none.
    - ``sheet`` makes a score sheet, to be checked, from a game's options and number of players: a
      `GameSheet` with the payments of the machine, or a subclass. ``settlement`` returns the steps
      from the totals to the final result (S11). ``columns``: months in one column of a sheet drawn
      with a row for each player, 0 for months below each other, payment by payment.
    - ``bins``: the bin widths of statistics for scores of deals and of games.
    - ``policy`` returns the weights of the player of play-outs for a machine, which
      `bench.policies` fits.

    >>> import kafu
    >>> koikoi = next(ruleset for ruleset in kafu.rulesets() if ruleset.id == "koikoi")
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
    sheet: Callable[[Mapping[str, str], int], GameSheet]
    dealer: str = "親"
    months: int = 12
    mon: bool = False
    kan: bool = False
    mon_above_zero: bool = False
    rest: str = ""
    final_unit: int = 1
    zero_sum: Callable[[Mapping[str, str]], bool] = _is_always_zero_sum
    own_yaku: tuple[Name, ...] = ()
    special: tuple[str, ...] = ()
    monthly: tuple[str, ...] = ()
    options: Mapping[str, HouseOption] = dataclasses.field(default_factory=dict)
    houses: Mapping[str, Mapping[str, str]] = dataclasses.field(default_factory=dict)
    presets: tuple[Preset, ...] = ()
    questions: tuple[str, ...] = ()
    decisions: Mapping[str, str] = dataclasses.field(default_factory=dict)
    choice: Choice | None = None
    hatto: bool = False
    card_points: Callable[[int], int] | None = None
    card_index: CardIndex | None = None
    dealt: Dealt | None = None
    grades: Grades | None = None
    settlement: Callable[[Played], Steps] = _no_steps
    columns: int = 0
    bins: tuple[int, int] = (12, 60)
    policy: Callable[[Any], PolicyWeights] = _find_neutral_weights

    @property
    def counted(self) -> str:
        """The unit of the document's values: ``kan``, ``mon`` or ``points``."""
        return "kan" if self.kan else "mon" if self.mon else "points"

    @property
    def unit(self) -> int:
        """The size of `counted` in the small unit."""
        return KAN if self.kan else 1

    @property
    def profiles(self) -> tuple[str, ...]:
        """The ids of the houses, the document's first; the ruleset's id if there is one house."""
        return tuple(self.houses) or (self.id,)

    def defaults(self, profile: str = "") -> Mapping[str, str]:
        """Return the default of every option of a house but ``profile``."""
        return self.houses.get(profile or self.id, {})

    def captured_yaku(self, options: Mapping[str, str] = _NO_OPTIONS) -> YakuTable:
        """Return the captured-hand yaku (出来役) of a house in every month, at the smallest table.

        The most valuable yaku come first.
        """
        return self.machine(options, self.seats[0]).captured_yaku

    def month_yaku(self, month: int, options: Mapping[str, str] = _NO_OPTIONS) -> YakuTable:
        """Return `captured_yaku` with the yaku of one month added (K16)."""
        machine = self.machine(options, self.seats[0])
        return machine.yaku_table(machine.start().replace(month=month))

    @property
    def yaku(self) -> tuple[str, ...]:
        """The ids of all yaku of all houses and options: dealt, captured and special yaku."""
        dealt = (*self.dealt.rows, *self.dealt.columns) if self.dealt else ()
        captured = (
            yaku.id
            for profile in self.profiles
            for yaku in self.captured_yaku({**self.defaults(profile), "profile": profile})
        )
        every = dict.fromkeys((*dealt, *captured, *self.monthly, *self.special))
        return tuple(id for id in every if id != WITH_RAIN)

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of all actions of players; the id of an action is its index.

        ``pass`` is the silence of a seat out of turn. ``begin`` ends the declarations, also by a
        new deal. Cards are ``AxC`` (from the hand) and ``/AxC`` (from the stock); a declaration has
        its yaku alone.

        >>> import kafu
        >>> actions = kafu.rulesets()[1].actions
        >>> len(actions), actions.index("AxC"), actions[-10:-7]
        (497, 4, ('=shobu', '=koikoi', 'show haneken'))
        """
        dealt = self.dealt
        return list_actions(
            tuple(dealt.rows) if dealt else (),
            tuple(yaku for yaku in dealt.columns if yaku != WITH_RAIN) if dealt else (),
            tuple(self.decisions),
        )

    @property
    def notation(self) -> RulesetNotation:
        """The properties needed by the notation."""
        shows = self.dealt.ids if self.dealt else frozenset[str]()
        return RulesetNotation(
            self.id,
            self.seats,
            self.kan,
            self.round,
            self.options,
            shows,
            self.decisions,
            self.mon_above_zero,
            frozenset(self.yaku),
        )

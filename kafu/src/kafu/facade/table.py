"""A table at which a game is played: an immutable value; each action makes a new table."""

from __future__ import annotations

import re
from array import array
from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import Any, Final

from kafu.facade import choices, rulesets, views
from kafu.facade.errors import BadValue, NotPlayable, check_texts, make_random, wrong_type
from kafu.facade.positions import (
    Laid,
    Position,
    check_letters,
    lay_deal,
    make_key,
    read_position,
)
from kafu.facade.state import Outcome, TableState, write_action
from kafu.judging.actions import from_engine, to_engine
from kafu.notation.actions import SEATED, Action, parse
from kafu.notation.game import Game
from kafu.notation.vocabulary import MAX_TAG_BYTES
from kafu.rules.play import actions as engine
from kafu.rules.play.machine import Phase
from kafu.simulation import simulate as simulation

_CHANCE: Final = (Phase.DEAL, Phase.PILE)
#: Maximum length of a player's name: four bytes each fit into a tag.
_LONGEST_NAME: Final = MAX_TAG_BYTES // 4
_CONTROLS: Final = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_Step = tuple[engine.Action | None, Outcome | None, Laid | None]
#: The highest seat in the notation.
_MOST_SEATS: Final = 7


class Table(TableState):
    """A table of a ruleset in one state of a game.

    A table never changes: each action returns a new table. ``players`` is the number of players, by
    default the smallest of the ruleset; ``options`` are the ruleset's options by name, numbers also
    as ``int``. Cards are letters, seats count from 1, lists have one entry per seat, sums are in
    the small unit. After 64 deals, the limit of a record, a game is over without a settlement.

    Tables are equal if the same actions led to them, under the same rules and options. They can be
    hashed, copied and pickled; a pickled table is played again by the rules when it is loaded.
    Raises WrongType, UnknownRuleset, BadValue, NotPlayable.

    >>> import kafu
    >>> table = kafu.Table("koikoi").lay_out(["AEIMQUYc", "BFJNRVZd"], "CGKOSWae", dealer=1)
    >>> table.phase, [str(action) for action in table.legal_actions]
    ('show', ['begin'])
    >>> table = table.apply("begin").apply("AxC")
    >>> table.captured, [event.kind for event in table.events]
    (('AC', ''), ['capture'])
    >>> print(table)
    koikoi: month 1, turn 1, stock, seat 1 in turn
    field GKOSWae  stock 24
    1: hand EIMQUYc  captured AC
    2: hand BFJNRVZd  captured -
    """

    __slots__ = ()

    def __init__(
        self,
        rules: str,
        *,
        players: int | None = None,
        options: Mapping[str, str | int] | None = None,
    ) -> None:
        machine, resolved = rulesets.make_machine(rules, players, options)
        super().__init__(machine, resolved, machine.start())

    # Play ---------------------------------------------------------------------------------

    def apply(self, action: Action | str) -> Table:
        """Return the table after an action of `legal_actions`.

        ``action`` may also be Kafu (``"AxD"``, ``"/B"``, ``"=koikoi"``, ``"show 1 aka BFH"``,
        ``"begin"``); an only possible capture may be omitted. Raises IllegalAction, WrongType.
        """
        parsed: Action | None
        if isinstance(action, Action):
            parsed = action
        elif isinstance(action, str):
            parsed = parse(action, self.seat)
        else:
            raise wrong_type("action", action, "Action", "str")
        if parsed is None:
            self._refuse(f"{str(action)[:40]!r} is no action", "no-action")
        if parsed.kind in SEATED and parsed.seat not in range(1, self.players + 1):
            self._refuse(f"there is no seat {parsed.seat!r}", "no-seat")
        try:
            engine_action = to_engine(parsed)
        except (engine.Illegal, ValueError, TypeError, AttributeError) as error:
            if parsed.kind == "pass" and parsed.seat in self.choosers[:-1]:
                return self
            self._refuse(str(error), "no-action")
        return self._apply(engine_action)

    def deal(self, random: Random | int | None = None) -> Table:
        """Return the table after an act of chance: the next deal, or the stock after the bids.

        The phase is ``deal`` or ``pile``; any other raises IllegalAction. ``random`` is a generator
        or a seed; without it every call deals other cards. Raises WrongType.
        """
        chance = make_random(random)
        if self.finished or self._state.phase not in _CHANCE:
            self._refuse("no cards are to be dealt now", "no-place")
        if self._state.phase is Phase.PILE:
            return self._apply(self._machine.pile(self._state, chance))
        return self._apply(self._machine.deal(self._state, chance))

    def lay_out(
        self,
        hands: Sequence[str] = (),
        field: str | None = None,
        stock: str | None = None,
        *,
        dealer: int | None = None,
    ) -> Table:
        """Return the table after a deal of the given cards.

        ``hands`` has a hand per seat, and ``stock`` begins with the next card. ``?`` is an unknown
        card; a stock that ends in ``...`` is known in part, an omitted stock is unknown. ``dealer``
        is needed only if any player may deal. In phase ``pile`` only the stock is laid out. Raises
        IllegalAction, BadValue, WrongType.

        >>> import kafu
        >>> table = kafu.Table("koikoi").lay_out(["AEIMQUYc", "????????"], "BFJNRVZd", "C...")
        >>> table.hands, table.left, table.stock
        (('AEIMQUYc', '????????'), 24, 'C')
        """
        for name, value in (("field", field), ("stock", stock)):
            if not isinstance(value, str | None):
                raise wrong_type(name, value, "str")
        check_texts("hands", hands, self.players)
        if dealer is not None:
            self._check_seat(dealer)
        check_letters(hands, field, stock)
        if self._state.phase is Phase.PILE:
            stock_cards = stock and stock.removesuffix("...")
            return self._apply(engine.Pile(stock_cards, stock_cards != stock))
        if self.finished or self._state.phase is not Phase.DEAL:
            self._refuse("no cards are to be dealt now", "no-place")
        return self._apply(lay_deal(self._machine, self._state, hands, field, stock, dealer))

    def choose(
        self, player: simulation.Player, actions: Sequence[Action], random: Random
    ) -> Action:
        """Return the action that a simulated player chooses among ``actions``, which are legal.

        To the player, a seat that stays silent lets the play begin.
        """
        engine_actions = [
            engine.Begin() if action.kind == "pass" else to_engine(action) for action in actions
        ]
        return actions[
            engine_actions.index(player(self._machine, self._state, engine_actions, random))
        ]

    def seen_by(self, seat: int) -> Table:
        """Return the table as one player knows it: other hands are ``?``, and the stock is unknown.

        Played, turned, captured and shown cards stay known, and so do scores. When another seat
        plays a card, `legal_actions` lists every action that the unknown hand could allow. The
        tables before are hidden in the same way, so that `game` and pickles reveal nothing either.
        Raises BadValue.

        >>> import kafu
        >>> table = kafu.Table("koikoi").lay_out(["AEIMQUYc", "BFJNRVZd"], "CGKOSWae", dealer=1)
        >>> table.apply("begin").apply("AxC").seen_by(2).hands
        ('???????', 'BFJNRVZd')
        """
        self._check_seat(seat)
        return views.see_table(self, seat)

    # Bots ---------------------------------------------------------------------------------

    def actions_of(self, seat: int | None = None) -> tuple[Action, ...]:
        """Return a seat's own legal actions; the first one of a seat out of turn is ``pass``.

        By default of the first of `choosers`. Raises BadValue.

        >>> import kafu
        >>> hands = ["JNRVZdh", "ABCEFGI", "QUYckOS"]
        >>> table = kafu.Table("hachihachi").lay_out(hands, "DHLPTX", dealer=1)
        >>> [str(action) for action in table.actions_of(2)]
        ['pass', 'show 2 futasanbon ABCEFG']
        """
        seat = self._observer(seat)
        groups = self._group_actions()
        written = [write_action(action, self.seat) for action in groups.get(seat, ())]
        is_in_turn = seat not in [*groups][:-1]
        return tuple(written) if is_in_turn else (Action("pass", seat), *written)

    def find_action(self, id: int, seat: int | None = None) -> Action:
        """Return the legal action with an id of `Ruleset.actions`.

        ``seat`` is by default the first of `choosers`. Raises IllegalAction, with the legal
        actions.
        """
        seat = self._observer(seat)
        action = self._find_choice(id, seat)
        return Action("pass", seat) if action is None else from_engine(action, self.seat)

    def act(self, id: int, seat: int | None = None) -> Table:
        """Return the table after the action with an id, like `find_action` and `apply`.

        Return the table itself after ``pass``.
        """
        action = self._find_choice(id, self._observer(seat))
        return self if action is None else self._apply(action)

    def _find_choice(self, id: int, seat: int) -> engine.Action | None:
        legal = self._list_choices().get(seat, {})
        if id not in legal:
            self._refuse(f"the action {id!r} is not legal", "no-action")
        return legal[id]

    def observation(self, seat: int | None = None) -> array[int]:
        """Return all that a seat sees, as numbers of 16 bits in the form of `layout`.

        ``seat`` is by default the first of `choosers`. Raises BadValue.
        """
        seat = self._observer(seat)
        opened = self._follow_deal().opened or (0,) * self.players
        return choices.observe(self._machine, self._state, seat, opened, self.calls)

    def sample(self, random: Random | int | None = None, seat: int | None = None) -> Table:
        """Return the table with hidden cards laid out at random, as far as a seat knows them.

        Shown hands and the card turned stay, and so do hands that a redeal or a payment would have
        disclosed. ``seat`` is by default the first of `choosers`. Such a table has no `game`.
        Raises NotPlayable without a choice of the seat, for an unknown hand of its own, and if
        hardly any deal fits what was declared. Raises WrongType for another ``random``.

        >>> import kafu
        >>> table = kafu.Table("koikoi").deal(7).apply("begin")
        >>> sampled = table.sample(1, seat=1)
        >>> sampled.hands[0] == table.hands[0], sampled.hands[1] == table.hands[1]
        (True, False)
        """
        return self._lay(views.sample_cards(self, self._observer(seat), make_random(random)))

    @classmethod
    def at(
        cls,
        rules: str,
        hands: Sequence[str],
        field: str,
        captured: Sequence[str] = (),
        stock: str | None = None,
        *,
        seat: int = 1,
        month: int = 1,
        calls: Sequence[int] = (),
        dealer: int | None = None,
        out: Sequence[int] = (),
        options: Mapping[str, str | int] | None = None,
    ) -> Table:
        """Return a table in the middle of a deal, before ``seat`` plays a card of its hand.

        Cards are as in `lay_out`, with a hand for each player. If more sit at the table than play a
        deal, ``out`` are the seats that stay out, by default those without any card. The dealer is
        by default the seat that played first. ``calls`` are the decisions of each seat to play on
        (こいこい, 下げ). The grade is small, as the dealt field is unknown. Such a table has no
        `game`. Raises WrongType, UnknownRuleset, BadValue.

        >>> import kafu
        >>> captured = ["ABCDIJKLegST", "EFGHMNQRUVWX"]
        >>> table = kafu.Table.at("koikoi", ["cY", "OZ"], "fhijklmn", captured, "d...", seat=2)
        >>> table.turn, table.left, [str(action) for action in table.legal_actions]
        (12, 12, ['O', 'Z'])
        """
        check_texts("hands", hands, _MOST_SEATS)
        table = cls(rules, players=len(hands), options=options)
        captured = captured or [""] * table.players
        check_texts("captured", captured, table.players)
        for number in (seat, *out, *(() if dealer is None else (dealer,))):
            table._check_seat(number)
        check_letters(hands, "".join([field, *captured]), stock)
        position = Position(hands, field, captured, stock, seat, month, calls, dealer, out)
        opening, laid = read_position(table._machine, position)
        for action in opening:
            table = table._apply(action)
        return table._lay(laid)

    @property
    def key(self) -> Hashable:
        """A value that is equal for tables with the same position, whichever actions led to it.

        Positions differ if payments differ, or the explanations of payments.

        >>> import kafu
        >>> table = kafu.Table("koikoi").deal(7)
        >>> table.key == kafu.Table("koikoi").lay_out(
        ...     table.hands, table.field, table.stock, dealer=table.dealer
        ... ).key
        True
        """
        return make_key(self._machine, self._options, self._state)

    # History ------------------------------------------------------------------------------

    def game(self, names: Sequence[str] = (), *, claims: bool = True) -> Game:
        """Return the game so far as a record, ready for `write`.

        ``names`` are the players' names. An unfinished game is marked as unfinished. ``claims``
        adds the score of each deal and the settlement. Raises BadValue for a wrong number of names,
        and before the first deal, NotPlayable for cards laid out in the middle of a deal.

        >>> import kafu
        >>> game = kafu.play(kafu.Table("koikoi"), ["sensible", "random"], 1).game(["Aya", "Ben"])
        >>> game.players, kafu.verify(game).status
        (('Aya', 'Ben'), 'verified')
        """
        check_texts("names", names, self.players)
        if names and len(names) != self.players:
            raise BadValue(f"{len(names)} names for {self.players} players", code="wrong-players")
        for name in names:
            if _CONTROLS.search(name) or len(name) > _LONGEST_NAME:
                raise BadValue(f"no name of a player: {name[:40]!r}", code="bad-name")
        path = self.path()
        if any(table._laid for table in path):
            raise NotPlayable("a deal with cards laid out has no record", code="no-record")
        steps = [(table._done, table._state) for table in path if table._done is not None]
        if not steps:
            raise BadValue("no deal was begun", code="no-deal")
        resolved = tuple(names) or simulation.NAMES[: self.players]
        game = Game(self.rules, resolved, dict(self._options))
        return simulation.add_months(game, steps, claims=claims)

    @property
    def _last_step(self) -> _Step:
        """The last action with the outcome and the cards laid out that it does not determine."""
        return self._done, self._outcome, self._laid

    def __eq__(self, other: object) -> bool:
        """Return whether the same actions under the same rules and options led to both tables."""
        if not isinstance(other, Table):
            return NotImplemented
        if (self.rules, self.players) != (other.rules, other.players):
            return False
        if self._options != other._options:
            return False
        table, twin = self, other
        while table is not twin:
            if table._last_step != twin._last_step:
                return False
            if table.before is None or twin.before is None:
                return table.before is twin.before
            table, twin = table.before, twin.before
        return True

    def __hash__(self) -> int:
        return hash((self.rules, self.players, self.number, self.turn, self.phase, self.field))

    def __copy__(self) -> Table:
        return self

    def __deepcopy__(self, memo: object) -> Table:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the actions for pickling, as states are compiled values of the rules."""
        steps = [table._last_step for table in self.path() if table._done is not None]
        return restore, (self.rules, self.players, self._options, steps)

    def __repr__(self) -> str:
        return f"<Table {self.rules}, deal {self.number}, turn {self.turn}, {self.phase}>"


def restore(
    rules: str,
    players: int,
    options: Mapping[str, str],
    steps: Sequence[_Step],
) -> Table:
    """Return a pickled table again, by playing its actions."""
    table = Table(rules, players=players, options=options)
    for action, outcome, laid in steps:
        assert action is not None
        table = table._apply(action)
        if outcome is not None:
            views.set_outcome(table, outcome)
        if laid is not None:
            table = table._lay(laid)
    return table

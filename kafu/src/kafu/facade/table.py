"""A table at which a game is played: an immutable value; each action makes a new table."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final, NoReturn, cast

from kafu.facade import choices, history, rulesets, views
from kafu.facade.errors import IllegalAction, check_texts, wrong_type
from kafu.facade.positions import Laid, Position, check_letters, make_key, read_position
from kafu.facade.state import TableState
from kafu.judging.actions import from_engine, to_engine
from kafu.notation.actions import SEATED, Action, parse
from kafu.notation.game import Game
from kafu.rules.play import actions as engine
from kafu.rules.play.machine import BETWEEN_DEALS, Machine, Phase, State
from kafu.simulation import simulate as simulation

_CHANCE: Final = (Phase.DEAL, Phase.PILE)
#: The highest seat in the notation.
_MOST_SEATS: Final = 7
#: A writer of actions in letters, which recur. It distinguishes types, since Python takes an
#: `engine.Play` and an `engine.Draw` of a card for equal.
_write_action: Final = lru_cache(maxsize=1 << 12, typed=True)(from_engine)


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

    #: The table before the last action.
    before: Table | None

    def __init__(
        self,
        rules: str,
        *,
        players: int | None = None,
        options: Mapping[str, str | int] | None = None,
    ) -> None:
        seats, resolved = rulesets.resolve(rules, players, options)
        machine = rulesets.make_machine(rules, seats, resolved)
        super().__init__(machine, resolved, machine.start())

    @classmethod
    def of(cls, machine: Machine[Any], options: Mapping[str, str], state: State) -> Table:
        """Return a table in a state from the rules, without the tables before it."""
        table = cls.__new__(cls)
        TableState.__init__(table, machine, options, state)
        return table

    def _restart(self) -> Table:
        return Table(self.rules, players=self.players, options=self._options)

    # Play ---------------------------------------------------------------------------------

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """The legal actions, empty if cards are to be dealt or the game is over.

        A hand with unknown cards lists every card that it can hold.
        """
        if self._legal is None:
            listed, seat = self._machine.legal_actions(self._state), self.seat
            self._legal = tuple([_write_action(action, seat) for action in listed])
        return self._legal

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
        if isinstance(random, int):
            random = Random(random)
        if not isinstance(random, Random | None):
            raise wrong_type("random", random, "random.Random", "int")
        if self.finished or self._state.phase not in _CHANCE:
            self._refuse("no cards are to be dealt now", "no-place")
        chance = random or Random()
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
        cut_off = stock is not None and stock.endswith("...")
        stock_cards = stock.removesuffix("...") if stock is not None else None
        check_letters(hands, field or "", stock_cards or "")
        if self._state.phase is Phase.PILE:
            return self._apply(engine.Pile(stock_cards, cut_off))
        if self.finished or self._state.phase is not Phase.DEAL:
            self._refuse("no cards are to be dealt now", "no-place")
        due = self._machine.deal(self._state, Random(0))
        return self._apply(
            due._replace(
                dealer=due.dealer if dealer is None else dealer,
                hands={seat: hand for seat, hand in enumerate(hands, 1) if hand},
                field=field,
                stock=stock_cards,
                stock_cut=cut_off,
            )
        )

    def _apply(self, action: engine.Action) -> Table:
        try:
            state, events = self._machine.apply(self._state, action)
        except engine.Illegal as illegal:
            self._refuse(str(illegal), illegal.code.id, illegal.expected)
        return self.make_next(action, state, events)

    def make_next(
        self, action: engine.Action, state: State, events: Sequence[engine.PlayEvent]
    ) -> Table:
        """Return the table after an action, with a state from the rules that is not checked."""
        after = Table.__new__(Table)
        number = self.number + (type(action) is engine.Deal)
        TableState.__init__(
            after, self._machine, self._options, state, self, action, events, number
        )
        return after

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

    def _refuse(self, message: str, code: str, expected: Sequence[str] = ()) -> NoReturn:
        legal = self.legal_actions
        playing = self._state.phase not in BETWEEN_DEALS
        raise IllegalAction(
            message,
            code=code,
            deal=self.number or None,
            turn=(self.turn + (self._state.phase is Phase.HAND) or None) if playing else None,
            expected=expected or map(str, legal),
            legal=legal,
        ) from None

    @property
    def action(self) -> Action | None:
        """The last action, None at the start."""
        if self._done is None or self.before is None:
            return None
        return from_engine(self._done, self.before.seat)

    @property
    def calls(self) -> tuple[int, ...]:
        """How often each seat has decided to play on in the deal (こいこい, さげ).

        >>> import kafu
        >>> hands = ["AEIMQUYc", "BFJNRVZd"]
        >>> table = kafu.Table("koikoi").lay_out(hands, "CGKOSWej", "gL...", dealer=1)
        >>> table.apply("begin").apply("cxe").apply("/gxj").apply("=koikoi").calls
        (1, 0)
        """
        return history.count_calls(self)

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
        return cast(Table, views.see_table(self, seat))

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
        written = [_write_action(action, self.seat) for action in groups.get(seat, ())]
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
        opened = views.follow_deal(self).opened or (0,) * self.players
        return choices.observe(self._machine, self._state, seat, opened, self.calls)

    def sample(self, random: Random | int | None = None, seat: int | None = None) -> Table:
        """Return the table with hidden cards laid out at random, as far as a seat knows them.

        Shown hands and the card turned stay, and so do hands that a redeal or a payment would have
        disclosed. ``seat`` is by default the first of `choosers`. Such a table has no `game`.
        Raises NotPlayable without a choice of the seat, for an unknown hand of its own, and if
        hardly any deal fits what was declared.

        >>> import kafu
        >>> table = kafu.Table("koikoi").deal(7).apply("begin")
        >>> sampled = table.sample(1, seat=1)
        >>> sampled.hands[0] == table.hands[0], sampled.hands[1] == table.hands[1]
        (True, False)
        """
        chance = random if isinstance(random, Random) else Random(random)
        return self._lay(views.sample_cards(self, self._observer(seat), chance))

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
        check_letters(hands, "".join([field, *captured]), (stock or "").removesuffix("..."))
        position = Position(hands, field, captured, stock, seat, month, calls, dealer, out)
        opening, laid = read_position(table._machine, position)
        for action in opening:
            table = table._apply(action)
        return table._lay(laid)

    def _lay(self, laid: Laid) -> Table:
        after = Table.of(self._machine, self._options, laid.lay(self._machine, self._state))
        after.before, after.number, after._done = self.before, self.number, self._done
        after._heard, after._events, after._outcome = self._heard, self._events, self._outcome
        after._public, after._laid = views.follow_deal(self), laid
        return after

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

    def path(self) -> list[Table]:
        """Return all tables from the first to this table.

        >>> import kafu
        >>> table = kafu.Table("koikoi").deal(7).apply("begin")
        >>> [table.phase for table in table.path()]
        ['deal', 'show', 'hand']
        """
        return cast(list[Table], history.list_path(self))

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
        return history.write_record(self, names, claims=claims)

    def __eq__(self, other: object) -> bool:
        """Return whether the same actions under the same rules and options led to both tables."""
        if not isinstance(other, Table):
            return NotImplemented
        return history.have_equal_actions(self, other)

    def __hash__(self) -> int:
        return hash((self.rules, self.players, self.number, self.turn, self.phase, self.field))

    def __copy__(self) -> Table:
        return self

    def __deepcopy__(self, memo: object) -> Table:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the actions for pickling, as states are compiled values of the rules."""
        return restore, (self.rules, self.players, self._options, history.list_steps(self))

    def __repr__(self) -> str:
        return f"<Table {self.rules}, deal {self.number}, turn {self.turn}, {self.phase}>"


def restore(
    rules: str,
    players: int,
    options: Mapping[str, str],
    steps: Sequence[history.PickledStep],
) -> Table:
    """Return a pickled table again, by playing its actions."""
    table = Table(rules, players=players, options=options)
    for action, outcome, laid in steps:
        table = table._apply(action)
        if outcome is not None:
            views.set_outcome(table, outcome)
        if laid is not None:
            table = table._lay(laid)
    return table

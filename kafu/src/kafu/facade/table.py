"""A table at which a game is played: each state is a value, each action gives a new one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, NoReturn

from kafu import cards
from kafu.facade import rulesets
from kafu.facade.actions import SEATED, Action, Event, event_of, from_engine, parse, to_engine
from kafu.facade.errors import BadValue, IllegalAction, check_texts, wrong_type
from kafu.facade.record import PLAYERS, written_down
from kafu.notation.game import Game
from kafu.notation.vocabulary import MAX_TAG_BYTES
from kafu.rules.play import actions as engine
from kafu.rules.play.machine import Machine, Phase
from kafu.rules.verdict import DealResult
from kafu.rules.yaku import Made
from kafu.simulation import simulate as simulation

#: Maximum length of a player's name: four bytes each fit into a tag.
LONGEST_NAME: Final = MAX_TAG_BYTES // 4
_CONTROLS: Final = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
#: The cards that can lie on the field and in the stock.
_LYING: Final = cards.LETTERS + cards.BLANK
_BETWEEN: Final = (Phase.DEAL, Phase.OVER)
_CHANCE: Final = (Phase.DEAL, Phase.PILE)


class Table:
    """A game of a ruleset as it stands. It never changes: what is done gives a new table.

    ``players`` is how many sit there (as few as it takes if left out), ``options`` those of the
    ruleset, by name. Cards are letters, seats count from 1, lists have one entry a seat, sums are
    in the small unit. Raises WrongType, UnknownRuleset, BadValue, NotPlayable.

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

    __slots__ = (
        "_done",
        "_legal",
        "_machine",
        "_options",
        "_state",
        "action",
        "before",
        "events",
        "number",
    )

    #: The action that led here, None at the start; its events; the table before; and the number of
    #: deals begun.
    action: Action | None
    events: tuple[Event, ...]
    before: Table | None
    number: int

    def __init__(
        self,
        rules: str,
        *,
        players: int | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        machine = rulesets.machine(rules, players, options)
        self._set(machine, dict(options or {}), machine.start())

    def _set(self, machine: Machine[Any], options: Mapping[str, str], state: Any) -> None:
        self._machine, self._options, self._state = machine, options, state
        self._done: engine.Action | None = None
        self._legal: tuple[Action, ...] | None = None
        self.action, self.events, self.before, self.number = None, (), None, 0

    # What is done ---------------------------------------------------------------------------------

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """What may be done now; empty where cards are to be dealt and when the game is over.

        Of a hand whose cards are not all known every card that it can hold is listed.
        """
        if self._legal is None:
            listed = self._machine.legal_actions(self._state)
            self._legal = tuple(from_engine(action, self.seat) for action in listed)
        return self._legal

    def apply(self, action: Action | str) -> Table:
        """The table after an action of `legal_actions`, or after the same as Kafu (``"AxD"``,
        ``"/B"``, ``"=koikoi"``, ``"show 1 aka BFH"``, ``"begin"``).

        A capture may be left out where only one is possible. Raises IllegalAction, WrongType.
        """
        if not isinstance(action, Action | str):
            raise wrong_type("action", action, "Action", "str")
        done = parse(action, self.seat) if isinstance(action, str) else action
        if done is None:
            self._refuse(f"{str(action)[:40]!r} is no action", "no-action")
        if done.kind in SEATED and done.seat not in range(1, self.players + 1):
            self._refuse(f"there is no seat {done.seat!r}", "no-seat")
        try:
            known = to_engine(done)
        except (ValueError, TypeError, AttributeError) as error:
            self._refuse(str(error), "no-action")
        return self._apply(known)

    def deal(self, random: Random | int | None = None) -> Table:
        """The table after what chance does: the next deal (phase ``deal``), or the stock as it lies
        after the bids (phase ``pile``).

        A whole number is a seed; without one every call deals another. Raises IllegalAction in any
        other phase, WrongType.
        """
        if isinstance(random, int):
            random = Random(random)
        if not isinstance(random, Random | None):
            raise wrong_type("random", random, "random.Random", "int")
        if self._state.phase not in _CHANCE:
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
        """The table after a deal of these cards: a hand a seat, the field, the stock with the next
        card first.

        ``?`` is a card that is not known; a stock that ends in ``...`` is known so far, and one
        left out not at all. ``dealer`` need only be named where anybody may deal. In phase ``pile``
        the stock stands alone. Raises IllegalAction, BadValue, WrongType.

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
        known = stock.removesuffix("...") if stock is not None else None
        check_letters(hands, field or "", known or "")
        if self._state.phase is Phase.PILE:
            return self._apply(engine.Pile(known, cut_off))
        if self._state.phase is not Phase.DEAL:
            self._refuse("no cards are to be dealt now", "no-place")
        due = self._machine.deal(self._state, Random(0))
        return self._apply(
            due._replace(
                dealer=due.dealer if dealer is None else dealer,
                hands={seat: hand for seat, hand in enumerate(hands, 1) if hand},
                field=field,
                stock=known,
                stock_cut=cut_off,
            )
        )

    def _apply(self, action: engine.Action) -> Table:
        try:
            state, events = self._machine.apply(self._state, action)
        except engine.Illegal as illegal:
            self._refuse(str(illegal), illegal.code.id, illegal.expected)
        return self.following(action, state, events)

    def following(self, action: engine.Action, state: Any, events: Sequence[engine.Event]) -> Table:
        """The table in a state that the rules gave; nothing is checked."""
        after = Table.__new__(Table)
        after._set(self._machine, self._options, state)
        after.before, after.number = self, self.number + isinstance(action, engine.Deal)
        after._done, after.action = action, from_engine(action, self.seat)
        after.events = tuple(map(event_of, events))
        return after

    def chosen(
        self, player: simulation.Player, actions: Sequence[Action], random: Random
    ) -> Action:
        """Which of ``actions``, which are legal here, a simulated player chooses."""
        known = [to_engine(action) for action in actions]
        return actions[known.index(player(self._machine, self._state, known, random))]

    def _refuse(self, message: str, code: str, expected: Sequence[str] = ()) -> NoReturn:
        legal = self.legal_actions
        playing = self._state.phase not in _BETWEEN
        raise IllegalAction(
            message,
            code=code,
            deal=self.number or None,
            turn=(self.turn + (self._state.phase is Phase.HAND) or None) if playing else None,
            expected=expected or map(str, legal),
            legal=legal,
        ) from None

    # How it stands --------------------------------------------------------------------------------

    @property
    def rules(self) -> str:
        """The ruleset's id."""
        return self._machine.id

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return self._machine.players

    @property
    def phase(self) -> str:
        """What is awaited: ``deal``, ``bid``, ``pile`` (the stock after the bids), ``show``,
        ``hand``, ``stock``, ``decide``; or ``over``.
        """
        return str(self._state.phase.value)

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self._state.phase is Phase.OVER

    @property
    def seat(self) -> int:
        """Whose turn it is; 0 for nobody's."""
        return 0 if self._state.phase in _BETWEEN else int(self._state.seat)

    @property
    def month(self) -> int:
        """The month in play, or the next one to be dealt."""
        return int(self._state.month)

    @property
    def turn(self) -> int:
        """Turns begun in the deal."""
        return int(self._state.turn)

    @property
    def grade(self) -> str | None:
        """The grade of the field (場) of the deal, if the ruleset has grades."""
        grade: str | None = self._state.grade
        return grade

    @property
    def hands(self) -> tuple[str, ...]:
        """The hands; ``?`` for each unknown card."""
        table = self._state.table
        return tuple(
            cards.letters(hand) + cards.UNKNOWN * hidden
            for hand, hidden in zip(table.hands, table.hidden, strict=True)
        )

    @property
    def field(self) -> str:
        """The cards on the field."""
        return cards.letters(self._state.table.field)

    @property
    def captured(self) -> tuple[str, ...]:
        """What each seat has captured."""
        return tuple(map(cards.letters, self._state.table.captured))

    @property
    def stock(self) -> str:
        """The stock as far as it is known, the next card first."""
        return "".join(map(cards.letters, self._state.table.ahead))

    @property
    def left(self) -> int:
        """How many cards the stock has, known or not."""
        return int(self._state.table.left)

    @property
    def totals(self) -> tuple[int, ...]:
        """The sums of all deals that have ended."""
        return tuple(self._state.totals)

    @property
    def result(self) -> DealResult | None:
        """How the last deal ended; None before the first and while one is being played."""
        result: DealResult | None = self._state.result
        return result

    @property
    def final(self) -> tuple[int, ...] | None:
        """The settlement once the game is over, in the small unit; a verdict gives it in kan if the
        ruleset counts in kan.
        """
        final: tuple[int, ...] | None = self._state.final
        return final

    def yaku(self, seat: int) -> tuple[Made, ...]:
        """The captured-hand yaku that a seat has now: ``id``, ``value`` and ``held`` of each.

        >>> import kafu
        >>> hands = ["AEIMQUYc", "BFJNRVZd"]
        >>> table = kafu.Table("koikoi").lay_out(hands, "CGKOSWej", "gL...", dealer=1)
        >>> table.apply("begin").apply("cxe").apply("/gxj").yaku(1)
        (Made(id='tsukimi', value=2, held=2),)
        """
        self._check_seat(seat)
        return self._machine.yaku(self._state, seat)

    def _check_seat(self, seat: int) -> None:
        """Raise BadValue unless ``seat`` is one of the table."""
        if seat not in range(1, self.players + 1):
            seats = map(str, range(1, self.players + 1))
            raise BadValue(f"there is no seat {seat!r}", code="no-seat", expected=seats)

    # What was played ------------------------------------------------------------------------------

    def path(self) -> list[Table]:
        """All tables from the first to this one.

        >>> import kafu
        >>> table = kafu.Table("koikoi").deal(7).apply("begin")
        >>> [one.phase for one in table.path()]
        ['deal', 'show', 'hand']
        """
        path: list[Table] = []
        table: Table | None = self
        while table is not None:
            path.append(table)
            table = table.before
        return path[::-1]

    def game(self, names: Sequence[str] = (), *, claims: bool = True) -> Game:
        """What was played so far as a record, which `write` writes down.

        ``names`` are those of the players. A game that is not over is marked as unfinished.
        ``claims``: with the score of each deal and the settlement. Raises BadValue where the names
        are not as many as the players, or no deal was begun.

        >>> import kafu
        >>> game = kafu.play(kafu.Table("koikoi"), ["sensible", "random"], 1).game(["Aya", "Ben"])
        >>> game.players, kafu.verify(game).status
        (('Aya', 'Ben'), 'verified')
        """
        check_texts("names", names, self.players)
        if names and len(names) != self.players:
            raise BadValue(f"{len(names)} names for {self.players} players", code="wrong-players")
        for name in names:
            if _CONTROLS.search(name) or len(name) > LONGEST_NAME:
                raise BadValue(f"no name of a player: {name[:40]!r}", code="bad-name")
        steps = [(one._done, one._state) for one in self.path() if one._done is not None]
        if not steps:
            raise BadValue("no deal was begun", code="no-deal")
        resolved = tuple(names) or PLAYERS[: self.players]
        return written_down(Game(self.rules, resolved, dict(self._options)), steps, claims=claims)

    def __repr__(self) -> str:
        return f"<Table {self.rules}, deal {self.number}, turn {self.turn}, {self.phase}>"

    def __str__(self) -> str:
        seat = f", seat {self.seat} in turn" if self.seat else ""
        lines = [f"{self.rules}: month {self.month}, turn {self.turn}, {self.phase}{seat}"]
        lines.append(f"field {self.field or '-'}  stock {self.left}")
        for number, (hand, captured) in enumerate(zip(self.hands, self.captured, strict=True), 1):
            lines.append(f"{number}: hand {hand or '-'}  captured {captured or '-'}")
        return "\n".join(lines)


def check_letters(hands: Sequence[str], field: str, stock: str) -> None:
    """Raise BadValue unless these are letters of cards that can lie there."""
    for group, letters in (("".join(hands), cards.ORDER), (field + stock, _LYING)):
        for letter in group:
            if letter not in letters:
                raise BadValue(
                    f"no such card: {letter!r}", code="unknown-card", values={"found": letter}
                )

"""The base of `Table`: its rules, turn, cards and sums, and its choices by their ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, NoReturn, Self

from kafu import cards
from kafu.analysis.knowledge import PublicKnowledge
from kafu.facade import choices, drawing
from kafu.facade.errors import BadValue, IllegalAction
from kafu.facade.positions import Laid
from kafu.judging.actions import Event, event_of, from_engine, write_hands
from kafu.notation.actions import Action
from kafu.notation.vocabulary import MAX_DEALS
from kafu.rules.play import actions as engine
from kafu.rules.play.machine import AT_STOCK, BETWEEN_DEALS, Machine, Phase, State
from kafu.rules.rulesets import RULESETS
from kafu.rules.verdict import DealResult
from kafu.rules.yaku import Made

#: The values of `Table.phase`.
PhaseName = Literal["deal", "bid", "pile", "show", "hand", "stock", "decide", "over"]
#: Looking up members of an enumeration takes time.
_DEAL: Final = Phase.DEAL
_OVER: Final = Phase.OVER
#: The decisions to play on, こいこい and さげ.
_CALLS: Final = ("koikoi", "sage")
#: A writer of actions in letters, which recur. It distinguishes types, since Python takes an
#: `engine.Play` and an `engine.Draw` of a card for equal.
write_action: Final = lru_cache(maxsize=1 << 12, typed=True)(from_engine)


class Outcome(NamedTuple):
    """The public effects of an action that hidden cards decide, as the players saw them.

    ``turned`` is the card turned from the stock whose capture is due, or "".
    """

    events: tuple[Event, ...]
    totals: tuple[int, ...]
    result: DealResult | None
    final: tuple[int, ...] | None
    turned: str


@dataclass(slots=True, eq=False, repr=False)
class TableState:
    """The part of a `Table` that follows from its state, and its place in a game.

    `views` works on this class, because `Table` uses it.
    """

    _machine: Machine[Any]
    _options: Mapping[str, str]
    _state: State
    #: The table before the last action.
    before: Self | None = None
    _done: engine.Action | None = None
    _heard: Sequence[engine.PlayEvent] = ()
    #: The number of deals.
    number: int = 0
    _events: tuple[Event, ...] | None = None
    _laid: Laid | None = None
    _outcome: Outcome | None = None
    _public: PublicKnowledge | None = None
    _legal: tuple[Action, ...] | None = None
    _views: dict[int, Self] | None = None
    _choices: dict[int, dict[int, engine.Action | None]] | None = None

    @classmethod
    def of(cls, machine: Machine[Any], options: Mapping[str, str], state: State) -> Self:
        """Return a table in a state from the rules, without the tables before it."""
        table = cls.__new__(cls)
        TableState.__init__(table, machine, options, state)
        return table

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the last action."""
        if self._events is None:
            self._events = tuple(map(event_of, self._heard))
        return self._events

    @property
    def rules(self) -> str:
        """The id of the ruleset."""
        return self._machine.id

    @property
    def players(self) -> int:
        """The number of players at the table."""
        return self._machine.players

    @property
    def phase(self) -> PhaseName:
        """The awaited phase, or ``over``.

        ``deal``, ``bid``, ``pile`` (the stock after the bids), ``show``, ``hand``, ``stock`` or
        ``decide``.
        """
        return "over" if self.finished else self._state.phase.value

    @property
    def finished(self) -> bool:
        """Whether the game is over, or has as many deals as a record can have."""
        phase = self._state.phase
        return phase is _OVER or (phase is _DEAL and self.number >= MAX_DEALS)

    @property
    def seat(self) -> int:
        """The seat in turn, 0 for nobody."""
        phase = self._state.phase
        return 0 if phase is _DEAL or phase is _OVER else self._state.seat

    @property
    def dealer(self) -> int:
        """The dealer of the deal, between deals the next dealer; 0 if any player may deal."""
        return self._state.dealer

    @property
    def month(self) -> int:
        """The month in play, or the next month to be dealt."""
        return self._state.month

    @property
    def turn(self) -> int:
        """The number of turns begun in the deal."""
        return self._state.turn

    @property
    def grade(self) -> str | None:
        """The grade of the deal's field (場), if the ruleset has grades."""
        return self._state.grade

    @property
    def hands(self) -> tuple[str, ...]:
        """The hands; ``?`` for each unknown card."""
        return write_hands(self._state.table)

    @property
    def field(self) -> str:
        """The cards on the field (場札)."""
        return cards.letters(self._state.table.field)

    @property
    def captured(self) -> tuple[str, ...]:
        """The captured cards of each seat."""
        return tuple(map(cards.letters, self._state.table.captured))

    @property
    def stock(self) -> str:
        """The known cards of the stock, the next card first."""
        return "".join(map(cards.letters, self._state.table.ahead))

    @property
    def _turned(self) -> str:
        """The card turned from the stock whose capture is due, or ""."""
        return self.stock[:1] if self._state.phase is AT_STOCK else ""

    @property
    def left(self) -> int:
        """The number of cards in the stock, known or not."""
        return self._state.table.left

    @property
    def totals(self) -> tuple[int, ...]:
        """The sums of all ended deals."""
        return self._state.totals

    @property
    def result(self) -> DealResult | None:
        """The result of the last deal, None before the first and during a deal."""
        return self._state.result

    @property
    def final(self) -> tuple[int, ...] | None:
        """The settlement of a finished game, in the small unit; None before the end.

        A verdict gives it in kan if the ruleset counts in kan.
        """
        return self._state.final

    def yaku(self, seat: int) -> tuple[Made, ...]:
        """Return the captured yaku (出来役) of a seat, each with ``id``, ``value`` and ``held``.

        >>> import kafu
        >>> hands = ["AEIMQUYc", "BFJNRVZd"]
        >>> table = kafu.Table("koikoi").lay_out(hands, "CGKOSWej", "gL...", dealer=1)
        >>> table.apply("begin").apply("cxe").apply("/gxj").yaku(1)
        (Made(id='tsukimi', value=2, held=2),)
        """
        self._check_seat(seat)
        return self._machine.yaku(self._state, seat)

    def _check_seat(self, seat: int) -> None:
        """Raise BadValue unless ``seat`` is a seat of the table."""
        if type(seat) is not int or not 0 < seat <= self._machine.players:
            seats = map(str, range(1, self.players + 1))
            raise BadValue(f"there is no seat {seat!r}", code="no-seat", expected=seats)

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """The legal actions, empty if cards are to be dealt or the game is over.

        A hand with unknown cards lists every card that it can hold.
        """
        if self._legal is None:
            listed, seat = self._machine.legal_actions(self._state), self.seat
            self._legal = tuple([write_action(action, seat) for action in listed])
        return self._legal

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
        counts = [0] * self.players
        step = self
        while step.before is not None and not isinstance(step._done, engine.Deal):
            if isinstance(step._done, engine.Say) and step._done.word in _CALLS:
                counts[step.before.seat - 1] += 1
            if step._laid is not None and step._laid.calls:
                return tuple(map(sum, zip(counts, step._laid.calls, strict=True)))
            step = step.before
        return tuple(counts)

    @property
    def choosers(self) -> tuple[int, ...]:
        """The seats with a choice, to be asked in this order; the last one is in turn.

        A seat out of turn may declare a dealt hand, take the dealer's hand or cancel its 下げ.
        """
        return tuple(self._list_choices())

    def mask(self, seat: int | None = None) -> bytes:
        """Return a byte for each of `Ruleset.actions`: 1 for a legal action of a seat, else 0.

        By default of the first of `choosers`. Raises BadValue.

        >>> import kafu
        >>> table = kafu.Table("koikoi").deal(7).apply("begin")
        >>> actions = kafu.rulesets()[1].actions
        >>> [actions[id] for id, legal in enumerate(table.mask()) if legal][:3]
        ['A', 'I', 'WxV']
        """
        mask = bytearray(len(choices.index_actions(RULESETS[self.rules])))
        for id in self.legal_ids(seat):
            mask[id] = 1
        return bytes(mask)

    def legal_ids(self, seat: int | None = None) -> tuple[int, ...]:
        """Return the ids of a seat's legal actions, in the order of `legal_actions`."""
        return tuple(self._list_choices().get(self._observer(seat), ()))

    @property
    def layout(self) -> Mapping[str, slice]:
        """The parts of `observation` by name.

        >>> import kafu
        >>> table = kafu.Table("koikoi").deal(7)
        >>> sum(table.observation(1)[table.layout["field"]])
        8
        """
        return choices.layout(self.players)

    def _group_actions(self) -> dict[int, Sequence[engine.Action]]:
        """Return the legal actions of each of `choosers`."""
        return choices.group_actions(self._machine.legal_actions(self._state), self._state.seat)

    def _list_choices(self) -> dict[int, dict[int, engine.Action | None]]:
        if self._choices is None:
            self._choices = choices.list_choices(self._machine.id, self._group_actions())
        return self._choices

    def _observer(self, seat: int | None) -> int:
        """Return a seat that was named, or the first that has a choice. Raises BadValue."""
        if seat is None:
            seat = next(iter(self._list_choices()), 0)
        self._check_seat(seat)
        return seat

    def _apply(self, action: engine.Action) -> Self:
        try:
            state, events = self._machine.apply(self._state, action)
        except engine.Illegal as illegal:
            self._refuse(str(illegal), illegal.code.id, illegal.expected)
        return self.make_next(action, state, events)

    def make_next(
        self, action: engine.Action, state: State, events: Sequence[engine.PlayEvent]
    ) -> Self:
        """Return the table after an action, with a state from the rules that is not checked."""
        after = type(self).__new__(type(self))
        number = self.number + (type(action) is engine.Deal)
        TableState.__init__(
            after, self._machine, self._options, state, self, action, events, number
        )
        return after

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

    def _lay(self, laid: Laid) -> Self:
        after = self.of(self._machine, self._options, laid.lay(self._machine, self._state))
        after.before, after.number, after._done = self.before, self.number, self._done
        after._heard, after._events, after._outcome = self._heard, self._events, self._outcome
        after._public, after._laid = self._follow_deal(), laid
        return after

    def _follow_deal(self) -> PublicKnowledge:
        """Return the public information about the deal."""
        steps: list[TableState] = []
        current: TableState = self
        while current._public is None and current.before is not None:
            steps.append(current)
            current = current.before
        public = current._public or PublicKnowledge(self._machine)
        if steps:
            public = public.copy()
            for step in reversed(steps):
                assert step.before is not None and step._done is not None
                public.follow(step.before._state, step._done, step._state)
            self._public = public
        return public

    def path(self) -> list[Self]:
        """Return all tables from the first to this table.

        >>> import kafu
        >>> table = kafu.Table("koikoi").deal(7).apply("begin")
        >>> [table.phase for table in table.path()]
        ['deal', 'show', 'hand']
        """
        path: list[Self] = []
        table: Self | None = self
        while table is not None:
            path.append(table)
            table = table.before
        return path[::-1]

    def __str__(self) -> str:
        seat = f", seat {self.seat} in turn" if self.seat else ""
        lines = [f"{self.rules}: month {self.month}, turn {self.turn}, {self.phase}{seat}"]
        lines.append(f"field {self.field or '-'}  stock {self.left}")
        for number, (hand, captured) in enumerate(zip(self.hands, self.captured, strict=True), 1):
            lines.append(f"{number}: hand {hand or '-'}  captured {captured or '-'}")
        return "\n".join(lines)

    def _repr_svg_(self) -> str:
        """Return a drawing for notebooks: the field, and each seat's hand and captured cards."""
        rows = [("field", self.field)]
        for seat, (hand, captured) in enumerate(zip(self.hands, self.captured, strict=True), 1):
            rows += [(f"{seat}: hand", hand), ("captured", captured)]
        stock = f"stock {self.left}"
        return drawing.draw(f"{self.rules}: month {self.month}, {self.phase}, {stock}", rows)

"""The position at a fault of a record: the table before the fault, and the legal alternatives.

The moves come from the ruleset's own `legal_actions`, and each is tried with `apply`; the module
contains no rules. `make_option` writes a legal action as Kafu.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass
from typing import Annotated, Any, Final

from kafu import cards
from kafu.judging.actions import from_engine, write_hands
from kafu.judging.outcome import Outcome
from kafu.judging.playthrough import Playthrough
from kafu.notation import actions as letters
from kafu.notation.faults import Code
from kafu.notation.game import Game
from kafu.notation.json_types import Internal, OneOf
from kafu.rules import codes
from kafu.rules.play.actions import (
    Action,
    Begin,
    Bid,
    Blind,
    CallAction,
    Deal,
    Draw,
    Illegal,
    Pile,
    Play,
    Redeal,
    Say,
    ShowAction,
    Swap,
    Void,
)
from kafu.rules.play.machine import BETWEEN_DEALS, Machine, Phase
from kafu.rules.rulesets import Unsupported

#: The place of the stock card in a move while it is yet to be turned.
REST: Final = "/…"
MoveKind = Annotated[
    str,
    OneOf(
        "MoveKind",
        (
            *("hand", "stock", "say", "show", "bid", "blind"),
            *("swap", "call", "redeal", "month", "round"),
        ),
    ),
]
#: Faults of the line ``month M dealer P`` itself.
_DUE: Final = (codes.MONTH_DUE, codes.DEALER_DUE, codes.GAME_OVER)
_SHORT_OR_DUE: Final = (codes.GAME_SHORT, *_DUE)


@dataclass(frozen=True, slots=True)
class Option:
    """One legal move, as Kafu and in the fields of a replay step.

    ``card`` and ``take`` are letters, ``say`` the word, yaku, reason or number.
    """

    text: Annotated[str, "`/…` stands for the card from the draw pile."]
    kind: MoveKind
    seat: int = 0
    card: str = ""
    take: str = ""
    say: str = ""

    @property
    def written(self) -> str:
        """The action alone as Kafu, without the turn so far."""
        return str(letters.Action._make(astuple(self)[1:]))


def make_option(action: Action, seat: int, turn: str) -> Option:
    """Return a legal action as an option of ``seat``; ``turn`` is the text of the turn so far.

    ``action`` is no deal and not the unwritten `Begin` or `Pile`.
    """
    made = from_engine(action, seat)
    text = str(made)
    if made.kind == "hand":
        text += REST
    elif made.kind in ("stock", "say"):
        text = turn + text
    return Option(text, *made)


@dataclass(frozen=True, slots=True)
class Table:
    """The places of the cards. Card letters; lists in the order of seats."""

    hands: tuple[str, ...]
    field: str
    captured: tuple[str, ...]
    stock: Annotated[int, "Number of cards left."]


@dataclass(frozen=True, slots=True)
class Position:
    """The position at the first fault of a game; `legal` lists the closest alternatives first.

    ``table`` has ``?`` for unknown cards; a wrong deal is shown as written. ``marked`` are the
    cards in question. ``omit`` is "" if nothing can be omitted. With unknown cards (``as_known``),
    ``legal`` is right only as far as the known cards show.
    """

    deal: Annotated[int, "Deal of the replay, from 1; 0 before the first deal."]
    step: Annotated[int, "Last step of the replay before the fault."]
    phase: Phase
    seat: Annotated[int | None, "Seat in turn."]
    table: Table
    absent: Annotated[str, "Cards missing from a wrong deal."]
    written: Annotated[str, "Text of the record at the fault."]
    legal: tuple[Option, ...]
    omit: Annotated[str, "Text that can be omitted instead."]
    as_known: Annotated[bool, "Legal as far as the known cards show."]
    undealt: Annotated[bool, "The deal itself is wrong, and shown as recorded."]
    dealer: Internal[int]
    marked: Internal[str]

    def to_json(self) -> dict[str, Any]:
        """Return the position for `json.dumps`; tuples are lists there."""
        fields = asdict(self)
        del fields["dealer"], fields["marked"]
        return fields


def position(game: Game) -> Position | None:
    """Return the position at the first fault of a game.

    Return None for a game without a fault, for a score sheet, and for a ruleset unsupported by the
    present version.
    """
    try:
        return position_of(Playthrough.of(game).run())
    except Unsupported:
        return None


def position_of(outcome: Outcome) -> Position | None:
    """Return the position at the fault of a played game, None without a fault."""
    return None if outcome.fault is None else _Finder(outcome).position()


class _Finder:
    """A finder of the written text at a fault, and of the alternatives."""

    def __init__(self, outcome: Outcome) -> None:
        assert outcome.fault is not None and outcome.fault.deal is not None
        assert outcome.machine is not None, "the game was played"
        self.machine: Machine[Any] = outcome.machine
        self.state: Any = outcome.state
        self.refused = outcome.refused
        self.fault = outcome.fault
        self.month = outcome.game.months[outcome.fault.deal - 1]
        self.steps = outcome.steps
        self.turn_so_far, self.turn_seat = "".join(map(str, outcome.turn)), outcome.turn_seat
        turns = [turn for turn in self.month.turns if turn.keyword == "turn"]
        self.turn = turns[self.fault.turn - 1] if self.fault.turn else None
        self._parts = self.turn.value if self.turn else ()

    def position(self) -> Position:
        """Return the position with all fields."""
        state, written = self.state, self._written()
        undealt = state.phase in BETWEEN_DEALS and self._is_of_deal()
        legal = tuple(option for option in self._legal() if option.text != written)
        return Position(
            deal=len(self.steps),
            step=self.steps[-1] if self.steps else 0,
            phase=state.phase,
            seat=self._seat() or None,
            table=self._dealt() if undealt else self._lying(),
            absent=self._absent() if undealt else "",
            written=written,
            legal=legal,
            omit=self._omit(),
            as_known=bool(legal) and not undealt and self._is_known_in_part(),
            undealt=undealt,
            dealer=self.month.dealer,
            marked=self._marked(),
        )

    def _is_of_deal(self) -> bool:
        """Return whether the fault is in the deal, or in a statement without an action."""
        return isinstance(self.refused, Deal) or (self.refused is None and self.turn is None)

    def _seat(self) -> int:
        match self.refused:
            case Say():
                return self.turn_seat
            case ShowAction(seat):
                return seat
        return 0 if self.state.phase in BETWEEN_DEALS else int(self.state.seat)

    # The table ------------------------------------------------------------------------------------

    def _lying(self) -> Table:
        table = self.state.table
        captured = tuple(map(cards.letters, table.captured))
        return Table(write_hands(table), cards.letters(table.field), captured, table.left)

    def _dealt(self) -> Table:
        month, seats = self.month, range(1, self.machine.players + 1)
        hands = tuple(cards.sort(month.hands.get(seat, "")) for seat in seats)
        field = cards.sort(month.field or "")
        whole = month.stock is not None and not month.stock_cut
        stock_size = len(cards.LETTERS) - sum(map(len, hands)) - len(field)
        stock = len(month.stock or "") if whole else max(stock_size, 0)
        return Table(hands, field, ("",) * len(hands), stock)

    def _absent(self) -> str:
        """Return the cards of the pack that a fully written deal lacks."""
        month = self.month
        dealt = "".join(month.hands.values())
        if month.stock is None or month.stock_cut or month.field is None or "?" in dealt:
            return ""
        if len(month.hands) < self.machine.players:
            return ""
        return "".join(
            letter for letter in cards.LETTERS if letter not in dealt + month.field + month.stock
        )

    def _marked(self) -> str:
        match self.refused:
            case Play(card, take) | Draw(card, take):
                return cards.letters(card | take)
            case ShowAction(_, _, shown):
                return cards.letters(shown)
        return str(self.fault.values.get("card", ""))

    # Written text --------------------------------------------------------------------------------

    def _written(self) -> str:
        action, code = self.refused, self.fault.code
        if isinstance(action, CallAction | ShowAction | Bid | Blind | Swap | Redeal | Void):
            return str(from_engine(action, 0))
        if isinstance(action, Deal) or code in _SHORT_OR_DUE:
            month = f"month {self.month.month} dealer {self.month.dealer}"
            return "" if code is codes.GAME_SHORT else month
        if code is codes.DEAL_SHORT:
            return ""
        if self.turn is None:
            return str(self.fault.values.get("statement", ""))
        prefix = f"{self.turn.round}. " if code is codes.WRONG_ROUND else ""
        seat = f"{self.turn.seat}:" if self.turn.seat else ""
        return f"{prefix}{seat}{letters.turn_text(self.turn.value)}"

    def _omit(self) -> str:
        """Return the text that can be omitted to remove the fault."""
        action, phase, code = self.refused, self.state.phase, self.fault.code
        if code is codes.SHOW_RIGHT:
            return f"=void-show {self.fault.values['seat']}"
        match action:
            case Deal():
                return self._written() if code is codes.GAME_OVER else ""
            case Say() if phase is Phase.DECIDE:
                return ""
            case Bid() if phase is Phase.BID:
                return ""
            case Draw() if phase not in BETWEEN_DEALS:
                return ""
            case Begin() | Pile() | Play() | None:
                pass
            case _:
                return str(from_engine(action, 0)).removeprefix("bid ")
        if code is codes.WRONG_ROUND and self.fault.values["round"] == self.fault.values["due"]:
            return f"{self.fault.values['round']}."
        out_of_place = code in (codes.DEAL_OVER, codes.NO_PLACE)
        return self._written() if out_of_place and action is None else ""

    # Alternatives --------------------------------------------------------------------------------

    def _legal(self) -> Iterator[Option]:
        state, code = self.state, self.fault.code
        if code is codes.WRONG_ROUND:
            due = self.fault.values["due"]
            if self.fault.values["round"] != due:
                yield Option(f"{due}.", "round", say=str(due))
        elif code in _DUE or code is codes.GAME_SHORT:
            yield from self._months()
        elif isinstance(self.refused, Say) and state.phase is not Phase.DECIDE:
            for word in self.fault.expected:
                if self._takes(Say(word)):
                    yield make_option(Say(word), self.turn_seat, self.turn_so_far)
        else:
            actions = filter(self._fits, self.machine.legal_actions(state))
            for action in sorted(actions, key=self._distance):
                yield make_option(action, state.seat, self.turn_so_far)

    def _months(self) -> Iterator[Option]:
        """Yield the deals that are due: for a free dealer, one per seat."""
        if self.state.phase is Phase.OVER:
            return
        for seat in range(1, self.machine.players + 1):
            if isinstance(self.refused, Deal):
                deal = self.refused._replace(month=self.state.month, dealer=seat)
            else:
                deal = Deal(self.state.month, seat, {}, None, None, misdealt=True)
            if self._takes(deal, but=_DUE):
                text = f"month {deal.month} dealer {seat}"
                yield Option(text, "month", seat, say=str(deal.month))

    def _fits(self, action: Action) -> bool:
        """Return whether an action can be written here and the machine accepts it."""
        match self.refused:
            case ShowAction(seat):
                if not isinstance(action, ShowAction) or action.seat != seat:
                    return False
            case Redeal() | Void() | Begin():
                if not isinstance(action, Redeal):
                    return False
            case Bid():
                if not isinstance(action, Bid | Blind):
                    return False
        return not isinstance(action, Begin) and self._takes(action)

    def _takes(self, action: Action, but: tuple[Code, ...] | None = None) -> bool:
        """Return whether the machine accepts an action; with ``but`` only these refusals count."""
        try:
            self.machine.apply(self.state, action)
        except Illegal as illegal:
            return but is not None and illegal.code not in but
        return True

    def _distance(self, action: Action) -> tuple[Any, ...]:
        """Return the distance of an action from the written action, as a sorting key.

        The same card, the same capture and the same month come first; actions without a card come
        last.
        """
        if not isinstance(action, Play | Draw):
            return (True, isinstance(action, CallAction))
        kind = "hand" if isinstance(action, Play) else "stock"
        written = next((part for part in self._parts if part.kind == kind), None)
        card, take = (cards.mask(written.card), cards.mask(written.take)) if written else (0, 0)
        return (
            False,
            action.card != card,
            not take or action.take != take,
            not (card and action.card & cards.MATCH[card]),
            action.card,
            action.take,
        )

    def _is_known_in_part(self) -> bool:
        table = self.state.table
        match self.state.phase:
            case Phase.HAND:
                return bool(table.hidden[self.state.seat - 1])
            case Phase.STOCK:
                return not table.ahead
        return self.state.phase is Phase.SHOW and any(table.hidden)

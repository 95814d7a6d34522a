"""Actions and events of a table, in card letters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, cast

from kafu import cards
from kafu.notation.game import Call, Month, Show, Turn
from kafu.rules.play import actions as engine

#: The values of `Action.kind`.
ActionKind = Literal[
    "hand",
    "stock",
    "say",
    "show",
    "bid",
    "blind",
    "swap",
    "call",
    "redeal",
    "void",
    "begin",
    "deal",
    "pile",
]
#: The values of `Event.kind`.
EventKind = Literal[
    "bid",
    "swap",
    "show",
    "say",
    "capture",
    "yaku",
    "right",
    "pay",
    "unproved",
    "deal-end",
    "game-end",
]
#: Kinds of actions with an explicit seat, which may be out of turn.
SEATED: Final = frozenset(("bid", "blind", "call", "show", "swap"))
_NUMBERED: Final[tuple[ActionKind, ...]] = ("bid", "show", "call")
_CARD: Final = r"[A-Za-v]"
_WRITTEN: Final = (
    re.compile(rf"(?P<stock>/?)(?P<card>{_CARD})(?:x(?P<take>{_CARD}{{1,3}}))?"),
    re.compile(r"=(?P<say>[a-z][a-z-]*)(?: (?P<call>[1-7]))?"),
    re.compile(r"bid (?P<bid>[1-7])(?P<say>in|out)"),
    re.compile(rf"show (?P<show>[1-7]) (?P<say>[a-z][a-z+-]*) (?P<take>{_CARD}+|-)"),
    re.compile(r"(?P<kind>blind|swap) (?P<seat>[1-7])"),
    re.compile(r"(?P<kind>redeal|void) (?P<say>[a-z][a-z0-9-]*)"),
    re.compile(r"(?P<kind>begin)"),
)


@dataclass(frozen=True, slots=True)
class Action:
    """An action at a table; ``str()`` returns its Kafu.

    ``kind`` is ``hand`` or ``stock`` (a card and its capture), ``say`` (a decision), ``show`` (a
    declared dealt hand), ``bid``, ``blind``, ``swap``, ``call``, ``redeal``, ``void``, ``begin``
    (nobody declares, play begins); a replay also has ``deal`` and ``pile``, which are chance.
    ``seat`` is the acting seat, 0 for nobody. ``card`` and ``take`` are letters (``take`` of a show
    are the cards laid open); ``say`` is the word, the yaku or the reason.

    >>> import kafu
    >>> str(kafu.Action("hand", card="A", take="D")), str(kafu.Action("stock", card="B"))
    ('AxD', '/B')
    """

    kind: ActionKind
    seat: int = 0
    card: str = ""
    take: str = ""
    say: str = ""

    def __str__(self) -> str:
        captured = f"{self.card}x{self.take}" if self.take else self.card
        match self.kind:
            case "hand":
                return captured
            case "stock":
                return f"/{captured}"
            case "say":
                return f"={self.say}"
            case "call":
                return f"={self.say} {self.seat}"
            case "show":
                return f"show {self.seat} {self.say} {self.take or '-'}"
            case "bid":
                return f"bid {self.seat}{self.say}"
            case "blind" | "swap":
                return f"{self.kind} {self.seat}"
            case "redeal" | "void":
                return f"{self.kind} {self.say}"
            case "deal":
                return self.say
        return self.kind


@dataclass(frozen=True, slots=True)
class Event:
    """The effect of an action; seat 0 is nobody, and amounts are in the small unit.

    ``kind`` is ``bid``, ``swap``, ``show`` or ``say`` (the action itself, with its word as
    ``label``), ``capture`` (``cards``), ``yaku`` (a new or grown yaku: ``label``, ``amount``),
    ``right`` (a decision is due), ``pay`` (``label``, ``amounts`` by seat), ``unproved`` (a claim
    about unknown cards), ``deal-end`` (``label``: the way it ended, ``amounts``: the score) or
    ``game-end`` (``amounts``: the settlement). If one seat pays for all, ``why``, ``payer`` and
    ``turn`` explain the payment. With the ``why`` ``calls``, ``amount`` is the number of koi-koi
    calls that multiply a total (K17).

    >>> import kafu
    >>> table = kafu.Table("koikoi").deal(7).apply("begin")
    >>> table = table.apply(table.legal_actions[0])
    >>> [(event.kind, event.seat, event.cards) for event in table.events]
    []
    """

    kind: EventKind
    seat: int = 0
    label: str = ""
    amount: int = 0
    cards: str = ""
    amounts: tuple[int, ...] = ()
    payer: int = 0
    why: str = ""
    turn: int = 0


def parse(text: str, seat: int) -> Action | None:
    """Return the action that ``seat`` writes as Kafu, None if the text is invalid.

    >>> parse("AxD", 1), parse("nonsense", 1)
    (Action(kind='hand', seat=1, card='A', take='D', say=''), None)
    """
    for form in _WRITTEN:
        if match := form.fullmatch(text):
            part = {name: value or "" for name, value in match.groupdict().items()}
            break
    else:
        return None
    say = part.get("say", "")
    take = part.get("take", "").strip("-")
    if part.get("card"):
        return Action("stock" if part["stock"] else "hand", seat, part["card"], take)
    for kind in _NUMBERED:
        if part.get(kind):
            return Action(kind, int(part[kind]), take=take, say=say)
    if "kind" not in part:
        return Action("say", seat, say=say)
    seat_text = part.get("seat")
    return Action(cast(ActionKind, part["kind"]), int(seat_text) if seat_text else 0, say=say)


def to_engine(action: Action) -> engine.Action:
    """Return an action in the form of the rules.

    Raises ValueError for an invalid action, and for an action of chance.
    """
    try:
        match action.kind:
            case "hand":
                return engine.Play(_card_bit(action.card), cards.mask(action.take))
            case "stock":
                return engine.Draw(_card_bit(action.card), cards.mask(action.take))
            case "show":
                yaku = tuple(action.say.split("+"))
                return engine.ShowAction(action.seat, yaku, cards.mask(action.take))
            case "bid" if action.say in ("in", "out"):
                return engine.Bid(action.seat, action.say == "in")
    except KeyError as error:
        raise ValueError(f"no such card: {error}") from None
    match action.kind:
        case "say":
            return engine.Say(action.say)
        case "redeal":
            return engine.Redeal(action.say)
        case "void":
            return engine.Void(action.say)
        case "blind":
            return engine.Blind(action.seat)
        case "swap":
            return engine.Swap(action.seat)
        case "call":
            return engine.CallAction(action.say, action.seat)
        case "begin":
            return engine.Begin()
    raise ValueError(f"nothing that a player does: {action}")


def _card_bit(letter: str) -> int:
    return cards.BIT[letter]


def from_engine(action: engine.Action, seat: int) -> Action:
    """Return an action of the rules in letters; ``seat`` is the seat in turn."""
    match action:
        case engine.Play(card, take):
            return Action("hand", seat, cards.letters(card), cards.letters(take))
        case engine.Draw(card, take):
            return Action("stock", seat, cards.letters(card), cards.letters(take))
        case engine.Say(word):
            return Action("say", seat, say=word)
        case engine.ShowAction(by, yaku, shown):
            return Action("show", by, take=cards.letters(shown), say="+".join(yaku))
        case engine.Bid(by, goes_in):
            return Action("bid", by, say="in" if goes_in else "out")
        case engine.Blind(by):
            return Action("blind", by)
        case engine.Swap(by):
            return Action("swap", by)
        case engine.CallAction(word, by):
            return Action("call", by, say=word)
        case engine.Redeal(reason):
            return Action("redeal", say=reason)
        case engine.Void(reason):
            return Action("void", say=reason)
        case engine.Deal(month, dealer):
            return Action("deal", say=f"month {month} dealer {dealer}")
        case engine.Begin():
            return Action("begin")
    return Action("pile")


def write_down(month: Month, action: Action) -> None:
    """Add an action to the record of its deal, in which the dealt cards are already written.

    The month has a turn before a card from the draw pile or a decision.
    """
    turns, seat, word = month.turns, action.seat, action.say
    match action.kind:
        case "blind":
            month.blind = seat
        case "swap":
            month.swaps = [*month.swaps, seat]
        case "bid":
            month.bids = (*month.bids, (seat, word == "in"))
        case "show":
            month.shows = [*month.shows, Show(seat, tuple(word.split("+")), action.take)]
        case "hand":
            turns.append(Turn(action.card, action.take))
        case "stock" if isinstance(turn := turns[-1], Turn):
            turn.turn, turn.take2 = action.card, action.take
            turn.say1, turn.say = turn.say, ()
        case "say" if isinstance(turn := turns[-1], Turn):
            turn.say = (*turn.say, word)
        case "call":
            turns.append(Call(word, seat))
        case "redeal":
            month.redeal = word
        case "void":
            month.void = word


def event_of(event: engine.PlayEvent) -> Event:
    """Return an event of the rules in letters."""
    return Event(**event._asdict() | {"cards": cards.letters(event.cards)})

"""Actions and events of a table, in card letters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from kafu import cards
from kafu.judging import options
from kafu.rules.play import actions as engine

#: Kinds of actions that name a seat, whoever's turn it is.
SEATED: Final = frozenset(("bid", "blind", "call", "show", "swap"))
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
    """An action at a table. ``str()`` gives its Kafu.

    ``kind`` is ``hand`` or ``stock`` (a card and what it captures), ``say`` (a decision), ``show``
    (a dealt hand declared), ``bid``, ``blind``, ``swap``, ``call``, ``redeal``, ``void``, ``begin``
    (nobody declares, play begins); in a replay also ``deal`` and ``pile``, which are chance.
    ``seat`` is the seat that acts, 0 for nobody. ``card`` and ``take`` are letters (of a show
    ``take`` is what is laid open), ``say`` the word, the yaku or the reason.

    >>> import kafu
    >>> str(kafu.Action("hand", card="A", take="D")), str(kafu.Action("stock", card="B"))
    ('AxD', '/B')
    """

    kind: str
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
    """The effect of an action. ``seat`` 0 is nobody; amounts in the small unit.

    ``kind`` is ``capture`` (``cards``), ``yaku`` (``label``, ``amount``: made or grown), ``right``
    (a decision is due), ``pay`` (``label``, ``amounts`` a seat), ``deal-end`` (``label``: how,
    ``amounts``: the score) or ``game-end`` (``amounts``: the settlement). For a payment that one
    seat makes for all, ``why``, ``payer`` and ``turn`` say so; with the ``why`` ``calls`` the
    ``amount`` is how many calls of koi-koi multiply a total (K17).

    >>> import kafu
    >>> table = kafu.Table("koikoi").deal(7).apply("begin")
    >>> table = table.apply(table.legal_actions[0])
    >>> [(event.kind, event.seat, event.cards) for event in table.events]
    []
    """

    kind: str
    seat: int = 0
    label: str = ""
    amount: int = 0
    cards: str = ""
    amounts: tuple[int, ...] = ()
    payer: int = 0
    why: str = ""
    turn: int = 0


def parse(text: str, seat: int) -> Action | None:
    """The action that ``seat`` writes as Kafu; None if it is invalid.

    >>> parse("AxD", 1), parse("nonsense", 1)
    (Action(kind='hand', seat=1, card='A', take='D', say=''), None)
    """
    for form in _WRITTEN:
        if found := form.fullmatch(text):
            part = {name: value or "" for name, value in found.groupdict().items()}
            break
    else:
        return None
    say = part.get("say", "")
    take = part.get("take", "").strip("-")
    if part.get("card"):
        return Action("stock" if part["stock"] else "hand", seat, part["card"], take)
    for kind in ("bid", "show", "call"):
        if part.get(kind):
            return Action(kind, int(part[kind]), take=take, say=say)
    if "kind" not in part:
        return Action("say", seat, say=say)
    named = part.get("seat")
    return Action(part["kind"], int(named) if named else 0, say=say)


def to_engine(action: Action) -> engine.Action:
    """The action in the form of the rules. Raises ValueError for one that no player can do, and for
    an invalid one.
    """
    try:
        match action.kind:
            case "hand":
                return engine.Play(_one(action.card), cards.mask(action.take))
            case "stock":
                return engine.Draw(_one(action.card), cards.mask(action.take))
            case "show":
                yaku = tuple(action.say.split("+"))
                return engine.Show(action.seat, yaku, cards.mask(action.take))
            case "bid" if action.say in ("in", "out"):
                return engine.Bid(action.seat, action.say == "in")
    except KeyError as error:
        raise ValueError(f"no such card: {error}") from None
    match action.kind:
        case "say":
            return engine.Say(action.say)
        case "call":
            return engine.Call(action.say, action.seat)
        case "blind":
            return engine.Blind(action.seat)
        case "swap":
            return engine.Swap(action.seat)
        case "redeal":
            return engine.Redeal(action.say)
        case "void":
            return engine.Void(action.say)
        case "begin":
            return engine.Begin()
    raise ValueError(f"nothing that a player does: {action}")


def _one(letter: str) -> int:
    return cards.BIT[letter]


def from_engine(action: engine.Action, seat: int) -> Action:
    """An action of the rules in letters; ``seat`` is whose turn it is."""
    match action:
        case engine.Deal(month, dealer):
            return Action("deal", say=f"month {month} dealer {dealer}")
        case engine.Begin() | engine.Pile():
            return Action(type(action).__name__.lower())
        case engine.Void(reason):
            return Action("void", say=reason)
    known = options.option(action, seat, "")
    return Action(known.kind, known.seat, known.card, known.take, known.say)


def event_of(event: engine.Event) -> Event:
    """An event of the rules in letters."""
    return Event(**event._asdict() | {"cards": cards.letters(event.cards)})

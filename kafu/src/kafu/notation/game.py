"""A game as plain values: the contents of a Kafu text. No rules are known here.

Positions (`Place`: line and column, from 1) are kept for error messages and never take part in
comparison. Cards are strings of letters (`kafu.cards`); sets of cards are in card order.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar

Place = tuple[int, int]
Notes = dict[str, list[str]]
#: A card that is played from a hand or turned from the stock, for the engine: the card and what it
#: captures as masks (`kafu.cards.BIT`), and the decisions after it.
Placed = tuple[int, int, tuple[str, ...]]
#: A turn of those: the hand card, and the stock card or None if none was turned.
Move = tuple[Placed, Placed | None]


@dataclass(slots=True)
class Turn:
    """One turn: a hand card, then a card from the stock, with what each captured.

    ``take`` and ``take2`` are the captured letters in card order, ``""`` if none are written.
    ``turn`` is ``""`` if the deal ended before the stock was turned. ``say1`` are decisions
    declared between hand and stock card, ``say`` those at the end of the turn, after the hand card
    if no stock card was turned. ``round`` and ``seat`` are those written before the turn (None:
    nothing); the engine checks them, and removes a right seat. The canonical form has the rest, so
    that it never says less than the record that was judged.
    """

    play: str
    take: str = ""
    turn: str = ""
    take2: str = ""
    say1: tuple[str, ...] = ()
    say: tuple[str, ...] = ()
    round: int | None = field(default=None, compare=False)
    seat: int | None = field(default=None, compare=False)
    place: Place | None = field(default=None, compare=False)
    place2: Place | None = field(default=None, compare=False)
    comments: list[str] = field(default_factory=list)

    def without_seat(self) -> Turn:
        """The same turn with no seat before it."""
        return Turn(
            self.play,
            self.take,
            self.turn,
            self.take2,
            self.say1,
            self.say,
            self.round,
            None,
            self.place,
            self.place2,
            self.comments,
        )


@dataclass(slots=True)
class Call:
    """A word between turns: ``=torikeshi P`` (下げの取消し), ``=void-show P``."""

    word: str
    seat: int
    place: Place | None = field(default=None, compare=False)
    comments: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Show:
    """A dealt-hand declaration (手役): seat, yaku ids (``aka+sanbon`` as two), cards laid open."""

    seat: int
    yaku: tuple[str, ...]
    cards: str


@dataclass(slots=True)
class Payment:
    """A line of a score sheet: label, one amount a seat (small unit), or struck out (吹き消し)."""

    label: str
    amounts: tuple[int, ...]
    void: bool = False


class Rows(Protocol):
    """Movetext in canonical form of which no `Turn` was made yet: a line a round, with its right
    number, and no seat, call or comment.
    """

    #: The lines, without the last line end.
    text: str
    #: Turns a round.
    length: int
    moves: list[Move]

    def turns(self) -> list[Turn | Call]:
        """The turns of the lines, with their places."""


M = TypeVar("M")


def _turns_on_demand(cls: type[M]) -> type[M]:
    """Let ``turns`` of a month that has `Rows` be made of them when they are first asked for.

    The rows are dropped then, because the turns can be changed; so they are if turns are set.
    """
    stored: Any = cls.__dict__["turns"]

    def turns(month: Any) -> list[Turn | Call]:
        rows: Rows | None = month.rows
        if rows is not None:
            stored.__set__(month, rows.turns())
            month.rows = None
        made: list[Turn | Call] = stored.__get__(month)
        return made

    def set_turns(month: Any, turns: list[Turn | Call]) -> None:
        stored.__set__(month, turns)
        month.rows = None

    type.__setattr__(cls, "turns", property(turns, set_turns))
    return cls


@_turns_on_demand
@dataclass(slots=True)
class Month:
    """One deal: the statements of kafu.md §4 from ``month`` to ``score``.

    ``stock`` is top card first, None without a stock line; ``stock_cut`` says that it ends in
    ``...``. ``score`` is the claimed result a seat. ``places`` and ``notes`` are keyed by
    statement: ``month``, ``draw.0``, ``hand.2``, ``show.1``, ``score`` …; cards of the seat draw
    have places of their own, by row and seat: ``draw.0.2``.

    ``rows`` is the movetext as it was written, if it was read in canonical form and nobody asked
    for ``turns`` yet; else None.
    """

    month: int
    dealer: int
    draws: list[dict[int, str]] = dataclasses.field(default_factory=list)
    split: dict[int, str] = dataclasses.field(default_factory=dict)
    blind: int | None = None
    hands: dict[int, str] = dataclasses.field(default_factory=dict)
    field: str | None = None
    stock: str | None = None
    stock_cut: bool = False
    swaps: list[int] = dataclasses.field(default_factory=list)
    bids: list[tuple[int, bool]] = dataclasses.field(default_factory=list)
    ba: str | None = None
    shows: list[Show] = dataclasses.field(default_factory=list)
    turns: list[Turn | Call] = dataclasses.field(default_factory=list)
    redeal: str | None = None
    void: str | None = None
    payments: list[Payment] = dataclasses.field(default_factory=list)
    stone: int | None = None
    score: tuple[int, ...] | None = None
    places: dict[str, Place] = dataclasses.field(default_factory=dict, compare=False)
    notes: Notes = dataclasses.field(default_factory=dict)
    rows: Rows | None = dataclasses.field(default=None, init=False, repr=False, compare=False)

    @property
    def moves(self) -> list[Move] | None:
        """Return the turns in the form for the engine, None if there is only ``turns``.

        The rows have no place for comments, so a turn's are empty; ``notes`` may have others.
        """
        return None if self.rows is None else self.rows.moves

    @property
    def played(self) -> int:
        """The number of turns, calls not counted; no turns are made to know it."""
        if self.rows is not None:
            return len(self.rows.moves)
        return sum(isinstance(turn, Turn) for turn in self.turns)

    def with_hands(self, hands: dict[int, str]) -> Month:
        """The same deal with other hands. All else is shared, and turns are not made for it, as
        they are by :func:`dataclasses.replace`.
        """
        names = [field.name for field in dataclasses.fields(self) if field.name not in _PLAYED]
        month = Month(**{name: getattr(self, name) for name in names})
        month.hands = hands
        if self.rows is None:
            month.turns = self.turns
        else:
            month.rows = self.rows
        return month


_PLAYED: Final = ("rows", "turns")


@dataclass(slots=True)
class Game:
    """One game: tags, players, months, and the claimed settlement.

    ``tags`` holds every tag but Kafu, Rules, Options, Player1…N and Result, which have fields of
    their own. ``options`` are name to value as written; ``result`` and ``final`` are claimed totals
    a seat.

    >>> import kafu
    >>> game = kafu.Game("koikoi", ("Aya", "Ben"), tags={"Termination": "unfinished"})
    >>> game.termination, game.is_sheet
    ('unfinished', False)
    """

    rules: str
    players: tuple[str, ...]
    options: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    months: list[Month] = field(default_factory=list)
    result: tuple[int, ...] | None = None
    final: tuple[int, ...] | None = None
    line: int = field(default=1, compare=False)
    places: dict[str, Place] = field(default_factory=dict, compare=False)
    notes: Notes = field(default_factory=dict)

    @property
    def is_sheet(self) -> bool:
        """Whether this is a score sheet (記入式, kafu.md §6), which has no cards."""
        return "Sheet" in self.tags

    @property
    def termination(self) -> str:
        """The Termination tag's first word: normal, unfinished, resigned or abandoned."""
        return self.tags.get("Termination", "normal").split(" ")[0]

    def __repr__(self) -> str:
        players = ", ".join(self.players)
        return f"<Game {self.rules} of {players}; deals: {len(self.months)}>"

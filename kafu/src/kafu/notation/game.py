"""A game as plain values: the contents of a Kafu text. No rules are known here.

Positions (`Place`: line and column, from 1) serve error messages and are ignored in comparisons.
Cards are strings of letters (`kafu.cards`); sets of cards are in card order.
"""

from __future__ import annotations

import dataclasses
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

Place = tuple[int, int]
Notes = dict[str, list[str]]
#: A card from a hand or from the draw pile, for the engine: the card and its capture as masks
#: (`kafu.cards.BIT`), and the following decisions.
Placed = tuple[int, int, tuple[str, ...]]
#: A turn for the engine: the hand card, and the drawn card or None.
Move = tuple[Placed, Placed | None]


@dataclass(slots=True)
class Turn:
    """One turn: a hand card, then a card from the draw pile, and the captures of both.

    ``play`` is the hand card and ``turn`` the drawn card, ``""`` if the deal ended before the draw.
    ``take`` and ``take2`` are the captured letters in card order, ``""`` if none are written.
    ``say1`` are decisions between hand card and drawn card, ``say`` decisions at the end of the
    turn, after the hand card in a turn without a drawn card.

    ``round`` and ``seat`` are written before the turn, or None. The engine checks them, and removes
    a correct seat. The canonical form retains a wrong seat and a wrong round, so that no content of
    the judged record is lost.
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
        """Return the same turn without a seat."""
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
    """A dealt-hand declaration (手役): seat, yaku ids (``aka+sanbon`` is two), cards laid open."""

    seat: int
    yaku: tuple[str, ...]
    cards: str


@dataclass(slots=True)
class Payment:
    """A line of a score sheet: label and one amount per seat, perhaps struck out (吹き消し)."""

    label: str
    amounts: tuple[int, ...]
    void: bool = False


class Rows(Protocol):
    """Movetext in canonical form, before conversion to `Turn` objects.

    Each line is a round with its correct number, and has no seat, call or comment.
    """

    #: The lines, without the last line end.
    text: str
    #: The number of turns per round.
    length: int
    moves: list[Move]

    def turns(self) -> list[Turn | Call]:
        """Return the turns of the lines, with their places."""


@dataclass(slots=True)
class _MonthFields:
    """The fields of `Month`."""

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


class Month(_MonthFields):
    """One deal: the statements of kafu.md §4 from ``month`` to ``score``.

    ``stock`` is the draw pile, top card first, None without a stock line. ``stock_cut`` is true for
    a stock line that ends in ``...``. ``score`` is the claimed result per seat.

    ``places`` and ``notes`` are keyed by statement: ``month``, ``draw.0``, ``hand.2``, ``show.1``,
    ``score`` …; cards of the seat draw have places by row and seat: ``draw.0.2``.

    ``rows`` is the movetext as written, if it is in canonical form and ``turns`` has not been
    accessed; else None.
    """

    __slots__ = ()

    @property
    def turns(self) -> list[Turn | Call]:
        """The turns. The first access converts ``rows`` and drops it, for turns may change."""
        if self.rows is not None:
            self.turns = self.rows.turns()
        stored: list[Turn | Call] = _stored_turns.__get__(self)
        return stored

    @turns.setter
    def turns(self, turns: list[Turn | Call]) -> None:
        _stored_turns.__set__(self, turns)
        self.rows = None

    @property
    def moves(self) -> list[Move] | None:
        """The turns in the form for the engine; None if the month has only ``turns``.

        The turns have no comments; ``notes`` may have comments of other statements.
        """
        return None if self.rows is None else self.rows.moves

    @property
    def played(self) -> int:
        """The number of turns without calls. Counting does not convert rows to turns."""
        if self.rows is not None:
            return len(self.rows.moves)
        return sum(isinstance(turn, Turn) for turn in self.turns)

    def with_hands(self, hands: dict[int, str]) -> Month:
        """Return the same deal with other hands; all other values are shared.

        Unlike :func:`dataclasses.replace`, it does not convert rows to turns.
        """
        names = [field.name for field in dataclasses.fields(self) if field.name not in _PLAYED]
        month = Month(**{name: getattr(self, name) for name in names})
        month.hands = hands
        if self.rows is None:
            month.turns = self.turns
        else:
            month.rows = self.rows
        return month


#: The slot behind the property `Month.turns`.
_stored_turns: Final[Any] = _MonthFields.__dict__["turns"]
_PLAYED: Final = ("rows", "turns")


@dataclass(slots=True)
class Game:
    """One game: tags, players, months, and the claimed settlement.

    ``tags`` holds every tag but Kafu, Rules, Options, Player1…N and Result, which are fields.
    ``options`` maps names to values as written; ``result`` and ``final`` are claimed totals per
    seat.

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
        """True for a score sheet (記入式, kafu.md §6), which has no cards."""
        return "Sheet" in self.tags

    @property
    def termination(self) -> str:
        """The Termination tag's first word: normal, unfinished, resigned or abandoned."""
        return self.tags.get("Termination", "normal").split(" ")[0]

    def __repr__(self) -> str:
        players = ", ".join(self.players)
        return f"<Game {self.rules} of {players}; deals: {len(self.months)}>"


#: Tags about the kind of record rather than about the game.
_RECORD_TAGS: Final = ("Sheet", "Termination")


def copy_with_annotations(game: Game, source: Game) -> Game:
    """Return a copy of a game with the comments and tags of another record of the same game.

    Moves, claims and termination stay. Both games have the same identity, and therefore the same
    months and turns. A comment at a claim is lost if ``game`` lacks the claim.
    """
    merged = deepcopy(game)
    merged.tags = {name: value for name, value in source.tags.items() if name not in _RECORD_TAGS}
    merged.tags |= {name: game.tags[name] for name in _RECORD_TAGS if name in game.tags}
    merged.notes = deepcopy(source.notes)
    for month, source_month in zip(merged.months, source.months, strict=True):
        month.notes = deepcopy(source_month.notes)
        for turn, source_turn in zip(month.turns, source_month.turns, strict=True):
            turn.comments = list(source_turn.comments)
    return merged

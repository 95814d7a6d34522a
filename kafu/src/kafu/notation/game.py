"""A game as plain values: the contents of a Kafu text. No rules are known here.

Positions (`Place`: line and column, from 1) serve error messages and are ignored in comparisons.
Cards are strings of letters (`kafu.cards`); sets of cards are in card order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Protocol

from kafu.notation.vocabulary import RANK

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
    #: The turns in the form for the engine.
    moves: list[Move]

    def turns(self) -> list[Turn | Call]:
        """Return the turns of the lines, with their places."""


@dataclass(slots=True)
class Statement:
    """A statement of a month: keyword (`kafu.notation.vocabulary.STATEMENTS`), value and comments.

    Values are ``(month, dealer)`` of ``month``, ``{seat: cards}`` of ``draw`` and ``split``,
    ``(seat, cards)`` of ``hand``, ``(cards, is_cut)`` of ``stock``, ``((seat, goes_in), …)`` of
    ``bid``, `Show` of ``show``, `Payment` of ``pay``, a list of `Turn` and `Call` of ``turns``, and
    one amount per seat of ``score``. Other statements have a seat, a word or cards.

    Comments of ``turns`` precede the first turn. ``card_places`` are the places of the cards of a
    ``draw``.
    """

    keyword: str
    value: Any
    place: Place | None = field(default=None, compare=False)
    comments: list[str] = field(default_factory=list)
    card_places: tuple[Place, ...] = field(default=(), compare=False)


def _single(keyword: str, empty: Any = None) -> Any:
    """Return an attribute for the value of a statement, ``empty`` if it is not written."""

    def find(month: Month) -> Any:
        statement = month.find(keyword)
        return empty if statement is None else statement.value

    def put(month: Month, value: Any) -> None:
        month.put(keyword, [] if value is None or value in ((), [], {}) else [value])

    return property(find, put)


def _several(keyword: str) -> Any:
    """Return an attribute for the values of all statements with a keyword."""
    return property(
        lambda month: tuple([item.value for item in month.written if item.keyword == keyword]),
        lambda month, values: month.put(keyword, values),
    )


def _part(keyword: str, index: int, empty: object) -> Any:
    """Return an attribute for a part of a statement's value, ``empty`` if it is not written."""

    def find(month: Month) -> Any:
        statement = month.find(keyword)
        return empty if statement is None else statement.value[index]

    def put(month: Month, part: Any) -> None:
        statement = month.find(keyword)
        parts = [None, False] if statement is None else [*statement.value]
        parts[index] = part
        month.put(keyword, [] if parts[0] is None else [tuple(parts)])

    return property(find, put)


class Month:
    """One deal as its statements, in the order of kafu.md §4.

    The statements' values are attributes too: None or empty for a statement that is not written.
    Assignment replaces statements, whose places and comments stay. Only `turns` can be changed in
    place.

    ``written`` are the statements before the conversion of canonical movetext (`Rows`).
    """

    written: list[Statement]

    month: int = _part("month", 0, 0)
    dealer: int = _part("month", 1, 0)
    draws: tuple[dict[int, str], ...] = _several("draw")
    split: Mapping[int, str] = _single("split", MappingProxyType({}))
    blind: int | None = _single("blind")
    field: str | None = _single("field")
    stock: str | None = _part("stock", 0, None)
    #: Whether the stock line ends in ``...``. Cards of the stock are in order, top card first.
    stock_cut: bool = _part("stock", 1, False)
    swaps: Sequence[int] = _several("swap")
    bids: Sequence[tuple[int, bool]] = _single("bid", ())
    ba: str | None = _single("ba")
    shows: Sequence[Show] = _several("show")
    redeal: str | None = _single("redeal")
    void: str | None = _single("void")
    payments: Sequence[Payment] = _several("pay")
    stone: int | None = _single("stone")
    #: The claimed result per seat.
    score: tuple[int, ...] | None = _single("score")

    def __init__(self, month: int, dealer: int, **values: Any) -> None:
        """Create a month with the ``values`` of attributes."""
        self.written = [Statement("month", (month, dealer))]
        self._assign(values)

    @classmethod
    def of(cls, statements: list[Statement]) -> Month:
        """Return a month with statements in their order."""
        month = cls.__new__(cls)
        month.written = statements
        return month

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Month) and self.statements == other.statements

    def __repr__(self) -> str:
        return f"Month({self.statements!r})"

    @property
    def statements(self) -> list[Statement]:
        """The statements, including ``turns`` if the month has a turn, call or comment of them."""
        turns = self.turns
        return [item for item in self.written if item.value is not turns or turns or item.comments]

    @property
    def hands(self) -> MappingProxyType[int, str]:
        """The dealt hands by seat."""
        hands = [item.value for item in self.written if item.keyword == "hand"]
        return MappingProxyType(dict(hands))

    @hands.setter
    def hands(self, hands: Mapping[int, str]) -> None:
        self.put("hand", hands.items())

    @property
    def turns(self) -> list[Turn | Call]:
        """The turns and calls. The first access converts ``rows``, for turns may change."""
        turns: list[Turn | Call] = self.open_movetext().value
        return turns

    @turns.setter
    def turns(self, turns: list[Turn | Call]) -> None:
        self.put("turns", [turns])

    @property
    def rows(self) -> Rows | None:
        """The movetext as written, if it is in canonical form and not converted; else None."""
        statement = self.find("turns")
        return None if statement is None or isinstance(statement.value, list) else statement.value

    @property
    def played(self) -> int:
        """The number of turns without calls. Counting does not convert rows to turns."""
        rows = self.rows
        return len(rows.moves) if rows else sum(isinstance(turn, Turn) for turn in self.turns)

    def find(self, keyword: str) -> Statement | None:
        """Return the first statement with a keyword, None if there is none."""
        for statement in self.written:
            if statement.keyword == keyword:
                return statement
        return None

    def open_movetext(self) -> Statement:
        """Return the statement of the turns, with rows converted."""
        statement = self.find("turns")
        if statement is None:
            return self.add(Statement("turns", []))
        if not isinstance(statement.value, list):
            statement.value = statement.value.turns()
        return statement

    def keyed(self) -> Iterator[tuple[str, Statement]]:
        """Yield the statements with their keys: ``month``, ``draw.0``, ``hand.2``, ``show.1``."""
        last, number = "", 0
        for statement in self.written:
            keyword = statement.keyword
            number = number + 1 if keyword == last else 0
            last = keyword
            if keyword == "hand":
                yield f"hand.{statement.value[0]}", statement
            elif keyword in NUMBERED:
                yield f"{keyword}.{number}", statement
            else:
                yield keyword, statement

    @property
    def places(self) -> dict[str, Place]:
        """The places by key; cards of the seat draw have keys by row and seat: ``draw.0.2``."""
        places = {}
        for key, statement in self.keyed():
            if statement.place is not None:
                places[key] = statement.place
            if statement.card_places:
                keys = [f"{key}.{seat}" for seat in statement.value]
                places |= zip(keys, statement.card_places, strict=True)
        return places

    @property
    def notes(self) -> Notes:
        """The comments by key, without the comments of turns."""
        return {key: statement.comments for key, statement in self.keyed() if statement.comments}

    @notes.setter
    def notes(self, notes: Notes) -> None:
        for key, statement in self.keyed():
            statement.comments = list(notes.get(key, ()))

    def add(self, statement: Statement) -> Statement:
        """Add a statement at its position and return it."""
        self.written.append(statement)
        self.written.sort(key=_find_position)
        return statement

    def put(self, keyword: str, values: Iterable[Any], place: Place | None = None) -> None:
        """Replace the statements with a keyword. New statements are at ``place``."""
        before = self.replace()
        self.written = [item for item in self.written if item.keyword != keyword]
        self.written += [Statement(keyword, value, place) for value in values]
        self.written.sort(key=_find_position)
        self.adopt(before)

    def adopt(self, other: Month) -> None:
        """Take over places and comments from the statements of another record of the same deal."""
        sources = dict(other.keyed())
        for key, statement in self.keyed():
            if source := sources.get(key):
                statement.place, statement.comments = source.place, source.comments

    def replace(self, **values: Any) -> Month:
        """Return the same month with other values of attributes; the other statements are shared.

        Rows are not converted to turns.
        """
        month = Month.of(list(self.written))
        month._assign(values)
        return month

    def _assign(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            if not isinstance(getattr(Month, name, None), property):
                raise TypeError(f"a month has no {name}")
            setattr(self, name, value)


#: Statements that are numbered in a month.
NUMBERED: Final = frozenset(("draw", "swap", "show", "pay"))


def _find_position(statement: Statement) -> tuple[int, int]:
    """Return a sorting key by the order of statements, and of the seats of hands."""
    return RANK[statement.keyword], statement.value[0] if statement.keyword == "hand" else 0


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
        month.notes = source_month.notes
        for turn, source_turn in zip(month.turns, source_month.turns, strict=True):
            turn.comments = list(source_turn.comments)
    return merged

"""A game as plain values: the contents of a Kafu text. No rules are known here.

Positions (`Place`: line and column, from 1) serve error messages and are ignored in comparisons.
Cards are strings of letters (`kafu.cards`); sets of cards are in card order.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from kafu.notation.actions import OF_TURN, Action, read_half
from kafu.notation.vocabulary import RANK

Place = tuple[int, int]
Notes = dict[str, list[str]]
#: Half a turn for the engine, a card from a hand or from the draw pile: the card and its capture as
#: masks (`kafu.cards.BIT`), and the following decisions.
Half = tuple[int, int, tuple[str, ...]]
#: Statements of the movetext, without and with its rows or first comments.
MOVES: Final = frozenset(("turn", "call"))
MOVETEXT: Final = MOVES | {"turns"}
#: Statements with actions.
ACTIONS: Final = MOVES | {"blind", "swap", "bid", "show", "redeal", "void"}
#: Statements that are numbered in a month.
NUMBERED: Final = frozenset(("draw", "swap", "show", "pay", *MOVES))


@dataclass(slots=True)
class Payment:
    """A line of a score sheet: label and one amount per seat, perhaps struck out (吹き消し)."""

    label: str
    amounts: tuple[int, ...]
    void: bool = False


@dataclass(slots=True)
class Statement:
    """A statement of a month: keyword (`kafu.notation.vocabulary.RANK`), value and comments.

    The value of `ACTIONS` is a tuple of `Action`: the bids of a line, the cards and decisions of a
    ``turn``, a single one of other keywords. Cards and decisions have no seat. Further values are
    ``(month, dealer)`` of ``month``, ``{seat: cards}`` of ``draw`` and ``split``, ``(seat, cards)``
    of ``hand``, ``(cards, is_cut)`` of ``stock``, `Payment` of ``pay``, and one amount per seat of
    ``score``. Other statements have a seat, a word or cards. ``turns`` has `Rows`, or only the
    comments before the first turn.

    ``card_places`` are the places of the cards of a ``draw``, and of the drawn card of a turn.

    ``round`` is a wrong number of a round before a turn, ``seat`` the seat before it, or None. The
    engine checks them, and removes a correct seat. The canonical form retains a wrong seat and a
    wrong round, so that no content of the judged record is lost.
    """

    keyword: str
    value: Any
    place: Place | None = field(default=None, compare=False)
    comments: list[str] = field(default_factory=list)
    card_places: tuple[Place, ...] = field(default=(), compare=False)
    round: int | None = field(default=None, compare=False)
    seat: int | None = field(default=None, compare=False)

    @property
    def is_half(self) -> bool:
        """Whether the statement is a turn without a drawn card."""
        return self.keyword == "turn" and "stock" not in [action.kind for action in self.value]

    @property
    def is_bare(self) -> bool:
        """Whether the statement has no prefix and no comment."""
        return self.round is None and self.seat is None and not self.comments


@dataclass(slots=True)
class Rows:
    """Movetext in canonical form, before conversion to statements.

    Each line is a round with its correct number, and has no seat, call or comment. ``text`` are the
    lines without the last line end, ``line`` the number of the first line. A round has ``length``
    turns; ``halves`` are the turns for the engine, two halves each, None without a drawn card.
    """

    text: str
    line: int
    length: int
    halves: list[Half | None]

    def turns(self) -> list[Statement]:
        """Return the turns of the lines, with their places."""
        turns = []
        for number, row in enumerate(self.text.split("\n"), start=self.line):
            column = row.index(" ") + 2
            for word in row.split(" ")[1:]:
                hand, slash, drawn = word.partition("/")
                turn = Statement("turn", read_half("hand", hand), (number, column))
                if slash:
                    turn.value += read_half("stock", drawn)
                    turn.card_places = ((number, column + len(hand) + 1),)
                turns.append(turn)
                column += len(word) + 1
        return turns


def _value(keyword: str, index: int | None = None, empty: object = None) -> Any:
    """Return an attribute for a statement's value, or for one of its two parts.

    The attribute of a statement that is not written is ``empty``.
    """

    def find(month: Month) -> Any:
        statement = month.find(keyword)
        if statement is None:
            return empty
        return statement.value if index is None else statement.value[index]

    def put(month: Month, value: Any) -> None:
        if index is not None:
            statement = month.find(keyword)
            parts = [None, False] if statement is None else [*statement.value]
            parts[index] = value
            value = None if parts[0] is None else tuple(parts)
        month.put(keyword, [] if value is None or value in ((), [], {}) else [value])

    return property(find, put)


def _several(keyword: str) -> Any:
    """Return an attribute for the values of all statements with a keyword."""
    return property(
        lambda month: tuple([item.value for item in month.written if item.keyword == keyword]),
        lambda month, values: month.put(keyword, values),
    )


class Month:
    """One deal as its statements, in the order of kafu.md §4.

    The values of the statements of cards, claims and payments are attributes too: None or empty
    for a statement that is not written. Assignment replaces statements, whose places and comments
    stay.

    ``written`` are the statements before the conversion of canonical movetext (`Rows`).
    """

    #: An unknown attribute is an error. In a literal tuple mypy would miss the properties.
    __slots__ = frozenset(("written",))

    written: list[Statement]

    month: int = _value("month", 0, 0)
    dealer: int = _value("month", 1, 0)
    draws: tuple[dict[int, str], ...] = _several("draw")
    split: Mapping[int, str] = _value("split", empty=MappingProxyType({}))
    field: str | None = _value("field")
    stock: str | None = _value("stock", 0)
    #: Whether the stock line ends in ``...``. Cards of the stock are in order, top card first.
    stock_cut: bool = _value("stock", 1, False)
    ba: str | None = _value("ba")
    payments: Sequence[Payment] = _several("pay")
    stone: int | None = _value("stone")
    #: The claimed result per seat.
    score: tuple[int, ...] | None = _value("score")
    #: The movetext as written, if it is in canonical form and not converted; else None.
    rows: Rows | None = _value("turns")

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
        """The statements, each turn and call for itself. The first access converts ``rows``."""
        self.expand()
        return self.written

    def expand(self) -> None:
        """Convert ``rows`` to a statement for each turn."""
        for i, statement in enumerate(self.written):
            if statement.keyword == "turns" and statement.value is not None:
                self.written[i : i + 1] = statement.value.turns()
                break

    @property
    def hands(self) -> MappingProxyType[int, str]:
        """The dealt hands by seat."""
        hands = [item.value for item in self.written if item.keyword == "hand"]
        return MappingProxyType(dict(hands))

    @hands.setter
    def hands(self, hands: Mapping[int, str]) -> None:
        self.put("hand", hands.items())

    @property
    def turns(self) -> list[Statement]:
        """The turns and calls."""
        return [item for item in self.statements if item.keyword in MOVES]

    @turns.setter
    def turns(self, turns: Sequence[Statement]) -> None:
        others = [item for item in self.statements if item.keyword not in MOVES]
        self.written = sorted([*others, *turns], key=_find_position)

    @property
    def played(self) -> int:
        """The number of turns without calls. Counting does not convert rows to turns."""
        if rows := self.rows:
            return len(rows.halves) // 2
        return sum(item.keyword == "turn" for item in self.written)

    def find(self, keyword: str) -> Statement | None:
        """Return the first statement with a keyword, None if there is none."""
        for statement in self.written:
            if statement.keyword == keyword:
                return statement
        return None

    def actions(self, keyword: str) -> list[Action]:
        """Return the actions of all statements with a keyword."""
        return [action for item in self.written if item.keyword == keyword for action in item.value]

    def in_play(self) -> list[Statement]:
        """Return the statements with actions in the order of play: a redeal precedes turns."""
        acting = [item for item in self.statements if item.keyword in ACTIONS]
        return sorted(acting, key=lambda item: item.keyword in MOVES or item.keyword == "void")

    def keyed(self) -> Iterator[tuple[str, Statement]]:
        """Yield the statements with their keys: ``month``, ``draw.0``, ``hand.2``, ``turn.1``."""
        counts = dict.fromkeys(NUMBERED, 0)
        for statement in self.written:
            keyword = statement.keyword
            if keyword == "hand":
                yield f"hand.{statement.value[0]}", statement
            elif keyword in counts:
                yield f"{keyword}.{counts[keyword]}", statement
                counts[keyword] += 1
            else:
                yield keyword, statement

    @property
    def places(self) -> dict[str, Place]:
        """The places by key.

        Cards of the seat draw have keys by row and seat, ``draw.0.2``, and the drawn card of a turn
        ``turn.1.2``.
        """
        self.expand()
        places = {}
        for key, statement in self.keyed():
            if statement.place is not None:
                places[key] = statement.place
            numbers = statement.value if statement.keyword == "draw" else (2,)
            places |= zip([f"{key}.{i}" for i in numbers], statement.card_places, strict=False)
        return places

    @property
    def notes(self) -> Notes:
        """The comments by key, without the comments of turns."""
        return {
            key: item.comments
            for key, item in self.keyed()
            if item.comments and item.keyword not in MOVES
        }

    @notes.setter
    def notes(self, notes: Mapping[str, Sequence[str]]) -> None:
        self.expand()
        if "turns" in notes and self.find("turns") is None:
            self.add(Statement("turns", None))
        for key, statement in self.keyed():
            if key in notes or statement.keyword not in MOVES:
                statement.comments = list(notes.get(key, ()))

    def add(self, statement: Statement) -> Statement:
        """Add a statement at its position and return it."""
        insort(self.written, statement, key=_find_position)
        return statement

    def write_down(self, action: Action) -> Statement:
        """Add an action to its statement, and return the statement.

        A card from the draw pile and a decision belong to the last turn. A month has a single
        ``blind``, ``redeal`` and ``void``, which another one replaces.
        """
        keyword = "turn" if action.kind in OF_TURN else action.kind
        if keyword == "turn":
            action = action._replace(seat=0)
        if action.kind not in ("hand", "swap", "show", "call"):
            for statement in reversed(self.statements):
                if statement.keyword == keyword:
                    before = statement.value if keyword in ("turn", "bid") else ()
                    statement.value = (*before, action)
                    return statement
        return self.add(Statement(keyword, (action,)))

    def put(self, keyword: str, values: Iterable[Any], place: Place | None = None) -> None:
        """Replace the statements with a keyword. New statements are at ``place``."""
        before = dict(self.keyed())
        self.written = [item for item in self.written if item.keyword != keyword]
        for value in values:
            self.add(Statement(keyword, value, place))
        for key, statement in self.keyed():
            if source := before.get(key):
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

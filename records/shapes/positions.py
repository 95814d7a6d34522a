"""A game in progress, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from kafu.judging.position import Option, Position
from kafu.judging.replay import StepKind
from kafu.notation.faults import FaultJson
from kafu.notation.json_types import RulesetId
from kafu.rules.play.machine import Phase
from kafu.rules.verdict import DealResult, Mismatch, Status
from records.shapes.shape import Shape


class MadeYaku(Shape):
    """A captured yaku of a seat."""

    id: str
    name: str
    value: int


class EditTable(Shape):
    """The table at the step."""

    hands: Sequence[str]
    field: str
    captured: Sequence[str]
    stock: Annotated[int, "Number of cards left."]
    phase: Annotated[Phase, "The expected kind of action."]
    seat: Annotated[int | None, "The seat to move."]
    month: int
    dealer: int | None
    turn: int
    grade: str | None
    ahead: Annotated[str, "The next cards of the draw pile, as far as known."]
    yaku: Annotated[list[list[MadeYaku]], "By seat."]
    totals: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class WordedMove(Option):
    """A legal move, with its description."""

    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NextMoveJson(WordedMove):
    """A move that may be written next."""

    do: Annotated[str, "The action alone, as `do` takes it."]


class WordedMismatch(Mismatch):
    """A wrong claim, with a sentence about the difference."""

    words: str


class WordedFault(FaultJson):
    """A fault, with its message without letters of cards and numbers of rulings."""

    words: str


class Instead(Shape):
    """A replacement for a fault. `instead` takes its `text`."""

    text: str
    words: str


class FaultPlace(Position):
    """The place where the record breaks the rules, with descriptions of the legal moves."""

    legal: tuple[WordedMove, ...]
    instead: Annotated[
        list[Instead], "The possible replacements: removal of `omit`, then the nearest of `legal`."
    ]


class DueCards(Shape):
    """The cards of a deal as written."""

    dealer: int
    hands: Annotated[list[str], "By seat."]
    field: str
    stock: str


class Due(Shape):
    """The deal to be dealt next. `cards` are the cards already written, as in a faulty deal."""

    month: int
    dealers: Sequence[int]
    cards: DueCards | None


class EditDeal(Shape):
    """A deal of the record. `steps` is the number of playable steps."""

    month: int
    dealer: int
    steps: int
    result: DealResult | None


class EditStep(Shape):
    """A step of the deal in words. `written` is false for steps that the rules add."""

    kind: StepKind
    seat: int | None
    card: str
    take: str
    say: str
    notation: str
    words: str
    comments: Sequence[str]
    written: bool


class BeingWritten(Shape, kw_only=True):
    """A record in progress with its verdict so far."""

    ruleset: RulesetId | None
    status: Status
    identity: str | None
    error: WordedFault | None
    mismatches: list[WordedMismatch]
    warnings: list[FaultJson]
    final: list[int] | None
    players: Sequence[str]


class Edited(BeingWritten, kw_only=True):
    """The current record.

    `table` is null for an unplayable record: malformed text or a score sheet.
    """

    kafu: Annotated[
        str,
        "The canonical text; the text as sent if the request changed nothing or the text is "
        "malformed.",
    ]
    open: Annotated[
        str, "The turn at `at` that lacks its card from the draw pile; it is not in `kafu`."
    ] = ""
    options: dict[str, str]
    tags: dict[str, str]
    at: Annotated[str | None, "`0.0` before the first deal."] = None
    table: EditTable | None = None
    legal: Sequence[NextMoveJson] = ()
    due: Due | None = None
    deals: Sequence[EditDeal] = ()
    steps: Annotated[Sequence[EditStep], "Of the deal of `at`."] = ()
    fault: FaultPlace | None = None

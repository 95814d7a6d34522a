"""A game in progress, step by step: changes of a request, and the response."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from msgspec import Meta, field

from kafu.judging.position import Option, Position
from kafu.judging.replay import StepKind
from kafu.notation.faults import FaultJson
from kafu.notation.json_types import RulesetId
from kafu.notation.reading.source import is_one_line
from kafu.notation.vocabulary import MAX_DEALS, MAX_GAME_BYTES
from kafu.rules.play.machine import Phase
from kafu.rules.verdict import DealResult, Mismatch, Status
from records.shapes.shape import VERBATIM, Shape

#: Maximum number of actions in a request, more than a deal can have.
MAX_ACTIONS: Final = 200
SEATS: Final = 7
_TAGS: Final = 60
_TAG: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
_OWN_TAG: Final = re.compile(r"Kafu|Rules|Options|Result|Sheet|Termination|Player[0-9]+")
_ACTION: Final = re.compile(r"[=/]?[^=/]+")
Seat = Annotated[int, Meta(ge=1, le=SEATS)]
#: Names of the 48 cards at most.
CardNames = Annotated[str, Meta(max_length=2000)]


def split_actions(written: str) -> list[str]:
    """Return the actions of a turn separately: three for ``AxD=koikoi/B``."""
    return [written] if " " in written else _ACTION.findall(written) or [written]


def _check_actions(turns: list[str]) -> list[str]:
    """Refuse more than `MAX_ACTIONS` actions, counted over all texts."""
    if sum(len(split_actions(turn)) for turn in turns) > MAX_ACTIONS:
        raise ValidationError(_("At most %(most)s actions.") % {"most": MAX_ACTIONS})
    return turns


def _check_tags(tags: dict[str, str]) -> dict[str, str]:
    """Return the tags not implied by the other fields; refuse malformed or excess tags."""
    if len(tags) > _TAGS:
        raise ValidationError(_("At most %(most)s tags.") % {"most": _TAGS})
    for name, value in tags.items():
        if not _TAG.fullmatch(name) or not is_one_line(value):
            text = _("“%(name)s”: expected a name and one line.") % {"name": name[:40]}
            raise ValidationError(text)
    return {name: value for name, value in tags.items() if not _OWN_TAG.fullmatch(name)}


class Cards(Shape, kw_only=True):
    """The cards of a deal."""

    number: Annotated[int, Meta(ge=1, le=MAX_DEALS)]
    random: Annotated[bool, "Deal at random; the other fields are ignored."] = False
    seed: Annotated[int | None, Meta(ge=0, le=1 << 32), "Seed that repeats a random deal."] = None
    hands: Annotated[
        Sequence[CardNames],
        Meta(max_length=SEATS),
        "Card letters or names by seat, `?` for an unknown card.",
    ] = ()
    field: CardNames | None = None
    stock: Annotated[
        CardNames | None,
        "The next card first; `...` at the end if later cards are unknown. Omitted: all unknown.",
    ] = None
    dealer: Annotated[Seat | None, "The dealer, if any seat may deal."] = None


class Begin(Shape, kw_only=True):
    """A new game."""

    ruleset: RulesetId
    players: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=200)]],
        Meta(min_length=2, max_length=SEATS),
    ]
    options: Annotated[
        dict[str, Annotated[str, Meta(min_length=1, max_length=64)]], "House rules by name."
    ] = field(default_factory=dict)
    tags: Annotated[
        dict[str, Annotated[str, Meta(min_length=1, max_length=1000)]],
        _check_tags,
        "Other tags, such as `Date` and `Event`; at most 60.",
    ] = field(default_factory=dict)


class Edits(Shape, kw_only=True):
    """Changes of a game, in order: deal cards, foresee, take back, act, comment.

    Before these changes ``instead`` replaces the fault, and ``compute`` replaces all claims.
    """

    at: Annotated[
        str | None,
        Meta(min_length=1, max_length=10),
        "Deal and step as in a replay, `3.14`; by default the last playable step.",
    ] = None
    deal: Cards | None = None
    foresee: Annotated[
        bool,
        "Write the hands and the draw pile of the deal of `at` as far as its turns reveal them, "
        "before turns are taken back.",
    ] = False
    take_back: Annotated[bool, "Remove everything after `at`; `3.-1` removes deal 3 too."] = False
    do: Annotated[
        Sequence[Annotated[str, Meta(min_length=1, max_length=100)]],
        Meta(max_length=MAX_ACTIONS),
        _check_actions,
        "Actions in Kafu, `AxD`, `/B`, `=koikoi`, to follow `at`. Each replaces an existing "
        f"action of its kind. At most {MAX_ACTIONS} in all texts together.",
    ] = ()
    comment: Annotated[
        str | None, Meta(max_length=4000), "The comment at `at`; an empty text removes it."
    ] = None
    instead: Annotated[
        str | None,
        Meta(min_length=1, max_length=400),
        "The `text` of one of `fault.legal`, to replace the fault; or `fault.omit`, to leave it "
        "out.",
    ] = None
    compute: Annotated[
        bool, "Replace scores, grades and results by the values computed from the rules."
    ] = False
    worths: Annotated[bool, "Compute the values of the legal moves."] = False

    @property
    def is_empty(self) -> bool:
        """Whether the record is unchanged."""
        changes = (self.deal, self.foresee, self.take_back, self.do, self.instead, self.compute)
        return not any(changes) and self.comment is None


class Edit(Edits, kw_only=True, forbid_unknown_fields=True):
    """A game as exactly one of `kafu`, `record` and `new`, and the changes to make to it."""

    kafu: Annotated[
        str | None, Meta(min_length=1, max_length=MAX_GAME_BYTES), VERBATIM, "One game."
    ] = None
    record: Annotated[
        str | None, Meta(min_length=1, max_length=44), "The key of a game of the archive."
    ] = None
    new: Begin | None = None

    def __post_init__(self) -> None:
        """Refuse a request without exactly one game."""
        if [self.kafu, self.record, self.new].count(None) != 2:
            raise ValidationError(_("Expected one of kafu, record, new."))


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


class Worth(Shape):
    """The value of a move, as of an action in an analysis."""

    mean: Annotated[float, "The expected result of the deal for the seat, in the small unit."]
    error: Annotated[float, "Its standard error."]


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
    worths: Annotated[
        dict[str, Worth],
        "If requested, the values of the legal moves by `do`, where there is a choice between "
        "cards or words and nothing is written after `at`.",
    ] = field(default_factory=dict)
    due: Due | None = None
    deals: Sequence[EditDeal] = ()
    steps: Annotated[Sequence[EditStep], "Of the deal of `at`."] = ()
    fault: FaultPlace | None = None

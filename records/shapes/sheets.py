"""Score sheets: the form of a sheet, the sheet in progress, and sheets as drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import Meta, field

from kafu.editing.sheet_forms import MAX_LINES
from kafu.notation.faults import FaultJson
from kafu.notation.json_types import OneOf, SheetGrade
from kafu.notation.vocabulary import MAX_DEALS
from kafu.rules.names import STEPS
from kafu.rules.payments import PaymentKind
from kafu.rules.verdict import Verdict
from records.shapes.positions import SEATS, Begin, BeingWritten, Seat
from records.shapes.shape import NULLABLE, Shape, check_names

#: Amounts by seat, in handwritten form (``+5k``).
Amounts = Annotated[Sequence[Annotated[str, Meta(max_length=20)]], Meta(max_length=SEATS)]
_TAGS: Final = frozenset(("Date", "Event", "Site", "Round"))


def _check_tags(tags: dict[str, str]) -> dict[str, str]:
    """Refuse tags without a field in a score sheet."""
    check_names(tags, _TAGS)
    return tags


class SheetLine(Shape, kw_only=True):
    """A payment with its recipient and reason."""

    seat: Seat
    label: Annotated[str, Meta(min_length=1, max_length=40)]
    gain: Annotated[
        str | None,
        Meta(max_length=20),
        NULLABLE,
        "The amount paid in all, `+8k`; by default the plain value.",
    ] = None
    payer: Annotated[
        int, Meta(ge=0, le=SEATS), "The only payer; 0 for all seats that have to pay."
    ] = 0
    half: Annotated[bool, "Paid by half."] = False
    void: Annotated[bool | None, NULLABLE, "Struck out; by default as the rules say."] = None


class SheetMonth(Shape, kw_only=True):
    """A month; omitted values follow from the rules."""

    dealer: Annotated[Seat | None, NULLABLE] = None
    ba: Annotated[SheetGrade | None, NULLABLE] = None
    lines: Annotated[Sequence[SheetLine], Meta(max_length=MAX_LINES)] = ()
    points: Annotated[Amounts, "Card points by seat, as paid; one may be left empty."] = ()
    captured: Annotated[Amounts, "Card points by seat, as captured, instead of `points`."] = ()
    sums: Annotated[Amounts, "The month's sum by seat, for a month without further entries."] = ()
    stone: Annotated[Seat | None, NULLABLE, "The next dealer."] = None
    out: Annotated[Sequence[Seat], Meta(max_length=SEATS), "The seats that sit out."] = ()
    nothing: Annotated[bool, "Nothing was paid."] = False


class SheetForm(Begin, kw_only=True):
    """The form of a score sheet."""

    tags: Annotated[
        dict[str, Annotated[str, Meta(max_length=200)]],
        _check_tags,
        "`Date`, `Event`, `Site`, `Round`.",
    ] = field(default_factory=dict)
    months: Annotated[Sequence[SheetMonth], Meta(max_length=MAX_DEALS)] = ()
    at: Annotated[
        int | None,
        Meta(ge=1, le=MAX_DEALS),
        "The month of `form`, from 1; by default the last month.",
    ] = None


class MonthFaultJson(Shape):
    """An error or a doubt in a month, at a field of the request."""

    month: Annotated[int, "The number of the month in `months`, from 1."]
    field: Annotated[str, "`dealer`, `ba`, `line.0`, `points`, `sums`, `stone` or `month`."]
    code: str
    message: str
    expected: list[str]
    doubt: bool


class WrittenLine(Shape):
    """A line of the sheet. `of` are the numbers of the payments in the line."""

    label: str
    name: str
    amounts: Sequence[int]
    amounts_words: list[str]
    void: bool
    of: Sequence[int]


class MonthCards(Shape):
    """A deal that makes a month, as letters: by seat, empty for a seat that does not play."""

    hands: list[str]
    field: str
    captured: list[str]


class WrittenMonthJson(Shape):
    """A month as written on the sheet. `done`: the month is judged and over."""

    month: int
    name: str
    dealer: int
    ba: SheetGrade | None
    stone: int | None
    order: Annotated[Sequence[int], "The playing seats."]
    lines: list[WrittenLine]
    points: Sequence[int] | None
    captured: Sequence[int] | None
    score: Sequence[int]
    score_words: list[str]
    totals: Sequence[int]
    totals_words: list[str]
    done: bool
    cards: Annotated[MonthCards | None, "One of the deals that make these lines, if `done`."]


class OfferedGrade(Shape):
    """A field grade."""

    id: SheetGrade
    name: str


class BarJson(Shape):
    """The reason why a seat cannot have an offer: `label` of the seat `by`."""

    seat: int
    label: str
    name: str
    by: int


class OfferJson(Shape):
    """A possible payment. `gains` are the possible values, the plain value first."""

    label: str
    name: str
    kind: Annotated[str, OneOf("OfferKind", [kind.value for kind in PaymentKind])]
    gains: list[str]
    gains_words: list[str]
    seats: Annotated[Sequence[int], "The seats that may get it."]
    payers: Annotated[Sequence[int], "The seats that may pay it alone."]
    halves: bool
    struck: bool
    marks: Annotated[bool, "Nothing is paid; the seat that gets it deals next."]
    barred: list[BarJson]


class OfferedMonthJson(Shape):
    """The possible entries of the month `at`."""

    number: int
    month: int
    dealers: Sequence[int]
    grades: list[OfferedGrade]
    grade: SheetGrade | None
    stone: Annotated[bool, "Whether the next dealer is an entry."]
    stones: Annotated[bool, "Whether the next dealer puts a stone in."]
    points: Annotated[bool, "Whether card points are paid."]
    whole: Annotated[int, "The card points of the whole pack."]
    offers: list[OfferJson]


class DrawnHead(Shape):
    """A cell of the head: its text, and the number of columns and rows it spans."""

    text: str
    columns: int = 1
    rows: int = 1


class DrawnRow(Shape):
    """One row: the texts of the columns after the head of the group, and a remark or ""."""

    cells: list[str]
    remark: str = ""
    void: bool = False


class DrawnGroup(Shape):
    """Rows with a common head: a month, a player, a sum."""

    kind: str
    head: list[str]
    rows: list[DrawnRow]


class DrawnSheet(Shape):
    """The sheet in the layout of the rule document, for display."""

    heads: list[list[DrawnHead]]
    groups: list[DrawnGroup]
    lead: Annotated[int, "Columns of the head of a group."]
    remarks: bool


class SettlementStep(Shape):
    """A step of the settlement, and the sums after it."""

    kind: Annotated[str, OneOf("SettlementStepKind", STEPS)]
    name: str
    amounts: Sequence[int]
    amounts_words: list[str]
    sums: Sequence[int]
    sums_words: list[str]


class WrittenSheetJson(BeingWritten, kw_only=True):
    """The current sheet."""

    kafu: Annotated[str, "The canonical text."]
    over: Annotated[bool, "No month may follow."]
    may_end: Annotated[bool, "The game may end here."]
    due: Annotated[int | None, "Who deals next."]
    next_month: Annotated[int, "The number of the month that comes next."]
    faults: list[MonthFaultJson]
    months: list[WrittenMonthJson]
    form: OfferedMonthJson
    table: DrawnSheet | None
    settlement: list[SettlementStep]


class NotebookJson(Shape):
    """The score sheet of a notebook; without a sheet, `faults` has the reasons."""

    kafu: Annotated[str | None, "The score sheet as Kafu."]
    verdict: Annotated[Verdict | None, "The verdict on `kafu`."]
    faults: Annotated[
        list[FaultJson],
        "Cells that were not understood, or that contradict the rules. `line` and `column` are "
        "row and column of the table.",
    ]
    warnings: Annotated[
        list[FaultJson], "Omissions, additions and assumptions, each with its cell."
    ]

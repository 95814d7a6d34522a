"""A score sheet that is being written: what is sent, and what is answered."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from rest_framework import serializers

from api.serializers.editing import BeginSerializer, BeingWrittenSerializer, unknown_fields
from api.serializers.fields import NameField
from api.serializers.verdict import amounts as by_seat
from kafu.editing.sheet_months import MAX_LINES
from kafu.notation.vocabulary import MAX_DEALS, SHEET_GRADES
from kafu.rules.names import STEPS
from kafu.rules.sheets.lines import PaymentKind

Serializer = serializers.Serializer[Any]
_SEATS: Final = 7


def _seat(**more: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=1, max_value=_SEATS, **more)


def _words(**more: Any) -> serializers.ListField:
    """Amounts by seat as people write them."""
    child = serializers.CharField(max_length=20, allow_blank=True)
    return serializers.ListField(child=child, max_length=_SEATS, required=False, **more)


def _texts() -> serializers.ListField:
    return serializers.ListField(child=serializers.CharField())


class SheetLineSerializer(Serializer):
    """A payment: who gets it, and what for."""

    seat = _seat()
    label = serializers.CharField(max_length=40)  # type: ignore[assignment]
    gain = serializers.CharField(
        max_length=20,
        required=False,
        allow_blank=True,
        allow_null=True,
        help_text="What was paid in all, `+8k`; without it, the plain value.",
    )
    payer = serializers.IntegerField(
        min_value=0, max_value=_SEATS, default=0, help_text="Who pays alone; 0: all who have to."
    )
    half = serializers.BooleanField(default=False, help_text="Paid by half.")
    void = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Struck out; without it, as the rules say.",
    )


class SheetMonthSerializer(Serializer):
    """A month; what is left out follows from the rules."""

    dealer = _seat(required=False, allow_null=True)
    ba = NameField(choices=SHEET_GRADES, required=False, allow_null=True)
    lines = SheetLineSerializer(many=True, required=False)
    points = _words(help_text="Card points by seat, as they are paid; one may be left empty.")
    captured = _words(
        help_text="Card points by seat, as they were captured, in the place of `points`."
    )
    sums = _words(help_text="The month's sum by seat, and nothing else of it.")
    stone = _seat(required=False, allow_null=True, help_text="Who deals next.")
    out = serializers.ListField(
        child=_seat(), required=False, max_length=_SEATS, help_text="Who does not play."
    )
    nothing = serializers.BooleanField(default=False, help_text="Nothing was paid.")

    def validate_lines(self, lines: list[Any]) -> list[Any]:
        """Not more than a month can have."""
        if len(lines) > MAX_LINES:
            raise serializers.ValidationError(_("At most %(most)s payments.") % {"most": MAX_LINES})
        return lines


class SheetFormSerializer(BeginSerializer):
    """What the form of a score sheet holds."""

    tags = serializers.DictField(
        child=serializers.CharField(max_length=200, allow_blank=True),
        required=False,
        help_text="`Date`, `Event`, `Site`, `Round`.",
    )
    months = SheetMonthSerializer(many=True, required=False)
    at = serializers.IntegerField(
        min_value=1,
        max_value=MAX_DEALS,
        required=False,
        help_text="The month that `form` is about, from 1; without it, the last.",
    )

    def validate_months(self, months: list[Any]) -> list[Any]:
        """Not more than a game can have."""
        if len(months) > MAX_DEALS:
            raise serializers.ValidationError(_("At most %(most)s months.") % {"most": MAX_DEALS})
        return months

    def validate_tags(self, tags: dict[str, str]) -> dict[str, str]:
        """Tags that a sheet is asked for."""
        if unknown := set(tags) - {"Date", "Event", "Site", "Round"}:
            raise unknown_fields(unknown)
        return tags


class MonthFaultSerializer(Serializer):
    """What is wrong in a month, or doubtful, at a field of what was sent."""

    month = serializers.IntegerField(help_text="The number of the month in `months`, from 1.")
    field = serializers.CharField(
        help_text="`dealer`, `ba`, `line.0`, `points`, `sums`, `stone` or `month`."
    )
    code = serializers.CharField()
    message = serializers.CharField()
    expected = _texts()
    doubt = serializers.BooleanField()


class WrittenLineSerializer(Serializer):
    """A line of the sheet. `of` are the numbers of the payments that it was made of."""

    label = serializers.CharField()  # type: ignore[assignment]
    name = serializers.CharField()
    amounts = by_seat()
    amounts_words = _texts()
    void = serializers.BooleanField()
    of = serializers.ListField(child=serializers.IntegerField())


class WrittenMonthSerializer(Serializer):
    """A month as it stands on the sheet. `done`: it is judged and over."""

    month = serializers.IntegerField()
    name = serializers.CharField()
    dealer = serializers.IntegerField()
    ba = serializers.ChoiceField(choices=SHEET_GRADES, allow_null=True)
    stone = serializers.IntegerField(allow_null=True)
    order = serializers.ListField(child=serializers.IntegerField(), help_text="Who plays.")
    lines = WrittenLineSerializer(many=True)
    points = by_seat(allow_null=True)
    captured = by_seat(allow_null=True)
    score = by_seat()
    score_words = _texts()
    totals = by_seat()
    totals_words = _texts()
    done = serializers.BooleanField()


class GradeSerializer(Serializer):
    """A field grade."""

    id = serializers.ChoiceField(choices=SHEET_GRADES)
    name = serializers.CharField()


class BarSerializer(Serializer):
    """What keeps a seat from an offer: `label` of the seat `by`."""

    seat = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]
    name = serializers.CharField()
    by = serializers.IntegerField()


class OfferSerializer(Serializer):
    """A payment that can be chosen. `gains` are what it can bring, the plain value first."""

    label = serializers.CharField()  # type: ignore[assignment]
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=[kind.value for kind in PaymentKind])
    gains = _texts()
    gains_words = _texts()
    seats = serializers.ListField(child=serializers.IntegerField(), help_text="Who may get it.")
    payers = serializers.ListField(
        child=serializers.IntegerField(), help_text="Who may pay it alone."
    )
    halves = serializers.BooleanField()
    struck = serializers.BooleanField()
    marks = serializers.BooleanField(help_text="Nothing is paid; who gets it deals next.")
    barred = BarSerializer(many=True)


class OfferedMonthSerializer(Serializer):
    """What the month `at` may have."""

    number = serializers.IntegerField()
    month = serializers.IntegerField()
    dealers = serializers.ListField(child=serializers.IntegerField())
    grades = GradeSerializer(many=True)
    grade = serializers.ChoiceField(choices=SHEET_GRADES, allow_null=True)
    stone = serializers.BooleanField(help_text="Whether it is asked who deals next.")
    stones = serializers.BooleanField(help_text="Whether who deals next puts a stone in.")
    points = serializers.BooleanField(help_text="Whether card points are paid.")
    whole = serializers.IntegerField(help_text="What all cards count.")
    offers = OfferSerializer(many=True)


class DrawnHeadSerializer(Serializer):
    """A cell of the head, and how many columns and rows it spans."""

    text = serializers.CharField()
    columns = serializers.IntegerField()
    rows = serializers.IntegerField()


class DrawnRowSerializer(Serializer):
    """A row: what stands in its columns, a remark, whether it is struck out."""

    cells = _texts()
    remark = serializers.CharField()
    void = serializers.BooleanField()


class DrawnGroupSerializer(Serializer):
    """Rows that belong together: a month, a player, a sum."""

    kind = serializers.CharField()
    head = _texts()
    rows = DrawnRowSerializer(many=True)


class DrawnSheetSerializer(Serializer):
    """The sheet in the layout of its document, to be shown."""

    heads = serializers.ListField(child=DrawnHeadSerializer(many=True))
    groups = DrawnGroupSerializer(many=True)
    lead = serializers.IntegerField(help_text="Columns of the head of a group.")
    remarks = serializers.BooleanField()


class SettlementStepSerializer(Serializer):
    """A step of the settlement, and the sums after it."""

    kind = serializers.ChoiceField(choices=list(STEPS))
    name = serializers.CharField()
    amounts = by_seat()
    amounts_words = _texts()
    sums = by_seat()
    sums_words = _texts()


class WrittenSheetSerializer(BeingWrittenSerializer):
    """The sheet as it stands now."""

    kafu = serializers.CharField(help_text="The canonical text.")
    over = serializers.BooleanField(help_text="No month may follow.")
    may_end = serializers.BooleanField(help_text="The game is whole as it stands.")
    due = serializers.IntegerField(allow_null=True, help_text="Who deals next.")
    faults = MonthFaultSerializer(many=True)
    months = WrittenMonthSerializer(many=True)
    form = OfferedMonthSerializer()
    table = DrawnSheetSerializer(allow_null=True)
    settlement = SettlementStepSerializer(many=True)

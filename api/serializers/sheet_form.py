"""Serializers of requests to the score sheet editor."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from rest_framework import serializers

from api.serializers.editing import BeginSerializer, unknown_fields
from api.serializers.fields import NameField
from kafu.editing.sheet_forms import MAX_LINES
from kafu.notation.vocabulary import MAX_DEALS, SHEET_GRADES

Serializer = serializers.Serializer[Any]
_SEATS: Final = 7


def _seat(**options: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=1, max_value=_SEATS, **options)


def _amounts(**options: Any) -> serializers.ListField:
    """Return a field for amounts by seat, as people write them."""
    child = serializers.CharField(max_length=20, allow_blank=True)
    return serializers.ListField(child=child, max_length=_SEATS, required=False, **options)


class SheetLineSerializer(Serializer):
    """A payment with its recipient and reason."""

    seat = _seat()
    label = serializers.CharField(max_length=40)  # type: ignore[assignment]
    gain = serializers.CharField(
        max_length=20,
        required=False,
        allow_blank=True,
        allow_null=True,
        help_text="The amount paid in all, `+8k`; by default the plain value.",
    )
    payer = serializers.IntegerField(
        min_value=0,
        max_value=_SEATS,
        default=0,
        help_text="The only payer; 0 for all seats that have to pay.",
    )
    half = serializers.BooleanField(default=False, help_text="Paid by half.")
    void = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Struck out; by default as the rules say.",
    )


class SheetMonthSerializer(Serializer):
    """A month; omitted values follow from the rules."""

    dealer = _seat(required=False, allow_null=True)
    ba = NameField(choices=SHEET_GRADES, required=False, allow_null=True)
    lines = SheetLineSerializer(many=True, required=False)
    points = _amounts(help_text="Card points by seat, as paid; one may be left empty.")
    captured = _amounts(help_text="Card points by seat, as captured, instead of `points`.")
    sums = _amounts(help_text="The month's sum by seat, for a month without further entries.")
    stone = _seat(required=False, allow_null=True, help_text="The next dealer.")
    out = serializers.ListField(
        child=_seat(), required=False, max_length=_SEATS, help_text="The seats that sit out."
    )
    nothing = serializers.BooleanField(default=False, help_text="Nothing was paid.")

    def validate_lines(self, lines: list[Any]) -> list[Any]:
        """Refuse more payments than a month can have."""
        if len(lines) > MAX_LINES:
            raise serializers.ValidationError(_("At most %(most)s payments.") % {"most": MAX_LINES})
        return lines


class SheetFormSerializer(BeginSerializer):
    """The form of a score sheet."""

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
        help_text="The month of `form`, from 1; by default the last month.",
    )

    def validate_months(self, months: list[Any]) -> list[Any]:
        """Refuse more months than a game can have."""
        if len(months) > MAX_DEALS:
            raise serializers.ValidationError(_("At most %(most)s months.") % {"most": MAX_DEALS})
        return months

    def validate_tags(self, tags: dict[str, str]) -> dict[str, str]:
        """Refuse tags that a score sheet has no field for."""
        if unknown := set(tags) - {"Date", "Event", "Site", "Round"}:
            raise unknown_fields(unknown)
        return tags

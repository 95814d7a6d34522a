"""The form of score sheets: a table of texts, as the page of a sheet shows it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from kafu.score_sheet import SUMS

Serializer = serializers.Serializer[Any]


class SheetRowSerializer(Serializer):
    """One row, a text for each column; a month has one for each payment."""

    kind = serializers.ChoiceField(choices=("month", "player", *SUMS))
    void = serializers.BooleanField(help_text="Struck out: not in the sums.")
    cells = serializers.ListField(child=serializers.CharField(allow_blank=True))


class SheetSerializer(Serializer):
    """A sheet in the layout of its ruleset's document; texts in the requested language."""

    ruleset = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    rows = SheetRowSerializer(many=True)

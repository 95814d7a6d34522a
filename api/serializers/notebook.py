"""A score notebook: what it is as a score sheet, or what of it was not understood."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.verdict import FaultSerializer, VerdictSerializer


class NotebookSerializer(serializers.Serializer[Any]):
    """The sheet of a notebook; without it `faults` say why."""

    kafu = serializers.CharField(allow_null=True, help_text="The score sheet as Kafu.")
    verdict = VerdictSerializer(allow_null=True, help_text="Of that text.")
    faults = FaultSerializer(
        many=True,
        help_text=(
            "Cells that were not understood, or that the rules exclude: `line` is the row and "
            "`column` the column of the table."
        ),
    )
    warnings = FaultSerializer(
        many=True, help_text="What was left out, filled in or assumed, at its cell."
    )

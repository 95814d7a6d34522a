"""The schema of verdicts. The engine makes them; these classes describe them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.fields import RulesetField
from kafu.notation.vocabulary import SHEET_GRADES
from kafu.rules.names import ENDS
from records.models import Status

Serializer = serializers.Serializer[Any]


def amounts(**options: Any) -> serializers.ListField:
    """A sum for each seat, in the small unit of the ruleset."""
    return serializers.ListField(child=serializers.IntegerField(), **options)


class FaultSerializer(Serializer):
    """A fault or a repair, and its place. Positions count from 1."""

    code = serializers.CharField()
    line = serializers.IntegerField(allow_null=True)
    column = serializers.IntegerField(allow_null=True)
    deal = serializers.IntegerField(allow_null=True)
    turn = serializers.IntegerField(allow_null=True)
    message = serializers.CharField()
    expected = serializers.ListField(child=serializers.CharField())


class MismatchSerializer(Serializer):
    """A claim of the record that differs from what was computed."""

    where = serializers.ChoiceField(choices=["ba", "score", "final", "result"])
    deal = serializers.IntegerField(allow_null=True)
    seat = serializers.IntegerField(allow_null=True)
    claimed = serializers.JSONField(help_text="A sum, or a grade.")
    computed = serializers.JSONField(allow_null=True)


class LineSerializer(Serializer):
    """A line of a deal's ledger."""

    label = serializers.CharField()  # type: ignore[assignment]
    amounts = amounts()
    void = serializers.BooleanField()


class DealSerializer(Serializer):
    """The result of a deal."""

    month = serializers.IntegerField()
    dealer = serializers.IntegerField()
    grade = serializers.ChoiceField(choices=SHEET_GRADES, allow_null=True)
    bound = serializers.CharField(allow_null=True)
    ledger = LineSerializer(many=True)
    score = amounts()
    next_dealer = serializers.IntegerField(allow_null=True)
    end = serializers.ChoiceField(choices=list(ENDS))


class OpeningSerializer(Serializer):
    """The first card that was played in a deal."""

    card = serializers.CharField()
    captured = serializers.CharField(help_text="Empty if it captured nothing.")


class DecisionSerializer(Serializer):
    """A seat that could stop or go on."""

    seat = serializers.IntegerField()
    word = serializers.CharField(help_text="What it said.")
    yaku = serializers.ListField(child=serializers.CharField(), help_text="What it had made.")
    left = serializers.IntegerField(help_text="Cards in its hand.")
    opponent = serializers.IntegerField(help_text="The most cards an opponent had captured.")
    stop = serializers.IntegerField(help_text="Its score of the deal, had it stopped.")


class DealFactsSerializer(Serializer):
    """Facts of a deal beyond its result; cards are letters."""

    hands = serializers.ListField(
        child=serializers.CharField(), help_text="As dealt; empty where not all cards are known."
    )
    field = serializers.CharField(help_text="When the first card was played.")
    opening = OpeningSerializer(allow_null=True)
    decisions = DecisionSerializer(many=True)
    captured = serializers.ListField(
        child=serializers.CharField(), allow_null=True, help_text="At the end, by seat."
    )


class JudgedSerializer(Serializer):
    """What a verdict says of the whole game."""

    status = serializers.ChoiceField(choices=Status.choices)
    identity = serializers.CharField(allow_null=True, help_text="SHA-256 of what happened.")
    error = FaultSerializer(allow_null=True)
    mismatches = MismatchSerializer(many=True)
    warnings = FaultSerializer(many=True)
    final = amounts(allow_null=True)


class VerdictSerializer(JudgedSerializer):
    """The result of verifying one game."""

    rules = RulesetField(allow_null=True)
    source = serializers.CharField()  # type: ignore[assignment]
    game = serializers.IntegerField()
    line = serializers.IntegerField(allow_null=True)
    deals = DealSerializer(many=True)

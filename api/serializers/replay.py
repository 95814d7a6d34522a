"""The schema of a replay. The engine makes it; these classes describe it.

Cards are letters (`A`–`Z`, `a`–`v`; `?` unknown); lists are in the order of seats.
"""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.rulesets import RulesetField
from api.serializers.verdict import FaultSerializer, LineSerializer, amounts
from kafu.notation.vocabulary import GRADES
from kafu.rules.names import ENDS

Serializer = serializers.Serializer[Any]


class YakuSerializer(Serializer):
    """A yaku that a seat has at this moment."""

    id = serializers.CharField()
    value = serializers.IntegerField()


class EventSerializer(Serializer):
    """An effect of a step."""

    kind = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    yaku = serializers.CharField(required=False)
    amount = serializers.IntegerField(required=False, help_text="In a yaku: what it is worth.")
    amounts = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        help_text="In a payment: one sum a seat.",
    )
    why = serializers.ChoiceField(
        choices=["share", "hatto", "sage"],
        required=False,
        help_text=(
            "Who pays: each other player their share, or `payer` for all, and for what reason."
        ),
    )
    payer = serializers.IntegerField(required=False)
    turn = serializers.IntegerField(required=False, help_text="When the payer threw, or said sage.")
    card = serializers.CharField(required=False, help_text="The hatto card that the payer threw.")


#: Of steps.
STEP_KINDS = (
    *("deal", "blind", "swap", "bid", "show", "hand", "stock", "say", "call"),
    *("redeal", "void", "end"),
)


class StepSerializer(Serializer):
    """One step, and the whole table after it."""

    kind = serializers.ChoiceField(choices=STEP_KINDS)
    turn = serializers.IntegerField()
    seat = serializers.IntegerField(allow_null=True)
    card = serializers.CharField(help_text="The card played or turned.")
    take = serializers.CharField(help_text="Cards captured with it, or laid open.")
    say = serializers.CharField(help_text="What was said, or how the deal ended.")
    hands = serializers.ListField(child=serializers.CharField())
    known = serializers.ListField(
        child=serializers.CharField(), help_text="Cards of the hands that all have seen."
    )
    field = serializers.CharField()
    captured = serializers.ListField(child=serializers.CharField())
    stock = serializers.IntegerField(help_text="Cards left.")
    yaku = serializers.ListField(child=YakuSerializer(many=True))
    events = EventSerializer(many=True)
    comments = serializers.ListField(child=serializers.CharField())


class ReplayDealSerializer(Serializer):
    """One deal; `end` and `score` are null if it did not end."""

    number = serializers.IntegerField()
    month = serializers.IntegerField()
    dealer = serializers.IntegerField()
    grade = serializers.ChoiceField(choices=GRADES, allow_null=True)
    end = serializers.ChoiceField(choices=list(ENDS), allow_null=True)
    score = amounts(allow_null=True)
    before = amounts()
    totals = amounts()
    ledger = LineSerializer(many=True)
    steps = StepSerializer(many=True)


class ReplaySerializer(Serializer):
    """A game step by step, up to its end or first fault."""

    ruleset = RulesetField()
    options = serializers.DictField(child=serializers.CharField())
    players = serializers.ListField(child=serializers.CharField())
    status = serializers.CharField()
    final = amounts(allow_null=True)
    error = FaultSerializer(allow_null=True)
    deals = ReplayDealSerializer(many=True)

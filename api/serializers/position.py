"""The place of a fault: the table before it, and the legal moves."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.verdict import VerdictSerializer
from kafu.rules.play.machine import Phase

Serializer = serializers.Serializer[Any]
#: Of legal moves.
MOVE_KINDS = (
    *("hand", "stock", "say", "show", "bid", "blind"),
    *("swap", "call", "redeal", "month", "round"),
)


class OptionSerializer(Serializer):
    """One legal move: as Kafu, and in the terms of a replay step."""

    text = serializers.CharField(help_text="`/…` stands for the card from the draw pile.")
    kind = serializers.ChoiceField(choices=MOVE_KINDS)
    seat = serializers.IntegerField()
    card = serializers.CharField()
    take = serializers.CharField()
    say = serializers.CharField()


class TableSerializer(Serializer):
    """The places of the cards. Card letters; lists in the order of seats."""

    hands = serializers.ListField(child=serializers.CharField())
    field = serializers.CharField()
    captured = serializers.ListField(child=serializers.CharField())
    stock = serializers.IntegerField(help_text="How many cards are left.")


class PositionSerializer(Serializer):
    """Where an illegal game breaks the rules. `legal` has the nearest to what was written first."""

    deal = serializers.IntegerField(help_text="Of the replay, from 1; 0 where no deal lies yet.")
    step = serializers.IntegerField(help_text="Of the replay: the last before the fault.")
    phase = serializers.ChoiceField(choices=[phase.value for phase in Phase])
    seat = serializers.IntegerField(allow_null=True, help_text="Whose move it was.")
    table = TableSerializer()
    absent = serializers.CharField(help_text="Cards that are nowhere in a wrong deal.")
    written = serializers.CharField(help_text="What the record says there.")
    legal = OptionSerializer(many=True)
    omit = serializers.CharField(help_text="What can be left out instead.")
    as_known = serializers.BooleanField(help_text="Legal as far as the known cards show.")
    undealt = serializers.BooleanField(help_text="The deal itself is wrong: it is as recorded.")


class CheckSerializer(VerdictSerializer):
    """The verdict, and the place of the fault of an illegal game."""

    position = PositionSerializer(allow_null=True)

"""The form of the odds of a ruleset."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.fields import RulesetField
from kafu.odds.exact import ALL, DONI, OTHER

Serializer = serializers.Serializer[Any]


class ChanceSerializer(Serializer):
    """A count of all possible ones: exact count, percentage, and the n of 1/n; null for what never
    happens.
    """

    count = serializers.IntegerField()
    percent = serializers.FloatField()
    one_in = serializers.FloatField(allow_null=True)


class ValuedChanceSerializer(ChanceSerializer):
    """The probability of a yaku, and its value on a small field, in the small unit."""

    value = serializers.IntegerField()


class ExactSerializer(Serializer):
    """A number, and its exact fraction: ``417353/141376``."""

    value = serializers.FloatField()
    fraction = serializers.CharField()


class HandOddsSerializer(Serializer):
    """Dealt hands by yaku; `nashi` is none. Rows are yaku by count, columns those of dregs.

    A hand counts for its most valuable declaration.
    """

    cards = serializers.IntegerField()
    total = serializers.IntegerField()
    any = ChanceSerializer(help_text="Hands with a yaku.")
    compound = ChanceSerializer(help_text="Hands with a yaku of either family.")
    mean_value = serializers.FloatField()
    rows = serializers.DictField(child=ValuedChanceSerializer())
    columns = serializers.DictField(child=ValuedChanceSerializer())
    matrix = serializers.DictField(
        child=serializers.DictField(child=ValuedChanceSerializer()),
        help_text="By row, then by column.",
    )
    aka_by_slips = serializers.DictField(
        child=ChanceSerializer(), help_text="Hands of `aka` by the most slips they can name."
    )
    aka_of_five_slips = ChanceSerializer(help_text="Those that must lay a slip open.")
    willow_choices = serializers.DictField(
        child=ChanceSerializer(), help_text="Hands that may choose, by what they choose from."
    )
    alone = serializers.DictField(
        child=ValuedChanceSerializer(),
        help_text="Hands of a yaku by count, those counted in another row included.",
    )
    held = serializers.DictField(
        child=ChanceSerializer(),
        help_text="Hands in which a captured-hand yaku lies complete (tsukami).",
    )


class FieldOddsSerializer(Serializer):
    """Dealt fields."""

    cards = serializers.IntegerField()
    total = serializers.IntegerField()
    four_of_a_month = ChanceSerializer()
    three_of_a_month = ChanceSerializer(help_text="And of no month all four.")


class YearOddsSerializer(Serializer):
    """The Markov chain of field grades over a year without an early end.

    By the grade carried over into a month (`none`, `large`, `absolute`): the odds of each grade.
    """

    months = serializers.IntegerField()
    grades = serializers.DictField(child=serializers.DictField(child=ChanceSerializer()))
    mean_months = serializers.DictField(child=ExactSerializer())
    carried = serializers.DictField(
        child=ExactSerializer(), help_text="The probability of what the last month carries over."
    )
    etsunen = ExactSerializer(
        allow_null=True,
        help_text="The probability that it carries anything over; null where that lapses.",
    )


class PlaceOddsSerializer(Serializer):
    """Dealt hands of one place at the table by the yaku that the house plays there."""

    place = serializers.ChoiceField(
        (ALL, DONI, OTHER), help_text="`doni` and `other` where only dōni may show some yaku."
    )
    any = ChanceSerializer(help_text="Hands with a yaku.")
    rows = serializers.DictField(child=ValuedChanceSerializer())
    columns = serializers.DictField(child=ValuedChanceSerializer())


class HouseOddsSerializer(Serializer):
    """Dealt hands by what the document's house plays, as dealt, whether shown or not."""

    profile = serializers.CharField()
    places = PlaceOddsSerializer(many=True)


class OddsSerializer(Serializer):
    """The odds of a ruleset."""

    ruleset = RulesetField()
    house = HouseOddsSerializer()
    hand = HandOddsSerializer(help_text="By every yaku that a house of the ruleset may play.")
    field = FieldOddsSerializer()
    year = YearOddsSerializer(allow_null=True, help_text="Null where fields have no grades.")

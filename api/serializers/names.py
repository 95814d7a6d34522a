"""The form of the names of cards, yaku, rulesets and ways a deal ends."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from kafu.cards import Kind

Serializer = serializers.Serializer[Any]


class NameSerializer(Serializer):
    """A name: the documents' Japanese, romaji, and an English gloss."""

    id = serializers.CharField()
    ja = serializers.CharField()
    romaji = serializers.CharField()
    en = serializers.CharField()


class CardSerializer(Serializer):
    """One of the 48 cards."""

    letter = serializers.CharField()
    month = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=[kind.value for kind in Kind])
    points = serializers.IntegerField()
    ja = serializers.CharField()
    romaji = serializers.CharField()
    en = serializers.CharField()


class PlantSerializer(Serializer):
    """The plant of a month."""

    month = serializers.IntegerField()
    ja = serializers.CharField()
    romaji = serializers.CharField()
    en = serializers.CharField()


class LettersSerializer(Serializer):
    """Cards by their letters."""

    letters = serializers.CharField(help_text="`?` for an unknown card.")


class NamesSerializer(Serializer):
    """All names."""

    cards = CardSerializer(many=True)
    plants = PlantSerializer(many=True)
    yaku = NameSerializer(many=True)
    rulesets = NameSerializer(many=True)
    ends = NameSerializer(many=True)

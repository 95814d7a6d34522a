"""The form of games in the archive."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from api.serializers.position import PositionSerializer
from api.serializers.rulesets import RulesetField
from api.serializers.verdict import VerdictSerializer
from kafu.notation.json.form import to_json
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import TERMINATIONS
from kafu.rules.verdict import localise
from records.base.labels import lang
from records.base.site import absolute
from records.models import Record, Seat, Status
from records.store.replays import position_of_text

Serializer = serializers.Serializer[Any]


class SeatSerializer(serializers.ModelSerializer[Seat]):
    """The player of a seat, and the result; `rank` 1 is the best, null if the game has no end."""

    seat = serializers.IntegerField(source="number")

    class Meta:
        model = Seat
        fields = ("seat", "name", "final", "rank")


class RecordSerializer(Serializer):
    """A game, without its moves."""

    key = serializers.CharField()
    url = serializers.SerializerMethodField()
    kafu_url = serializers.SerializerMethodField()
    replay_url = serializers.SerializerMethodField()
    sheet_url = serializers.SerializerMethodField()
    page = serializers.SerializerMethodField()
    identity = serializers.CharField()
    ruleset = RulesetField()
    profile = serializers.CharField()
    options = serializers.CharField(help_text="As the Options tag has them.")
    sheet = serializers.BooleanField()
    event = serializers.CharField()
    site = serializers.CharField()
    date = serializers.CharField(help_text="As written; unknown parts are `??`.")
    round = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    termination = serializers.ChoiceField(choices=TERMINATIONS)
    status = serializers.ChoiceField(choices=Status.choices)
    error_code = serializers.CharField(help_text="Empty where nothing is wrong.")
    deals = serializers.IntegerField(source="deals_played")
    turns = serializers.IntegerField(source="turns_played")
    players = SeatSerializer(many=True, source="seats")
    created = serializers.DateTimeField()
    changed = serializers.DateTimeField()

    def _absolute(self, name: str, record: Record) -> str:
        return absolute(reverse(name, args=[record.key]))

    @extend_schema_field(serializers.URLField())
    def get_url(self, record: Record) -> str:
        """The whole game."""
        return self._absolute("api:record", record)

    @extend_schema_field(serializers.URLField())
    def get_kafu_url(self, record: Record) -> str:
        """Its canonical text."""
        return self._absolute("api:record-kafu", record)

    @extend_schema_field(serializers.URLField())
    def get_replay_url(self, record: Record) -> str:
        """The table after each step."""
        return self._absolute("api:record-replay", record)

    @extend_schema_field(serializers.URLField())
    def get_sheet_url(self, record: Record) -> str:
        """Its score sheet."""
        return self._absolute("api:record-sheet", record)

    @extend_schema_field(serializers.URLField())
    def get_page(self, record: Record) -> str:
        """The page for people."""
        return self._absolute("game", record)


@extend_schema_serializer(many=False)
class ExportSerializer(Serializer):
    """A line of an NDJSON file: a game with its canonical text."""

    cursor = serializers.CharField(help_text="To continue after this game: `cursor=…`.")
    key = serializers.CharField()
    identity = serializers.CharField()
    ruleset = RulesetField()
    profile = serializers.CharField()
    options = serializers.CharField()
    sheet = serializers.BooleanField()
    event = serializers.CharField()
    site = serializers.CharField()
    date = serializers.CharField()
    round = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    termination = serializers.ChoiceField(choices=TERMINATIONS)
    status = serializers.ChoiceField(choices=Status.choices)
    error_code = serializers.CharField()
    deals = serializers.IntegerField()
    turns = serializers.IntegerField()
    players = SeatSerializer(many=True)
    created = serializers.DateTimeField()
    changed = serializers.DateTimeField()
    text = serializers.CharField(help_text="Kafu.")


class WholeRecordSerializer(RecordSerializer):
    """A whole game: tags, verdict, and the JSON form of Kafu."""

    engine_version = serializers.CharField(help_text="Which engine gave the verdict.")
    tags = serializers.DictField(child=serializers.CharField())
    verdict = serializers.SerializerMethodField()
    position = serializers.SerializerMethodField()
    kafu = serializers.SerializerMethodField()

    @extend_schema_field(VerdictSerializer)
    def get_verdict(self, record: Record) -> dict[str, Any]:
        """The verdict; its lines are those of the canonical text."""
        return localise(record.verdict, lang())

    @extend_schema_field(PositionSerializer(allow_null=True))
    def get_position(self, record: Record) -> dict[str, Any] | None:
        """The place of the fault of an illegal game; null for all others."""
        game = read(record.text).game if record.status == Status.ILLEGAL else None
        place = position_of_text(record.text, game) if game is not None else None
        return place.to_json() if place else None

    @extend_schema_field(serializers.DictField(help_text="See /api/v1/kafu.schema.json."))
    def get_kafu(self, record: Record) -> dict[str, Any]:
        """The game in the JSON form of Kafu."""
        game = read(record.text).game
        assert game is not None, "canonical text reads"
        return to_json(game)

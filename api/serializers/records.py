"""The form of games in the archive."""

from __future__ import annotations

from typing import Any, Final

from django.urls import reverse
from drf_spectacular.utils import (
    PolymorphicProxySerializer,
    extend_schema_field,
    extend_schema_serializer,
)
from rest_framework import serializers

from api.openapi import KAFU
from api.serializers.fields import RulesetField
from api.serializers.position import PositionSerializer
from api.serializers.verdict import DealFactsSerializer, VerdictSerializer
from kafu.notation.json.form import to_json
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import TERMINATIONS
from records.base import labels
from records.base.site import absolute
from records.models import Record, Seat, Status
from records.search.changes import REASONS
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
    deals_played = serializers.IntegerField(help_text="Deals that ended.")
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
    deals_played = serializers.IntegerField(help_text="Deals that ended.")
    turns = serializers.IntegerField()
    players = SeatSerializer(many=True)
    created = serializers.DateTimeField()
    changed = serializers.DateTimeField()
    text = serializers.CharField(help_text="Kafu.")
    verdict = VerdictSerializer(required=False, help_text="With `include=verdict`.")
    moves = serializers.DictField(
        required=False, help_text="With `include=moves`: see /api/v1/kafu.schema.json."
    )
    facts = DealFactsSerializer(
        many=True, required=False, allow_null=True, help_text="With `include=facts`; null for none."
    )


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
        return labels.verdict(record.verdict, record.players)

    @extend_schema_field(PositionSerializer(allow_null=True))
    def get_position(self, record: Record) -> dict[str, Any] | None:
        """The place of the fault of an illegal game; null for all others."""
        game = read(record.text).game if record.status == Status.ILLEGAL else None
        place = position_of_text(record.text, game) if game is not None else None
        return place.to_json() if place else None

    @extend_schema_field(KAFU)
    def get_kafu(self, record: Record) -> dict[str, Any]:
        """The game in the JSON form of Kafu."""
        game = read(record.text).game
        assert game is not None, "canonical text reads"
        return to_json(game)


class ChangeOfTextSerializer(Serializer):
    """Something that was written otherwise, as Kafu; `before` or `after` is empty for nothing."""

    deal = serializers.IntegerField(help_text="From 1; 0 for tags and options.")
    round = serializers.IntegerField(help_text="Of the first turn; 0 for other statements.")
    before = serializers.CharField()
    after = serializers.CharField()


class CorrectionSerializer(Serializer):
    """A correction: one game, or one text of it, took the place of another."""

    former = serializers.CharField(
        help_text="The key of the game that was replaced; this game's own if only claims or "
        "comments changed."
    )
    when = serializers.DateTimeField()
    own = serializers.BooleanField(source="is_own", help_text="Whether the caller sent it.")
    changes = ChangeOfTextSerializer(
        many=True, allow_null=True, help_text="Null if the former text may not be quoted."
    )
    cut = serializers.BooleanField(source="is_cut", help_text="Whether there are more changes.")


class HistorySerializer(Serializer):
    """How a game came to be what it is."""

    key = serializers.CharField()
    corrections = CorrectionSerializer(many=True, help_text="The newest first.")


@extend_schema_serializer(many=False)
class TombstoneSerializer(Serializer):
    """A game that was public and is not any more: mirrors remove it."""

    cursor = serializers.CharField(help_text="To continue after this change.")
    key = serializers.CharField(
        allow_null=True, help_text="Null for a game that is unlisted now: see `digest`."
    )
    digest = serializers.CharField(help_text="SHA-256 of the key, in hexadecimal digits.")
    gone = serializers.DateTimeField()
    reason = serializers.ChoiceField(choices=REASONS)


GAME_OR_TOMBSTONE: Final = PolymorphicProxySerializer(
    component_name="GameOrTombstone",
    serializers=[ExportSerializer, TombstoneSerializer],
    resource_type_field_name=None,
    many=False,
)


@extend_schema_field(GAME_OR_TOMBSTONE)
class _ChangeField(serializers.DictField):
    pass


@extend_schema_serializer(many=False)
class ChangesSerializer(Serializer):
    """A page of changes."""

    next = serializers.URLField(allow_null=True, help_text="Null: this is all for now.")
    cursor = serializers.CharField(help_text="For `changed_since`, to continue at any time.")
    results = serializers.ListField(child=_ChangeField())


@extend_schema_serializer(many=False, component_name="PaginatedRecordList")
class _PageSerializer(Serializer):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = serializers.ListField(child=RecordSerializer())


RECORDS_OR_CHANGES: Final = PolymorphicProxySerializer(
    component_name="RecordsOrChanges",
    serializers=[_PageSerializer, ChangesSerializer],
    resource_type_field_name=None,
    many=False,
)

"""Serializers of the caller's own data."""

from __future__ import annotations

from typing import Any, Final

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from people.forms import NOTE_LENGTH
from people.models import SCOPES
from records.base.site import absolute
from records.models import Ownership, Visibility

Serializer = serializers.Serializer[Any]

#: The visibilities that an owner can choose.
LEVELS: Final = {one.name.lower(): one for one in Visibility if one is not Visibility.WITHDRAWN}
SHOWN: Final = list(LEVELS)


class MeSerializer(Serializer):
    """The caller. `scopes` is null for a session."""

    name = serializers.CharField()
    staff = serializers.BooleanField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=SCOPES), allow_null=True)


class OwnershipSerializer(Serializer):
    """A game as the caller owns it."""

    visibility = serializers.SerializerMethodField()
    note = serializers.CharField(help_text="Nobody else sees it.")
    collections = serializers.SerializerMethodField()
    created = serializers.DateTimeField()
    url = serializers.SerializerMethodField()
    record = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ChoiceField(choices=SHOWN))
    def get_visibility(self, ownership: Ownership) -> str:
        """Who may see it, as far as the caller decides."""
        return Visibility(ownership.visibility).name.lower()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_collections(self, ownership: Ownership) -> list[str]:
        """Names of the caller's collections that contain it."""
        found: Any = ownership
        return [one.name for one in found.collections.all()]

    def _absolute(self, name: str, ownership: Ownership) -> str:
        return absolute(reverse(name, args=[ownership.record.key]))

    @extend_schema_field(serializers.URLField())
    def get_url(self, ownership: Ownership) -> str:
        """Where this can be changed."""
        return self._absolute("api:ownership", ownership)

    @extend_schema_field(serializers.URLField())
    def get_record(self, ownership: Ownership) -> str:
        """The game."""
        return self._absolute("api:record", ownership)


class ChangeSerializer(Serializer):
    """Changes to an ownership; a field that is left out stays."""

    visibility = serializers.ChoiceField(choices=SHOWN, required=False)
    note = serializers.CharField(max_length=NOTE_LENGTH, allow_blank=True, required=False)

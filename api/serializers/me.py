"""Serializers of the caller's own data."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any, Final

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.uploads import NameField
from people.forms import NOTE_LENGTH
from people.models import DRAFT_KINDS, SCOPES, Draft
from records.base.release import absolute
from records.models import Ownership, Visibility

Serializer = serializers.Serializer[Any]

#: The visibilities that an owner can choose.
LEVELS: Final = {
    level.name.lower(): level for level in Visibility if level is not Visibility.WITHDRAWN
}
SHOWN: Final = list(LEVELS)
#: Tolerance for a browser's clock that is ahead.
_AHEAD: Final = timedelta(days=1)
#: Maximum nesting depth of a draft's state.
_DEPTH: Final = 20


class MeSerializer(Serializer):
    """The caller. `scopes` is null for a session."""

    name = serializers.CharField()
    staff = serializers.BooleanField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=SCOPES), allow_null=True)


class OwnershipSerializer(Serializer):
    """The caller's ownership of a game."""

    visibility = serializers.SerializerMethodField()
    note = serializers.CharField(help_text="Visible to you only.")
    collections = serializers.SerializerMethodField()
    created = serializers.DateTimeField()
    url = serializers.SerializerMethodField()
    record = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ChoiceField(choices=SHOWN))
    def get_visibility(self, ownership: Ownership) -> str:
        """Return the visibility chosen by the caller."""
        return Visibility(ownership.visibility).name.lower()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_collections(self, ownership: Ownership) -> list[str]:
        """Return the names of the caller's collections with the game."""
        owned_game: Any = ownership
        return [collection.name for collection in owned_game.collections.all()]

    def _absolute(self, name: str, ownership: Ownership) -> str:
        return absolute(reverse(name, args=[ownership.record.key]))

    @extend_schema_field(serializers.URLField())
    def get_url(self, ownership: Ownership) -> str:
        """Return the address at which the ownership can be changed."""
        return self._absolute("api:ownership", ownership)

    @extend_schema_field(serializers.URLField())
    def get_record(self, ownership: Ownership) -> str:
        """Return the address of the game."""
        return self._absolute("api:record", ownership)


class ChangeSerializer(Serializer):
    """Changes to an ownership; omitted fields stay unchanged."""

    visibility = NameField(choices=SHOWN, required=False)
    note = serializers.CharField(max_length=NOTE_LENGTH, allow_blank=True, required=False)


class DraftSerializer(Serializer):
    """A draft without its state. The browser chooses `key`."""

    key = serializers.CharField()
    kind = serializers.ChoiceField(choices=DRAFT_KINDS)
    title = serializers.CharField()
    changed = serializers.DateTimeField(
        help_text="Time of the last change, by the browser's clock."
    )


class WholeDraftSerializer(DraftSerializer):
    """A draft with the state that the editor page needs."""

    state = serializers.SerializerMethodField(help_text="The state as the page sent it.")

    @extend_schema_field(OpenApiTypes.OBJECT)
    def get_state(self, draft: Draft) -> dict[str, Any]:
        """Return the state as sent by the page."""
        state: dict[str, Any] = json.loads(draft.state)
        return state


class SentDraftSerializer(Serializer):
    """A draft sent by an editor page."""

    kind = NameField(choices=DRAFT_KINDS)
    title = serializers.CharField(max_length=300, allow_blank=True)
    changed = serializers.DateTimeField(
        help_text="Of two drafts with one key, the newer is stored."
    )
    state = serializers.DictField(help_text="Any object, up to 256 KiB of JSON.")

    def validate_changed(self, changed: datetime) -> datetime:
        """Refuse a time exceeding clock error, because the draft could never be replaced."""
        if changed > timezone.now() + _AHEAD:
            raise serializers.ValidationError(_("This time is more than a day in the future."))
        return changed

    def validate_state(self, state: dict[str, Any]) -> dict[str, Any]:
        """Refuse a state nested too deeply to round-trip."""
        if not _is_flat(state, _DEPTH):
            raise serializers.ValidationError(_("This is nested too deeply."))
        return state


def _is_flat(value: Any, depth: int) -> bool:
    """Return whether a JSON value has at most ``depth`` levels."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth > 0 and all(_is_flat(member, depth - 1) for member in inner)

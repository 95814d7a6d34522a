"""Serializers of sent ownerships and drafts."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers

from api.serializers.uploads import NameField
from people.forms import NOTE_LENGTH
from people.models import DRAFT_KINDS
from records.shapes.shape import LEVELS

Serializer = serializers.Serializer[Any]
#: Tolerance for a browser's clock that is ahead.
_AHEAD: Final = timedelta(days=1)
#: Maximum nesting depth of a draft's state.
_DEPTH: Final = 20


class ChangeSerializer(Serializer):
    """Changes to an ownership; omitted fields stay unchanged."""

    visibility = NameField(choices=list(LEVELS), required=False)
    note = serializers.CharField(max_length=NOTE_LENGTH, allow_blank=True, required=False)


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

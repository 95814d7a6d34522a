"""The caller's own data, as sent to the API and as shown."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any, Final, Literal

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from msgspec import Meta

from kafu.notation.json_types import OneOf
from people.models import DRAFT_KINDS
from records.base.json_types import Url
from records.shapes.shape import Shape
from records.shapes.visibilities import OwnVisibility

NOTE_LENGTH: Final = 2000
#: Tolerance for a browser's clock that is ahead.
_AHEAD: Final = timedelta(days=1)
#: Maximum nesting depth of a draft's state.
_DEPTH: Final = 20
DraftKind = Annotated[str, OneOf("DraftKind", DRAFT_KINDS)]


class MeJson(Shape):
    """The caller. `scopes` is null for a session."""

    name: str
    staff: bool
    scopes: list[Literal["read", "upload", "admin"]] | None


class OwnershipJson(Shape):
    """The caller's ownership of a game."""

    visibility: OwnVisibility
    note: Annotated[str, "Visible to you only."]
    collections: list[str]
    created: datetime
    url: Url
    record: Url


class ChangeJson(Shape):
    """Changes to an ownership; omitted fields stay unchanged."""

    visibility: OwnVisibility | None = None
    note: Annotated[str | None, Meta(max_length=NOTE_LENGTH)] = None


class DraftJson(Shape):
    """A draft without its state. The browser chooses `key`."""

    key: str
    kind: DraftKind
    title: str
    changed: Annotated[datetime, "Time of the last change, by the browser's clock."]


class WholeDraft(DraftJson):
    """A draft with the state that the editor page needs."""

    state: Annotated[dict[str, Any], "The state as the page sent it."]


def _check_time(changed: datetime) -> datetime:
    """Refuse a time exceeding clock error, because the draft could never be replaced."""
    if changed > timezone.now() + _AHEAD:
        raise ValidationError(_("This time is more than a day in the future."))
    return changed


def _check_depth(state: dict[str, Any]) -> dict[str, Any]:
    """Refuse a state nested too deeply to round-trip."""
    if not _is_flat(state, _DEPTH):
        raise ValidationError(_("This is nested too deeply."))
    return state


def _is_flat(value: Any, depth: int) -> bool:
    """Return whether a JSON value has at most ``depth`` levels."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth > 0 and all(_is_flat(member, depth - 1) for member in inner)


class SentDraft(Shape):
    """A draft sent by an editor page."""

    kind: DraftKind
    title: Annotated[str, Meta(max_length=300)]
    changed: Annotated[datetime, _check_time, "Of two drafts with one key, the newer is stored."]
    state: Annotated[dict[str, Any], _check_depth, "Any object, up to 256 KiB of JSON."]


class QuotaJson(Shape):
    """A quota; `limit` and `left` are null for an unlimited quota."""

    limit: int | None
    used: int
    left: int | None


class QuotaNames(Shape):
    """All quotas of a sender."""

    bytes: Annotated[
        QuotaJson,
        "Compressed size on the archive's disk, including unpacked files. An unfinished upload "
        "in parts counts with its whole length.",
    ]
    games: Annotated[QuotaJson, "Games found in uploads, including malformed games."]
    malformed: Annotated[QuotaJson, "Games that could not be read."]


class DailyQuotas(Shape):
    """The caller's daily limits of uploads, and today's usage (UTC)."""

    reset: Annotated[datetime, "When all quotas are reset."]
    quotas: QuotaNames

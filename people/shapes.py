"""The caller's own data as responses of the API."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from kafu.notation.json_types import OneOf
from people.models import DRAFT_KINDS
from records.base.json_types import Url
from records.shapes.shape import OwnVisibility, Shape


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


class DraftJson(Shape):
    """A draft without its state. The browser chooses `key`."""

    key: str
    kind: Annotated[str, OneOf("DraftKind", DRAFT_KINDS)]
    title: str
    changed: Annotated[datetime, "Time of the last change, by the browser's clock."]


class WholeDraft(DraftJson):
    """A draft with the state that the editor page needs."""

    state: Annotated[dict[str, Any], "The state as the page sent it."]


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


class Quotas(Shape):
    """The caller's daily limits of uploads, and today's usage (UTC)."""

    reset: Annotated[datetime, "When all quotas are reset."]
    quotas: QuotaNames

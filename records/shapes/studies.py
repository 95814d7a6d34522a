"""Comments and studies, as sent and as shown."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from msgspec import Meta

from records.base.json_types import Url
from records.models.studies import AT, COMMENT_LENGTH, NOTE, NOTES, REASON_LENGTH, THEN, TITLE
from records.shapes.shape import Shape
from records.shapes.visibilities import OwnVisibility

#: Maximum number of entries of a study.
MAX_ENTRIES: Final = 100
_AT: Final = re.compile(r"([1-9][0-9]{0,2})\.(0|[1-9][0-9]{0,3})", re.ASCII)
_THEN: Final = re.compile(rf"[A-Za-z0-9 =/+,-]{{0,{THEN}}}")


def step_of(at: str) -> tuple[int, int]:
    """Return the deal and step of an address. Raise ValueError."""
    match = _AT.fullmatch(at)
    if match is None:
        raise ValueError(at)
    return int(match[1]), int(match[2])


def is_branch(then: str) -> bool:
    """Return whether a text has the form of a branch. The replay page checks the rules."""
    return _THEN.fullmatch(then) is not None


def _check_step(at: str) -> str:
    if not _AT.fullmatch(at):
        raise ValidationError(_("Expected deal and step, as 3.14."))
    return at


def _check_branch(then: str) -> str:
    if not is_branch(then):
        raise ValidationError(_("Expected turns in Kafu with commas between."))
    return then


SentStep = Annotated[
    str,
    Meta(min_length=1, max_length=AT),
    _check_step,
    "Deal and step as in a replay, `3.14`.",
]


class SentComment(Shape):
    """A new comment."""

    at: SentStep
    text: Annotated[str, Meta(min_length=1, max_length=COMMENT_LENGTH)]


class SentReport(Shape):
    """A report with the reason why a comment should be removed."""

    reason: Annotated[str, Meta(max_length=REASON_LENGTH)] = ""


class SentEntry(Shape):
    """A new entry of a study."""

    record: Annotated[str, Meta(min_length=1, max_length=44), "The key of a game of the archive."]
    at: SentStep
    then: Annotated[
        str,
        Meta(max_length=THEN),
        _check_branch,
        "A branch: turns in Kafu, separated by commas, `AxD/BxC,E=koikoi/F`.",
    ] = ""
    note: Annotated[str, Meta(max_length=NOTE)] = ""


class SentStudy(Shape):
    """A study, or changes to a study: omitted fields stay; `entries` replaces all entries."""

    title: Annotated[str, Meta(min_length=1, max_length=TITLE)]
    notes: Annotated[str | None, Meta(max_length=NOTES)] = None
    visibility: OwnVisibility | None = None
    entries: Annotated[list[SentEntry] | None, Meta(max_length=MAX_ENTRIES)] = None


class CommentJson(Shape):
    """A plain-text comment at a step."""

    key: str
    at: Annotated[str, "Deal and step."]
    author: str
    own: Annotated[bool, "Whether the caller wrote the comment."]
    text: Annotated[str, "With pseudonyms in place of names."]
    created: datetime


class StudyJson(Shape):
    """A study without entries; `size` is the number of entries."""

    key: str
    title: Annotated[str, "Empty for the bookmarks of an account."]
    notes: Annotated[str, "With pseudonyms in place of names, except for the owner."]
    visibility: OwnVisibility
    owner: str
    size: Annotated[int, "The number of entries."]
    created: datetime
    changed: datetime
    page: Url


class EntryJson(Shape):
    """A step of a game in a study. `record` is null for a game that the caller may not see."""

    record: str | None
    at: str
    then: Annotated[str, "The branch from this step on, or empty."]
    note: str
    page: Url | None


class WholeStudy(StudyJson):
    """A study with the entries in order."""

    entries: list[EntryJson]

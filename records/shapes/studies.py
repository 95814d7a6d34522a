"""Comments and studies."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from records.base.json_types import Url
from records.shapes.shape import OwnVisibility, Shape


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

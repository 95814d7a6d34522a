"""Files that applications above the archive add to dumps, such as clubs: a JSON object per line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.functional import Promise

from records.facts.tables import FactColumn
from records.models import Record


@dataclass(frozen=True, slots=True)
class AddedFile:
    """A file of JSON lines: its name, the meaning of a line, and the fields as columns.

    ``write`` yields the text in pieces; it takes the games of the dump. ``read_state`` returns a
    value that differs if a written text may contain something hidden since. (Later additions need
    not change it.)
    """

    file: str
    row: Promise
    columns: tuple[FactColumn, ...]
    write: Callable[[QuerySet[Record]], Iterator[str]]
    read_state: Callable[[], Any]


#: The added files by name.
ADDED_FILES: Final[dict[str, AddedFile]] = {}


def register(added: AddedFile) -> None:
    """Add a file to all later dumps. Call when Django starts."""
    ADDED_FILES[added.file] = added


def read_states() -> list[Any]:
    """Return the present states of all added files."""
    return [added.read_state() for added in ADDED_FILES.values()]

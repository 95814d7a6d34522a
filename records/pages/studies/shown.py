"""Views of studies and entries for pages."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from records.base import labels
from records.models import Record, Study
from records.pages.game.share import picture_address
from records.privacy.access import Viewer
from records.privacy.redaction import archive_redaction
from records.services.studies import query_of, show_entries


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry of a study; all fields are empty for a game invisible to the viewer."""

    pk: int
    address: str
    picture: str
    players: str
    ruleset: str
    at: str
    then: str
    note: str


@dataclass(frozen=True, slots=True)
class StudyView:
    """A study for a page. ``size`` is the number of entries."""

    key: str
    title: str
    notes: str
    owner: str
    visibility: int
    size: int
    is_own: bool


def study_view(study: Study, viewer: Viewer, size: int) -> StudyView:
    """Return a study for a viewer, with pseudonyms unless the viewer is the owner."""
    is_own = viewer.user == study.owner_id
    title, notes = study.title, study.notes
    if not is_own:
        redaction = archive_redaction()
        title, notes = str(redaction.redact(title)), str(redaction.redact(notes))
    return StudyView(
        key=study.key,
        title=title or _("Bookmarks"),
        notes=notes,
        owner=study.owner.get_username(),
        visibility=study.visibility,
        size=size,
        is_own=is_own,
    )


def entry_views(study: Study, viewer: Viewer) -> list[EntryView]:
    """Return the entries of a study in order."""
    return [
        EntryView(
            entry.pk,
            address_of(entry.record, entry.at, entry.then),
            picture_address(entry.record.key, entry.at),
            players_of(entry.record),
            labels.ruleset(entry.record.ruleset),
            entry.at,
            entry.then,
            entry.note,
        )
        if entry.record is not None
        else EntryView(entry.pk, "", "", "", "", "", "", "")
        for entry in show_entries(study, viewer)
    ]


def address_of(record: Record, at: str, then: str) -> str:
    """Return the address of a game at a step, with a branch."""
    return reverse("game", args=[record.key]) + query_of(at, then)


def players_of(record: Record) -> str:
    """Return the names of the players."""
    return " – ".join(labels.person(name) for name in record.players)

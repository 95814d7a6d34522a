"""What pages say of a study."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from records.base import labels
from records.models import Record, Study
from records.pages.game.share import picture_address
from records.privacy.access import Viewer
from records.privacy.redaction import archive_redaction
from records.studies.branches import query_of
from records.studies.studies import show_entries


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry; without an address for a game that is not the viewer's to see."""

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
    """A study in words; ``size`` is the number of its entries."""

    key: str
    title: str
    notes: str
    owner: str
    visibility: int
    size: int
    is_own: bool


def study_view(study: Study, viewer: Viewer, size: int) -> StudyView:
    """A study as a viewer sees it, with pseudonyms for all but its owner."""
    is_own = viewer.user == study.owner_id
    names = archive_redaction()
    title, notes = study.title, study.notes
    if not is_own:
        title, notes = str(names.redact(title)), str(names.redact(notes))
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
    """The entries of a study in their order."""
    return [
        EntryView(
            one.pk,
            address_of(one.record, one.at, one.then),
            picture_address(one.record.key, one.at),
            players_of(one.record),
            labels.ruleset(one.record.ruleset),
            one.at,
            one.then,
            one.note,
        )
        if one.record is not None
        else EntryView(one.pk, "", "", "", "", "", "", "")
        for one in show_entries(study, viewer)
    ]


def address_of(record: Record, at: str, then: str) -> str:
    """The page of a game at a step, with a branch."""
    return reverse("game", args=[record.key]) + query_of(at, then)


def players_of(record: Record) -> str:
    """Who plays."""
    return " – ".join(labels.person(name) for name in record.players)

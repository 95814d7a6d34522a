"""Studies: collections of steps of games, with notes and branches.

An entry shows its game to viewers who may see the game. To other viewers it is empty.

A step is ``3.14`` (deal and step). A branch is a sequence of turns in Kafu, played from there in
the place of the game's own turns and separated by commas: ``AxD/BxC,E=koikoi/F``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote_plus

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from kafu.rules.rulesets import Unsupported
from records.base.release import absolute
from records.models import Record, Study, StudyEntry, Visibility
from records.privacy.access import ANONYMOUS, Viewer, records_for
from records.privacy.masking import mask_line
from records.privacy.redaction import archive_redaction
from records.search.games import records
from records.services.replays import replay_of_text
from records.shapes.studies import MAX_ENTRIES, EntryJson, StudyJson, WholeStudy

#: Maximum number of studies of an account.
MAX_STUDIES: Final = 200


def has_step(record: Record, deal: int, step: int) -> bool:
    """Return whether the replay of a game has a step."""
    try:
        deals = replay_of_text(record.text)["deals"]
    except Unsupported:
        return False
    return deal <= len(deals) and step < len(deals[deal - 1]["steps"])


def query_of(at: str, then: str) -> str:
    """Return the query that opens a step and its branch, if any (what_if/branch.js)."""
    return f"?at={at}" + (f"&then={quote_plus(then, safe='/=,')}" if then else "")


class StudyFull(Exception):
    """The error for an account with ``most`` studies, or a study with ``most`` entries."""

    def __init__(self, most: int) -> None:
        super().__init__(f"at most {most}")
        self.most = most


@dataclass(frozen=True, slots=True)
class ShownEntry:
    """An entry as a viewer sees it.

    ``record`` is masked and has its seats. It is None if the viewer may not see the game or the
    game was removed; the other fields are empty then.
    """

    pk: int
    record: Record | None
    at: str
    then: str
    note: str


def studies_for(viewer: Viewer) -> Q:
    """Return the condition for studies that a viewer may see."""
    if viewer.staff:
        return Q()
    visible = Q(visibility__gte=Visibility.UNLISTED)
    return visible | Q(owner=viewer.user) if viewer.user is not None else visible


def public_studies() -> QuerySet[Study]:
    """Return the public studies, the newest first, with ``size``, the number of entries."""
    studies = Study.objects.filter(visibility=Visibility.PUBLIC).exclude(title="")
    return _for_list(studies.filter(owner__is_active=True))


def studies_of(owner: int) -> QuerySet[Study]:
    """Return the studies of an account, the newest first, with ``size``."""
    return _for_list(Study.objects.filter(owner=owner))


def _for_list(studies: QuerySet[Study]) -> QuerySet[Study]:
    return studies.select_related("owner").annotate(size=Count("entries")).order_by("-id")


def find(key: str, viewer: Viewer) -> Study | None:
    """Return the study with a key, or None if there is none or the viewer may not see it."""
    studies = Study.objects.filter(studies_for(viewer), key=key.replace("\0", ""))
    return studies.select_related("owner").first()


def state_of(key: str) -> tuple[Any, ...] | None:
    """Return the state of a study and its order, visibility first.

    Return None unless everybody may see the study.
    """
    study = find(key, ANONYMOUS)
    if study is None:
        return None
    steps = study.entries.values_list("record_id", "at")
    return (study.visibility, study.changed.timestamp(), study.owner.get_username(), *steps)


def show_entries(study: Study, viewer: Viewer) -> list[ShownEntry]:
    """Return the entries of a study in order, as a viewer sees them."""
    entries = list(study.entries.all()[:MAX_ENTRIES])
    pks = {entry.record_id for entry in entries}
    redaction = archive_redaction()
    games = {
        record.pk: mask_line(record, redaction)
        for record in records().filter(records_for(viewer), pk__in=pks)
    }
    is_own = study.owner_id == viewer.user
    return [
        ShownEntry(
            entry.pk,
            games[entry.record_id],
            entry.at,
            entry.then,
            entry.note if is_own else str(redaction.redact(entry.note)),
        )
        if entry.record_id in games
        else ShownEntry(entry.pk, None, "", "", "")
        for entry in entries
    ]


def show_study(study: Study, viewer: Viewer, size: int) -> StudyJson:
    """Return a study of ``size`` entries as a viewer sees it, with pseudonyms for other viewers."""
    redaction = archive_redaction()
    return StudyJson.build(
        study,
        title=study.title if study.owner_id == viewer.user else str(redaction.redact(study.title)),
        notes=study.notes if study.owner_id == viewer.user else str(redaction.redact(study.notes)),
        visibility=Visibility(study.visibility).id,
        owner=study.owner.get_username(),
        size=size,
        page=absolute(reverse("study", args=[study.key])),
    )


def show_whole_study(study: Study, viewer: Viewer) -> WholeStudy:
    """Return a study with its entries as a viewer sees it."""
    entries = show_entries(study, viewer)
    return WholeStudy.build(
        show_study(study, viewer, len(entries)), entries=[*map(_entry_json, entries)]
    )


def _entry_json(entry: ShownEntry) -> EntryJson:
    if entry.record is None:
        return EntryJson.build(entry, page=None)
    page = absolute(reverse("game", args=[entry.record.key])) + query_of(entry.at, entry.then)
    return EntryJson.build(entry, record=entry.record.key, page=page)


def create(owner: int, fields: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> Study:
    """Create a study with entries (``record``, ``at``, ``then``, ``note``). Raise StudyFull."""
    with transaction.atomic():
        _lock(owner)
        if Study.objects.filter(owner=owner).count() >= MAX_STUDIES:
            raise StudyFull(MAX_STUDIES)
        study = Study.objects.create(owner_id=owner, **fields)
        _write(study, entries)
        return study


def get_bookmarks(owner: int) -> Study:
    """Return the account's bookmarks, a study without a title, and create them if needed.

    Bookmarks do not count against `MAX_STUDIES`.
    """
    with transaction.atomic():
        _lock(owner)
        return Study.objects.get_or_create(owner_id=owner, title="")[0]


def update(
    study: Study, fields: Mapping[str, Any], entries: Sequence[Mapping[str, Any]] | None
) -> None:
    """Set fields of a study, and replace its entries unless they are None. Raise StudyFull."""
    with transaction.atomic():
        _lock(study.owner_id)
        for name, value in fields.items():
            setattr(study, name, value)
        study.changed = timezone.now()
        study.save()
        if entries is not None:
            study.entries.all().delete()
            _write(study, entries)


def add_entry(study: Study, record: int, at: str, then: str = "", note: str = "") -> StudyEntry:
    """Append a step to a study. Raise StudyFull."""
    with transaction.atomic():
        _lock(study.owner_id)
        last = study.entries.last()
        if study.entries.count() >= MAX_ENTRIES:
            raise StudyFull(MAX_ENTRIES)
        number = last.number + 1 if last is not None else 1
        Study.objects.filter(pk=study.pk).update(changed=timezone.now())
        return StudyEntry.objects.create(
            study=study, record_id=record, number=number, at=at, then=then, note=note
        )


def move_entry(study: Study, entry: int, by: int) -> None:
    """Move an entry by a number of places, up if negative. Do nothing past either end."""
    with transaction.atomic():
        _lock(study.owner_id)
        pks = list(study.entries.values_list("pk", flat=True))
        if entry not in pks:
            return
        old = pks.index(entry)
        new = old + by
        if 0 <= new < len(pks):
            pks[old], pks[new] = pks[new], pks[old]
        for number, pk in enumerate(pks, 1):
            StudyEntry.objects.filter(pk=pk).update(number=number)


def _lock(owner: int) -> None:
    """Lock the account, so that simultaneous requests cannot exceed the limits."""
    get_user_model().objects.select_for_update().get(pk=owner)


def _write(study: Study, entries: Sequence[Mapping[str, Any]]) -> None:
    if len(entries) > MAX_ENTRIES:
        raise StudyFull(MAX_ENTRIES)
    StudyEntry.objects.bulk_create(
        StudyEntry(
            study=study,
            record_id=entry["record"],
            number=number,
            at=entry["at"],
            then=entry.get("then", ""),
            note=entry.get("note", ""),
        )
        for number, entry in enumerate(entries, 1)
    )

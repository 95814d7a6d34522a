"""Studies: made, changed, and who may see them.

A game of an entry is shown to who may see that game; to others the entry says that there is one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from records.models import Record, Study, StudyEntry, Visibility
from records.privacy.access import Viewer, records_for
from records.privacy.redaction import of_archive
from records.search.games import records
from records.store.pseudonyms import mask_line

#: Studies of an account, and entries of a study.
MOST_STUDIES: Final = 200
MOST_ENTRIES: Final = 100


class StudyFull(Exception):
    """An account has all the studies, or a study all the entries, that it can have: ``most``."""

    def __init__(self, most: int) -> None:
        super().__init__(f"at most {most}")
        self.most = most


@dataclass(frozen=True, slots=True)
class ShownEntry:
    """An entry as a viewer sees it: ``record`` (with its seats, pseudonyms in place) is None for a
    game that they may not see, or that is gone; then the rest is empty too.
    """

    pk: int
    record: Record | None
    at: str
    then: str
    note: str


def studies_for(viewer: Viewer) -> Q:
    """The condition of studies that a viewer may see by their address."""
    if viewer.staff:
        return Q()
    shown = Q(visibility__gte=Visibility.UNLISTED)
    return shown | Q(owner=viewer.user) if viewer.user is not None else shown


def public() -> QuerySet[Study]:
    """The studies that lists show, the newest first, with ``size``, the number of entries."""
    found = Study.objects.filter(visibility=Visibility.PUBLIC).exclude(title="")
    return _listed(found.filter(owner__is_active=True))


def own(owner: int) -> QuerySet[Study]:
    """The studies of an account, the newest first, with ``size``."""
    return _listed(Study.objects.filter(owner=owner))


def _listed(found: QuerySet[Study]) -> QuerySet[Study]:
    return found.select_related("owner").annotate(size=Count("entries")).order_by("-id")


def found(key: str, viewer: Viewer) -> Study | None:
    """The study with this key, if the viewer may see it."""
    known = Study.objects.filter(studies_for(viewer), key=key.replace("\0", ""))
    return known.select_related("owner").first()


def shown(study: Study, viewer: Viewer) -> list[ShownEntry]:
    """The entries of a study in their order, as a viewer sees them."""
    entries = list(study.entries.all()[:MOST_ENTRIES])
    wanted = {one.record_id for one in entries}
    seen = records().filter(records_for(viewer), pk__in=wanted)
    names = of_archive()
    known = {one.pk: mask_line(one, names) for one in seen}
    return [
        ShownEntry(
            one.pk,
            known[one.record_id],
            one.at,
            one.then,
            one.note if study.owner_id == viewer.user else str(names.replaced(one.note)),
        )
        if one.record_id in known
        else ShownEntry(one.pk, None, "", "", "")
        for one in entries
    ]


def create(owner: int, fields: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> Study:
    """A new study with these fields and entries (``record``, ``at``, ``then``, ``note``).

    Raises StudyFull.
    """
    with transaction.atomic():
        _lock(owner)
        if Study.objects.filter(owner=owner).count() >= MOST_STUDIES:
            raise StudyFull(MOST_STUDIES)
        study = Study.objects.create(owner_id=owner, **fields)
        _write(study, entries)
        return study


def bookmarks(owner: int) -> Study:
    """The study without a title, which is made once it is needed; it is over and above those that
    an account may have.
    """
    with transaction.atomic():
        _lock(owner)
        return Study.objects.get_or_create(owner_id=owner, title="")[0]


def change(
    study: Study, fields: Mapping[str, Any], entries: Sequence[Mapping[str, Any]] | None
) -> None:
    """Set these fields, and all entries where they are given. Raises StudyFull."""
    with transaction.atomic():
        _lock(study.owner_id)
        for name, value in fields.items():
            setattr(study, name, value)
        study.changed = timezone.now()
        study.save()
        if entries is not None:
            study.entries.all().delete()
            _write(study, entries)


def add(study: Study, record: int, at: str, then: str = "", note: str = "") -> StudyEntry:
    """Put a step at the end of a study. Raises StudyFull."""
    with transaction.atomic():
        _lock(study.owner_id)
        last = study.entries.last()
        if study.entries.count() >= MOST_ENTRIES:
            raise StudyFull(MOST_ENTRIES)
        number = last.number + 1 if last is not None else 1
        Study.objects.filter(pk=study.pk).update(changed=timezone.now())
        return StudyEntry.objects.create(
            study=study, record_id=record, number=number, at=at, then=then, note=note
        )


def move(study: Study, entry: int, by: int) -> None:
    """Move an entry ``by`` places, up if negative; past an end it stays."""
    with transaction.atomic():
        _lock(study.owner_id)
        pks = list(study.entries.values_list("pk", flat=True))
        if entry not in pks:
            return
        here = pks.index(entry)
        there = here + by
        if 0 <= there < len(pks):
            pks[here], pks[there] = pks[there], pks[here]
        for number, pk in enumerate(pks, 1):
            StudyEntry.objects.filter(pk=pk).update(number=number)


def _lock(owner: int) -> None:
    """One after the other, or two at once would exceed the numbers together."""
    get_user_model().objects.select_for_update().get(pk=owner)


def _write(study: Study, entries: Sequence[Mapping[str, Any]]) -> None:
    if len(entries) > MOST_ENTRIES:
        raise StudyFull(MOST_ENTRIES)
    StudyEntry.objects.bulk_create(
        StudyEntry(
            study=study,
            record_id=one["record"],
            number=number,
            at=one["at"],
            then=one.get("then", ""),
            note=one.get("note", ""),
        )
        for number, one in enumerate(entries, 1)
    )

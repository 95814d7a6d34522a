"""Changes of clubs: each is logged with the rows that it changed, and can be undone by officers.

A change locks its club, so that two officers change it one after the other. A form sends the stamp
of the row that it showed (`stamp`); if the row has changed meanwhile, the change is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from django.apps import apps
from django.core import serializers
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.utils.translation import gettext as _

from clubs.access import Access
from clubs.models import Change, Club, Role
from clubs.refused import Refused
from records.base import clock
from records.base.bulk import slices
from records.privacy import revisions

#: Maximum number of rows of a change; a larger change must be divided.
MOST_ROWS: Final = 5000
_BATCH: Final = 500
#: Changes that cannot be undone, because they concern somebody else's decision or the whole club.
FINAL: Final = ("found", "left")

Row = TypeVar("Row", bound=models.Model)


class ChangedMeanwhile(Exception):
    """The error for a row that somebody else changed after the form was shown."""


class NotUndoable(Exception):
    """The error for a change that is undone already, or whose rows were changed or used since."""


def stamp(row: models.Model) -> str:
    """Return a short text that differs whenever a value of the row differs."""
    return hashlib.sha256(json.dumps(_values(row), sort_keys=True).encode()).hexdigest()[:16]


class Work:
    """The rows of a change while it is made. ``values`` are the values of its sentence."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = dict(values)
        self.rows: list[dict[str, Any]] = []

    def create(self, row: Row) -> Row:
        """Insert a row."""
        row.save(force_insert=True)
        self._note(row, None, _values(row))
        return row

    def create_all(self, rows: Sequence[models.Model]) -> None:
        """Insert rows of one table."""
        for part in slices(rows, _BATCH):
            type(part[0])._default_manager.bulk_create(part)
        for row in rows:
            self._note(row, None, _values(row))

    def update(self, row: models.Model, *, was: str = "", **values: Any) -> None:
        """Set columns of a row. ``was`` is the stamp that a form sent. Raise `ChangedMeanwhile`."""
        row.refresh_from_db()
        before = _values(row)
        if was and was != stamp(row):
            raise ChangedMeanwhile
        for name, value in values.items():
            setattr(row, name, value)
        row.save(update_fields=list(values))
        row.refresh_from_db()
        if before != (after := _values(row)):
            self._note(row, before, after)

    def delete(self, row: models.Model) -> None:
        """Delete a row. Rows that depend on it must be deleted before."""
        self._note(row, _values(row), None)
        row.delete()

    def _note(self, row: models.Model, before: Any, after: Any) -> None:
        if len(self.rows) >= MOST_ROWS:
            raise ValueError(f"more than {MOST_ROWS} rows in a change")
        self.rows.append(
            {"table": row._meta.label_lower, "pk": row.pk, "before": before, "after": after}
        )


@contextmanager
def change(
    club: Club,
    account: int | None,
    what: str,
    values: Mapping[str, Any] | None = None,
    *,
    undoes: Change | None = None,
) -> Iterator[Work]:
    """Make a change of a club in a transaction, and log it unless nothing changed.

    ``what`` is the id of the sentence in the log (`clubs.wording`), ``values`` its values.
    ``account`` makes the change. ``undoes`` is the change that is taken back.
    """
    with transaction.atomic():
        Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        work = Work(values or {})
        yield work
        if work.rows:
            Change.objects.create(
                club=club,
                account_id=account,
                made=clock.now(),
                what=what,
                values=work.values,
                rows=work.rows,
                undoes=undoes,
            )
            revisions.advance(revisions.OTHER)


def undo(access: Access, made: Change) -> None:
    """Take a change back, as a change of its own, by an officer.

    Only the founder takes back what concerns officers. Nobody takes back the founding, or brings
    back a member who left. Raise Refused and write nothing.
    """
    access.require(Role.FOUNDER if _concerns_officers(made) else Role.OFFICER)
    values = {"of": made.what, **made.values}
    try:
        with change(access.club, access.viewer.user, "undo", values, undoes=made) as work:
            if made.what in FINAL or Change.objects.filter(undoes=made).exists():
                raise NotUndoable
            for item in reversed(made.rows):
                _restore(work, item)
    except NotUndoable as error:
        text = _("This cannot be taken back any more: it was changed or used since.")
        raise Refused("not-undoable", text) from error


def _concerns_officers(made: Change) -> bool:
    """Return whether a change gave or took the role of an officer."""
    for item in made.rows:
        roles = {(item[when] or {}).get("role", Role.MEMBER) for when in ("before", "after")}
        if len(roles) > 1 and max(roles) >= Role.OFFICER:
            return True
    return False


def _restore(work: Work, item: Mapping[str, Any]) -> None:
    """Give a row the values before a change, if it still has those after it."""
    row = apps.get_model(item["table"])._default_manager.filter(pk=item["pk"]).first()
    if (None if row is None else _values(row)) != item["after"]:
        raise NotUndoable
    if item["before"] is None:
        assert row is not None
        if _has_dependents(row):
            raise NotUndoable
        work.delete(row)
        return
    former = _load(item)
    if row is None:
        work.create(former)
    else:
        names = [field.attname for field in row._meta.concrete_fields if not field.primary_key]
        work.update(row, **{name: getattr(former, name) for name in names})


def _has_dependents(row: models.Model) -> bool:
    """Return whether other rows would be deleted with a row."""
    return any(
        relation.related_model._default_manager.filter(**{relation.field.name: row}).exists()
        for relation in row._meta.related_objects
        if relation.on_delete is models.CASCADE
    )


def _values(row: models.Model) -> dict[str, Any]:
    """Return the values of a row as values of JSON."""
    (written,) = serializers.serialize("python", [row])
    values: dict[str, Any] = json.loads(json.dumps(written["fields"], cls=DjangoJSONEncoder))
    return values


def _load(item: Mapping[str, Any]) -> models.Model:
    """Return the row of a change with its values before. Raise `NotUndoable` if it refers to none.

    An account or game to which it refers may be gone.
    """
    written = {"model": item["table"], "pk": item["pk"], "fields": item["before"]}
    (loaded,) = serializers.deserialize("python", [written])
    row: models.Model = loaded.object
    for field in row._meta.concrete_fields:
        target = field.related_model if field.is_relation else None
        value = getattr(row, field.attname)
        if target and value is not None and not target._default_manager.filter(pk=value).exists():
            raise NotUndoable
    return row

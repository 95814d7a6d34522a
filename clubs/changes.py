"""Changes of clubs: each is logged with the rows that it changed, and can be undone by officers.

A change locks its club, so that two officers change it one after the other. A form sends the stamp
of the row that it showed (`stamp`); if the row has changed meanwhile, the change is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any, Final, TypeVar

from django.apps import apps
from django.core import serializers
from django.core.exceptions import ObjectDoesNotExist
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, models, transaction
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


class ChangedMeanwhile(Refused):
    """The error for a row that somebody else changed or deleted after the form was shown."""

    def __init__(self) -> None:
        text = _("Somebody changed this at the same time. This is the new state: look again.")
        super().__init__("conflict", text)


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

    def replace(self, row: models.Model, before: Any, after: Any) -> None:
        """Write all columns of a row, given its values in the database and the new ones."""
        row.save(force_update=True)
        self._note(row, before, after)

    def delete(self, *rows: models.Model) -> None:
        """Delete rows of one table. Rows that depend on them must be deleted before."""
        for row in rows:
            self._note(row, _values(row), None)
        for part in slices(rows, _BATCH):
            pks = [row.pk for row in part]
            type(part[0])._default_manager.filter(pk__in=pks).delete()

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
    ``account`` makes the change. ``undoes`` is the change that is taken back. Raise
    `ChangedMeanwhile` if a row is gone, or another one has its place: it was read before the lock.
    """
    try:
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
    except (IntegrityError, ObjectDoesNotExist) as error:
        raise ChangedMeanwhile from error


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
            for (table, is_new, is_gone), items in groupby(reversed(made.rows), _kind_of):
                model = apps.get_model(table)
                if is_new:
                    _delete(work, model, list(items))
                elif is_gone:
                    _create(work, model, list(items))
                else:
                    _update(work, model, list(items))
    except (NotUndoable, ChangedMeanwhile) as error:
        text = _("This cannot be taken back any more: it was changed or used since.")
        raise Refused("not-undoable", text) from error


def _concerns_officers(made: Change) -> bool:
    """Return whether a change gave or took the role of an officer."""
    for item in made.rows:
        roles = {(item[when] or {}).get("role", Role.MEMBER) for when in ("before", "after")}
        if len(roles) > 1 and max(roles) >= Role.OFFICER:
            return True
    return False


def _kind_of(item: Mapping[str, Any]) -> tuple[str, bool, bool]:
    """Return the table of a changed row, and whether the change inserted or deleted the row."""
    return item["table"], item["before"] is None, item["after"] is None


def _delete(work: Work, model: type[models.Model], items: Sequence[Mapping[str, Any]]) -> None:
    """Delete inserted rows that have not changed since and on which no others depend."""
    rows = model._default_manager.in_bulk([item["pk"] for item in items])
    for item in items:
        if item["pk"] not in rows or _values(rows[item["pk"]]) != item["after"]:
            raise NotUndoable
    # Rows that depend on these would be deleted with them.
    for relation in model._meta.related_objects:
        if relation.on_delete is models.CASCADE:
            dependents = {f"{relation.field.name}__in": list(rows)}
            if relation.related_model._default_manager.filter(**dependents).exists():
                raise NotUndoable
    work.delete(*rows.values())


def _create(work: Work, model: type[models.Model], items: Sequence[Mapping[str, Any]]) -> None:
    """Insert deleted rows again."""
    work.create_all(_load(model, items))


def _update(work: Work, model: type[models.Model], items: Sequence[Mapping[str, Any]]) -> None:
    """Give rows the values before a change, if they still have those after it."""
    rows = model._default_manager.in_bulk([item["pk"] for item in items])
    values = {pk: _values(row) for pk, row in rows.items()}
    for item, former in zip(items, _load(model, items), strict=True):
        if values.get(item["pk"]) != item["after"]:
            raise NotUndoable
        work.replace(former, item["after"], item["before"])
        values[item["pk"]] = item["before"]  # a change may have updated a row twice


def _load(model: type[models.Model], items: Sequence[Mapping[str, Any]]) -> list[models.Model]:
    """Return the rows of a change with their values before.

    Raise `NotUndoable` if an account, game or other row to which they refer is gone.
    """
    written = [
        {"model": item["table"], "pk": item["pk"], "fields": item["before"]} for item in items
    ]
    rows = [loaded.object for loaded in serializers.deserialize("python", written)]
    for field in model._meta.concrete_fields:
        if field.related_model is not None:
            targets = {getattr(row, field.attname) for row in rows} - {None}
            if field.related_model._default_manager.filter(pk__in=targets).count() < len(targets):
                raise NotUndoable
    return rows


def _values(row: models.Model) -> dict[str, Any]:
    """Return the values of a row as values of JSON."""
    (written,) = serializers.serialize("python", [row])
    values: dict[str, Any] = json.loads(json.dumps(written["fields"], cls=DjangoJSONEncoder))
    return values

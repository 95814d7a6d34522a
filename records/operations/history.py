"""Databases created before the first release, whose migrations were squashed since."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.core.management.base import CommandError
from django.db import connections
from django.db.migrations.loader import MigrationLoader

ADVICE = (
    "this database was made by code from before the first release, and cannot be migrated. Keep "
    "the uploads, make an empty database (for `make run`: move var/hana.sqlite3 away), then "
    "`manage.py migrate` and `manage.py rebuild --orphans` (docs/operations.md)"
)


def refuse_unknown(sender: AppConfig, using: str, **_more: Any) -> None:
    """Before migrating: refuse a database with migrations of this application that do not exist.

    Raises CommandError; else the first migration would fail over tables that exist already.
    """
    loader = MigrationLoader(connections[using])
    known = loader.disk_migrations or {}
    if any(
        app == sender.label and (app, name) not in known for app, name in loader.applied_migrations
    ):
        raise CommandError(ADVICE)

"""Refusal of databases that this version cannot migrate: newer and pre-release databases."""

from __future__ import annotations

import logging
from typing import Any, Final

from django.apps import AppConfig, apps
from django.contrib.auth import get_user_model
from django.core.management.base import CommandError
from django.db import DatabaseError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader

logger: Final = logging.getLogger(__name__)
#: The Django applications of the project.
APPLICATIONS: Final = ("people", "records")
#: The second migration before all pre-release migrations were squashed into one.
SQUASHED: Final = "records.0002_listings"

NEWER: Final = (
    "this database is newer than this program, which does not know its migrations {names}. Install "
    'the newer version again, or restore the backup made before the update: "Rolling back" in '
    "docs/operations.md. Nothing was changed"
)
OLD: Final = (
    "this database was made by code from before the first release, and cannot be migrated. "
    "Nothing was changed. {advice}"
)
OLD_EMPTY: Final = (
    "It has no accounts and no games: make an empty one (for `make run`: move var/hana.sqlite3 "
    "away), then `manage.py migrate` and `manage.py rebuild --orphans` (docs/operations.md)"
)
OLD_IN_USE: Final = (
    "It has accounts or games: keep it, and run the version that made it. A new archive can be "
    "built from its uploads alone, but accounts, notes and visibility are in this database only "
    "(docs/operations.md)"
)


def unknown_migrations(database: BaseDatabaseWrapper) -> list[str]:
    """Return the applied migrations of `APPLICATIONS` missing in the program, sorted by name.

    A name is like ``records.0099_later``.
    """
    loader = MigrationLoader(database)
    unknown = set(loader.applied_migrations) - set(loader.disk_migrations or {})
    return sorted(f"{app}.{name}" for app, name in unknown if app in APPLICATIONS)


def warn_of_newer() -> None:
    """Log that the database is newer than this program, at the start of a process.

    The process goes on: during an update, old processes work next to new ones. An unavailable
    database is not waited for.
    """
    try:
        unknown = unknown_migrations(connection)
    except DatabaseError:
        return
    if unknown:
        logger.warning(
            "the database is newer than this program, which does not know its migrations %s: "
            "update this process too",
            ", ".join(unknown),
        )


def refuse_unknown(sender: AppConfig, using: str, **_more: Any) -> None:
    """Refuse to migrate a database with unknown migrations.

    Raises CommandError with advice. Otherwise later statements would fail, or write rows that the
    newer program cannot read.
    """
    database = connections[using]
    unknown = unknown_migrations(database)
    if SQUASHED in unknown:
        advice = OLD_IN_USE if _has_rows(database) else OLD_EMPTY
        raise CommandError(OLD.format(advice=advice))
    if unknown:
        raise CommandError(NEWER.format(names=", ".join(unknown)))


def _has_rows(database: BaseDatabaseWrapper) -> bool:
    """Return whether there are accounts or games."""
    models = (get_user_model(), apps.get_model("records", "Record"))
    tables = {model._meta.db_table for model in models}
    with database.cursor() as cursor:
        for table in tables.intersection(database.introspection.table_names(cursor)):
            cursor.execute(f"SELECT 1 FROM {database.ops.quote_name(table)} LIMIT 1")
            if cursor.fetchone():
                return True
    return False

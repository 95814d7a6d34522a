import sqlite3
from contextlib import closing
from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from records.models import Heartbeat, Job


def describe_tables() -> dict[str, list[str]]:
    """Return the definition of each table and index by its name, in parts without an order."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        return {name: sorted(sql.replace(")", "").split(", ")) for name, sql in cursor.fetchall()}


@pytest.mark.django_db
def test_migrations_equal_the_models() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


@pytest.mark.django_db
def test_migration_deletes_jobs_and_heartbeats_of_webhooks_only() -> None:
    for kind in ("webhook", "facts"):
        Job.objects.create(kind=kind, subject="a")
    for kind in ("webhooks", "worker"):
        Heartbeat.objects.create(kind=kind, host="a", pid=1)
    import_module("records.migrations.0026_drop_webhooks").delete_rows(apps, None)
    assert [job.kind for job in Job.objects.all()] == ["facts"]
    assert [heartbeat.kind for heartbeat in Heartbeat.objects.all()] == ["worker"]


@pytest.mark.long_only  # new archives do not run these unchanging files
@pytest.mark.django_db(transaction=True)  # its end restores the tables
def test_archive_of_0_3_0_gets_the_tables_of_a_new_archive() -> None:
    tables = describe_tables()
    with closing(sqlite3.connect(":memory:")) as empty:
        empty.backup(connection.connection)
    executor = MigrationExecutor(connection)
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    executor.migrate([("records", "0001_initial"), ("people", "0001_initial")])
    assert "records_rollup" in describe_tables()
    call_command("migrate", verbosity=0)
    assert describe_tables() == tables

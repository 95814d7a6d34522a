"""A database from before the first release is refused with advice, not with a traceback."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from records.operations.history import refuse_unknown

pytestmark = pytest.mark.django_db


def test_a_database_of_today_is_migrated() -> None:
    call_command("migrate", verbosity=0)


def test_an_older_one_is_refused_with_advice() -> None:
    MigrationRecorder(connection).record_applied("records", "0019_turns")
    with pytest.raises(CommandError, match="rebuild --orphans"):
        call_command("migrate", verbosity=0)


def test_migrations_of_others_do_not_matter() -> None:
    MigrationRecorder(connection).record_applied("another", "0001_initial")
    refuse_unknown(apps.get_app_config("records"), "default")

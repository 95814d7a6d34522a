"""Backup, loss of everything, restore: the same archive again."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from records.base.packed import opened, pack
from records.operations.backup import BackupError, restore
from tests import services
from tests.conftest import ROOT, Environment, Hana, bare_env
from tests.records.jobs.ledger import WORK_OFF, Ledger, hand_in
from tests.records.makers import MALFORMED, joined, text

MakeEnv = Callable[..., Environment]
TABLES = ("upload", "uploadfile", "chunk", "submission", "record", "listing", "seat")
KEYS = "SELECT key FROM records_record ORDER BY key"

#: Restores each backup of standard input into an empty database, and prints the errors.
RESTORE_EACH = """
import sys
from pathlib import Path
from django.conf import settings
from django.db import connection
from records.operations.backup import BackupError, restore
for source in sys.stdin.read().split():
    try:
        restore(Path(source))
    except BackupError as error:
        print(error)
    connection.close()
    for path in Path(settings.VAR_DIR).glob("hana.sqlite3*"):
        path.unlink()
"""


#: For `hand_in`: make a backup in the process that received uploads.
BACKUP = """
from django.core.management import call_command
call_command("backup", {!r})
"""
#: For `hand_in`: lose an upload, and write why no backup can be made.
FAIL = """
from django.conf import settings
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from records.models import UploadFile
default_storage.delete(str(UploadFile.objects.first().stored))
try:
    call_command("backup", str(settings.VAR_DIR / "refused"))
except CommandError as error:
    (settings.VAR_DIR / "reason").write_text(str(error))
"""


def run(script: str, *arguments: str, env: Environment) -> str:
    """Run one of the scripts; return its output."""
    result = subprocess.run(
        [str(ROOT / "scripts" / script), *arguments], env=env, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout.strip()


def count_rows(env: Environment) -> dict[str, int]:
    """Count the rows of each table of an archive."""
    ledger = Ledger(env)
    return {table: ledger.number(f"SELECT count(*) FROM records_{table}") for table in TABLES}


def empty_machine(var: Path, **variables: str) -> Environment:
    """Return the environment of a machine with an empty disk and an empty database."""
    var.mkdir()
    return bare_env(HANA_ENV="development", HANA_VAR=str(var), **variables)


def test_archive_on_postgresql_is_restored(
    hana: Hana, hana_env: MakeEnv, postgres_server: services.Postgres, tmp_path: Path
) -> None:
    env = hana_env(postgres=True)
    hand_in(hana, env, joined(text(1), text(2), MALFORMED, text(1)), then=WORK_OFF)
    printed = run("backup", str(tmp_path / "backups"), env=env)
    target = Path(printed.split(":")[0])
    assert (
        printed == f"{target}: 2 games, 1 uploaded files" and target.parent == tmp_path / "backups"
    )

    shutil.rmtree(env["HANA_VAR"])
    new = empty_machine(
        tmp_path / "var", DATABASE_URL=postgres_server.url(postgres_server.create())
    )
    assert "2 games, 1 uploads; every count" in run("restore", str(target), env=new)
    assert count_rows(new) == count_rows(env)
    assert Ledger(new).ask(KEYS) == Ledger(env).ask(KEYS)


@pytest.fixture(scope="module")
def backed_up(new_var: Callable[[], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with an archive on SQLite, `var`, and its backup, `backups/first`."""
    directory = tmp_path_factory.mktemp("backed-up")
    var = new_var().rename(directory / "var")
    backups = directory / "backups"
    env = bare_env(HANA_ENV="development", HANA_VAR=str(var))
    then = f"{WORK_OFF}{BACKUP.format(str(backups))}"
    hand_in(Hana(), env, joined(text(1), MALFORMED), then=then)
    [target] = backups.glob("*Z")
    target.rename(backups / "first")  # Two backups of one second would have the same name.
    return directory


@pytest.mark.django_db
def test_backups_on_sqlite_share_bytes_and_damage_is_reported(
    hana: Hana, backed_up: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(backed_up, tmp_path / "copy", symlinks=True)
    env = bare_env(HANA_ENV="development", HANA_VAR=str(copy / "var"))
    backups = copy / "backups"
    first = backups / "first"
    work_and_backup = f"{WORK_OFF}{BACKUP.format(str(backups))}"
    rows, keys = count_rows(env), Ledger(env).ask(KEYS)
    [stored] = (backups / "uploads").glob("*/*")
    copied = stored.stat().st_mtime_ns
    hand_in(hana, env, joined(text(2)), then=work_and_backup + FAIL)
    var = Path(env["HANA_VAR"])
    assert "is missing, although the database has it" in (var / "reason").read_text()
    assert not list((var / "refused").glob("*Z")), "nothing that looks like a backup"
    [second] = backups.glob("*Z")
    assert len(list((backups / "uploads").glob("*/*"))) == 2
    assert stored.stat().st_mtime_ns == copied, "not copied again"

    new = empty_machine(tmp_path / "new")
    assert "1 games, 1 uploads; every count" in hana("restore", str(first), env=new).stdout
    assert count_rows(new) == rows, "what came later is not in the first backup"
    assert Ledger(new).ask(KEYS) == keys

    with pytest.raises(BackupError, match="the database is not empty"):
        restore(first)
    with opened(stored) as stream:
        damaged = stream.read().replace(b"Aya", b"Ayo")
    stored.write_bytes(b"".join(pack([damaged])))
    manifest = first / "manifest.json"
    intact = manifest.read_text()
    manifest.write_text(intact.replace('"records_record": 1', '"records_record": 3'))
    printed = hana(
        *("shell", "--no-imports", "-c", RESTORE_EACH),
        env=empty_machine(tmp_path / "other"),
        stdin=f"{second}\n{first}",
    ).stdout
    assert printed.splitlines() == [
        f"{stored} is damaged or missing",
        "the counts differ from the backup: records_record",
    ]
    manifest.write_text(intact.replace(json.loads(intact)["sha256"], "0" * 64))
    with pytest.raises(BackupError, match=r"database\.sqlite is damaged or missing"):
        restore(first)
    manifest.unlink()
    with pytest.raises(BackupError, match="is no complete backup"):
        restore(first)


@pytest.mark.long_only  # the test above has the same steps with a directory
def test_archive_with_a_bucket_is_restored(
    hana: Hana, backed_up: Path, bucket_server: services.BucketServer, tmp_path: Path
) -> None:
    backups = shutil.copytree(backed_up / "backups", tmp_path / "backups")
    with_uploads = backups / "first"
    url = bucket_server.create()
    first = empty_machine(tmp_path / "first", HANA_STORAGE_URL=url)
    assert "1 games, 1 uploads" in hana("restore", str(with_uploads), env=first).stdout
    assert not (tmp_path / "first" / "uploads").exists()

    then = f"{WORK_OFF}{BACKUP.format(str(backups))}{FAIL}"
    hand_in(hana, first, joined(text(2)), then=then)
    var = Path(first["HANA_VAR"])
    assert "is missing, although the database has it" in (var / "reason").read_text()
    assert not list((var / "refused").glob("*Z"))
    [target] = backups.glob("*Z")
    assert json.loads((target / "manifest.json").read_text())["has_uploads"] is False
    assert len(list((backups / "uploads").glob("*/*"))) == 1, "only the earlier one is copied"
    second = empty_machine(tmp_path / "second", HANA_STORAGE_URL=url)
    refused = hana("restore", str(target), env=second, status=1)
    assert "is not in the bucket" in refused.stderr

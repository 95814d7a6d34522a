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
from tests.records.makers import MALFORMED, joined, text
from tests.records.work.ledger import Ledger

MakeEnv = Callable[..., Environment]
TABLES = ("upload", "uploadfile", "chunk", "submission", "record", "listing", "seat")


def run(script: str, *arguments: str, env: Environment, status: int = 0) -> str:
    """Run one of the scripts; returns what it prints, or why it fails."""
    done = subprocess.run(
        [str(ROOT / "scripts" / script), *arguments], env=env, capture_output=True, text=True
    )
    assert done.returncode == status, done.stdout + done.stderr
    return (done.stderr if status else done.stdout).strip()


def ingest(hana: Hana, env: Environment, path: Path, data: bytes) -> None:
    """An upload worked off at once."""
    path.write_bytes(data)
    hana("ingest", str(path), env=env)


def rows(env: Environment) -> dict[str, int]:
    """How many there are of what an archive consists of."""
    ledger = Ledger(env)
    return {table: ledger.number(f"SELECT count(*) FROM records_{table}") for table in TABLES}


@pytest.fixture(params=[False, True], ids=["sqlite", "postgresql"])
def env(request: pytest.FixtureRequest, hana_env: MakeEnv) -> Environment:
    """An archive to lose."""
    return hana_env(postgres=request.param)


@pytest.fixture
def nothing(
    env: Environment, request: pytest.FixtureRequest, tmp_path: Path
) -> Callable[[], Environment]:
    """Machines with an empty database and an empty disk."""

    def make() -> Environment:
        new = bare_env(HANA_ENV="development", HANA_VAR=str(tmp_path / "new" / "var"))
        shutil.rmtree(new["HANA_VAR"], ignore_errors=True)
        Path(new["HANA_VAR"]).mkdir(parents=True)
        if "DATABASE_URL" in env:
            server: services.Postgres = request.getfixturevalue("postgres_server")
            new["DATABASE_URL"] = server.url(server.create())
        return new

    return make


def test_what_is_lost_comes_back(
    hana: Hana, env: Environment, nothing: Callable[[], Environment], tmp_path: Path
) -> None:
    backups = tmp_path / "backups"
    ingest(hana, env, tmp_path / "first.kafu", joined(text(1), text(2), MALFORMED, text(1)))
    said = run("backup", str(backups), env=env)
    made = Path(said.split(":")[0])
    assert said == f"{made}: 2 games, 1 uploaded files" and made.parent == backups
    before = rows(env)
    keys = Ledger(env).ask("SELECT key FROM records_record ORDER BY key")
    # The archive goes on; what comes later is not in this backup.
    ingest(hana, env, tmp_path / "second.kafu", joined(text(3)))

    shutil.rmtree(env["HANA_VAR"])
    new = nothing()
    assert "2 games, 1 uploads; every count" in run("restore", str(made), env=new)
    assert rows(new) == before
    assert Ledger(new).ask("SELECT key FROM records_record ORDER BY key") == keys
    ingest(hana, new, tmp_path / "again.kafu", joined(text(1)))
    assert rows(new)["record"] == 2, "an archive that knows its games"
    assert rows(new)["submission"] == before["submission"] + 1
    assert "the database is not empty" in run("restore", str(made), env=new, status=1)


def test_backups_share_bytes_and_damage_is_found(
    hana: Hana, hana_env: MakeEnv, tmp_path: Path
) -> None:
    env = hana_env()
    backups = tmp_path / "backups"
    ingest(hana, env, tmp_path / "a.kafu", joined(text(1)))
    first = Path(run("backup", str(backups), env=env).split(":")[0])
    first = first.rename(first.with_name("first"))  # a backup is named for its second
    [stored] = (backups / "uploads").glob("*/*")
    unchanged = stored.stat().st_mtime_ns
    ingest(hana, env, tmp_path / "b.kafu", joined(text(2)))
    second = Path(run("backup", str(backups), env=env).split(":")[0])
    assert len(list((backups / "uploads").glob("*/*"))) == 2
    assert stored.stat().st_mtime_ns == unchanged, "not copied again"

    def restored(which: Path, number: int) -> str:
        new = bare_env(HANA_ENV="development", HANA_VAR=str(tmp_path / f"new{number}"))
        Path(new["HANA_VAR"]).mkdir()
        return run("restore", str(which), env=new, status=1)

    with opened(stored) as stream:
        other = stream.read().replace(b"Aya", b"Ayo")
    stored.write_bytes(b"".join(pack([other])))
    assert f"{stored} is damaged or missing" in restored(second, 1)
    manifest = first / "manifest.json"
    whole = manifest.read_text()
    manifest.write_text(whole.replace('"records_record": 1', '"records_record": 3'))
    assert "other counts than in the backup: records_record" in restored(first, 2)
    manifest.write_text(whole.replace(json.loads(whole)["sha256"], "0" * 64))
    with pytest.raises(BackupError, match=r"database\.sqlite is damaged or missing"):
        restore(first)
    manifest.unlink()
    with pytest.raises(BackupError, match="is no complete backup"):
        restore(first)

    shutil.rmtree(Path(env["HANA_VAR"]) / "uploads")
    shutil.rmtree(backups)
    assert "is named in the database, not found" in run("backup", str(backups), env=env, status=1)
    assert not list(backups.glob("*Z")), "nothing that looks like a backup"

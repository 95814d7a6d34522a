"""What killed processes leave on the disk goes; what is in use, or may be wanted, stays."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings

from records.intake import leftovers
from records.intake.receiving import DRAFTS, Part, receive
from records.intake.resumable import begin, path_of
from records.models import UploadFile
from records.work import sweeping
from tests.conftest import Environment, Hana
from tests.services import wait_until

pytestmark = pytest.mark.django_db
DAYS = 3 * 86400


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder for temporary files of this test alone, and a sweep that has not looked yet."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(leftovers._Last, "looked", None)
    yield


def old(path: Path) -> Path:
    """Of days ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.write_bytes(b"x")
    then = time.time() - DAYS
    os.utime(path, (then, then))
    return path


def storage() -> Path:
    """Where uploads are."""
    return Path(UploadFile._meta.get_field("stored").storage.path(""))


class Killed(BaseException):
    """As by SIGKILL: nothing is cleared away."""


def test_what_was_being_received(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = receive(parts=[Part("a", (b"whole",))], via="api").files.get()

    def dying() -> Iterator[bytes]:
        yield b"half"
        raise Killed

    monkeypatch.setattr("records.intake.receiving.discard", lambda files: None)
    with pytest.raises(Killed):
        receive(parts=[Part("a", (b"first",)), Part("b", dying())], via="api")
    left = list((storage() / DRAFTS).iterdir())
    assert len(left) == 2
    sweeping.tidy()
    assert all(path.exists() for path in left), "it may go on"
    for path in left:
        old(path)
    old(Path(kept.stored.path))
    orphan = old(storage() / "zz" / "orphan")
    assert leftovers.remove() == 2
    assert not any(path.exists() for path in left)
    assert Path(kept.stored.path).exists()
    assert orphan.exists(), "a database that is lost may be made anew of it"


def test_files_of_forms_and_drafts() -> None:
    form = old(settings.SCRATCH_DIR / "tmpabcd.upload")
    draft = old(Path(settings.CACHE_DIR) / "ab" / "tmpefgh")
    answer = old(Path(settings.CACHE_DIR) / "ab" / "games-123")
    under_way = settings.SCRATCH_DIR / "tmpijkl.upload"
    under_way.touch()
    sweeping.tidy()
    assert not form.exists() and not draft.exists()
    assert answer.exists() and under_way.exists()
    under_way.unlink()


def test_parts() -> None:
    partial = begin(sender="a", name="x", metadata="", length=5)
    known = old(path_of(partial))
    stray = old(Path(settings.PARTIAL_DIR) / "killed-before-the-row-was-there")
    lock = old(Path(settings.PARTIAL_DIR) / "ab12.lock")
    sweeping.tidy()
    assert known.exists()
    assert not stray.exists() and not lock.exists()


def test_temporary_folders(tmp_path: Path) -> None:
    with leftovers.temporary("hana-metrics-") as name:
        in_use = Path(name)
        (in_use / "counter_1.db").touch()
        dead = tmp_path / "hana-metrics-dead"
        dead.mkdir()
        (dead / "owner").touch()
        (dead / "counter_2.db").touch()
        new, before, other = (tmp_path / f"{p}x" for p in ("hana-metrics-n", "hana-rebuild-", "my"))
        for folder in (new, before, other):
            folder.mkdir()
        old(before / "hana.sqlite3")
        old(before)
        sweeping.tidy()
        assert not dead.exists() and not before.exists()
        assert in_use.exists() and new.exists() and other.exists()
    assert not in_use.exists()


def test_the_sweep_looks_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def noted() -> int:
        calls.append(1)
        return 0

    monkeypatch.setattr(leftovers, "remove", noted)
    for _ in range(5):
        leftovers.tidy()
    assert len(calls) == 1


def test_a_web_server_that_was_killed(
    hana: Hana, hana_env: Callable[..., Environment], tmp_path: Path
) -> None:
    env = hana_env(TMPDIR=str(tmp_path))
    web = hana.start("web", "--port=0", env=env)
    wait_until(lambda: list(tmp_path.glob("hana-metrics-*/owner")), "it is there")
    hana("sweep", "--once", env=env)
    assert list(tmp_path.glob("hana-metrics-*"))
    os.kill(web.pid, signal.SIGKILL)
    web.wait()
    hana("sweep", "--once", env=env)
    assert not list(tmp_path.glob("hana-metrics-*"))

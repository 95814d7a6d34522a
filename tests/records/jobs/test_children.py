"""Input that takes too much CPU time, in the processes of a worker."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from lengths import LONG, part
from records.jobs import holders
from tests.conftest import Environment, Hana
from tests.faults.games import file, games, named, zipped
from tests.faults.poison import BURN, BURN_IN_C, COSTLY_FILE, SLOW, poisoned
from tests.records.jobs.ledger import Ledger

MakeEnv = Callable[..., Environment]

SEND = """
import json, sys
from records.ingest.receiving import Part, receive
for sender, name, path in json.load(sys.stdin):
    with open(path, "rb") as stream:
        receive(parts=[Part(name, iter([stream.read()]))], via=sender, sender=sender)
"""


class Site:
    """A worker, and uploads of several senders."""

    def __init__(self, hana: Hana, env: Environment) -> None:
        self.hana, self.env, self.ledger = hana, env, Ledger(env)

    def send(self, *files: tuple[str, str, bytes]) -> None:
        """Upload files, each of a sender and with a name."""
        arguments = []
        for number, (sender, name, data) in enumerate(files):
            path = Path(self.env["HANA_VAR"]) / f"sent-{sender}-{number}"
            path.write_bytes(data)
            arguments.append((sender, name, str(path)))
        self.hana("shell", "--no-imports", "-c", SEND, env=self.env, stdin=json.dumps(arguments))

    def count_games(self, sender: str) -> int:
        """Return the number of read games of a sender."""
        return self.ledger.number(
            "SELECT count(*) FROM records_submission s JOIN records_upload u ON u.id = s.upload_id"
            f" WHERE u.via = '{sender}'"
        )

    def faults(self) -> list[tuple[int, str]]:
        """Return number and code of the malformed games."""
        rows = self.ledger.ask(
            "SELECT number, CAST(error AS text) FROM records_submission WHERE error IS NOT NULL"
        )
        return sorted((number, json.loads(error)["code"]) for number, error in rows)

    def find_child(self) -> int:
        """Return the process that has leased a job."""
        [(lease,)] = self.ledger.ask("SELECT lease FROM records_job WHERE state = 'leased'")
        return holders.holder(lease)[1]

    def measure_wait(self) -> int:
        """Send a game of another sender; return the games of ``a`` read until it is read."""
        before = self.count_games("a")
        self.send(("b", "game", named(1, "Ren").encode()))
        began = time.monotonic()
        self.ledger.wait(lambda: self.count_games("b"), tick=0.05)
        print(f"waited {time.monotonic() - began:.2f} s")
        return self.count_games("a") - before


@pytest.fixture(params=["sqlite", pytest.param("production", marks=pytest.mark.faults)])
def site(request: pytest.FixtureRequest, hana: Hana, hana_env: MakeEnv) -> Site:
    """Return a site whose worker has one process."""
    is_production = request.param == "production"
    settings = {"DJANGO_SETTINGS_MODULE": "tests.faults.settings", "HANA_WORKERS": "1"}
    return Site(hana, hana_env(postgres=is_production, redis=is_production, **settings))


def parent_of(pid: int) -> int:
    ps = ["ps", "-o", "ppid=", "-p", str(pid)]
    return int(subprocess.run(ps, check=True, capture_output=True, text=True).stdout)


def costly(effect: str, name: str) -> str:
    return poisoned(named(1, name), effect)


def test_costly_games_and_files_get_a_fault_once_and_their_neighbours_are_read(site: Site) -> None:
    texts = games("Gin")
    costly_texts = [costly(BURN_IN_C, "Iku"), *([costly(BURN, "Jun")] if LONG else ())]
    texts[2:2] = costly_texts
    site.send(("a", "games", file(*texts)), ("b", COSTLY_FILE, games("Hana")[0].encode()))
    site.hana.start("worker", env=site.env)
    site.ledger.wait(site.ledger.is_done)
    assert site.faults() == [(number, "too-costly") for number, _ in enumerate(costly_texts, 3)]
    assert (site.count_games("a"), site.count_games("b")) == (len(texts), 0)
    verified = len(texts) - len(costly_texts)
    assert site.ledger.number("SELECT sum(verified) FROM records_chunk") == verified
    faults = dict(site.ledger.ask("SELECT name, CAST(fault AS text) FROM records_uploadfile"))
    assert json.loads(faults[COSTLY_FILE])["code"] == "too-costly"
    assert faults["games"] in (None, "")
    assert site.ledger.number("SELECT max(attempts) FROM records_job") == 1


@pytest.mark.long_only  # test_worker.py has the order of queues
def test_game_is_read_while_another_sender_has_an_archive_unpacked(site: Site) -> None:
    names = [f"Gin{number}" for number in range(6000)]
    site.send(("a", "archive.zip", zipped(**{name: named(1, name).encode() for name in names})))
    site.hana.start("worker", env=site.env)
    unpacking = "SELECT count(*) FROM records_job WHERE kind = 'file' AND state = 'leased'"
    site.ledger.wait(partial(site.ledger.number, unpacking))
    assert site.measure_wait() == 0
    assert site.ledger.number(unpacking) == 1


@pytest.mark.parametrize("victim", part(["child", "parent"]))
def test_killed_process_of_a_worker_loses_no_game(site: Site, victim: str) -> None:
    texts = [poisoned(text, SLOW) for text in games("Gin", "Hana")]
    site.send(("a", "games", file(*texts)))
    site.hana.start("worker", env=site.env)
    site.ledger.wait(site.ledger.in_work)
    child = site.find_child()
    os.kill(parent_of(child) if victim == "parent" else child, signal.SIGKILL)
    site.ledger.wait(site.ledger.is_done)
    assert site.count_games("a") == len(texts)
    assert site.ledger.number("SELECT sum(verified) FROM records_chunk") == len(texts)

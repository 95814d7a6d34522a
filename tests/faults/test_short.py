"""The faults in short: one site in production mode and one on SQLite, each mechanism once.

The other tests of the folder, marked `faults`, test each mechanism alone and more often.
"""

import json
import signal
import time
from random import Random
from typing import Any

from tests.conftest import Hana
from tests.faults.books import Sent
from tests.faults.conftest import MakeSite
from tests.faults.games import file, games, mixed, named, zipped
from tests.faults.hurts import Hurts, disk_full, half_sent, in_mid_work, slowed
from tests.faults.poison import KILL, poisoned
from tests.faults.site import Site
from tests.ops.conftest import KEY, TOKEN
from tests.records.jobs.ledger import hand_in
from tests.services import free_port

HURTS = ("worker killed", "Redis restarted", "messages again", "PostgreSQL down")
PRODUCTION = {
    "HANA_ENV": "production",
    "SECRET_KEY": KEY,
    "ALLOWED_HOSTS": "127.0.0.1",
    "HANA_HTTPS": "0",
    "HANA_ANONYMOUS_UPLOAD": "1",
    "HANA_METRICS_TOKEN": TOKEN,
}
ROLES = ("web", "worker", "sweep")
HEARTBEATS = "SELECT count(*) FROM records_heartbeat"
#: Finds leases that have ended on a slow machine.
SWEEP = "from records.jobs.sweeping import sweep; sweep(max_wait=0)"
ATTEMPTS = "SELECT max(attempts) FROM records_job WHERE kind = 'chunk' AND state = 'done'"


def test_production_site_loses_nothing_to_any_fault_and_ends_in_order(
    make_site: MakeSite, hana: Hana
) -> None:
    site = make_site(*ROLES, HANA_LEASE_SECONDS="3", **PRODUCTION)
    hurts = Hurts(site, Random(2026))
    site.upload(slowed("Aya", "Gin"))
    site.upload(zipped(one=mixed("Hana"), two=file(*reversed(games("Aya")))), "games.zip")
    # A separate upload, hence a separate chunk, saves the three further attempts of halving a
    # chunk.
    site.upload(file(*games("Iku")[:4], poisoned(named(1, "Bad"), KILL)))
    site.wait(lambda: in_mid_work(site))
    for name in HURTS:
        hurts.do(name)
        site.tend()
        time.sleep(0.3)
    with half_sent(site, mixed("Jun"), "a key"):
        site.kill("web")
    site.upload(mixed("Jun"), key="a key")
    site.wait(site.answers)  # the restarted server, not the remains of the killed one
    with disk_full(site, "web"):
        assert site.post(mixed("Kei"), "games.kafu", "another")[0] == 507
    last = site.upload(mixed("Kei"), key="another")
    site.settle(hana)
    site.wait(lambda: site.get("/health/ready")[0] == 200)
    check_metrics(site)
    check_end(site)
    check_trail(site, last)


def check_metrics(site: Site) -> None:
    """Check that requests and games are counted, with the token."""
    connection = site.connect()
    connection.request("GET", "/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    response = connection.getresponse()
    metrics = response.read().decode()
    connection.close()
    assert response.status == 200, site.log.read_text()[-6000:]
    # A process that begins to count while the disk is full fails, so its 507 may be missing.
    labels = '{method="POST",route="/api/v1/uploads",status="202"}'
    assert f"hana_request_seconds_count{labels} " in metrics
    verified = site.ledger.number(
        "SELECT count(*) FROM records_submission WHERE status = 'verified'"
    )
    assert f'hana_verdicts_total{{status="verified"}} {verified}.0' in metrics


def check_end(site: Site) -> None:
    """Tell all processes to end, and check that they end in order."""
    for process in site.running.values():
        process.send_signal(signal.SIGTERM)
    assert {role: process.wait(60) for role, process in site.running.items()} == dict.fromkeys(
        ROLES, 0
    )
    pids = ", ".join(str(process.pid) for process in site.running.values())
    heartbeats = f"SELECT count(*) FROM records_heartbeat WHERE pid IN ({pids})"
    assert site.ledger.number(heartbeats) == 0, "removed at the end"


def check_trail(site: Site, upload: str) -> None:
    """Check that the log has the request id of an upload up to its last chunk."""
    [(request_id,)] = site.ledger.ask(
        f"SELECT request_id FROM records_upload WHERE key = '{upload}'"
    )
    lines: list[dict[str, Any]] = [
        json.loads(line) for line in site.log.read_text().splitlines() if line.startswith("{")
    ]
    trail = [line for line in lines if line.get("request_id") == request_id]
    assert [line["status"] for line in trail if line["message"] == "request"] == [202]
    work = [line for line in trail if line["message"] != "request"]
    assert {line["upload"] for line in work} == {upload}
    assert {name for line in work for name in ("file", "chunk") if name in line} == {
        "file",
        "chunk",
    }


def test_two_workers_on_sqlite_store_games_once_when_one_is_killed(
    make_site: MakeSite, hana: Hana
) -> None:
    """The broker is away during the uploads, which is an error of neither sender nor sweep."""
    site = make_site("worker 1", "worker 2", production=False)
    # A worker started after the end of the work could not be killed during work.
    site.wait(lambda: site.ledger.number(HEARTBEATS) == 2)
    files = [slowed("Aya"), slowed("Aya"), mixed("Jun")]
    away = site.env | {"REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"}
    for role in site.running:  # neither is done before the test looks
        site.signal(role, signal.SIGSTOP)
    keys = hand_in(hana, away, *files, then=SWEEP)
    for role in site.running:
        site.signal(role, signal.SIGCONT)
    site.books.sent += [Sent(key, data) for key, data in zip(keys, files, strict=True)]
    site.wait(lambda: site.ledger.in_work() == 2)
    site.kill("worker 1")
    site.wait(site.books.is_settled)
    site.books.check()
    assert site.ledger.number(ATTEMPTS) > 1

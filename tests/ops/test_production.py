"""The services of compose.yaml as processes, with PostgreSQL and Redis: one upload through all.

Runs in `make test-long`; `tests/faults/test_short.py` starts and ends a site in production mode in
every run.
"""

from __future__ import annotations

import json
import signal
import subprocess
from typing import Any

import pytest

from tests.conftest import Environment, Hana
from tests.ops.conftest import PATIENCE, TOKEN, ask, by_proxy, start_web
from tests.ops.test_compose import SERVICES
from tests.records.jobs.ledger import Ledger
from tests.records.makers import joined, text
from tests.services import wait_until

REQUEST_ID = "from-the-request-to-the-last-chunk"


def start(hana: Hana, service: str, env: Environment) -> subprocess.Popen[str]:
    """Start one of our services by its command line in compose.yaml."""
    command = SERVICES[service]["command"]
    assert command[0] == "python"
    return hana.start_python(*command[1:], env=env)


def parse_lines(log: str) -> list[dict[str, Any]]:
    """Return the log lines of processes, except Celery's unstructured warning about root."""
    return [json.loads(line) for line in log.splitlines() if line.startswith("{")]


@pytest.mark.long_only
def test_upload_passes_through_all_services_which_end_in_order(
    hana: Hana, production_env: Environment, capfd: pytest.CaptureFixture[str]
) -> None:
    env = production_env | {"HANA_CHUNK_GAMES": "2"}
    web, url = start_web(hana, env)
    ready = ask(f"{url}/health/ready")
    assert ready.status == 503
    assert ready.json()["parts"]["worker"] == ready.json()["parts"]["sweep"] == "away"
    worker, sweep = start(hana, "worker", env), start(hana, "sweep", env)
    wait_until(lambda: ask(f"{url}/health/ready").status == 200, "all parts are there", PATIENCE)
    ledger = Ledger(env)
    heartbeats = ledger.ask("SELECT kind, queues FROM records_heartbeat ORDER BY kind")
    assert heartbeats == [("sweep", ""), ("worker", "work")]

    sent = by_proxy(
        f"{url}/api/v1/uploads",
        data=joined(*map(text, range(1, 6))),
        Content_Type="text/x-kafu",
        X_Request_ID=REQUEST_ID,
    )
    assert sent.status == 202 and sent.headers["X-Request-ID"] == REQUEST_ID
    address = sent.headers["Location"]
    assert address.startswith("https://archive.example/"), "as the visitor sees us"
    job = url + address.removeprefix("https://archive.example")
    wait_until(lambda: by_proxy(job).json()["state"] == "done", "the upload is done", PATIENCE)
    status = by_proxy(job).json()
    assert status["games"]["verified"] == 5 and status["chunks"]["done"] == 3

    metrics = ask(f"{url}/metrics", Authorization=f"Bearer {TOKEN}").body.decode()
    assert 'hana_verdicts_total{status="verified"} 5.0' in metrics
    assert 'hana_processes{kind="worker"} 1.0' in metrics
    request = 'hana_request_seconds_count{method="POST",route="/api/v1/uploads",status="202"} 1.0'
    assert request in metrics

    for process in (web, worker, sweep):
        process.send_signal(signal.SIGTERM)
    assert [process.wait(60) for process in (web, worker, sweep)] == [0, 0, 0]
    assert ledger.number("SELECT count(*) FROM records_heartbeat") == 0, "removed at the end"

    trail = [
        line for line in parse_lines(capfd.readouterr().err) if line.get("request_id") == REQUEST_ID
    ]
    # A worker may be faster than the line of the request.
    (request_line,) = (line for line in trail if line["message"] == "request")
    work = [line for line in trail if line is not request_line]
    assert [line["upload"] for line in work] == [job.rsplit("/", 1)[-1]] * 4
    assert sorted(name for line in work for name in ("file", "chunk") if name in line) == [
        "chunk", "chunk", "chunk", "file"
    ]  # fmt: skip

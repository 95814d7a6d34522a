"""The services of compose.yaml as processes, with PostgreSQL and Redis: one upload through all."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
from typing import Any

import pytest

from tests.conftest import Environment, Hana
from tests.ops.conftest import BY_PROXY, TOKEN, ask, by_proxy, start_web
from tests.ops.test_compose import SERVICES
from tests.records.makers import joined, text
from tests.records.work.ledger import Ledger
from tests.services import wait_until

REQUEST_ID = "from-the-request-to-the-last-chunk"


def start(hana: Hana, service: str, env: Environment) -> subprocess.Popen[str]:
    """Start one of our services by its own command line."""
    command = SERVICES[service]["command"]
    assert command[0] == "python"
    return hana.start_python(*command[1:], env=env)


def lines(said: str) -> list[dict[str, Any]]:
    """The log lines of processes. (Celery warns root in a form of its own.)"""
    return [json.loads(line) for line in said.splitlines() if line.startswith("{")]


def test_an_upload_through_all_services(
    hana: Hana, production_env: Environment, capfd: pytest.CaptureFixture[str]
) -> None:
    env = production_env | {"HANA_CHUNK_GAMES": "2"}
    hana("migrate", "--no-input", env=env)
    web, url = start_web(hana, env)

    ready = ask(f"{url}/health/ready")
    assert ready.status == 503
    assert ready.json()["parts"]["worker"] == ready.json()["parts"]["sweep"] == "away"
    worker, sweep = start(hana, "worker", env), start(hana, "sweep", env)
    wait_until(lambda: ask(f"{url}/health/ready").status == 200, "all parts are there")
    assert "worker: ok" in hana("health", "--here", "worker", env=env).stdout
    beats = Ledger(env).ask("SELECT kind, queues FROM records_heartbeat ORDER BY kind")
    assert beats == [("sweep", ""), ("worker", "work")]

    body = joined(*map(text, range(1, 6)))
    sent = by_proxy(
        f"{url}/api/v1/uploads",
        data=body,
        Content_Type="text/x-kafu",
        X_Request_ID=REQUEST_ID,
    )
    assert sent.status == 202 and sent.headers["X-Request-ID"] == REQUEST_ID
    address = sent.headers["Location"]
    assert address.startswith("https://archive.example/"), "as the visitor sees us"
    job = url + address.removeprefix("https://archive.example")
    wait_until(lambda: by_proxy(job).json()["state"] == "done", "the upload is done")
    done = by_proxy(job).json()
    assert done["games"]["verified"] == 5 and done["chunks"]["done"] == 3

    told = ask(f"{url}/metrics", Authorization=f"Bearer {TOKEN}").body.decode()
    assert 'hana_verdicts_total{status="verified"} 5.0' in told
    assert 'hana_processes{kind="worker"} 1.0' in told
    assert (
        'hana_request_seconds_count{method="POST",route="/api/v1/uploads",status="202"} 1.0' in told
    )

    for process in (web, worker, sweep):
        process.send_signal(signal.SIGTERM)
    assert [process.wait(20) for process in (web, worker, sweep)] == [0, 0, 0]
    assert "away" in hana("health", env=env, status=1).stdout, "who ends says so"

    trail = [line for line in lines(capfd.readouterr().err) if line.get("request_id") == REQUEST_ID]
    key = job.rsplit("/", 1)[-1]
    # A worker may be faster than the line of the request.
    (asked,) = (line for line in trail if line["message"] == "request")
    work = [line for line in trail if line is not asked]
    assert [line["upload"] for line in work] == [key] * 4
    assert sorted(name for line in work for name in ("file", "chunk") if name in line) == [
        "chunk", "chunk", "chunk", "file"
    ]  # fmt: skip


def test_web_finishes_what_it_was_asked(hana: Hana, production_env: Environment) -> None:
    """A request under way is answered although the server was told to end."""
    web, url = start_web(hana, production_env | {"HANA_WEB_PROCESSES": "1"})
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=30)
    body = text(1).encode()
    connection.putrequest("POST", "/api/v1/verify", skip_host=True)
    for name, value in {**BY_PROXY, "Content-Type": "text/x-kafu"}.items():
        connection.putheader(name, value)
    connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body[:100])
    # One process accepts in turn: when the second connection is answered, it has the first.
    assert ask(f"{url}/health/live").status == 200
    web.send_signal(signal.SIGTERM)
    connection.send(body[100:])
    response = connection.getresponse()
    assert response.status == 200 and json.load(response)["status"] == "verified"
    assert web.wait(20) == 0

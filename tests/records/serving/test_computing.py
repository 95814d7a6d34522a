"""Computing processes: limits, results, errors, and their end."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from api.views import verify as verify_views
from records.pages.uploads import check as check_page
from records.serving import limits
from records.serving.computing import TooCostly
from records.serving.limits import Account, paid_by, settle
from tests.conftest import Environment, Hana
from tests.records.makers import text

#: Starts two computing processes, and prints the result or exception of each call, and its seconds.
CALLS = """
import json, re, tempfile, time
from django.utils.translation import override
from records.base import labels
from records.serving import computing

computing.start(tempfile.mkdtemp(), 2)
for function, *arguments in (
    (re.match, "(a*)*b", "a" * 40),
    (bytearray, computing.MEMORY_BYTES + (64 << 20)),
    (bytes, computing.RESULT_BYTES + 1),
    (int, "x"),
    (labels.month, 1),
):
    began = time.monotonic()
    try:
        with override("ja"):
            result = computing.compute(function, *arguments, seconds=0.5)
    except Exception as error:
        result = type(error).__name__
    print(json.dumps([result, time.monotonic() - began]))
"""
#: Prints the ids of the keeper's group, then waits for ever.
WAIT = """
import os, pathlib, tempfile, time
from records.serving import computing

computing.start(tempfile.mkdtemp(), 2)
children = lambda pid: pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
(keeper,) = children(os.getpid())
while len(children(keeper)) < 2:
    time.sleep(0.01)
print(keeper, *children(keeper), flush=True)
time.sleep(600)
"""


def is_running(pid: int) -> bool:
    """Return whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def children(pid: int) -> set[int]:
    """Return the ids of the children of a process."""
    return {*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())}


def wait_until(is_done: Callable[[], bool]) -> None:
    """Wait until a condition is true, at most a minute."""
    until = time.monotonic() + 60
    while not is_done():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_call_past_a_limit_is_too_costly_and_later_calls_are_computed(
    hana: Hana, hana_env: Callable[..., Environment]
) -> None:
    output = hana("shell", "--no-imports", "-c", CALLS, env=hana_env()).stdout
    results = [json.loads(line)[0] for line in output.splitlines()]
    assert results == ["TooCostly", "TooCostly", "TooCostly", "ValueError", "1月"]


@pytest.mark.parametrize("killed", ["server", "keeper"])
def test_computing_processes_end_with_the_server_and_the_server_with_the_keeper(
    hana: Hana, hana_env: Callable[..., Environment], killed: str
) -> None:
    process = hana.start("shell", "--no-imports", "-c", WAIT, env=hana_env())
    assert process.stdout is not None
    keeper, *computing = map(int, process.stdout.readline().split())
    assert len(computing) == 2
    os.kill(process.pid if killed == "server" else keeper, signal.SIGKILL)
    wait_until(lambda: not any(map(is_running, (process.pid, keeper, *computing))))


def test_ended_computing_process_is_replaced(
    hana: Hana, hana_env: Callable[..., Environment]
) -> None:
    process = hana.start("shell", "--no-imports", "-c", WAIT, env=hana_env())
    assert process.stdout is not None
    keeper, *computing = map(int, process.stdout.readline().split())
    os.kill(computing[0], signal.SIGKILL)

    wait_until(lambda: len(children(keeper) - {computing[0]}) == 2)


def refuse(*_arguments: Any, **_options: Any) -> Any:
    """Stand for a computing process that reaches its limit."""
    raise TooCostly(5.0)


@pytest.mark.django_db
def test_too_costly_request_is_refused_with_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify_views, "compute", refuse)
    monkeypatch.setattr(check_page, "compute", refuse)
    response: Any = Client().post("/api/v1/verify", text(1).encode(), "text/x-kafu")
    problem = response.json()
    assert (response.status_code, problem["code"]) == (422, "too-costly")
    assert "5 seconds" in problem["detail"] and "200 MB" in problem["detail"]
    page: Any = Client().post("/check/", {"text": text(1)})
    assert page.status_code == 422 and "5 seconds" in page.content.decode()


@pytest.mark.django_db
def test_too_costly_game_among_many_is_malformed(monkeypatch: pytest.MonkeyPatch) -> None:
    compute = verify_views.compute

    def compute_but_second(function: Callable[..., Any], *arguments: Any) -> Any:
        is_second = function is verify_views.verify_game and arguments[0].number == 2
        return refuse() if is_second else compute(function, *arguments)

    monkeypatch.setattr(verify_views, "compute", compute_but_second)
    games = (text(1) * 3).encode()
    response: Any = Client().post("/api/v1/verify.ndjson", games, "text/x-kafu")
    verdicts = [json.loads(line) for line in b"".join(response).splitlines()]
    assert [verdict["status"] for verdict in verdicts] == ["verified", "malformed", "verified"]
    assert verdicts[1]["error"]["code"] == "too-costly"


@pytest.mark.parametrize(("paid", "charged"), [(2, 3), (10, 0)])
def test_computing_is_charged_as_far_as_the_request_has_not_paid(
    monkeypatch: pytest.MonkeyPatch, paid: int, charged: int
) -> None:
    units: list[int] = []
    monkeypatch.setattr(limits, "step", lambda name, sender, count: units.append(count))
    with paid_by(Account("somebody", paid)):
        settle(0.05)
    assert sum(units) == charged

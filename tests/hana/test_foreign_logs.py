"""Logs of another program that nearly fit: the client, the library's command line, the archive's
own and the report of an upload say the same of them.
"""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from hana.cli import main
from importers.test_koikoi_ai import LOG, as_left, without_deals
from tests.conftest import Environment, Hana

Capture = pytest.CaptureFixture[str]


def broken_off(round: int, turn: int) -> dict[str, Any]:
    """The log with a card that was drawn and is not there."""
    log = copy.deepcopy(LOG)
    log["record"][f"round{round}"][f"turn{turn}"]["drawCard"] = None
    return log


#: Status, the code of the fault, and those of the warnings.
CASES: list[tuple[str, dict[str, Any], tuple[str, str, set[str]]]] = [
    ("a-whole", LOG, ("verified", "", set())),
    ("b-left", as_left(LOG), ("verified", "", {"foreign-log-deal"})),
    ("c-none", without_deals(LOG, None), ("consistent", "", {"foreign-log-deal"})),
    ("d-cut", broken_off(2, 2), ("unfinished", "", {"foreign-log-cut"})),
    ("e-empty", broken_off(1, 1), ("malformed", "incomplete-foreign-log", set())),
]


def summary(verdict: dict[str, Any]) -> tuple[str, str, set[str]]:
    """What is compared of a verdict."""
    error = verdict["error"] or {}
    return verdict["status"], error.get("code", ""), {one["code"] for one in verdict["warnings"]}


def test_all_say_the_same(
    address: str, archive_env: Environment, tmp_path: Path, capsys: Capture, hana: Hana
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    for name, log, _expected in CASES:
        (folder / f"{name}.json").write_text(json.dumps(log))
    expected = [one for _name, _log, one in CASES]
    paths = [str(folder / f"{name}.json") for name, _log, _expected in CASES]

    assert main(["--server", address, "verify", *paths]) == 1
    by_client = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [summary(one) for one in by_client] == expected

    command = [sys.executable, "-m", "kafu", "verify", "--json", *paths]
    done = subprocess.run(command, capture_output=True, text=True, env=archive_env)
    assert done.returncode == 1, done.stderr
    by_library = [json.loads(line) for line in done.stdout.splitlines()]
    assert [summary(one) for one in by_library] == expected

    done = hana("verify", *paths, env=archive_env, status=1)
    by_archive = [json.loads(line) for line in done.stdout.splitlines()]
    assert [summary(one) for one in by_archive] == expected

    for path, one in zip(paths, expected, strict=True):
        main(["--server", address, "upload", "--wait", path])
        found = re.search(r"/uploads/(\w+)/", capsys.readouterr().out)
        assert found is not None
        with urlopen(f"{address}/api/v1/uploads/{found[1]}/report.ndjson") as report:
            assert summary(json.loads(report.read())) == one

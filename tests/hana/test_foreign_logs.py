"""Logs of another program: library, address for verdicts and upload report agree."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from hana.cli import main
from hana.server import Server
from importers.test_koikoi_ai import LOG, as_left, without_deals
from kafu.cli.main import main as kafu_main

Capture = pytest.CaptureFixture[str]


def remove_draw(round: int, turn: int) -> dict[str, Any]:
    """Return the log without the drawn card of a turn."""
    log = copy.deepcopy(LOG)
    log["record"][f"round{round}"][f"turn{turn}"]["drawCard"] = None
    return log


#: Name of a file, log, and the status, code of the fault and codes of the warnings expected.
CASES: list[tuple[str, dict[str, Any], tuple[str, str, set[str]]]] = [
    ("a-whole", LOG, ("verified", "", set())),
    ("b-left", as_left(LOG), ("verified", "", {"foreign-log-deal"})),
    ("c-none", without_deals(LOG, None), ("consistent", "", {"foreign-log-deal"})),
    ("d-cut", remove_draw(2, 2), ("unfinished", "", {"foreign-log-cut"})),
    ("e-empty", remove_draw(1, 1), ("malformed", "incomplete-foreign-log", set())),
]


def summarise(verdict: dict[str, Any]) -> tuple[str, str, set[str]]:
    """Return the status, the code of the fault and the codes of the warnings."""
    error = verdict["error"] or {}
    codes = {warning["code"] for warning in verdict["warnings"]}
    return verdict["status"], error.get("code", ""), codes


def test_library_and_archive_agree_on_foreign_logs(
    address: str, tmp_path: Path, capsys: Capture
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    for name, log, _summary in CASES:
        (folder / f"{name}.json").write_text(json.dumps(log))
    expected = [summary for _name, _log, summary in CASES]
    paths = [str(folder / f"{name}.json") for name, _log, _summary in CASES]

    assert kafu_main(["verify", "--json", *paths]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [summarise(json.loads(line)) for line in lines] == expected

    ndjson = "application/x-ndjson"
    response = Server(address).send(
        "POST",
        "verify",
        data="\n".join(json.dumps(log) for _name, log, _summary in CASES).encode(),
        headers={"Content-Type": ndjson, "Accept": ndjson},
    )
    verdicts = [json.loads(line) for line in response.content.splitlines()]
    assert [summarise(verdict) for verdict in verdicts] == expected

    main(["--server", address, "upload", "--wait", *paths])
    match = re.search(r"/uploads/(\w+)/", capsys.readouterr().out)
    assert match is not None
    with urlopen(f"{address}/api/v1/uploads/{match[1]}/report.ndjson") as report:
        assert [summarise(json.loads(line)) for line in report] == expected

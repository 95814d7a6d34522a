"""scripts/audit: a known vulnerability fails, an unavailable service does not."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

CLEAN = {"dependencies": [{"name": "a", "version": "1", "vulns": []}]}
KNOWN = {"id": "PYSEC-2026-1", "fix_versions": ["2"]}
FOUND = {"dependencies": [{"name": "a", "version": "1", "vulns": [KNOWN]}]}


@pytest.mark.parametrize(
    ("answer", "code", "status", "output"),
    [
        (CLEAN, 0, 0, "no known vulnerability"),
        (FOUND, 1, 1, "a 1: PYSEC-2026-1, fixed in: 2"),
        (None, 1, 0, "NOT DONE: the advisory service is unreachable"),
    ],
)
def test_response_of_the_advisory_service_decides_the_exit_status(
    tmp_path: Path, answer: object, code: int, status: int, output: str
) -> None:
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "audit", tmp_path / "scripts")
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").symlink_to(shutil.which("python3") or "")
    written = "" if answer is None else f"echo '{json.dumps(answer)}' >\"$last\""
    lines = ["#!/bin/sh", "for last; do case $before in --output) break;; esac; before=$last; done"]
    (programs / "pip-audit").write_text("\n".join([*lines, written, f"exit {code}", ""]))
    (programs / "pip-audit").chmod(0o755)
    result = subprocess.run([str(tmp_path / "scripts" / "audit")], capture_output=True, text=True)
    assert result.returncode == status
    assert output in result.stdout + result.stderr

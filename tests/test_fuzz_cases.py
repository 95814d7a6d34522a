"""Inputs that fuzzing found, a small one for each code of a fault: what must hold still does.

`make fuzz` looks for more; `python -m bench.fuzz games --keep` brings them here.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.fuzzing import TARGETS
from tests.conftest import ROOT

CASES = sorted((ROOT / "tests/cases/fuzz").glob("*/*"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_fuzzing_found(path: Path) -> None:
    told = TARGETS[path.parent.name](path.read_bytes())
    code = path.name
    assert code in told


def test_there_are_some_of_each_kind() -> None:
    assert {path.parent.name for path in CASES} == set(TARGETS)

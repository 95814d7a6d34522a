"""Small inputs found by fuzzing, one for each fault code, keep their results.

`make fuzz` searches for more; `python -m bench.fuzz games --keep` copies them here.
"""

from __future__ import annotations

from bench.invariants import TARGETS
from tests.conftest import ROOT

CASES = sorted((ROOT / "tests/cases/fuzz").glob("*/*"))


def test_inputs_found_by_fuzzing_have_their_codes() -> None:
    for path in CASES:
        assert path.name in TARGETS[path.parent.name](path.read_bytes()), path


def test_every_target_has_cases() -> None:
    assert {path.parent.name for path in CASES} == set(TARGETS)

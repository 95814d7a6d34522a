"""Games and broken games with their expected verdicts: our own (kafu/conformance), and those of an
independent implementation (../shared/conformance).
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from conformance.make import judged
from conformance.run import HERE as OWN
from conformance.run import cases, comparable
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.rules.verdict import Verdict
from shared import shared

SHARED = shared("conformance")
SHARED_CASES = [case for ruleset in RULES for case in sorted((SHARED / ruleset).glob("*.json"))]
#: Those that are text of a known ruleset.
CASES = SHARED_CASES + [
    case for ruleset in RULES for case in sorted((OWN / ruleset).glob("*.json"))
]


def judge(path: Path) -> Verdict:
    return verify(read(path.read_text(encoding="utf-8"))).verdict


def ledger(deal: dict[str, Any]) -> Counter[tuple[Any, ...]]:
    """A ledger is a set of lines: their order is free."""
    return Counter((line["label"], *line["amounts"], line["void"]) for line in deal["ledger"])


def without_order(deals: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [deal | {"ledger": ledger(deal)} for deal in deals]


@pytest.mark.parametrize("case", SHARED_CASES, ids=lambda path: "-".join(path.parts[-2:]))
def test_case_of_the_independent_implementation(case: Path) -> None:
    expected = json.loads(case.read_text(encoding="utf-8"))
    found = judge(case.with_suffix(".kafu")).to_json()
    assert found["status"] == expected["status"]
    if expected["error"]:
        for key in ("line", "deal", "turn"):
            if expected["error"].get(key) is not None:
                assert found["error"][key] == expected["error"][key], found["error"]
    if expected["mismatches"]:
        assert sorted(map(str, found["mismatches"])) == sorted(
            str({key: one[key] for key in ("where", "deal", "seat", "claimed", "computed")})
            for one in expected["mismatches"]
        )
    if "deals" in expected:
        assert without_order(found["deals"]) == without_order(expected["deals"])
        assert found["final"] == expected["final"]
        assert found["identity"] == expected["identity"]


@pytest.mark.parametrize("record", cases(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_own_case(record: Path) -> None:
    expected = json.loads(record.with_suffix(".json").read_text(encoding="utf-8"))
    assert judged(record) == comparable(expected)

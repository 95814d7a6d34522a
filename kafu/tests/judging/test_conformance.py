"""Games and broken games of an independent implementation (../shared/conformance), and our own."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.rules.verdict import Verdict
from shared import shared

RULESETS = ("koikoi", "hachihachi", "hachihachi-bga", "hanaawase", "ten-five-one")
SHARED = shared("conformance")
OWN = Path(__file__).parents[1] / "cases"
CASES = [
    case
    for place in (SHARED, OWN)
    for ruleset in RULESETS
    for case in sorted((place / ruleset).glob("*.json"))
]


def judge(path: Path) -> Verdict:
    return verify(read(path.read_text(encoding="utf-8"))).verdict


def ledger(deal: dict[str, Any]) -> Counter[tuple[Any, ...]]:
    """A ledger is a set of lines: their order is free."""
    return Counter((line["label"], *line["amounts"], line["void"]) for line in deal["ledger"])


def comparable(deals: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [deal | {"ledger": ledger(deal)} for deal in deals]


@pytest.mark.parametrize("case", CASES, ids=lambda path: "-".join((*path.parts[-3:-1], path.stem)))
def test_case(case: Path) -> None:
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
        assert comparable(found["deals"]) == comparable(expected["deals"])
        assert found["final"] == expected["final"]
        assert found["identity"] == expected["identity"]

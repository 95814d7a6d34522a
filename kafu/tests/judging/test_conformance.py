"""Games and broken games with their expected verdicts.

The cases are the library's (kafu/conformance) and those of an independent implementation
(../shared/conformance).
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from conformance.run import comparable, differences
from corpus import FOLDERS, Case, cases_of, check_cases, library_cases, shared_cases
from kafu.notation.vocabulary import RULES
from shared import CONTRADICTED, shared

pytestmark = pytest.mark.long


def without_order(deals: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the deals with their ledgers as sets of lines, since the order is free."""
    return [
        deal
        | {
            "ledger": Counter(
                (line["label"], *line["amounts"], line["void"]) for line in deal["ledger"]
            )
        }
        for deal in deals
    ]


def check_shared_case(case: Case) -> None:
    """Compare the verdict with the independent implementation's."""
    expected, verdict = case.expected, case.verification.verdict.to_json()
    if code := CONTRADICTED.get(str(case)):
        assert verdict["error"]["code"] == code
        return
    assert verdict["status"] == expected["status"]
    if expected.get("error"):
        for key in ("line", "deal", "turn"):
            if expected["error"].get(key) is not None:
                assert verdict["error"][key] == expected["error"][key], verdict["error"]
    if expected.get("mismatches"):
        assert sorted(map(str, verdict["mismatches"])) == sorted(
            str({key: claim[key] for key in ("where", "deal", "seat", "claimed", "computed")})
            for claim in expected["mismatches"]
        )
    if "deals" in expected:
        assert without_order(verdict["deals"]) == without_order(expected["deals"])
        assert verdict["final"] == expected["final"]
        assert verdict["identity"] == expected["identity"]


def check_library_case(case: Case) -> None:
    """Compare the whole verdict with the expected verdict."""
    verdict = comparable(case.verification.verdict.to_json())
    assert list(differences(comparable(case.expected), verdict)) == []


@pytest.mark.parametrize("rules", sorted(RULES))
def test_shared_cases_have_the_verdicts_of_the_independent_implementation(rules: str) -> None:
    check_cases(cases_of(rules, shared_cases()), check_shared_case)


def test_shared_sheets_have_their_right_verdicts() -> None:
    cases = [Case(path) for path in sorted(shared("cases/sheets").glob("*.kafu"))]
    check_cases(cases, check_shared_case)


@pytest.mark.parametrize("folder", FOLDERS)
def test_library_cases_have_their_expected_verdicts(folder: str) -> None:
    cases = cases_of(folder, library_cases())
    assert cases
    check_cases(cases, check_library_case)

"""Corrections of a text with legal moves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kafu.judging.position import Option, position
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from lengths import LONG
from records.services.repairs import leave_out, put_in
from tests.conformance import CASES

HAND = Option("PxM/…", "hand", 1, "P", "M")
STOCK = Option("AxB/GxH", "stock", 1, "G", "H")
SAY = Option("AxB/GxH=agari", "say", 1, say="agari")


@pytest.mark.parametrize(
    ("row", "column", "option", "corrected"),
    [
        ("1. A/B L/AxD q/r", 8, HAND, "1. A/B PxM/AxD q/r"),
        ("1.2:L/AxD=sage q/r", 5, HAND, "1.PxM/AxD=sage q/r"),
        ("1. LxM=menjo/A{so}", 4, HAND, "1. PxM=menjo/A{so}"),
        ("1. A/G=sage", 6, STOCK, "1. AxB/GxH=sage"),
        ("1. A/G", 4, STOCK, "1. AxB/GxH"),
        ("7. AxB/GxH=sage=nimai r/s", 8, SAY, "7. AxB/GxH=agari r/s"),
        ("8. AxB=sage", 4, Option("AxB=agari", "say"), "8. AxB=agari"),
        ("8. AxB=sage/GxH", 4, Option("AxB=agari", "say"), "8. AxB=agari/GxH"),
        ("show 1 aka ABC ; so", 1, Option("show 1 tan ABC", "show"), "show 1 tan ABC ; so"),
        ("1. A/B 4.o/B", 10, Option("2.", "round", say="2"), "1. A/B 2.o/B"),
        ("month 3 dealer 1", 1, Option("month 2 dealer 1", "month"), "month 2 dealer 1"),
    ],
)
def test_legal_move_replaces_the_wrong_one(
    row: str, column: int, option: Option, corrected: str
) -> None:
    assert put_in(f"before\n{row}\nafter", 2, column, option) == f"before\n{corrected}\nafter"


@pytest.mark.parametrize(
    ("row", "column", "option"),
    [
        ("hand 1 ABC", 1, HAND),
        ("", 1, HAND),
        ("1. A/B", 99, HAND),
        ("score 1 +5", 1, Option("show 1 aka ABC", "show")),
    ],
)
def test_ambiguous_place_is_left_alone(row: str, column: int, option: Option) -> None:
    assert put_in(row, 1, column, option) is None
    assert put_in(row, None, None, option) is None
    assert put_in(row, 5, column, option) is None


@pytest.mark.parametrize(
    ("row", "column", "omit", "expected"),
    [
        ("1. A/B=sage q/r", 6, "=sage", "1. A/B q/r"),
        ("1. A=menjo/B", 4, "=menjo", "1. A/B"),
        ("1. A/B =torikeshi 1", 8, "=torikeshi 1", "1. A/B"),
        ("bid 1in 2out 3in", 1, "2out", "bid 1in 3in"),
        ("1. A/B o/B", 8, "o/B", "1. A/B"),
        ("7. o/B", 1, "7.", " o/B"),
    ],
)
def test_word_too_many_is_left_out(row: str, column: int, omit: str, expected: str) -> None:
    assert leave_out(f"{row}\nafter", 1, column, omit) == f"{expected}\nafter"


def test_word_away_from_its_fault_is_left_out() -> None:
    """The number of a round shows at the turn behind it, a wrong void at the declaration."""
    assert leave_out("3. A/B 3. o/k", 1, 11, "3.") == "3. A/B o/k"
    voided = "show 1 aka ABC\n1. A/B\n2. o/k =void-show 1 q/r"
    assert leave_out(voided, 1, 1, "=void-show 1") == voided.replace("=void-show 1 ", "")
    assert leave_out("show 1 aka ABC\nmonth 2\n=void-show 1", 1, 1, "=void-show 1") is None


def test_statement_that_is_left_out_takes_its_line_with_it() -> None:
    assert leave_out("a\nredeal ba4\nb", 2, 1, "redeal ba4") == "a\nb"
    assert leave_out("a\nb", 1, 1, "redeal ba4") is None
    assert leave_out("=sages", 1, 1, "=sage") is None
    assert leave_out("a", None, None, "a") is None


def measure_text(case: Path) -> int:
    """Return the size of the game of a case."""
    return case.with_suffix(".kafu").stat().st_size


def illegal_cases() -> list[Path]:
    """Return the shortest illegal game of each kind of fault; in `make test-long` all."""
    cases: dict[tuple[str, ...], Path] = {}
    for case in sorted(CASES, key=measure_text, reverse=True):
        verdict = json.loads(case.read_text(encoding="utf-8"))
        if verdict["status"] == "illegal":
            name = (str(case),) if LONG else ()
            kind = verdict.get("kind") or verdict["error"]["code"]
            cases[kind, *name] = case.with_suffix(".kafu")
    return [*cases.values()]


def fault_of(text: str) -> tuple[object, ...] | None:
    """Return the kind and place of the fault of a text; None if it is legal."""
    verdict = verify(read(text)).verdict
    assert verdict.status != "malformed", verdict.error
    error = verdict.error
    if error is None:
        return None
    return error.code, error.line, error.column, error.values


def test_correction_removes_the_fault_or_moves_it_on() -> None:
    for path in illegal_cases():
        text = path.read_text(encoding="utf-8")
        verification = verify(read(text))
        error = verification.verdict.error
        assert error is not None and verification.game is not None
        place = position(verification.game)
        if place is None:
            continue
        options = place.legal[: 3 if LONG else 1]
        corrected = [put_in(text, error.line, error.column, option) for option in options]
        corrected.append(leave_out(text, error.line, error.column, place.omit))
        before = (error.code, error.line, error.column, error.values)
        for fresh in corrected:
            assert fresh is None or fault_of(fresh) != before, path

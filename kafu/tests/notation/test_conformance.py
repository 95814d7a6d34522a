"""The shared conformance games: identity, canonical bytes, and faults with their places."""

from __future__ import annotations

from corpus import Case, check_cases, shared_cases
from kafu.notation.json.form import from_json, to_json
from kafu.notation.reading.reader import read
from kafu.notation.writer import identity, write
from lengths import part


def check_case(case: Case) -> None:
    """Check the place of a malformed fault, or read the canonical text and JSON form again."""
    expected, reading = case.expected, case.reading
    if expected["status"] == "malformed":
        assert reading.game is None
        assert reading.fault is not None
        assert expected["error"]["line"] in (None, reading.fault.line)
        return
    assert reading.fault is None
    assert reading.game is not None
    text = write(reading.game)
    again = read(text)
    assert again.game == reading.game == from_json(to_json(reading.game)).game
    assert again.game is not None
    assert write(again.game) == text
    assert not again.warnings
    if expected.get("identity"):
        assert identity(reading.game) == expected["identity"]


def test_both_forms_of_shared_cases_read_without_a_change() -> None:
    """All malformed cases and some others are tested; `judging.test_conformance` has all cases."""
    malformed = [case for case in shared_cases() if case.expected["status"] == "malformed"]
    games = [case for case in shared_cases() if case.expected["status"] != "malformed"]
    check_cases([*malformed, *part(games, one_of=4)], check_case)

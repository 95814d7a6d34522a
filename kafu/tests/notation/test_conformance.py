"""The shared conformance games: identity, canonical bytes, and faults with their places."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kafu.notation.json.form import from_json, to_json
from kafu.notation.reading.reader import read
from kafu.notation.writer import identity, write
from shared import shared

CASES = sorted(shared("conformance").glob("*/*.kafu"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_case(path: Path) -> None:
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    reading = read(path.read_bytes().decode())
    if expected["status"] == "malformed":
        assert reading.game is None
        assert reading.fault is not None
        assert expected["error"]["line"] in (None, reading.fault.line)
        return
    assert reading.fault is None
    assert reading.game is not None
    text = write(reading.game)
    again = read(text)
    assert again.game == reading.game
    assert not again.warnings
    assert write(again.game) == text
    assert from_json(to_json(reading.game)).game == reading.game
    if expected.get("identity"):
        assert identity(reading.game) == expected["identity"]

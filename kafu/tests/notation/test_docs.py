"""docs/kafu.md: its examples are canonical, and it names every code and word."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kafu.judging.verify import verify
from kafu.notation import codes
from kafu.notation.faults import Code
from kafu.notation.json.form import from_json
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import DECISIONS, RULES, SHOWS
from kafu.notation.writer import write

PAGE = (Path(__file__).parents[2] / "docs" / "kafu.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("text", blocks("kafu"))
def test_example_is_canonical_and_legal(text: str) -> None:
    """The examples stop before the end of their games, and have the tag for unfinished games."""
    reading = read(text)
    assert reading.fault is None
    assert not reading.warnings
    assert reading.game is not None
    assert write(reading.game) == text
    verdict = verify(reading).verdict
    assert (verdict.status, verdict.error) == ("unfinished", None)


def test_each_ruleset_and_the_sheet_has_an_example() -> None:
    games = [read(text).game for text in blocks("kafu")]
    assert {game.rules for game in games if game} == set(RULES)
    assert any(game.is_sheet for game in games if game)


@pytest.mark.parametrize("text", blocks("json"))
def test_json_example_is_read(text: str) -> None:
    reading = from_json(json.loads(text))
    assert reading.fault is None


def test_every_code_is_in_the_document() -> None:
    codes_of_reading = [code.id for code in vars(codes).values() if isinstance(code, Code)]
    assert [code for code in codes_of_reading if f"`{code}`" not in PAGE] == []


def test_every_word_is_in_the_document() -> None:
    words = {*SHOWS, *DECISIONS, *(name for rules in RULES.values() for name in rules.options)}
    assert not [word for word in words if not re.search(rf"(?<![a-z-]){word}(?![a-z-])", PAGE)]


def test_grammar_defines_what_it_uses() -> None:
    (grammar,) = blocks("abnf")
    rules = re.sub(r'%s"[^"]*"|"[^"]*"|;.*|%x[0-9A-F-]+', "", grammar)
    defined = set(re.findall(r"^([A-Za-z-]+) +=", rules, re.MULTILINE))
    used = set(re.findall(r"(?<![A-Za-z-])[A-Za-z][A-Za-z-]*", rules))
    assert used <= defined | {"ALPHA", "DIGIT", "DQUOTE"}
    assert defined <= used

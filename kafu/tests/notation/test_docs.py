"""docs/kafu.md: its examples read, are canonical, and it names every code and every word."""

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
def test_examples_are_canonical(text: str) -> None:
    reading = read(text)
    assert reading.fault is None
    assert not reading.warnings
    assert reading.game is not None
    assert write(reading.game) == text


@pytest.mark.parametrize("text", blocks("kafu"))
def test_examples_are_legal(text: str) -> None:
    """They stop before their games do, and say so."""
    verdict = verify(read(text)).verdict
    assert (verdict.status, verdict.error) == ("unfinished", None)


def test_each_ruleset_and_the_sheet_has_an_example() -> None:
    games = [read(text).game for text in blocks("kafu")]
    assert {game.rules for game in games if game} == set(RULES)
    assert any(game.is_sheet for game in games if game)


@pytest.mark.parametrize("text", blocks("json"))
def test_json_examples(text: str) -> None:
    reading = from_json(json.loads(text))
    assert reading.fault is None


@pytest.mark.parametrize("code", codes.FAULTS + codes.WARNINGS, ids=lambda code: code.id)
def test_every_code_is_named(code: Code) -> None:
    assert f"`{code.id}`" in PAGE


def test_every_word_is_named() -> None:
    words = {*SHOWS, *DECISIONS, *(name for rules in RULES.values() for name in rules.options)}
    assert not [word for word in words if not re.search(rf"(?<![a-z-]){word}(?![a-z-])", PAGE)]


def test_grammar_defines_what_it_uses() -> None:
    (grammar,) = blocks("abnf")
    rules = re.sub(r'%s"[^"]*"|"[^"]*"|;.*|%x[0-9A-F-]+', "", grammar)
    defined = set(re.findall(r"^([A-Za-z-]+) +=", rules, re.MULTILINE))
    used = set(re.findall(r"(?<![A-Za-z-])[A-Za-z][A-Za-z-]*", rules))
    assert used <= defined | {"ALPHA", "DIGIT", "DQUOTE"}
    assert defined <= used

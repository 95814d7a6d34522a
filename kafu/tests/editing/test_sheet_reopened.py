"""Sheets as the forms that write them, and back: what a form says, and what it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kafu
from kafu.editing.sheet_forms import WrittenSheet, write_sheet
from kafu.editing.sheet_reopened import ReopenedSheet, reopen
from kafu.facade.errors import BadValue
from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from kafu.rules.rulesets import RULESETS
from lengths import examples, part

CONFORMANCE = Path(__file__).resolve().parents[2] / "conformance"
SHEETS = [
    path
    for path in sorted(CONFORMANCE.glob("*/*.kafu"))
    if b"[Sheet " in path.read_bytes() and path.parent.name != "notation"
]


def game_of(text: str) -> Game:
    game = read(text).game
    assert game is not None
    return game


def written(form: ReopenedSheet) -> WrittenSheet:
    return write_sheet(form.rules, form.players, form.options, form.months, tags=form.tags)


def sheet_of(rules: str, seed: int) -> Game:
    have = RULESETS[rules].seats
    game = kafu.simulate(rules, seed=seed, players=have[seed % len(have)])
    return game_of(kafu.write(kafu.sheet_of(game)))


@pytest.mark.parametrize("path", part(SHEETS), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_form_of_a_sheet_writes_it_again(path: Path) -> None:
    """Form, text, form, text: the same. What a form can say comes out with the same result."""
    game = game_of(path.read_text(encoding="utf-8"))
    form = reopen(game)
    first = written(form)
    assert written(reopen(game_of(first.text))).text == first.text
    if any(one.what != "ba" for one in form.unsaid):
        return
    before, after = kafu.verify(game), first.verification.verdict
    scores = [(one.dealer, one.score) for one in before.deals]
    assert [(one.dealer, one.score) for one in after.deals] == scores
    fault = before.error and before.error.code.id
    assert bool(first.faults) == (fault not in (None, "game-too-short"))
    if before.error is None and before.status != "mismatch":
        assert after.final == before.final


@pytest.mark.parametrize("rules", RULESETS)
@settings(max_examples=examples(8), deadline=None)
@given(seed=st.integers(0, 10_000))
def test_a_game_as_a_sheet_is_a_form(rules: str, seed: int) -> None:
    """All that can happen in a game can be said: nothing but joined lines is written otherwise."""
    game = sheet_of(rules, seed)
    form = reopen(game)
    assert not [one for one in form.unsaid if one.what != "tag"], form.unsaid
    found = written(form)
    assert not found.faults
    assert found.verification.verdict.final == kafu.verify(game).final
    assert written(reopen(game_of(found.text))).text == found.text


@pytest.mark.parametrize("rules", ["hachihachi", "koikoi", "hanaawase"])
def test_what_follows_is_not_entered(rules: str) -> None:
    """Of the documents' sheets nobody enters dealers, nor what the rules say of a value."""
    form = reopen(game_of((CONFORMANCE / rules / "sheet-document.kafu").read_text("utf-8")))
    assert not form.unsaid
    assert not any(month.dealer for month in form.months)
    gains = [line.gain for month in form.months for line in month.lines if line.gain]
    assert gains == (["+56k"] if rules == "hachihachi" else [])
    stones = [number for number, month in enumerate(form.months, start=1) if month.stone]
    assert stones == ([11] if rules == "hachihachi" else [])


def test_what_a_form_cannot_say() -> None:
    text = (CONFORMANCE / "hachihachi/sheet-line-not-zero.kafu").read_text("utf-8")
    text = text.replace('[Sheet "1"]', '[Sheet "1"]\n[Annotator "A"]').replace(
        "\nstone", "\n; a remark\nstone", 1
    )
    found = {one.what: one for one in reopen(game_of(text)).unsaid if one.number < 2}
    assert found["tag"].value == "Annotator"
    assert found["comments"].number == 1
    assert found["payments"].missing[0].amounts == (-36, 48, -24)
    assert found["payments"].added[0].amounts == (-24, 48, -24)


def test_only_sheets_are_forms() -> None:
    with pytest.raises(BadValue):
        reopen(kafu.simulate("koikoi", seed=1))

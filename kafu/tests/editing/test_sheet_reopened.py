"""Sheets as the forms that write them, and back: what a form says, and what it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kafu
from corpus import Case, cases_of, check_cases, library_cases
from kafu.editing.sheet_forms import WrittenSheet, write_sheet
from kafu.editing.sheet_reopened import ReopenedSheet, reopen
from kafu.facade.errors import BadValue
from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from kafu.rules.rulesets import RULESETS
from lengths import examples, part

pytestmark = pytest.mark.long

CONFORMANCE = Path(__file__).resolve().parents[2] / "conformance"
SHEETS = [case for case in library_cases() if case.is_sheet and case.folder in RULESETS]


def game_of(text: str) -> Game:
    game = read(text).game
    assert game is not None
    return game


def written(form: ReopenedSheet) -> WrittenSheet:
    return write_sheet(form.rules, form.players, form.options, form.months, tags=form.tags)


def sheet_of(rules: str, seed: int) -> Game:
    seats = RULESETS[rules].seats
    game = kafu.simulate(rules, seed=seed, players=seats[seed % len(seats)])
    return game_of(kafu.write(kafu.sheet_of(game)))


def check_form(case: Case) -> None:
    """Form, text, form and text again: the texts are the same. A form that can say everything has
    the result of its sheet.
    """
    game = case.game
    form = reopen(game)
    first = written(form)
    assert written(reopen(game_of(first.text))).text == first.text
    if any(part.what != "ba" for part in form.unsaid):
        return
    before, after = case.verification.verdict, first.verification.verdict
    scores = [(deal.dealer, deal.score) for deal in before.deals]
    assert [(deal.dealer, deal.score) for deal in after.deals] == scores
    fault = before.error and before.error.code.id
    assert bool(first.faults) == (fault not in (None, "game-too-short"))
    if before.error is None and before.status != "mismatch":
        assert after.final == before.final


@pytest.mark.parametrize("rules", RULESETS)
def test_form_of_a_sheet_writes_the_sheet_again(rules: str) -> None:
    check_cases(part(cases_of(rules, SHEETS), one_of=5), check_form)


@pytest.mark.parametrize("rules", RULESETS)
@settings(max_examples=examples(5), deadline=None)
@given(seed=st.integers(0, 10_000))
def test_sheet_of_a_simulated_game_is_a_form(rules: str, seed: int) -> None:
    """All that can happen in a game can be said: nothing but joined lines is written otherwise."""
    game = sheet_of(rules, seed)
    form = reopen(game)
    assert not [part for part in form.unsaid if part.what != "tag"], form.unsaid
    sheet = written(form)
    assert not sheet.faults
    assert sheet.verification.verdict.final == kafu.verify(game).final
    assert written(reopen(game_of(sheet.text))).text == sheet.text


@pytest.mark.parametrize("rules", ["hachihachi", "koikoi", "hanaawase"])
def test_form_leaves_out_what_the_rules_imply(rules: str) -> None:
    """Of the documents' sheets nobody enters dealers, nor what the rules say of a value."""
    form = reopen(game_of((CONFORMANCE / rules / "sheet-document.kafu").read_text("utf-8")))
    assert not form.unsaid
    assert not any(month.dealer for month in form.months)
    gains = [line.gain for month in form.months for line in month.lines if line.gain]
    assert gains == (["+56k"] if rules == "hachihachi" else [])
    stones = [number for number, month in enumerate(form.months, start=1) if month.stone]
    assert not stones


def test_form_lists_what_it_cannot_say() -> None:
    text = (CONFORMANCE / "hachihachi/sheet-line-not-zero.kafu").read_text("utf-8")
    text = text.replace('[Sheet "1"]', '[Sheet "1"]\n[Annotator "A"]').replace(
        "\nstone", "\n; a remark\nstone", 1
    )
    unsaid = {part.what: part for part in reopen(game_of(text)).unsaid if part.number < 2}
    assert unsaid["tag"].value == "Annotator"
    assert unsaid["comments"].number == 1
    assert unsaid["payments"].missing[0].amounts == (-36, 48, -24)
    assert unsaid["payments"].added[0].amounts == (-24, 48, -24)


def test_game_with_cards_is_no_form() -> None:
    with pytest.raises(BadValue):
        reopen(kafu.simulate("koikoi", seed=1))

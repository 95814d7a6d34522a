"""Score sheets read from text into months of the form, and back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kafu
from corpus import Case, cases_of, check_cases, library_cases
from kafu.editing.sheet_forms import LineWanted, MonthWanted, WrittenSheet, reopen, write_sheet
from kafu.facade.errors import BadValue
from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from kafu.rules.rulesets import RULESETS
from lengths import examples, part
from notation.strategies import sheet_months

pytestmark = pytest.mark.long

CONFORMANCE = Path(__file__).resolve().parents[2] / "conformance"
SHEETS = [case for case in library_cases() if case.is_sheet and case.folder in RULESETS]


def game_of(text: str) -> Game:
    game = read(text).game
    assert game is not None
    return game


def written(game: Game) -> WrittenSheet:
    return write_sheet(game.rules, game.players, game.options, reopen(game))


def sheet_of(rules: str, seed: int) -> Game:
    seats = RULESETS[rules].seats
    game = kafu.simulate(rules, seed=seed, players=seats[seed % len(seats)])
    return game_of(kafu.write(kafu.sheet_of(game)))


def check_form(case: Case) -> None:
    """Check that form, text, form and text again give the same texts.

    A form with all payments of its sheet has the verdict of its months.
    """
    game = case.game
    first = written(game)
    assert written(game_of(first.text)).text == first.text
    stated = [
        (
            sheet_month.month,
            sheet_month.dealer,
            sheet_month.ba,
            sheet_month.stone,
            sheet_month.payments,
        )
        for sheet_month in game.months
    ]
    months = [month.month for month in first.months]
    entered = [
        (
            sheet_month.month,
            sheet_month.dealer,
            sheet_month.ba,
            sheet_month.stone,
            sheet_month.payments,
        )
        for sheet_month in months
    ]
    if stated != entered:
        return
    before, after = case.verification.verdict, first.verification.verdict
    assert [deal.score for deal in after.deals] == [deal.score for deal in before.deals]
    fault = before.error and before.error.code.id
    assert bool(first.faults) == (fault not in (None, "game-too-short"))
    if before.error is None and before.status != "mismatch":
        assert after.final == before.final


@pytest.mark.parametrize("rules", RULESETS)
def test_form_of_a_sheet_writes_a_sheet_that_has_this_form(rules: str) -> None:
    check_cases(part(cases_of(rules, SHEETS), one_of=12), check_form)


@pytest.mark.parametrize("rules", RULESETS)
@settings(max_examples=examples(5), deadline=None)
@given(seed=st.integers(0, 10_000))
def test_sheet_of_a_simulated_game_has_its_sums_in_the_form(rules: str, seed: int) -> None:
    game = sheet_of(rules, seed)
    sheet = written(game)
    assert not sheet.faults
    before, after = kafu.verify(game), sheet.verification.verdict
    assert [deal.score for deal in after.deals] == [deal.score for deal in before.deals]
    assert after.final == before.final


@pytest.mark.parametrize("rules", RULESETS)
@given(data=st.data())
def test_any_payments_have_a_form(rules: str, data: st.DataObject) -> None:
    """Impossible payments are included."""
    seats = data.draw(st.sampled_from(list(RULESETS[rules].seats)))
    months = data.draw(st.lists(sheet_months(seats), min_size=1, max_size=2))
    labels = st.sampled_from(
        ["points", "month", "sanbon", "haneken", "akatan+aotan", "ori", "fuke"]
    )
    for month in months:
        month.payments = [replace(payment, label=data.draw(labels)) for payment in month.payments]
    sheet = written(Game(rules, tuple("ABCDEFG"[:seats]), tags={"Sheet": "1"}, months=months))
    assert len(sheet.months) == len(months)


@pytest.mark.parametrize("rules", ["hachihachi", "koikoi", "hanaawase"])
def test_form_of_a_document_has_no_amount_that_the_rules_imply(rules: str) -> None:
    document = (CONFORMANCE / rules / "sheet-document.kafu").read_text("utf-8")
    game = game_of(document)
    assert written(game).text == document
    gains = [line.gain for month in reopen(game) for line in month.lines if line.gain]
    assert gains == (["+56k"] if rules == "hachihachi" else [])


def test_fees_in_one_line_are_a_line_of_the_form_for_each_payer() -> None:
    head = '[Kafu "1"]\n[Rules "hachihachi-bga"]\n' + "".join(
        f'[Player{seat} "{seat}"]\n' for seat in range(1, 6)
    )
    month = "pay akatan 1 +14k 2 -7k 3 -7k 4 0 5 0\npay ori 1 +2k6 2 0 3 0 4 -1k 5 -1k6\n"
    game = game_of(f'{head}[Sheet "1"]\n[Termination "unfinished"]\n\nmonth 1 dealer 1\n{month}')
    fees = [line for line in reopen(game)[0].lines if line.label == "ori"]
    assert fees == [LineWanted(1, "ori", "+1k", 4), LineWanted(1, "ori", "+1k6", 5)]
    assert written(game).months[0].score == kafu.verify(game).deals[0].score


def test_line_of_several_yaku_has_one_amount_that_is_not_plain() -> None:
    joined = MonthWanted(lines=[LineWanted(3, "nanatan", "+30k"), LineWanted(3, "aotan")])
    half = MonthWanted(lines=[LineWanted(3, "nanatan", half=True)])
    sheet = write_sheet("hachihachi", ("A", "B", "C"), {}, [joined, half])
    first, second = reopen(game_of(sheet.text))
    assert first.lines == joined.lines
    assert second.lines == half.lines


def test_players_who_are_out_are_known_by_what_those_in_play_pay() -> None:
    lines = [LineWanted(1, "akatan"), LineWanted(4, "oikomi"), LineWanted(1, "ori", payer=5)]
    month = MonthWanted(dealer=1, out=(4, 5), lines=lines)
    sheet = write_sheet("hachihachi-bga", ("A", "B", "C", "D", "E"), {}, [month])
    (again,) = reopen(game_of(sheet.text))
    assert again.out == (4, 5)
    assert [line.payer for line in again.lines] == [0, 0, 5]


def test_hand_that_the_loser_showed_is_the_losers() -> None:
    """The loser's hand is subtracted from the winner's (K3)."""
    lines = [LineWanted(1, "teshi"), LineWanted(2, "haneken")]
    sheet = write_sheet("koikoi", ("A", "B"), {}, [MonthWanted(lines=lines)])
    assert reopen(game_of(sheet.text))[0].lines == lines


def test_game_with_cards_is_no_form() -> None:
    with pytest.raises(BadValue):
        reopen(kafu.simulate("koikoi", seed=1))

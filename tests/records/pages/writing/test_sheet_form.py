"""The score-sheet form in a browser: years by taps, and faults.

What the form sends of a month is tested in tests/javascript/sheets.test.mjs; reloads and a lost
connection in test_scenarios.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from kafu.editing.sheet_forms import LineWanted, MonthWanted, write_sheet
from kafu.notation.reading import amounts
from kafu.notation.reading.reader import read
from lengths import LONG, part
from tests.records.pages.kinds import fits
from tests.records.pages.test_axe import violations
from tests.records.pages.test_language import find_english
from tests.records.pages.writing.actions import (
    ON_DESK,
    ON_TELEPHONE,
    TELEPHONE,
    begin_next_month,
    begin_sheet,
    change_payment,
    choose,
    document,
    expect_fault,
    fill_amounts,
    press,
    toggle_yaku,
)

THREE: Final = ("A", "B", "C")
#: Two months of hachihachi: with points, of which the last player's follow, and of yaku alone.
HACHIHACHI: Final = (
    MonthWanted(lines=[LineWanted(2, "tanichi"), LineWanted(2, "nuke")], points=["-10", "1"]),
    MonthWanted(
        lines=[
            LineWanted(2, "tatesanbon"),
            LineWanted(2, "tobikomi", payer=3),
            LineWanted(3, "aotan", half=True),
        ]
    ),
)


def months_of_sums(ruleset: str) -> list[MonthWanted]:
    """Return the months of a document by their sums, without the last player's, which follows.

    A month of which only a mark is paid has a line.
    """
    game = read(document(ruleset)).game
    assert game is not None
    months = []
    for month in game.months:
        payment = month.payments[0]
        if payment.label == "fuke":
            assert month.stone is not None
            months.append(MonthWanted(lines=[LineWanted(month.stone, "fuke")]))
        else:
            # The form takes a number without a sign after a gain for a loss.
            sums = [amounts.text(amount, kan=False) for amount in payment.amounts]
            months.append(MonthWanted(sums=sums[:-1] if ruleset == "hanaawase" else sums))
    return months


def enter_month(page: Page, month: MonthWanted) -> None:
    """Enter all that a month has into the form."""
    for number, line in enumerate(month.lines):
        toggle_yaku(page, line.seat, line.label)
        if line.payer:
            change_payment(page, number, "payer", str(line.payer))
        if line.half:
            change_payment(page, number, "half", "yes")
    fill_amounts(page, "points", month.points)


def enter_sums(page: Page, month: MonthWanted) -> None:
    """Enter what a month gave in all, or who made that it gave nothing."""
    for line in month.lines:
        choose(page, "mark", line.seat)
    fill_amounts(page, "sums", month.sums)


def expect_settlement(page: Page, sums: Sequence[str]) -> None:
    """Check that the year is over, and that its last row has these sums."""
    expect(page.locator("[data-settlement]")).to_be_visible()
    expect(page.locator(".settlement tr").last.locator("td")).to_have_text(list(sums))
    expect(page.locator(".settlement tr").last.locator("th")).to_have_text(
        re.compile("Final|最終得点")
    )
    expect(page.locator("[data-said]")).to_have_text(re.compile("^(Game over: |対局終了)"))
    expect(page.locator("[data-after]")).to_be_disabled()


@pytest.mark.long_only  # the test by keys enters yaku and points too
@ON_TELEPHONE
def test_yaku_and_points_by_taps_are_the_sheet_of_their_months(page: Page) -> None:
    """Nothing is entered that follows from the rules."""
    begin_sheet(page, "hachihachi", *THREE)
    for number, month in enumerate(HACHIHACHI):
        if number:
            begin_next_month(page)
        enter_month(page, month)
        if month.points:
            expect(page.locator("#points-3")).to_have_attribute("placeholder", "9")
    assert fits(page)
    assert page.locator("html[lang=en]").count() or not find_english(page)
    text = write_sheet("hachihachi", THREE, {}, HACHIHACHI).text
    expect(page.locator("[data-save]")).to_have_value(text)


@ON_TELEPHONE
@pytest.mark.parametrize(
    ("ruleset", "sums"),
    part([("hanaawase", ("+58", "−234", "+176")), ("koikoi", ("+45", "+26"))], one_of=2),
)
def test_sums_and_marks_by_taps_are_the_sheet_of_their_months(
    page: Page, ruleset: str, sums: Sequence[str]
) -> None:
    months, players = months_of_sums(ruleset), THREE[: len(sums)]
    if not LONG:
        months = [months[0], next(month for month in months if month.lines)]
    begin_sheet(page, ruleset, *players, by_yaku=False)
    for number, month in enumerate(months):
        if number:
            begin_next_month(page)
        enter_sums(page, month)
    bar = page.locator(".keep").bounding_box()
    assert bar is not None and bar["height"] <= 0.12 * 844 and fits(page)
    text = write_sheet(ruleset, players, {}, months).text
    expect(page.locator("[data-save]")).to_have_value(text)
    if LONG:
        assert text == document(ruleset)
        expect_settlement(page, sums)


@ON_DESK
def test_kan_and_points_are_entered_by_keys_and_faults_are_shown_at_their_fields(
    page: Page,
) -> None:
    """No entry is lost. Which month has which fault is tested in kafu's test_sheet_forms.py."""
    # 22 points beside 4 kan read 5 kan 10, and the last player's amount follows.
    begin_sheet(page, "hachihachi", *THREE, by_yaku=False)
    page.locator('[data-month="1"][data-part="kan"]').first.focus()
    for key in ("4", "Enter", "2", "2", "Enter", "Enter"):
        page.keyboard.press(key)
    press(page, "[data-after]")
    lacking = page.locator('.paper [data-fault="sums"]')
    expect(lacking).to_contain_text("B")
    for key in ("Enter", "2", "4", "Enter"):  # the player after a gain pays
        page.keyboard.press(key)
    expect(page.locator('.paper [data-fault="stone"]')).to_be_visible()
    expect(page.locator(".paper .remark")).to_contain_text("5")
    expect(page.locator('[name="stone-1"]').first).to_be_focused()
    page.keyboard.press("Space")
    begin_next_month(page)
    expect(page.locator("[data-save]")).to_have_value(
        re.compile(r"pay month 1 \+5k10 2 -2k 3 -3k10\nstone 1\n")
    )
    expect(page.locator('[data-month="2"][data-part="kan"]').first).to_be_focused()
    sign = page.locator('[data-act="sign"]').first  # a month that is written stays reachable
    for sum_of_first in ("-5k10", "[+]5k10"):
        sign.click()
        expect(page.locator("[data-save]")).to_have_value(re.compile(f"month 1 {sum_of_first}"))

    # The next month by yaku.
    press(page, '.paper th [data-at="2"]')
    expect(page.locator('.paper th [data-at="2"]')).to_have_attribute("aria-current", "true")
    choose(page, "short", "")
    choose(page, "ba", "large")

    # Card points as they were captured: the last player's follow.
    choose(page, "counted", 1)
    fill_amounts(page, "captured", ("118", "62"))
    expect(page.locator("#captured-3")).to_have_attribute("placeholder", "84")
    expect(page.locator(".amount small")).to_have_text(["+60", "−52", "−8"])
    expect(page.locator("[data-save]")).to_have_value(re.compile(r"pay points 1 \+5k 2 -4k4 3 -8"))
    fill_amounts(page, "captured", ("118", "62", "83"))
    expect_fault(page, "points")
    assert not violations(page, contrast=LONG)
    fill_amounts(page, "captured", ("118", "62", "84"))
    expect(page.locator("[data-fault]")).to_have_count(0)
    choose(page, "counted", "")

    # An impossible payment, and yaku that exclude each other.
    toggle_yaku(page, 2, "akatan")
    change_payment(page, 0, "gain", "15k")
    expect(expect_fault(page, "line.0")).to_contain_text("28")
    expect(page.locator('.paid [name="gain"][data-part="kan"]')).to_have_value("15")
    change_payment(page, 0, "gain", "k")
    expect(page.locator("[data-fault]")).to_have_count(0)
    toggle_yaku(page, 2, "goko")
    expect(page.locator('[data-label="shiko"]')).to_have_class(re.compile("barred"))
    choose(page, "whose", 1)
    taken = page.locator('[data-act="toggle"][data-label="goko"] small')
    expect(taken).to_have_text(re.compile("^(B has it|Bの役です)$"))
    for count in (1, 0):
        press(page, f'[data-act="remove"][data-line="{count}"]')
        expect(page.locator(".paid li")).to_have_count(count)

    # A month without its end.
    toggle_yaku(page, 1, "sanbon")
    press(page, "[data-after]")
    expect_fault(page, "month")
    expect(page.locator(".paper th [aria-current]")).to_have_attribute("data-at", "2")
    fill_amounts(page, "points", ("-176", "88", "88"))
    expect(expect_fault(page, "points")).to_contain_text("48")  # no cards give all of this
    expect(page.locator(".witness")).to_have_count(0)
    fill_amounts(page, "points", ("-8", "6", "2"))
    expect(page.locator("[data-fault]")).to_have_count(0)
    press(page, ".witness summary")
    expect(page.locator(".witness .card")).to_have_count(6 + 3 * 7 + 48)
    begin_next_month(page)


@pytest.mark.parametrize(
    ("page", "word"),
    [(TELEPHONE, "三本"), ((390, "en-US"), "sanbon")],
    ids=["ja", "en"],
    indirect=["page"],
)
def test_impossible_month_is_told_beside_its_field_on_a_small_phone(page: Page, word: str) -> None:
    """Who was dealt a three captures cards of it, and so has more than no points."""
    page.set_viewport_size({"width": 390, "height": 664})
    begin_sheet(page, "hachihachi", *THREE)
    toggle_yaku(page, 1, "sanbon")
    fill_amounts(page, "points", ("-88", "40", "48"))
    fault = expect_fault(page, "points")
    expect(fault).to_contain_text(word)
    said = page.locator("[data-said]")
    expect(said).to_contain_text(word)
    expect(said).to_be_in_viewport()
    field = page.locator('[name="points"]').last
    expect(field).to_have_attribute("aria-invalid", "true")
    places = field.bounding_box(), fault.bounding_box()
    assert places[0] and places[1] and places[1]["y"] - places[0]["y"] < 100 and fits(page)


@ON_TELEPHONE
def test_table_of_five_enters_who_is_out_the_fees_and_the_next_dealer(page: Page) -> None:
    """On a phone only the month that is written has fields, so that nothing scrolls sideways."""
    begin_sheet(page, "hachihachi-bga", "A", "B", "C", "D", "E")
    toggle_yaku(page, 1, "akatan")
    press(page, '[data-act="toggle"][data-label="ori"]')
    expect(page.locator(".paper tbody:first-of-type td.figure")).to_have_count(5)
    save = page.locator("[data-save]")
    expect(save).to_have_value(re.compile("pay ori 1 [+]1k 2 0 3 0 4 -1k"))
    last = page.locator('[name="plays"][data-seat="5"]')
    last.check()
    expect(last).to_be_checked()
    last.uncheck()
    expect(page.locator('[name="plays"]:checked')).to_have_count(3)

    # The sum does not determine the next dealer.
    choose(page, "short", 1)
    fill_amounts(page, "sums", ("+1k", "-1k", "0"))
    page.get_by_label("B", exact=False).and_(page.locator('[name="stone-1"]')).check()
    begin_next_month(page)
    expect(page.locator('[name="dealer"]:checked')).to_have_value("2")
    first = page.locator('[name="sums"][data-month="1"]').first
    if page.evaluate("innerWidth") == TELEPHONE[0]:
        expect(first).to_be_hidden()
        page.locator(".paper tbody").first.click()
        expect(first).to_be_visible()
    paper = page.locator("[data-paper]")
    assert paper.evaluate("(paper) => paper.scrollWidth === paper.clientWidth")

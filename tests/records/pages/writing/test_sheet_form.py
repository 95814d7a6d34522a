"""Score-sheet forms in a browser: the documents' years by taps and by keys, kept and saved."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import Browser, Page, expect

from kafu.notation.reading.reader import read
from tests import conformance
from tests.records.pages.test_axe import violations

THREE = ("A", "B", "C")


def begin(page: Page, rules: str, *names: str) -> None:
    page.goto("/sheets/new")
    page.locator("[name=ruleset]").select_option(rules)
    if len(names) > 3:
        page.locator("[name=seats]").select_option(str(len(names)))
    for number, name in enumerate(names):
        page.locator("[name=player]").nth(number).fill(name)
    page.locator("[data-setup] [type=submit]").click()
    expect(page.locator("[name=dealer]").first).to_be_visible()


def press(page: Page, selector: str) -> None:
    """Tap what a finger would, or press it by a key where there is a keyboard."""
    found = page.locator(selector)
    if page.evaluate("navigator.maxTouchPoints"):
        found.tap()
        return
    found.focus()
    is_button = found.evaluate("one => one.tagName === 'BUTTON'")
    page.keyboard.press("Enter" if is_button else "Space")


def choose(page: Page, name: str, value: int | str) -> None:
    """One of several: a radio button, of which the label is tapped."""
    wanted = page.locator(f'[data-parts] [name="{name}"][value="{value}"]')
    if not wanted.is_checked():
        press(page, f'[data-parts] [name="{name}"][value="{value}"]')
    expect(wanted).to_be_checked()


def yaku(page: Page, seat: int, *labels: str) -> None:
    """Tap yaku of a player."""
    choose(page, "whose", seat)
    for label in labels:
        press(page, f'[data-act="toggle"][data-label="{label}"]')
        chip = page.locator(f'[data-act="toggle"][data-label="{label}"]')
        expect(chip).to_have_attribute("aria-pressed", "true")


def line(page: Page, number: int, field: str, value: str) -> None:
    """Change a field of one of the payments."""
    found = page.locator(f'.paid [name="{field}"][data-line="{number}"]')
    if field in ("half", "void"):
        found.check()
    elif field == "gain":
        found.fill(value)
    else:
        found.select_option(value)


def amounts(page: Page, field: str, words: Sequence[str]) -> None:
    for seat, word in enumerate(words, start=1):
        if word:
            page.locator(f'[name="{field}"][data-seat="{seat}"]').fill(word)


def after(page: Page) -> None:
    """Go to the next month, which has to come."""
    months = page.locator("[data-months] button")
    before = months.count()
    press(page, "[data-after]")
    expect(months).to_have_count(before + 1)
    expect(months.last).to_have_attribute("aria-current", "true")


def wrong(page: Page) -> str:
    """What is said to be wrong."""
    said = page.locator("[data-said]")
    expect(said).to_have_class(re.compile("error"))
    return said.inner_text()


def whole(page: Page, document: str, final: Sequence[str]) -> None:
    """The sheet is the document's, byte for byte, and ends with its result."""
    expect(page.locator("[data-settlement]")).to_be_visible()
    text = page.locator("[data-save]")
    expect(text).to_have_value(document)
    cells = page.locator(".settlement tr").last.locator("td")
    expect(cells).to_have_text(list(final))


def document(rules: str) -> str:
    return (conformance.OWN / rules / "sheet-document.kafu").read_text(encoding="utf-8")


def test_the_documents_year_of_hachihachi(page: Page) -> None:
    """+13 +71 −84: nothing is entered that the rules say."""
    begin(page, "hachihachi", *THREE)
    choose(page, "ba", "large")
    yaku(page, 3, "sanbon")
    yaku(page, 2, "akatan")
    after(page)
    yaku(page, 2, "tanichi", "nuke")
    amounts(page, "points", ("-10", "1"))
    expect(page.locator("#points-3")).to_have_attribute("placeholder", "9")
    after(page)
    choose(page, "ba", "large2")
    yaku(page, 1, "sanbon", "tanichi", "tobikomi", "nuke")
    amounts(page, "points", ("60", "-52"))
    after(page)
    yaku(page, 1, "sujuroku", "karasu")
    line(page, 0, "value", "+56k")
    expect(page.locator('.paid [name="void"]')).to_be_checked()
    after(page)
    yaku(page, 3, "nanatan", "aotan")
    after(page)
    choose(page, "ba", "absolute")
    yaku(page, 1, "sanbon")
    amounts(page, "points", ("132", "-196"))
    after(page)
    yaku(page, 2, "pikaichi")
    yaku(page, 1, "sanbon", "tobikomi")
    line(page, 2, "payer", "2")
    amounts(page, "points", ("13", "-12"))
    after(page)
    yaku(page, 2, "tatesanbon", "tobikomi")
    line(page, 1, "payer", "3")
    yaku(page, 3, "aotan")
    line(page, 2, "half", "yes")
    after(page)
    amounts(page, "points", ("0", "15"))
    after(page)
    choose(page, "ba", "absolute")
    yaku(page, 2, "aka", "shiko")
    after(page)
    choose(page, "ba", "large")
    yaku(page, 2, "tanichi", "akatan")
    line(page, 1, "half", "yes")
    yaku(page, 1, "inoshikacho")
    line(page, 2, "payer", "2")
    choose(page, "stone", 1)
    after(page)
    choose(page, "ba", "large")
    yaku(page, 1, "aka")
    yaku(page, 3, "inoshikacho")
    japanese = page.locator("html").get_attribute("lang") == "ja"
    whole(
        page,
        document("hachihachi"),
        [f"{sum_}{'貫' if japanese else 'k'}" for sum_ in ("+13", "+71", "−84")],
    )
    assert page.locator(".settlement .step").count() == 4, "stones, short, kan, rest"
    expect(page.locator("[data-after]")).to_be_disabled()


@pytest.mark.parametrize(
    ("rules", "final"),
    [("koikoi", ("+45", "+26")), ("hanaawase", ("+58", "−234", "+176"))],
)
def test_a_documents_year_of_sums(page: Page, rules: str, final: Sequence[str]) -> None:
    """Only what each month gave: prizes, dealers and ふけ follow."""
    game = read(document(rules)).game
    assert game is not None
    begin(page, rules, *game.players)
    choose(page, "short", 1)
    for number, month in enumerate(game.months):
        if number:
            after(page)
        payment = month.payments[0]
        if payment.label == "fuke":
            choose(page, "mark", month.stone or 0)
            continue
        words = [str(amount) if amount else "" for amount in payment.amounts]
        if rules == "hanaawase":
            words = [str(amount) for amount in payment.amounts[:-1]]
        amounts(page, "sums", words)
    whole(page, document(rules), final)


def test_card_points_are_counted_at_the_table(page: Page) -> None:
    """What was captured is entered, what is paid for it is computed; the last player's follow."""
    begin(page, "hachihachi", *THREE)
    choose(page, "ba", "large")
    choose(page, "counted", 1)
    amounts(page, "captured", ("118", "62"))
    expect(page.locator("#captured-3")).to_have_attribute("placeholder", "84")
    expect(page.locator(".paid-for small")).to_have_text(["+60", "−52", "−8"])
    expect(page.locator("[data-save]")).to_have_value(re.compile(r"pay points 1 \+5k 2 -4k4 3 -8"))
    amounts(page, "captured", ("118", "62", "83"))
    expect(page.locator('[data-fault="points"]')).to_be_visible()
    assert not violations(page)


def test_a_sum_of_which_nobody_knows_who_deals_next(page: Page) -> None:
    begin(page, "hachihachi-bga", *THREE)
    choose(page, "short", 1)
    amounts(page, "sums", ("+1k", "-1k", "0"))
    choose(page, "stone", 2)
    after(page)
    expect(page.locator('[name="dealer"]:checked')).to_have_value("2")


def test_what_is_wrong_is_said_at_once_and_nothing_is_lost(page: Page) -> None:
    """A payment that does not fit, yaku that exclude each other, points, two dealers, no stone."""
    begin(page, "hachihachi", *THREE)
    choose(page, "ba", "large")
    yaku(page, 2, "akatan")
    line(page, 0, "gain", "15k")
    expect(page.locator('[data-fault="line.0"]')).to_contain_text("28")
    assert "28" in wrong(page)
    expect(page.locator('.paid [name="gain"]')).to_have_value("15k")
    assert not violations(page)
    line(page, 0, "gain", "")
    expect(page.locator("[data-fault]")).to_have_count(0)
    yaku(page, 2, "goko")
    expect(page.locator('[data-label="shiko"]')).to_have_class(re.compile("barred"))
    yaku(page, 2, "shiko")
    expect(page.locator("[data-fault]")).to_have_count(1)
    assert wrong(page)
    for number in (2, 1):
        press(page, f'[data-act="remove"][data-line="{number}"]')
        expect(page.locator(".paid li")).to_have_count(number)
    amounts(page, "points", ("4", "6", "2"))
    expect(page.locator('[data-fault="points"]')).to_contain_text("+1k")
    amounts(page, "points", ("-8",))
    expect(page.locator("[data-fault]")).to_have_count(0)
    after(page)
    choose(page, "dealer", 1)
    expect(page.locator('[data-fault="dealer"]')).to_be_visible()
    assert wrong(page)
    choose(page, "dealer", 2)
    expect(page.locator("[data-fault]")).to_have_count(0)
    yaku(page, 1, "sanbon")
    press(page, "[data-after]")
    expect(page.locator('[data-fault="stone"]')).to_be_visible()
    expect(page.locator("[data-months] button")).to_have_count(2)
    choose(page, "stone", 3)
    after(page)


def test_a_reload_in_mid_entry_loses_nothing(page: Page) -> None:
    begin(page, "koikoi", "Aya", "Ben")
    yaku(page, 2, "akatan", "tane")
    page.locator('.paid [name="gain"]').nth(1).fill("2")
    expect(page.locator("[data-kept]")).not_to_be_empty()
    expect(page.locator("[data-save]")).to_have_value(re.compile(r"pay tane 1 0 2 \+2\n"))
    before = page.locator("[data-save]").input_value()
    page.reload()
    expect(page.locator("[data-save]")).to_have_value(before)
    expect(page.locator('.paid [name="gain"]').nth(1)).to_have_value("2")
    page.goto("/records/new")
    expect(page.locator("[data-setup]")).to_be_visible()
    page.goto("/sheets/new")
    page.locator("[data-drafts] a").click()
    expect(page.locator("[data-save]")).to_have_value(before)


def test_without_the_server_nothing_is_lost(page: Page) -> None:
    begin(page, "koikoi", "Aya", "Ben")
    page.context.set_offline(True)
    press(page, '[data-act="toggle"][data-label="akatan"]')
    assert wrong(page)
    page.context.set_offline(False)
    press(page, '[data-act="toggle"][data-label="kasu"]')
    expect(page.locator("[data-save]")).to_have_value(
        re.compile(r"pay akatan 1 \+7 2 0\npay kasu 1 \+1 2 0\n")
    )


def test_a_table_of_five_is_saved(page: Page) -> None:
    """Who is out, and the fees; then the sheet is uploaded as anything else."""
    begin(page, "hachihachi-bga", "A", "B", "C", "D", "E")
    yaku(page, 1, "akatan")
    press(page, '[data-act="toggle"][data-label="ori"]')
    expect(page.locator('[data-row="score"] td')).to_have_count(5)
    expect(page.locator("[data-save]")).to_have_value(re.compile("pay ori 1 [+]1k 2 0 3 0 4 -1k"))
    page.locator('[name="plays"][data-seat="5"]').check()
    expect(page.locator('[name="plays"][data-seat="5"]')).to_be_checked()
    page.locator('[name="plays"][data-seat="5"]').uncheck()
    expect(page.locator('[name="plays"]:checked')).to_have_count(3)
    page.locator("[data-send]").click()
    page.wait_for_url("**/uploads/**")
    page.locator('[data-state="done"]').wait_for(timeout=30_000)


def test_without_javascript_there_is_a_way(chromium: Browser, site: str) -> None:
    context = chromium.new_context(java_script_enabled=False, base_url=site)
    page = context.new_page()
    page.goto("/sheets/new")
    page.locator('noscript a, main a[href="/check/"]').first.click()
    expect(page.locator("textarea[name=text]")).to_be_visible()
    context.close()

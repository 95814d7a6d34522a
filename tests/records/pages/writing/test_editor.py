"""The record editor in a browser: a game by taps and by keys, as text, kept and saved."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from kafu.judging.verify import verify
from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import LONG, part
from tests.records import makers
from tests.records.pages.writing.tapping import Tapper, Typist, written_by_taps


def begin(page: Page, rules: str, *names: str) -> None:
    """Open the editor and begin a game."""
    page.goto("/records/new")
    page.locator("[name=ruleset]").select_option(rules)
    for number, name in enumerate(names):
        page.locator("[name=player]").nth(number).fill(name)
    page.locator("[data-setup] [type=submit]").click()
    expect(page.locator("[data-dealing]")).to_be_visible()


def kafu(page: Page) -> str:
    """The text beside the table."""
    return page.locator("[data-text]").input_value()


def play(page: Page, action: str) -> None:
    """Tap a card, and the one that it captures where there is a choice."""
    card, _, take = action.strip("/").partition("x")
    steps = page.locator("[data-steps] li")
    before = steps.count()
    page.locator(f'[data-table] .key[data-key="{card}"]').first.click()
    if take and page.locator(f'[data-field] .key[data-key="{take[0]}"]').count():
        page.locator(f'[data-field] .key[data-key="{take[0]}"]').click()
    expect(steps).not_to_have_count(before)


def test_cards_by_their_names(page: Page) -> None:
    """A place takes names, of alike ones those that lie nowhere yet; the moves show the cards."""
    begin(page, "koikoi", "Aya", "Ben")
    names = page.locator("[data-names]")
    held = page.locator("[data-places] .place .row")
    names.fill("松に鶴、松のカス, plum ribbon, 3-bright, iris bridge, peony dregs, 7 animal, 月")
    names.press("Enter")
    expect(held.nth(0).locator(".card")).to_have_count(8)
    expect(page.locator("[data-places] .place").nth(1)).to_have_attribute("aria-pressed", "true")
    names.fill("松に亀")
    names.press("Enter")
    expect(page.locator("[data-no-names]")).to_contain_text("松に亀")
    names.fill("pine dregs, BGJNRVZ")
    names.press("Enter")
    expect(page.locator("[data-no-names]")).to_be_empty()
    expect(held.nth(1).locator('[data-card="D"]')).to_be_visible()
    page.locator("[data-letters]").fill("HKOSXaei")
    page.locator("[data-dealing] [type=submit]").click()
    expect(page.locator("[data-table]")).to_be_visible()
    assert "hand 1 ACFIQWYc" in kafu(page)
    play(page, "A")
    first = page.locator("[data-steps] .pictures")
    expect(first.locator('[data-card="A"]')).to_be_visible()


#: Taps by the hundred take long enough once; both ways where there is time.
TELEPHONE = pytest.mark.parametrize(
    "page",
    [(390, "ja-JP"), (1280, "en-US")][: 2 if LONG else 1],
    indirect=True,
    ids=["390-ja-JP", "1280-en-US"][: 2 if LONG else 1],
)
#: Months of a koi-koi game that are tapped: the whole year where there is time.
MONTHS = 12 if LONG else 2


@TELEPHONE
def test_a_koikoi_year_by_taps_is_the_text_it_came_from(page: Page) -> None:
    """All cards from the pack, every card, the decisions, the next month; it verifies."""
    options = {} if LONG else {"months": str(MONTHS)}
    game = simulate("koikoi", seed=5, options=options)
    tapped(page, game, len(game.months), options, piled=True)
    expect(page.locator("[data-verdict]")).to_have_attribute("data-kind", "verified")


@TELEPHONE
@pytest.mark.parametrize(
    ("rules", "seats"),
    part(
        [("ten-five-one", 5), ("hachihachi", 3), ("hanaawase", 3), ("hachihachi-bga", 4)], one_of=4
    ),
)
def test_a_month_of_each_ruleset_is_the_text_it_came_from(
    page: Page, rules: str, seats: int
) -> None:
    """Bids, declarations and decisions as the ruleset has them."""
    game = simulate(rules, seed=7, players=seats)
    tapped(page, game, 1, {})
    expect(page.locator("[data-verdict]")).to_have_attribute("data-kind", "unfinished")


def test_a_month_by_keys_alone_is_the_text_it_came_from(page: Page) -> None:
    game = simulate("koikoi", seed=7, options={"months": "1"})
    tapped(page, game, 1, {"months": "1"}, by=Typist)
    expect(page.locator("[data-verdict]")).to_have_attribute("data-kind", "consistent")


def test_without_scripts_a_game_is_sent_as_kafu(chromium: Browser, site: str) -> None:
    context = chromium.new_context(java_script_enabled=False, locale="en-US", base_url=site)
    page = context.new_page()
    page.goto("/records/new")
    page.locator("textarea[name=text]").last.fill(makers.text(411))
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#verdict .status.verified")).to_be_visible()
    page.goto("/records/new")
    page.locator("textarea[name=text]").last.fill(makers.text(411))
    page.get_by_role("button", name="Upload this").click()
    page.wait_for_url("**/uploads/*/**")
    context.close()


def tapped(
    page: Page,
    game: Game,
    months: int,
    options: dict[str, str],
    *,
    piled: bool = False,
    by: type[Tapper] = Tapper,
) -> None:
    """Tap some months of a game: the text beside the table is its own."""
    tapper = by(page, piled)
    players = ("Aya", "Ben", "Chie", "Daigo", "Emi")[: len(game.players)]
    tapper.begin(game.rules, players, options)
    for number in range(months):
        tapper.month(game, number)
    assert kafu(page) == written_by_taps(game, months, players, piled=piled)
    score = verify(read(kafu(page))).verdict.deals[-1].score
    assert score == verify(read(write(game))).verdict.deals[months - 1].score


def test_options_of_the_rules_by_their_names(page: Page) -> None:
    """Each with the house's own value at first; a number that cannot be is not taken."""
    page.goto("/records/new?ruleset=koikoi")
    page.locator("[data-house-options] summary").click()
    months = page.locator("[name='option.months']")
    expect(months).to_have_value("12")
    page.locator("[name=house]").select_option("koikoi-ai")
    expect(months).to_have_value("8")
    page.locator("[name='option.dealer'][value=turns]").check()
    months.fill("99")
    page.locator("[data-setup] [type=submit]").click()
    expect(page.locator("[data-setup]")).to_be_visible()
    months.fill("3")
    expect(page.locator("[data-changed]")).to_have_text("2")
    page.locator("[data-setup] [type=submit]").click()
    page.locator("[data-random]").click()
    options = re.compile(r'Options "dealer=turns months=3 profile=koikoi-ai"')
    expect(page.locator("[data-text]")).to_have_value(options)
    page.goto("/sheets/new?ruleset=ten-five-one")
    page.locator("[data-house-options] summary").click()
    page.locator("[name='option.nasake'][value=all]").check()
    page.locator("[data-setup] [type=submit]").click()
    expect(page.locator("[data-text]")).to_have_text(re.compile("nasake=all"))


def test_keys_undo_and_redo(page: Page) -> None:
    begin(page, "koikoi")
    for letter in "AEIMQUYcBFJNRVZdCGKOSWej":
        page.keyboard.press(letter if letter.islower() else f"Shift+{letter}")
    page.locator("[data-dealing] [type=submit]").click()
    expect(page.locator("[data-seats] .key").first).to_be_visible()
    page.locator("[data-asks]").click()
    page.keyboard.press("Shift+A")
    expect(page.locator("[data-pick] .key").first).to_be_visible()
    page.keyboard.press("g")
    expect(page.locator("[data-text]")).to_have_value(re.compile(r"\n1\. AxC/gxj"))
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    expect(page.locator("[data-text]")).not_to_have_value(re.compile(r"\n1\."))
    page.keyboard.press("Control+y")
    page.keyboard.press("Control+y")
    expect(page.locator("[data-text]")).to_have_value(re.compile(r"\n1\. AxC/gxj"))
    page.locator("[data-back]").click()
    page.locator('[data-pick] [data-key="g"]').click()
    expect(page.locator("[data-text]")).to_have_value(re.compile(r"\n1\. AxC/gxj"))


def test_text_is_judged_while_one_types_and_kept(page: Page) -> None:
    """A fault is marked at its line; a reload loses nothing."""
    begin(page, "koikoi")
    page.locator("[data-text]").fill(makers.text(3))
    expect(page.locator("[data-verdict]")).to_have_attribute("data-kind", "verified")
    page.locator("[data-text]").fill(makers.illegal(3))
    expect(page.locator("[data-verdict]")).to_have_attribute("data-kind", "illegal")
    line = verify(read(makers.illegal(3))).verdict.error
    assert line is not None
    expect(page.locator("[data-lines] .faulty")).to_have_text(str(line.line))
    page.locator("[data-text]").fill("hello world")
    expect(page.locator("[data-verdict]")).to_have_attribute("data-kind", "malformed")
    expect(page.locator("[data-table]")).to_be_hidden()
    expect(page.locator("[data-kept]")).not_to_be_empty()
    page.reload()
    expect(page.locator("[data-text]")).to_have_value("hello world")
    page.goto("/records/new")
    expect(page.locator("[data-drafts] li")).to_have_count(1)
    page.locator("[data-drafts] a").click()
    expect(page.locator("[data-text]")).to_have_value("hello world")


def test_a_faulty_game_is_mended_at_its_fault_and_saved(page: Page) -> None:
    """It opens at the fault; a tap on what could stand there puts it into the text."""
    page.goto(f"/records/new?record={stored(page, makers.illegal(91))}")
    expect(page.locator("[data-lines] .faulty")).to_have_count(1)
    before = kafu(page)
    page.locator("[data-instead] button").first.click()
    expect(page.locator("[data-text]")).not_to_have_value(before)
    assert place(kafu(page)) > place(before), "a later turn may not fit any more"
    page.locator("[data-send]").click()
    page.wait_for_url("**/uploads/**")


def stored(page: Page, text: str) -> str:
    """The key of a game once it is stored."""
    kafu_type = {"Content-Type": "text/x-kafu"}
    sent = page.request.post("/api/v1/uploads", data=text, headers=kafu_type).json()
    page.goto(sent["page"])
    page.locator('[data-state="done"]').wait_for(timeout=30_000)
    (game,) = page.request.get(f"/api/v1/uploads/{sent['key']}/games").json()["results"]
    return str(game["record"].rpartition("/")[2])


def place(text: str) -> tuple[float, int]:
    """Where a text breaks the rules; behind its end if nowhere."""
    error = verify(read(text)).verdict.error
    return (error.line or 0, error.column or 0) if error is not None else (float("inf"), 0)


def test_without_the_server_nothing_is_lost(page: Page) -> None:
    begin(page, "koikoi")
    page.locator("[data-random]").click()
    expect(page.locator("[data-seats] .key").first).to_be_visible()
    before = kafu(page)
    page.context.set_offline(True)
    page.locator("[data-back]").click()
    expect(page.locator("[data-status][role=status]")).to_have_class(re.compile("error"))
    assert kafu(page) == before
    page.context.set_offline(False)
    page.locator("[data-back]").click()
    expect(page.locator("[data-dealing]")).to_be_visible()


def test_without_a_network_it_opens_and_keeps_what_is_written(page: Page) -> None:
    """Once it was open: the page, its draft, its text; only the machine does not answer."""
    begin(page, "koikoi", "Aya")
    page.locator("[data-random]").click()
    expect(page.locator("[data-text]")).to_have_value(re.compile("month 1"))
    expect(page.locator("[data-kept]")).not_to_be_empty()
    page.wait_for_function(
        "async () => Boolean(await (await caches.open('hana-offline')).match('/records/new'))"
    )
    written = kafu(page)
    page.context.set_offline(True)
    try:
        page.reload()
        expect(page.locator("[data-text]")).to_have_value(written)
        expect(page.locator("[data-status][role=status]")).to_have_class(re.compile("error"))
        page.locator("[data-text]").fill(f"{written}\n; without a network")
        expect(page.locator("[data-kept]")).not_to_be_empty()
    finally:
        page.context.set_offline(False)
    page.reload()
    expect(page.locator("[data-text]")).to_have_value(re.compile("without a network"))


def test_go_on_from_the_step_that_is_shown(page: Page) -> None:
    key = stored(page, makers.text(92))
    page.goto(f"/games/{key}/#2.3")
    link = page.locator("[data-go-on]")
    expect(link).to_have_attribute("href", re.compile(r"at=2\.3$"))
    link.click()
    expect(page.locator("[data-deals] [aria-current=true]")).to_have_count(1)
    expect(page.locator("[data-steps] li").nth(3).locator("[aria-current=step]")).to_have_count(1)
    page.goto(f"/records/new?record={key}&at=63.9")
    expect(page.locator("[data-steps] [aria-current=step]")).to_have_count(1)


def test_from_the_check_into_the_editor(page: Page) -> None:
    """A pasted text that is wrong is opened at its fault, and corrected by a tap."""
    page.goto("/check/")
    page.locator("textarea[name=text]").fill(makers.illegal(4))
    page.locator("#check [formaction='/records/new']").click()
    expect(page.locator("[data-verdict]")).to_have_attribute("data-kind", "illegal")
    expect(page.locator("[data-instead] button").first).to_be_visible()
    assert kafu(page).strip() == makers.illegal(4).strip()


def test_by_keys_from_step_to_step(page: Page) -> None:
    """Arrows walk over the steps and the ends of deals; Enter deals what is laid out."""
    game = simulate("koikoi", seed=5, options={"months": "2"})
    page.goto("/records/new")
    page.locator("[name=ruleset]").select_option("koikoi")
    page.locator("[data-setup] [type=submit]").click()
    month = game.months[0]
    for letter in "".join((*month.hands.values(), month.field or "")):
        page.locator(f'[data-pack] [data-letter="{letter}"]').click()
    page.locator("h1").click()
    page.keyboard.press("Enter")
    expect(page.locator("[data-table]")).to_be_visible()
    page.locator("[data-text]").fill(write(game))
    deals = page.locator("[data-deals] button")
    expect(deals).to_have_count(2)
    expect(deals.nth(1)).to_have_attribute("aria-current", "true")
    steps = page.locator("[data-steps] li button")
    last = steps.count() - 1
    page.locator("h1").click()
    for key, at in (("ArrowLeft", last - 1), ("ArrowUp", last - 2), ("ArrowRight", last - 1)):
        page.keyboard.press(key)
        expect(steps.nth(at)).to_have_attribute("aria-current", "step")
    steps.nth(0).click()
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    expect(deals.nth(0)).to_have_attribute("aria-current", "true")
    expect(steps.last).to_have_attribute("aria-current", "step")
    page.keyboard.press("ArrowDown")
    expect(deals.nth(1)).to_have_attribute("aria-current", "true")
    expect(steps.first).to_have_attribute("aria-current", "step")


#: Every answer comes so many milliseconds later.
LATE = """(time) => {
    const send = window.fetch;
    const late = () => new Promise((done) => setTimeout(done, time));
    window.fetch = (...asked) => late().then(() => send(...asked));
}"""
#: Writes a text and, before anything else can happen, taps on what is given.
WRITE_AND_TAP = """([text, tapped]) => {
    const box = document.querySelector("[data-text]");
    box.value = text;
    box.dispatchEvent(new Event("input", { bubbles: true }));
    if (tapped) document.querySelector(tapped).click();
}"""


def test_what_is_typed_while_an_answer_is_awaited_stands(page: Page) -> None:
    """And what is undone at once does not come back."""
    begin(page, "koikoi", "Aya", "Ben")
    text, verdict = page.locator("[data-text]"), page.locator("[data-verdict]")
    text.fill(makers.text(3))
    expect(verdict).to_have_attribute("data-kind", "verified")
    page.evaluate(LATE, 600)  # longer than the pause after which a text is judged
    with page.expect_response("**/api/v1/positions"):
        page.evaluate(WRITE_AND_TAP, [makers.illegal(3), "[data-undo]"])
    expect(page.locator("[data-work]")).to_have_attribute("aria-busy", "false")
    expect(text).to_have_value(makers.text(3))
    with page.expect_response("**/api/v1/positions"):
        page.locator("[data-steps] button").first.click()
        page.evaluate(WRITE_AND_TAP, [makers.text(4), ""])
    expect(page.locator("[data-work]")).to_have_attribute("aria-busy", "false")
    expect(text).to_have_value(makers.text(4))


def test_who_is_faster_than_the_archive_loses_nothing(page: Page) -> None:
    """Keys and taps wait for the answer to those before them; a second tap on a card is none."""
    game = simulate("koikoi", seed=5, options={"months": "1"})
    page.goto("/records/new?example=koikoi")
    steps = page.locator("[data-steps] li button")
    expect(steps.last).to_have_attribute("aria-current", "step")
    with page.expect_response("**/api/v1/positions"):
        page.locator("[data-text]").fill(write(game))
    expect(page.locator("[data-work]")).to_have_attribute("aria-busy", "false")
    page.evaluate(LATE, 200)
    last = steps.count() - 1
    page.locator("h1").click()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    expect(steps.nth(last - 4)).to_have_attribute("aria-current", "step")
    steps.nth(1).click()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(steps.nth(3)).to_have_attribute("aria-current", "step")
    steps.nth(1).click()
    page.keyboard.press("Backspace")
    expect(steps).to_have_count(1)
    playable = page.locator("[data-seats] button[data-key]")
    card = playable.first.get_attribute("data-key")
    assert card is not None
    page.keyboard.press(card)
    page.keyboard.press(card)
    expect(page.locator("[data-verdict]")).not_to_have_attribute("data-kind", "illegal")
    expect(page.locator("[data-status]").first).not_to_have_class(re.compile("error"))
    expect(steps.last).to_contain_text(card)


def test_what_is_wrong_is_underlined_while_one_types(page: Page) -> None:
    """Behind the text, at the word; it goes when that is mended."""
    page.goto("/records/new?example=koikoi")
    expect(page.locator("[data-text]")).to_have_value(re.compile("month 1"))
    text = kafu(page)
    expect(page.locator("[data-under] mark")).to_have_count(0)
    wrong = text.replace("\n1. ", "\n1. Zx ", 1)
    page.locator("[data-text]").fill(wrong)
    mark = page.locator("[data-under] mark")
    expect(mark).to_have_text("Zx")
    top = page.locator("[data-text]").bounding_box()
    place = mark.bounding_box()
    assert top is not None and place is not None
    line = wrong[: wrong.index("Zx")].count("\n")
    assert abs(place["y"] - top["y"] - 6 - 24 * line) < 12
    page.locator("[data-text]").fill(text)
    expect(mark).to_have_count(0)

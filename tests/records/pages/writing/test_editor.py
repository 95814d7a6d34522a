"""The record editor: games by taps, by keys and as text, its cards, its faults, and no network."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from kafu.judging.actions import from_engine
from kafu.judging.verify import verify
from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.rules.play.actions import Draw, Play
from kafu.simulation.simulate import simulate
from lengths import part
from records.models import Upload
from tests.records import makers
from tests.records.pages.writing.actions import (
    ON_DESK,
    ON_TELEPHONE,
    begin_game,
    expect_status,
    short_game,
    show_letters,
    text_of,
)
from tests.records.pages.writing.tapping import (
    Tapper,
    actions_of,
    statement_of,
    written_by_taps,
)

PLAYERS = ("Aya", "Ben", "Chie", "Daigo", "Emi")
#: A field that begins a game of koi-koi.
FIELD = "CGKOSWej"
#: Delays every response from now on, by a time in milliseconds.
DELAY = """(time) => {
    const send = window.undelayed ??= window.fetch;
    const wait = () => new Promise((resolve) => setTimeout(resolve, time));
    window.fetch = (...request) => wait().then(() => send(...request));
}"""
#: Writes a text and clicks on a control without an event in between.
WRITE_AND_CLICK = """([text, selector]) => {
    const box = document.querySelector("textarea[data-text]");
    box.value = text;
    box.dispatchEvent(new Event("input", { bubbles: true }));
    if (selector) document.querySelector(selector).click();
}"""


# By taps --------------------------------------------------------------------------------------


def expect_months(page: Page, game: Game, months: int, *, piled: bool = False) -> None:
    """Check that the text is that of the first months of a game, and gives their scores."""
    players = PLAYERS[: len(game.players)]
    assert text_of(page) == written_by_taps(game, months, players, piled=piled)
    score = verify(read(text_of(page))).verdict.deals[-1].score
    assert score == verify(read(write(game))).verdict.deals[months - 1].score


@ON_TELEPHONE
def test_month_by_taps_under_house_options_is_written_as_it_was_played(page: Page) -> None:
    page.goto("/records/new?ruleset=koikoi")
    months = page.locator("[name='option.months']")
    expect(months).to_have_value("12")
    page.locator("[name=preset][value=stakes]").check()
    expect(months).to_have_value("8")
    page.locator("[data-all-rules] summary").click()
    page.locator("[name='option.dealer']").select_option("turns")
    months.fill("99")
    page.locator("[data-setup] [type=submit]").click()
    expect(page.locator("[data-setup]")).to_be_visible()
    months.fill("1")
    for number in range(2):
        page.locator("[name=player]").nth(number).fill(PLAYERS[number])
    page.locator("[data-setup] [type=submit]").click()
    page.locator("[data-dealing]").wait_for()
    # A short month with a koi-koi and the choice of a captured card.
    options = {"profile": "koikoi-ai", "dealer": "turns", "months": "1"}
    game = simulate("koikoi", seed=8, options=options)
    Tapper(page, piled=True, types_letters=True).month(game, 0)
    expect_months(page, game, 1, piled=True)
    expect_status(page, "verified")

    # Undo takes back a tap with all that played itself: a card of the hand with the known draw.
    page.locator("[data-undo]").click()
    expect(page.locator("[data-moves] button").first).to_be_visible()
    page.locator("[data-undo]").click()
    expect(page.locator('[data-table] .key[data-key="i"]')).to_be_visible()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("ruleset", "seats", "seed"),
    part(
        [
            ("hachihachi", 3, 11),
            ("hachihachi-bga", 3, 23),
            ("ten-five-one", 5, 27),
            ("hanaawase", 3, 3),
        ],
        one_of=4,
    ),
)
def test_every_action_of_a_month_is_offered_to_the_editor(
    client: Client, ruleset: str, seats: int, seed: int
) -> None:
    """The requests are those of the editor: each action is one of `legal`."""
    game = simulate(ruleset, seed=seed, players=seats)
    month = game.months[0]

    def send(**fields: object) -> dict[str, object]:
        response = client.post("/api/v1/positions", fields, "application/json")
        assert response.status_code == 200, response.content
        position: dict[str, object] = response.json()
        return position

    players = PLAYERS[:seats]
    hands = [month.hands[seat] for seat in range(1, seats + 1)]
    cards = {"number": 1, "dealer": month.dealer, "hands": hands, "field": month.field}
    position = send(new={"ruleset": ruleset, "players": players, "options": {}}, deal=cards)
    for action, seat in actions_of(game, 0):
        is_card = isinstance(action, Play | Draw)
        move = str(from_engine(action, seat)) if is_card else statement_of(action)
        assert move in [choice["do"] for choice in position["legal"]]  # type: ignore[attr-defined]
        moves = [position["open"], move] if position["open"] else [move]
        position = send(kafu=position["kafu"], at=position["at"], do=moves)
    assert position["kafu"] == written_by_taps(game, 1, players)


# Cards ----------------------------------------------------------------------------------------


@ON_TELEPHONE
def test_filling_hands_and_the_dealt_table_are_in_view_on_a_phone(page: Page) -> None:
    """A strip above the pack shows the chosen place; after dealing the window shows the turn."""
    page.set_viewport_size({"width": 390, "height": 664})
    page.goto("/records/new?ruleset=koikoi")
    names = page.locator("[name=player]")
    names.first.focus()
    page.keyboard.press("Enter")
    expect(names.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    places = page.locator("[data-places] .place")
    for letter in "vutsrqpo":
        page.locator(f'[data-pack] [data-letter="{letter}"]').click()
    expect(places.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(places.nth(1)).to_be_in_viewport(ratio=0.99)  # a fraction of a pixel may be outside
    expect(places.nth(2)).to_be_in_viewport(ratio=0.5)
    page.locator("[data-random]").click()
    expect(page.locator("[data-asks]")).to_be_in_viewport()
    expect(page.locator("[data-field]")).to_be_in_viewport(ratio=1)
    tops = page.locator(".seat.moving .key").evaluate_all(
        "keys => keys.map((key) => key.getBoundingClientRect().top)"
    )
    assert len(tops) == 8 and len(set(tops)) == 1


@ON_DESK
def test_cards_are_laid_out_by_letters_names_and_taps_and_played_by_keys(page: Page) -> None:
    """Cards that cannot lie in a place are refused, and the others stay.

    What each key means is tested in tests/javascript/editor.test.mjs.
    """
    # The draw pile has the cards of the players who sit out.
    begin_game(page, "ten-five-one", *"ABCDEFG")
    expect(page.locator("[data-places] .place").last).to_contain_text("21")
    begin_game(page, "koikoi", "Aya", "Ben")
    expect(page.locator("textarea[data-text]")).to_be_hidden()
    expect(page.locator(".intro")).to_be_hidden()
    letters, problem = show_letters(page), page.locator("[data-no-names]")
    names, places = page.locator("[data-names]"), page.locator("[data-places] .place")
    expect(page.locator("[data-dealers] legend")).to_be_visible()
    expect(places.last).to_contain_text("24")

    places.nth(1).click()
    names.fill("松に鶴、松のカス, plum ribbon, 3-bright, iris bridge, peony dregs, 7 animal, 月")
    names.press("Enter")
    expect(places.nth(1).locator(".card")).to_have_count(8)
    expect(places.nth(0)).to_have_attribute("aria-pressed", "true")
    places.nth(2).click()
    names.fill("松に亀")
    names.press("Enter")
    expect(problem).to_contain_text("松に亀")
    names.fill("pine dregs, BGJNRVZ")  # the remaining chaff card: a hand has the first already
    names.press("Enter")
    expect(problem).to_be_empty()
    expect(places.nth(2).locator('[data-card="D"]')).to_be_visible()

    places.nth(1).click()
    letters.fill("AEIMQUYc")
    expect(problem).to_be_empty()
    places.nth(2).click()
    letters.fill("ABF!JNRVZdh")
    expect(problem).to_have_text(re.compile(r"[“「]![”」].*Aya.*Ben.*8"))
    expect(letters).to_have_value("BFJNRVZd")
    expect(places.nth(1).locator(".card")).to_have_count(8)
    page.locator('[data-pack] [data-letter="C"]').click()  # the hand is full
    expect(problem).to_have_text(re.compile(r"Ben.*8"))
    expect(places.nth(2).locator(".card")).to_have_count(8)
    places.nth(0).click()
    names.fill("pine crane, pine dregs, sake cup")
    names.press("Enter")
    expect(problem).to_have_text(re.compile(r"[(（]A[)）]"))
    expect(names).to_have_value("pine crane, pine dregs, sake cup")
    names.fill("pine dregs, sake cup")
    names.press("Enter")
    expect(places.nth(0).locator(".card")).to_have_count(2)
    page.locator('[data-pack] [data-letter="k"]').click()
    expect(problem).to_be_empty()

    # Unknown cards complete a hand, and any unused card can be played from the hand.
    for number, letters_to_type in ((1, "AE"), (2, ""), (0, "")):
        places.nth(number).click()
        letters.fill(letters_to_type)
    page.locator("h1").click()
    for letter in FIELD:
        page.keyboard.press(letter if letter.islower() else f"Shift+{letter}")
    page.keyboard.press("Enter")
    expect(page.locator("[data-table]")).to_be_visible()
    assert "hand 1 AE??????\nhand 2 ????????\n" in text_of(page)
    page.locator('[data-table] .key[data-key="M"]').first.click()
    step = page.locator("[data-steps] li").nth(1)
    expect(step.locator('.pictures [data-card="M"]')).to_be_visible()
    assert verify(read(text_of(page))).verdict.error is None

    text, turn = page.locator("textarea[data-text]"), re.compile(r"\n1\. AxC/gxj")
    page.keyboard.press("Control+z")
    expect(text).not_to_have_value(re.compile(r"\n1\."))
    page.keyboard.press("Shift+A")
    expect(page.locator("[data-pick] .key").first).to_be_visible()
    page.keyboard.press("g")
    expect(text).to_have_value(turn)
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    expect(text).not_to_have_value(re.compile(r"\n1\."))
    page.keyboard.press("Control+y")
    page.keyboard.press("Control+y")
    expect(text).to_have_value(turn)
    page.locator("[data-back]").click()
    page.locator('[data-pick] [data-key="g"]').click()
    expect(text).to_have_value(turn)


# By keys --------------------------------------------------------------------------------------


def test_taps_keys_and_text_before_a_late_response_are_not_lost(example: Page) -> None:
    page = example
    work, text = page.locator("[data-work]"), page.locator("textarea[data-text]")
    steps = page.locator("[data-steps] li button")
    short = write(simulate("koikoi", seed=5, options={"months": "1"}))
    with page.expect_response("**/api/v1/positions"):
        text.fill(short)
    expect(work).to_have_attribute("aria-busy", "false")

    # A text undone before its verdict does not come back.
    page.evaluate(DELAY, 600)  # longer than the pause after which a text is judged
    with page.expect_response("**/api/v1/positions"):
        page.evaluate(WRITE_AND_CLICK, [short_game(3), "[data-undo]"])
    expect(work).to_have_attribute("aria-busy", "false")
    expect(text).to_have_value(short)

    # Keys and taps wait for the responses to earlier ones.
    page.evaluate(DELAY, 200)
    last = steps.count() - 1
    page.locator("h1").click()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    expect(steps.nth(last - 4)).to_have_attribute("aria-current", "step")
    steps.nth(1).click()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(steps.nth(3)).to_have_attribute("aria-current", "step")

    # A step that is requested just after a text is typed is shown.
    page.evaluate(DELAY, 600)
    page.evaluate(WRITE_AND_CLICK, [short, "[data-steps] li button"])
    expect(steps.first).to_have_attribute("aria-current", "step")
    expect(work).to_have_attribute("aria-busy", "false")
    page.evaluate(DELAY, 200)

    # A card that is pressed twice is played once.
    steps.nth(1).click()
    page.keyboard.press("Backspace")
    expect(steps).to_have_count(1)
    card = page.locator("[data-seats] button[data-key]").first.get_attribute("data-key")
    assert card is not None
    page.keyboard.press(card)
    page.keyboard.press(card)
    expect(steps.last).to_contain_text(card)
    expect(page.locator("[data-verdict]")).not_to_have_attribute("data-kind", "illegal")
    expect(page.locator("[data-status]").first).not_to_have_class(re.compile("error"))

    # A text that is written while a step is requested stays.
    page.evaluate(DELAY, 600)
    with page.expect_response("**/api/v1/positions"):
        steps.first.click()
        page.evaluate(WRITE_AND_CLICK, [short_game(4), ""])
    expect(work).to_have_attribute("aria-busy", "false")
    expect(text).to_have_value(short_game(4))


# As text --------------------------------------------------------------------------------------


def test_text_is_judged_and_its_fault_is_underlined_while_it_is_typed(example: Page) -> None:
    page = example
    text, mark = page.locator("textarea[data-text]"), page.locator("[data-under] mark")
    faulty = page.locator("[data-lines] .faulty")
    before = text_of(page)
    expect(mark).to_have_count(0)
    wrong = before.replace("\n1. ", "\n1. Zx ", 1)
    text.fill(wrong)
    expect(mark).to_have_text("Zx")
    line = wrong[: wrong.index("Zx")].count("\n")
    expect(faulty).to_have_text(str(line + 1))
    box, underline = text.bounding_box(), mark.bounding_box()
    assert box is not None and underline is not None
    assert abs(underline["y"] - box["y"] - 6 - 24 * line) < 12
    text.fill(before)
    expect(mark).to_have_count(0)
    expect(faulty).to_have_count(0)
    text.fill(short_game(3))
    expect_status(page, "verified")
    text.fill("hello world")
    expect_status(page, "malformed")
    expect(page.locator("[data-table]")).to_be_hidden()


@pytest.mark.long_only  # `editor.test.mjs` has which months are lost
def test_taking_back_asks_before_it_loses_months(example: Page) -> None:
    page = example
    text, lost = page.locator("textarea[data-text]"), page.locator("[data-lost]")
    game = short_game(3)
    text.fill(game)
    expect_status(page, "verified")
    expect(page.locator("[data-asks]")).to_have_text(re.compile(r"wins, \d+ to \d+|の勝ち"))
    page.locator("[data-deals] button").first.click()
    expect(page.locator("[data-deals] [aria-current=true]")).to_have_text(re.compile("1"))
    page.locator("[data-back]").click()
    expect(lost).to_be_visible()
    page.keyboard.press("Enter")  # the months stay
    expect(lost).to_be_hidden()
    expect(text).to_have_value(game)
    page.locator("[data-back]").click()
    page.locator("[data-ask] [value=yes]").click()
    expect(text).not_to_have_value(re.compile("month 2"))


# Without a network or scripts -----------------------------------------------------------------


class NoscriptForms(HTMLParser):
    """The forms within `noscript` of a page: their actions, fields and buttons."""

    def __init__(self, page: str) -> None:
        """Parse a page."""
        super().__init__()
        self.actions: list[str] = []
        self.fields: dict[str, str] = {}
        for content in re.findall(r"<noscript>(.*?)</noscript>", page, re.DOTALL):
            self.feed(content)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note an action or a field."""
        values = {name: value or "" for name, value in attributes}
        self.actions += [
            values[name] for name in ("action", "formaction", "href") if name in values
        ]
        if tag in ("input", "textarea"):
            self.fields[values["name"]] = values.get("value", "")


@pytest.mark.django_db
def test_editor_without_scripts_sends_a_text_to_the_check_and_to_the_upload() -> None:
    client = Client(enforce_csrf_checks=True)
    form = NoscriptForms(client.get("/records/new").content.decode())
    check, upload = form.actions
    assert set(form.fields) == {"csrfmiddlewaretoken", "text"}
    fields = form.fields | {"text": makers.text(411)}
    checked = client.post(check, fields)
    assert checked.context["checked"].status == "verified"
    assert client.post(upload, fields).status_code == 302
    assert Upload.objects.count() == 1

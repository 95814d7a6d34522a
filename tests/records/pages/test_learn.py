"""The lessons: their content, a first month against the archive, and a beginner at a phone."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from kafu import cards
from kafu.rules.names import YAKU
from kafu.rules.rulesets import RULESETS
from kafu.rules.yaku import made
from lengths import LONG
from records.pages.learn.lessons import LESSONS, list_quizzes, make_ledger
from records.pages.rulebook.book import address_of
from records.wording.readings import read_romaji
from tests.records.pages.kinds import wait_until_cached
from tests.records.pages.replay_page import watch_page
from tests.records.pages.test_rules import HOUSES

KOIKOI = LESSONS["koikoi"]
PHONE: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 664}, "has_touch": True}
#: The titles of the last screen by locale.
LAST: Final = {"ja-JP": "6. 最初のひと月", "en-US": "6. Your first month"}


def request_month(client: Client, **fields: Any) -> Any:
    """Return the response to a request for a first month."""
    body = {"ruleset": "koikoi", "seed": KOIKOI.seeds[0], "actions": []} | fields
    return client.post(reverse("first-month"), json.dumps(body), content_type="application/json")


@pytest.mark.parametrize(
    ("romaji", "kana"),
    [
        ("matsu ni tsuru", "まつにつる"),
        ("teppō", "てっぽう"),
        ("ōtori", "おおとり"),
        ("kiri ni hōō", "きりにほうおう"),
        ("tan'ichi", "たんいち"),
        ("akatan-aotan", "あかたんあおたん"),
        ("sujūroku", "すじゅうろく"),
        ("inoshikachō", "いのしかちょう"),
        ("sanbon", "さんぼん"),
    ],
)
def test_romaji_is_read_as_kana(romaji: str, kana: str) -> None:
    assert read_romaji(romaji) == kana


def test_every_card_and_every_yaku_has_a_reading_in_kana() -> None:
    names = [card.romaji for card in cards.PACK]
    for description in RULESETS.values():
        names += [YAKU[id].romaji for id in description.yaku]
    for name in names:
        letters = len(re.findall("[aiueoōū]", name.lower()))
        assert re.fullmatch("[ぁ-ん]+", read_romaji(name)) and len(read_romaji(name)) >= letters


@pytest.mark.parametrize("ruleset", LESSONS)
def test_lesson_shows_yaku_with_the_values_of_its_house(ruleset: str, client: Client) -> None:
    lesson = LESSONS[ruleset]
    page = client.get(reverse("lesson", args=[ruleset])).content.decode()
    assert re.findall(r'<section class="screen" id="(\w+)"', page) == [*lesson.screens]
    rows = {row.id: row for row in RULESETS[ruleset].captured_yaku(lesson.options)}
    for id in lesson.yaku:
        entry = page.split(f"<span>{YAKU[id].romaji} <small>")[1].split("</li>")[0]
        assert re.search(rf'<b class="worth">{rows[id].value} ', entry), id
        letters = "".join(re.findall(r'data-letter="(\w)"', entry))
        assert cards.mask(letters) == rows[id].cards, id


def test_situations_have_a_made_yaku_and_cards_of_one_pack() -> None:
    for ruleset, lesson in LESSONS.items():
        table = RULESETS[ruleset].captured_yaku(lesson.options)
        for situation in lesson.situations:
            own, opponent = cards.mask(situation.own), cards.mask(situation.opponent)
            assert made(table, own, rained=False, called=False)
            assert not made(table, opponent, rained=False, called=False)
            assert not own & opponent


def test_each_screen_of_a_lesson_has_cards_to_tap(client: Client) -> None:
    for ruleset in LESSONS:
        page = client.get(reverse("lesson", args=[ruleset])).content.decode()
        for screen in page.split('<section class="screen" id="')[1:]:
            assert 'class="tap"' in screen or "data-month" in screen, screen[:20]


def test_quizzes_are_answered_by_the_engine() -> None:
    answers = list_quizzes("hachihachi", LESSONS["hachihachi"])
    shown = {screen: [answer for _cards, answer in quiz] for screen, quiz in answers.items()}
    assert shown == {
        "points": ["25 points", "13 points", "57 points"],
        "grades": ["koba (small field) ×1", "ōba (large field) ×2", "zetsuba (absolute field) ×4"],
        "hands": [
            "sanbon (three of a month) 2 kan",
            "kuttsuki (pairs only) 4 kan",
            "teshi (four of a month) 6 kan",
            "karasu (chaff only) 4 kan",
        ],
    }


def test_ledger_of_a_lesson_adds_up_to_zero() -> None:
    ledger = make_ledger("hachihachi", LESSONS["hachihachi"])
    for amounts in (*(amounts for _name, _cards, amounts in ledger.rows), ledger.totals):
        numbers = [int(text.replace("−", "-").split("\xa0")[0]) for text in amounts]
        assert sum(numbers) == 0 and any(numbers)


@pytest.mark.parametrize("seed", KOIKOI.seeds)
def test_following_the_hints_wins_the_first_month(seed: int, client: Client) -> None:
    actions: list[str] = []
    for _turn in range(20):
        table = request_month(client, seed=seed, actions=actions).json()
        if "hint" not in table:
            break
        assert table["hint"]["do"] in [move["do"] for move in table["legal"]]
        assert {*table["table"]["hands"][1]} <= {"?"} and not table["table"]["ahead"]
        actions = [*table["actions"], table["hint"]["do"]]
    assert table["final"][0] > table["final"][1]
    assert table["news"]


@pytest.mark.parametrize(
    "fields",
    [
        {"ruleset": "poker"},
        {"ruleset": None},
        {"seed": 0},
        {"seed": "16"},
        {"seed": 1 << 80},
        {"actions": "begin"},
        {"actions": [1]},
        {"actions": ["A" * 21]},
        {"actions": ["begin"] * 81},
        {"actions": ["begin", "AxB"]},
        {"actions": ["begin", "=koikoi"]},
        {"actions": ["\0", "…"]},
        {"actions": [""]},
    ],
)
def test_request_that_is_no_month_is_refused_with_a_reason(
    fields: dict[str, Any], client: Client
) -> None:
    response = request_month(client, **fields)
    assert response.status_code == 400
    assert response.json()["detail"]


@pytest.mark.parametrize("body", [b"", b"[]", b"\xff", b"[" * 10_000, b'{"seed":16}'])
def test_body_that_is_no_json_of_a_month_is_refused(body: bytes, client: Client) -> None:
    response = client.post(reverse("first-month"), body, content_type="application/json")
    assert response.status_code == 400


def test_lesson_of_another_ruleset_is_not_found(client: Client) -> None:
    assert client.get(reverse("lesson", args=["poker"])).status_code == 404


def go_on(page: Page) -> None:
    """Tap the link to the next screen, which is in the window."""
    link = page.locator("[data-next]")
    expect(link).to_be_in_viewport(ratio=1)
    link.tap()


def tap_all(page: Page, screen: str) -> None:
    """Play an exercise: tap each card that can be tapped, choosing the first of two captures."""
    table = page.locator(f"#{screen} [data-practice]")
    for _card in range(12):
        hand, pile = table.locator("[data-hand] .tap"), table.locator("[data-pile] .tap")
        if not hand.count() + pile.count():
            break
        (hand if hand.count() > pile.count() - 1 and hand.count() else pile).first.tap()
        if table.locator("[data-field] .lit").count():
            table.locator("[data-field] .lit").first.tap()


@pytest.mark.parametrize("locale", LAST if LONG else ["ja-JP"])
def test_beginner_taps_through_the_lesson_and_wins_a_month(
    chromium: Browser, site: str, locale: str
) -> None:
    """Every screen answers taps; after a reload the lesson is where it was."""
    with watch_page(chromium, base_url=site, locale=locale, **PHONE) as page:
        page.goto("/learn/koikoi/")
        page.locator("#cards [data-letter=A]").tap()
        expect(page.locator("#cards [data-says]")).to_contain_text(
            "まつにつる" if locale == "ja-JP" else "pine with crane"
        )
        page.locator("[data-kinds] button").first.tap()
        expect(page.locator("#cards .lit")).to_have_count(5)
        for screen in ("matching", "turn"):
            go_on(page)
            tap_all(page, screen)
            expect(page.locator(f"#{screen} [data-captured] svg").first).to_be_visible()
            expect(page.locator(f"#{screen} [data-hand] .tap")).to_have_count(0)
        go_on(page)
        entry = page.locator("#yaku .entry").first
        for letter in "AIc":
            entry.locator(f"[data-letter={letter}]").tap()
        expect(entry).to_have_class(re.compile("made"))
        page.goto("/learn/")
        page.goto("/learn/koikoi/")
        expect(page.locator("#yaku h2")).to_be_in_viewport()
        page.locator("a.skip").press("Enter")
        expect(page.locator("#yaku h2")).to_be_in_viewport()
        go_on(page)
        page.locator("#choice [data-letter=B]").first.tap()
        expect(page.locator("#choice [data-says]")).to_contain_text(
            "まつに" if locale == "ja-JP" else "pine"
        )
        page.locator("#choice summary").first.tap()
        expect(page.locator("#choice details p").first).to_be_visible()
        go_on(page)
        expect(page.locator("#month h2")).to_have_text(LAST[locale])
        play_by_hints(page)
        expect(page.locator("[data-finish]")).to_have_attribute(
            "href", "/records/new?ruleset=koikoi"
        )


def play_by_hints(page: Page) -> None:
    """Play the first month: each hint focuses the advised card or word, which Enter takes."""
    month = page.locator("[data-month]")
    hint = page.locator("[data-hint]")
    expect(month.locator(".key").first).to_be_visible()
    for _turn in range(12):
        hint.tap()
        focused = page.locator(":focus")
        is_word = focused.get_attribute("data-do") is not None
        focused.press("Enter")
        expect(month).to_have_attribute("aria-busy", "false")
        field = month.locator("[data-field] button")
        if not is_word and field.count():
            field.first.tap()
            expect(month).to_have_attribute("aria-busy", "false")
        if hint.is_disabled():
            break
    expect(hint).to_be_disabled()


def test_lesson_without_scripts_has_all_screens_as_pictures_and_text(
    chromium: Browser, site: str
) -> None:
    with watch_page(chromium, base_url=site, java_script_enabled=False, **PHONE) as page:
        page.goto("/learn/koikoi/")
        for screen in KOIKOI.screens:
            expect(page.locator(f"#{screen} h2")).to_be_visible()
            expect(page.locator(f"#{screen} > p").first).to_be_visible()
        assert page.locator(".lesson button:visible").count() == 0
        expect(page.locator(".lesson noscript a")).to_be_visible()


def test_lesson_stays_without_a_connection_and_says_so_beside_the_board(
    chromium: Browser, site: str
) -> None:
    with watch_page(chromium, base_url=site, **PHONE) as page:
        # The language is chosen by the cookie: the browser's own is English.
        page.context.add_cookies([{"name": "django_language", "value": "ja", "url": site}])
        page.goto("/learn/koikoi/#month")
        expect(page.locator("h1")).to_be_in_viewport(ratio=1)
        card, message = page.locator("[data-month] .key").first, page.locator("#month [data-says]")
        expect(card).to_be_visible()
        wait_until_cached(page, "/learn/koikoi/")
        page.context.set_offline(True)
        page.locator("[data-another]").tap()
        expect(message).to_contain_text("サーバー")
        page.reload()
        expect(page.locator("#month h2")).to_be_visible()
        expect(message).to_contain_text("サーバー")
        page.context.set_offline(False)
        page.locator("[data-another]").tap()
        expect(card).to_be_visible()


#: The longest rule pages; `make test-long` measures all.
LONGEST: Final = ("/rules/hachihachi/", "/rules/koikoi/")
#: The maximum height of a rule page on a phone before folds are opened.
MOST_HEIGHT: Final = 6000


def test_rule_pages_are_short_on_a_phone_and_open_the_fold_of_a_note(
    chromium: Browser, site: str
) -> None:
    addresses = [address_of(*house) for house in HOUSES] if LONG else LONGEST
    with watch_page(chromium, base_url=site, **PHONE) as page:
        for address in addresses:
            page.goto(address)
            height = page.evaluate("document.documentElement.scrollHeight")
            assert height <= MOST_HEIGHT, address
        page.goto("/rules/koikoi/")
        expect(page.locator("#K8")).to_be_hidden()
        page.locator("[href='#K8']").first.tap()
        expect(page.locator("#K8")).to_be_in_viewport()
        page.goto("/rules/koikoi/koikoi-ai/#option-months")
        page.wait_for_url("**/rules/koikoi/koikoi-ai/options/#option-months")

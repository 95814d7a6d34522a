"""The pages in a browser, from upload to replay, and without scripts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from records.views.paying import amount
from tests.records import makers

ROOT = Path(__file__).resolve().parents[2]
WAIT = 30_000


#: What the page shows, in the form of a step of the replay JSON, and where it says to be.
SHOWN = """() => {
    const all = (place, root = document) => [...root.querySelectorAll(place)];
    const cards = (place, root) => all(`${place} [data-card]`, root).map((one) => one.dataset.card);
    const seats = [1, 2].map((seat) => document.querySelector(`[data-seat="${seat}"]`));
    const marked = document.querySelector("[data-moves] [aria-current]");
    return {
        places: [location.hash, marked.getAttribute("href")],
        deal: document.querySelector("[data-pick][aria-current]").dataset.pick,
        words: [marked.querySelector("span").innerText,
                document.querySelector("[data-telling]").innerText],
        table: {
            hands: seats.map((seat) => cards("[data-hand]", seat)),
            field: cards("[data-field]"),
            captured: seats.map((seat) => cards("[data-captured]", seat)),
            stock: Number(document.querySelector("[data-left]").innerText),
            yaku: seats.map((seat) => all("[data-yaku] li", seat).map((one) =>
                ({ id: one.dataset.id, value: Number(one.querySelector("b").innerText) }))),
        },
    };
}"""


def deals(page: Page) -> list[dict[str, Any]]:
    """The deals of the page's JSON."""
    found: list[dict[str, Any]] = page.evaluate(
        "JSON.parse(document.getElementById('replay-data').textContent).deals"
    )
    return found


def check(page: Page, game: list[dict[str, Any]], deal: int, step: int) -> None:
    """Hash, table, list of moves, picker and words all stand at this step of the page's deals."""
    # A link leads there by way of the hash, hence a moment later.
    marked = page.locator("[data-moves] [aria-current]")
    expect(marked).to_have_attribute("href", f"#{deal}.{step}")
    due = game[deal - 1]["steps"][step]
    shown = page.evaluate(SHOWN)
    assert shown["places"] == [f"#{deal}.{step}"] * 2
    assert shown["deal"] == str(deal)
    assert shown["words"][0] == shown["words"][1] != ""
    table = shown["table"]
    assert [sorted(hand) for hand in table["hands"]] == [sorted(hand) for hand in due["hands"]]
    assert [sorted(own) for own in table["captured"]] == [sorted(own) for own in due["captured"]]
    assert sorted(table["field"]) == sorted(due["field"])
    assert (table["stock"], table["yaku"]) == (due["stock"], due["yaku"])


def lengths(game: list[dict[str, Any]]) -> list[int]:
    """How many steps each deal has."""
    return [len(deal["steps"]) for deal in game]


def test_from_upload_to_replay_by_keyboard(page: Page, site: str, tmp_path: Path) -> None:
    """A file goes in; its counts grow without a reload; the game is opened and stepped through."""
    path = tmp_path / "games.kafu"
    path.write_bytes(makers.joined(makers.text(101), makers.illegal(102), makers.MALFORMED))
    page.goto(f"{site}/upload/")
    page.locator("input[type=file]").set_input_files(path)
    expect(page.locator("[data-files] li")).to_have_text(re.compile("games.kafu"))
    page.get_by_role("button", name="Upload").click()

    page.wait_for_url("**/uploads/*/")
    expect(page.locator('[data-state="done"]')).to_be_visible(timeout=WAIT)
    expect(page.locator('[data-count="games.read"]')).to_have_text("3")
    for status in ("verified", "illegal", "malformed"):
        expect(page.locator(f'[data-count="games.{status}"]')).to_have_text("1")
    expect(page.locator("article.faulty")).to_have_count(2)
    expect(page.locator("#games + .scroll tbody tr")).to_have_count(3)

    page.locator("#games + .scroll a").first.click()
    page.wait_for_url("**/games/*/#1.0")
    found = deals(page)
    counts = lengths(found)
    check(page, found, 1, 0)
    for step in range(1, counts[0]):
        page.keyboard.press("ArrowRight")
        check(page, found, 1, step)
    page.keyboard.press("ArrowRight")
    check(page, found, 2, 0)
    page.keyboard.press("ArrowLeft")
    check(page, found, 1, counts[0] - 1)
    page.keyboard.press("End")
    check(page, found, len(counts), counts[-1] - 1)
    page.keyboard.press("PageUp")
    check(page, found, len(counts), 0)
    page.keyboard.press("PageUp")
    check(page, found, len(counts) - 1, 0)
    page.keyboard.press("PageDown")
    check(page, found, len(counts), 0)
    page.keyboard.press("Home")
    check(page, found, 1, 0)


def game(page: Page, site: str, status: str = "verified") -> str:
    """The address of a game of the samples with this verdict."""
    page.goto(f"{site}/games/?status={status}")
    link = page.locator("table.list a").last.get_attribute("href")
    return f"{site}{link}"


def test_buttons_moves_and_picker_lead_there_too(page: Page, site: str) -> None:
    page.goto(f"{game(page, site)}#2.3")
    found = deals(page)
    counts = lengths(found)
    check(page, found, 2, 3)
    page.get_by_role("button", name="next step").click()
    check(page, found, 2, 4)
    page.get_by_role("button", name="last step").click()
    check(page, found, len(counts), counts[-1] - 1)
    page.locator('[data-pick="3"]').click()
    check(page, found, 3, 0)
    page.locator('[data-moves] a[href="#3.1"]').click()
    check(page, found, 3, 1)


def test_a_hash_is_honoured_or_mended(page: Page, site: str) -> None:
    address = game(page, site)
    for asked, due in (("#4", "#4.0"), ("#2.9999", None), ("#nonsense", "#1.0"), ("", "#1.0")):
        page.goto("about:blank")
        page.goto(f"{address}{asked}")
        page.wait_for_selector(".replay.live")
        assert page.evaluate("location.hash") == (due or f"#2.{lengths(deals(page))[1] - 1}")
    page.evaluate("location.hash = '#3.2'")
    expect(page.locator("[data-moves] [aria-current]")).to_have_attribute("href", "#3.2")


def test_the_other_language_begins_at_the_same_step(page: Page, site: str) -> None:
    page.goto(f"{game(page, site, 'verified')}#2.3")
    page.locator(".language button").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    check(page, deals(page), 2, 3)


def test_a_card_keeps_its_place_on_the_field(page: Page, site: str) -> None:
    page.goto(site)
    found = page.evaluate(
        """async () => {
            const { place, slotsAt } = await import("/static/records/replay/field.js");
            return [place(["A", "E", "I"], "AI"), place(["A", "", "I"], "AIM"),
                    slotsAt(["AE", "E", "EI"], 2), slotsAt(["??"], 0)];
        }"""
    )
    assert found == [["A", "", "I"], ["A", "M", "I"], ["I", "E"], ["?", "?"]]


def test_three_players_and_sums_in_kan(page: Page, site: str) -> None:
    """Hachi-hachi: server and script write the running sums alike, in kan of 12 points."""
    page.goto(f"{site}/games/?ruleset=hachihachi&status=verified")
    page.locator("table a").first.click()
    totals = page.locator("[data-score]")
    expect(totals).to_have_count(3)
    played = deals(page)
    page.locator("[data-pick]").last.click()
    page.keyboard.press("End")
    for seat, points in enumerate(played[-1]["totals"], start=1):
        expect(page.locator(f'[data-seat="{seat}"] [data-score]')).to_have_text(
            amount(points, kan=True)
        )


def test_an_illegal_game_shows_its_fault_at_the_last_step(page: Page, site: str) -> None:
    page.goto(game(page, site, "illegal"))
    fault = page.locator("[data-fault]")
    expect(fault).to_be_hidden()
    page.keyboard.press("End")
    expect(fault).to_be_visible()
    expect(fault).to_contain_text("not-in-hand")


def test_without_scripts(chromium: Browser, site: str) -> None:
    """The form posts, the report refreshes itself, the game shows its last table and its moves."""
    context = chromium.new_context(java_script_enabled=False, locale="en-US")
    page = context.new_page()
    page.goto(f"{site}/upload/")
    page.locator("textarea").fill(makers.text(103))
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url("**/uploads/*/")
    expect(page.locator('[data-state="done"]')).to_be_visible(timeout=WAIT)
    page.locator("#games + .scroll a").first.click()
    expect(page.locator(".felt .card").first).to_be_visible()
    expect(page.locator(".controls")).to_be_hidden()
    last = page.locator("[data-moves] details").last
    expect(last.locator("li.end")).to_be_visible()
    first = page.locator("[data-moves] details").first
    first.locator("summary").click()
    expect(first.locator("li.deal")).to_be_visible()
    context.close()


@pytest.mark.parametrize("width", [360, 390, 768, 1280, 2560])
def test_no_page_is_wider_than_the_window(page: Page, site: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    address = game(page, site, "illegal")
    page.goto(f"{site}/games/?ruleset=ten-five-one")
    page.locator("table a").first.click()  # of seven players
    seven = page.url
    pages = (site, f"{site}/upload/", f"{site}/games/", address, seven, f"{site}/no-such-page")
    for one in pages:
        page.goto(one)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, one


@pytest.mark.parametrize("width", [360, 1280])
def test_a_long_name_makes_no_page_wide(page: Page, site: str, width: int) -> None:
    text = makers.text(77).replace('[Player1 "', '[Player1 "' + "W" * 900)
    kafu = {"Content-Type": "text/x-kafu"}
    upload = page.request.post(f"{site}/api/v1/uploads", data=text, headers=kafu).json()
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(upload["page"])
    page.get_by_role("link", name="See the game").click(timeout=WAIT)
    for one in (page.url, f"{site}/games/", site):
        page.goto(one)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, one


def test_sending_too_much_is_told_before_it_is_sent(page: Page, site: str) -> None:
    def lower_limit(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(
            response=answer, body=re.sub('data-limit="[0-9]+"', 'data-limit="10"', answer.text())
        )

    page.route("**/upload/", lower_limit)
    page.goto(f"{site}/upload/")
    page.locator("input[type=file]").set_input_files(
        {"name": "big.kafu", "mimeType": "text/plain", "buffer": b"x" * 11}
    )
    expect(page.locator("[data-message]")).to_contain_text("at most 64.0\u00a0MB")
    page.get_by_role("button", name="Upload").click()
    assert page.url == f"{site}/upload/"


def test_files_are_dropped_and_pasted(page: Page, site: str) -> None:
    page.goto(f"{site}/upload/")
    page.evaluate(
        """() => {
            const files = new DataTransfer();
            files.items.add(new File(["one"], "dropped.kafu"));
            const rise = { bubbles: true, cancelable: true };
            const drop = new DragEvent("drop", { dataTransfer: files, ...rise });
            document.body.dispatchEvent(drop);
            const pasted = new DataTransfer();
            pasted.setData("text/plain", "[Kafu \\"1\\"]");
            const paste = new ClipboardEvent("paste", { clipboardData: pasted, ...rise });
            document.body.dispatchEvent(paste);
        }"""
    )
    expect(page.locator("[data-files] li")).to_have_text(["dropped.kafu (3 B)"])
    expect(page.locator("textarea")).to_have_value('[Kafu "1"]')


def test_screenshot(page: Page, site: str) -> None:
    """Draws the picture of the README into the var directory; `make screenshot` takes it over."""
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{game(page, site)}#2.14")
    page.wait_for_selector(".replay.live")
    folder = ROOT / "var"
    folder.mkdir(exist_ok=True)
    page.screenshot(path=folder / "screenshot.png")
    assert (folder / "screenshot.png").stat().st_size > 20_000

"""Faults of Firefox and WebKit that Chromium does not have."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import requests
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.command import Command

from tests.records.makers import text
from tests.records.pages.browsers.conftest import DESK, PHONE, Archive, Start
from tests.records.pages.kinds import SAMPLES, write_hostile_game
from tests.services import serve_folder, wait_until

pytestmark = pytest.mark.browsers

#: Tests with blocked cookies, which WebKit's driver cannot block.
in_firefox = pytest.mark.parametrize("engine", ["firefox"])
#: Preferences of a Firefox that blocks cookies and storage.
BLOCKED = {"network.cookie.cookieBehavior": 2}


def find_game(
    archive: Archive, ruleset: str, status: str = "verified", deals: int | None = None
) -> str:
    """Return the path of the page of a sample game, optionally with a number of deals."""
    query = {"ruleset": ruleset, "status": status, "event": SAMPLES}
    records = requests.get(f"{archive.address}/api/v1/records", query).json()["results"]
    key = next(record["key"] for record in records if deals in (None, record["deals_played"]))
    return f"/games/{key}/"


def wait_for_game(archive: Archive, player: str) -> str:
    """Wait until the newest game is one of a player, and return the path of its page."""
    records: list[dict[str, Any]] = []

    def is_stored() -> bool:
        records[:] = requests.get(f"{archive.address}/api/v1/records").json()["results"]
        return bool(records[0]["players"][0]["name"].startswith(player))

    wait_until(is_stored, f"the game of {player} is stored")
    return f"/games/{records[0]['key']}/"


@pytest.fixture
def foreign_page(archive: Archive, tmp_path: Path) -> Iterator[str]:
    """Yield the address of a page on another origin, with the example of docs/api.md."""
    (tmp_path / "index.html").write_text(f"""<!doctype html>
<script type="module" src="{archive.address}/static/records/replay/kafu-replay.js"></script>
<kafu-replay src="{archive.address}{find_game(archive, "koikoi")}" at="1.4"></kafu-replay>
""")
    with serve_folder(tmp_path) as address:
        yield address


def test_player_on_another_site_draws_its_cards(start: Start, foreign_page: str) -> None:
    visitor = start()
    visitor.open(foreign_page)
    visitor.see(".replay.live")
    # The sprite comes before the cards: WebKit draws a `use` without its symbol never again.
    sizes = visitor.run("""
        const { shadowRoot } = document.querySelector("kafu-replay");
        return [...shadowRoot.querySelectorAll("[data-felt] use")]
            .filter((use) => use.getClientRects().length)
            .map((use) => use.getBBox().width);
    """)
    assert sizes and min(sizes) > 0


def test_digits_between_kana_overlap_nothing(start: Start) -> None:
    visitor = start(PHONE, "ja")
    visitor.open("/")
    rects = visitor.run("""
        const line = document.querySelector("main p");
        line.textContent = "まで1月15日の";
        const range = document.createRange();
        return [...line.textContent].map((_letter, i) => {
            range.setStart(line.firstChild, i);
            range.setEnd(line.firstChild, i + 1);
            const { left, right } = range.getBoundingClientRect();
            return [left, right];
        });
    """)
    for (_left, right), (left, _right) in pairwise(rects):
        assert left == pytest.approx(right, abs=0.5)


def test_form_is_usable_again_after_an_upload(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "game.kafu"
    path.write_text(text(501))
    visitor = start()
    visitor.open("/upload/")
    visitor.run("return document.querySelector('[name=files]')").send_keys(str(path))
    visitor.see("[data-files] li", "game.kafu")
    visitor.tap("main button", "Upload")
    visitor.see("[data-state=done]")
    visitor.run("history.back()")
    visitor.see("[name=files]:enabled")
    visitor.wait("return !document.querySelector('main progress:not([hidden])')")
    assert not visitor.list_visible("main button:disabled")
    assert "100 %" not in visitor.see("main form").text


@in_firefox
@pytest.mark.parametrize("path", ["/records/new?ruleset=koikoi", "/sheets/new?ruleset=koikoi"])
def test_game_begins_without_cookies(start: Start, path: str) -> None:
    visitor = start(**BLOCKED)
    visitor.open(path)
    visitor.see("[data-forgotten], .notice")
    visitor.fill("label:nth-of-type(1) > [name=player]", "Aya")
    visitor.fill("label:nth-of-type(2) > [name=player]", "Ben")
    visitor.tap("[data-setup] [type=submit]")
    visitor.see("[data-send]")


@in_firefox
def test_file_is_uploaded_without_cookies(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "game.kafu"
    path.write_text(text(502))
    visitor = start(**BLOCKED)
    visitor.open("/upload/")
    visitor.see("[data-forgotten]")
    visitor.run("return document.querySelector('[name=files]')").send_keys(str(path))
    visitor.see("[data-files] li", "game.kafu")
    visitor.tap("main button", "Upload")
    visitor.see("[data-state=done]")


@in_firefox
def test_language_button_without_cookies_says_why(start: Start) -> None:
    visitor = start(**BLOCKED)
    visitor.open("/games/")
    visitor.tap("form.language button")
    visitor.see(".message, .notice", "blocks cookies")


#: Describes the focused element if a sticky element covers it.
COVER = """
    let element = document.activeElement;
    while (element.shadowRoot) element = element.shadowRoot.activeElement;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    const hit = element.getRootNode().elementFromPoint((left + right) / 2, y);
    for (let cover = hit; cover && !cover.contains(element); cover = cover.parentElement)
        if (["sticky", "fixed"].includes(getComputedStyle(cover).position))
            return element.outerHTML.slice(0, 200);
    return "";
"""


def test_focus_by_tab_is_not_covered_on_a_phone(start: Start, archive: Archive) -> None:
    visitor = start(PHONE, "ja")
    visitor.open(find_game(archive, "koikoi"))
    visitor.see(".replay.live")
    covered = []
    for _control in range(50):
        visitor.press(Keys.TAB)
        covered.append(visitor.run(COVER))
    assert not any(covered)


def test_long_names_leave_space_for_the_verdict(start: Start, archive: Archive) -> None:
    game = write_hostile_game().encode()
    headers = {"Content-Type": "text/x-kafu"}
    requests.post(f"{archive.address}/api/v1/uploads", game, headers=headers)
    visitor = start(DESK, "ja")
    path = wait_for_game(archive, "8" * 40)
    visitor.open(path)
    visitor.see(".replay.live")
    assert visitor.run("return document.documentElement.scrollWidth <= innerWidth")


def test_thirteen_months_and_the_settlement_fit_a_desk(start: Start, archive: Archive) -> None:
    visitor = start(DESK, "ja")
    visitor.open(find_game(archive, "koikoi", deals=13))
    visitor.see(".replay.live")
    count, width, space = visitor.run("""
        const { shadowRoot } = document.querySelector("kafu-replay");
        const list = shadowRoot.querySelector("[data-deals] ol");
        return [list.children.length, list.scrollWidth, list.clientWidth];
    """)
    assert count == 14
    assert width <= space


def test_title_of_the_home_page_breaks_after_the_comma(start: Start) -> None:
    visitor = start(PHONE, "ja")
    visitor.open("/")
    lines = visitor.run("""
        return [...document.querySelectorAll("h1 span")].map((phrase) => {
            const { right, top, height } = phrase.getBoundingClientRect();
            const { lineHeight } = getComputedStyle(phrase);
            return [right <= innerWidth, top, height < 1.5 * parseFloat(lineHeight)];
        });
    """)
    assert all(is_inside and is_one_line for is_inside, _top, is_one_line in lines)
    assert len({top for _is_inside, top, _is_one_line in lines}) == 2


@in_firefox
def test_print_of_a_game_has_the_cards_of_its_moves(start: Start, archive: Archive) -> None:
    visitor = start(DESK, "ja")
    visitor.open(find_game(archive, "koikoi", status="illegal"))
    visitor.see(".replay.live")

    def measure_print() -> int:
        return len(visitor.driver.execute(Command.PRINT_PAGE, {"background": False})["value"])

    size = measure_print()
    visitor.run("""
        const style = new CSSStyleSheet();
        style.replaceSync(".moves .pic { visibility: hidden; }");
        document.querySelector("kafu-replay").shadowRoot.adoptedStyleSheets = [style];
    """)
    assert size > 1.3 * measure_print()

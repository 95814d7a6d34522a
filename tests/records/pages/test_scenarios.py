"""The scenarios of docs/scenarios.md in a browser: people's ways through the pages.

Each way crosses several pages. What a page does besides is tested in the module of the page.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from secrets import token_hex
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from lengths import LONG
from tests.records import makers
from tests.records.pages.accounts import sign_up
from tests.records.pages.kinds import SAMPLES, fits, wait_until_cached
from tests.records.pages.replay_page import wait_for_player, watch_page
from tests.records.pages.test_axe import violations
from tests.records.pages.writing.actions import (
    begin_next_month,
    begin_sheet,
    choose,
    expect_status,
    fill_amounts,
    press,
    save_game,
    short_game,
    unfold,
    wait_until_kept,
)

WAIT: Final = 120_000
#: The largest part of a telephone's height that the bar with the save button may take.
BAR_SHARE: Final = 0.12
#: Number of logs of a club, for a report with one page or two, and number of simulated games.
LOGS, PLAYED = 200 if LONG else 12, 3
#: Stores the data shared by a page, in place of the sheet of a telephone.
SHARE: Final = """navigator.share = (data) => {
    window.shared = data.url;
    return Promise.resolve();
};"""
#: The most controls passed on the way to a control.
MANY: Final = 120


@pytest.fixture
def phone(chromium: Browser, site: str) -> Iterator[Page]:
    """Yield a telephone in Japanese, on which sharing can be watched."""
    size = {"width": 390, "height": 844}
    options = {"locale": "ja-JP", "viewport": size, "has_touch": True, "base_url": site}
    with watch_page(chromium, **options) as page:
        page.add_init_script(SHARE)
        yield page


@pytest.fixture
def desk(chromium: Browser, site: str) -> Iterator[Page]:
    """Yield a page at a desk, in English."""
    with watch_page(chromium, base_url=site) as page:
        yield page


def expect_save_in_reach(page: Page) -> None:
    """Check that the save button is in the window, in a bar of a bounded height."""
    assert page.viewport_size is not None
    height = page.viewport_size["height"]
    expect(page.locator("[data-send]")).to_be_in_viewport(ratio=1)
    bar = page.locator(".keep").bounding_box()
    assert bar is not None and bar["height"] <= BAR_SHARE * height
    assert fits(page)


def expect_saved(page: Page) -> None:
    """Check what the page of a game offers after saving."""
    panel = page.locator("[data-own]")
    expect(panel.locator("[role=status]").first).to_have_text("保存しました。")
    expect(panel.locator("[data-share]")).to_be_visible()
    expect(page.locator("[data-sharing] summary")).to_be_hidden()
    assert "saved" not in page.url
    assert fits(page)
    assert violations(panel, contrast=LONG) == []


def share(page: Page) -> str:
    """Send the link of a saved game to another app, and return it."""
    page.locator("[data-own] [data-share]").tap()
    sender = page.locator("[data-dialog=share] [data-send]")
    if sender.count():
        sender.tap()
    page.wait_for_function("window.shared")
    return str(page.evaluate("window.shared"))


def test_score_keeper_writes_a_year_of_hachihachi_and_keeps_it(phone: Page, site: str) -> None:
    """A month without its next dealer is explained; a lost connection and a reload lose nothing.

    The stored sheet is opened as it was entered: card points as they were captured, a month by its
    sums. Neither is in the text.
    """
    begin_sheet(phone, "hachihachi", "Aya", "Ben", "Chiyo")
    choose(phone, "counted", 1)
    fill_amounts(phone, "captured", ("118", "62"))
    begin_next_month(phone)
    choose(phone, "short", 1)
    fill_amounts(phone, "sums", ("▲18", "", "0"))
    phone.locator("[data-after]").tap()
    expect(phone.locator("[data-fault]")).to_contain_text("次の親")
    phone.locator("[name=stone-2][value='2']").check(force=True)
    expect(phone.locator("[data-fault]")).to_have_count(0)
    expect_save_in_reach(phone)

    save = phone.locator("[data-save]")
    wait_until_cached(phone, "/sheets/new")
    phone.context.set_offline(True)
    fill_amounts(phone, "sums", ("▲30",))
    expect(phone.locator("[data-said]")).to_have_class(re.compile("error"))
    wait_until_kept(phone)
    phone.reload()
    expect(phone.locator("[data-said]")).to_have_class(re.compile("error"))
    expect(phone.locator("#sums-2-1")).to_be_visible()
    expect(phone.locator("#sums-2-1")).to_have_value("30")
    phone.context.set_offline(False)
    expect(save).to_have_value(re.compile(r"pay month 1 -2k6 2 \+2k6 3 0"))
    text = save.input_value()
    key = save_game(phone)
    expect_saved(phone)
    expect(phone.locator(".score").first).to_be_visible()
    expect(phone.locator(f"[data-own] a[href$='?next=/games/{key}/']")).to_be_visible()

    phone.locator("[data-own] a[href*='/sheets/new?record=']").tap()
    expect(save).to_have_value(text)
    expect(phone.locator("[data-unsaid]")).to_be_hidden()
    press(phone, '.paper th [data-at="1"]')
    expect(phone.locator("#captured-1")).to_have_value("118")
    expect(phone.locator("#captured-3")).to_have_value("")
    expect(phone.locator("#sums-2-1")).to_have_value("30")
    expect(phone.locator("#sums-2-2")).to_have_value("")

    sign_up(phone.context, site, f"keeper-{token_hex(4)}")
    phone.goto(f"/games/{key}/")
    expect(phone.locator("[data-sums] polyline").first).to_be_visible()
    phone.locator("[data-claim]").tap()
    expect(phone.locator(".facts a[href^='/me/']").first).to_be_visible()
    expect(phone.locator("[data-own]")).to_be_hidden()
    assert phone.evaluate("localStorage.getItem('hana-sent')") == "[]"


@pytest.mark.long_only  # score keeper saves and corrects; `sharing.test.mjs`
def test_player_shares_a_game_whose_link_leads_to_its_correction_too(
    phone: Page, chromium: Browser
) -> None:
    phone.goto("/")
    phone.locator("main a[href^='/records/new']").first.tap()
    phone.locator("label:has([name=preset][value=nintendo])").tap()
    for number, name in enumerate(("Aya", "Ben")):
        phone.locator("[name=player]").nth(number).fill(name)
    phone.locator("[data-setup] [type=submit]").tap()
    expect(phone.locator("[data-dealing] [type=submit]")).to_be_in_viewport(ratio=1)
    expect(phone.locator("[data-send]")).not_to_be_in_viewport()
    phone.locator("[data-random]").tap()
    expect(phone.locator("[data-send]")).to_be_enabled()
    expect_save_in_reach(phone)
    former = save_game(phone)
    expect_saved(phone)
    expect(phone.locator("kafu-replay .replay.live")).to_be_visible()
    link = share(phone)

    # The same telephone completes the game later.
    phone.goto(f"/games/{former}/")
    phone.locator("[data-own] a[href*='/records/new?record=']").tap()
    expect_status(phone, "unfinished")
    unfold(phone)
    phone.locator("[data-text]").fill(short_game(12))
    expect_status(phone, "verified")
    expect(phone.locator("[name=replaces]")).to_be_checked()
    expect_save_in_reach(phone)
    corrected = save_game(phone)
    assert corrected != former

    friend = chromium.new_context()
    shared = friend.request.get(link)
    assert f"/games/{corrected}/" in shared.url and "<kafu-replay" in shared.text()
    friend.close()


@cache
def pack_logs() -> bytes:
    """Return a ZIP of the logs of a club.

    One has a card of the other player's, one is of no known game, and one is there twice.
    """
    texts = [makers.text(seed, months="1") for seed in range(PLAYED)]
    logs = [
        re.sub(r'(?<=\[Player1 )"[^"]*"', f'"Member {number}"', texts[number % PLAYED])
        for number in range(LOGS)
    ]
    logs[2], logs[4], logs[9] = makers.illegal(102, months="1"), makers.MALFORMED, logs[8]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, text in enumerate(logs):
            archive.writestr(f"spring/table-{number:03}.kafu", text)
    return packed.getvalue()


@pytest.mark.long_only  # test_upload_page.py sends a folder on this page
def test_organiser_sends_the_logs_of_a_club_for_its_members_alone(
    desk: Page, site: str, tmp_path: Path
) -> None:
    """The counts of the report grow without a reload, and its faults come first."""
    path = tmp_path / "spring.zip"
    path.write_bytes(pack_logs())
    sign_up(desk.context, site, f"organiser-{token_hex(4)}")
    desk.goto("/upload/")
    desk.locator("input[name=files]").set_input_files(path)
    expect(desk.locator("[data-files] li")).to_have_text(re.compile("spring.zip"))
    desk.locator("[name=visibility][value=unlisted]").check()
    desk.get_by_role("button", name="Upload").click()

    desk.wait_for_url("**/uploads/**")
    expect(desk.locator('[data-state="done"]')).to_be_visible(timeout=WAIT)
    for status, count in (("verified", LOGS - 2), ("illegal", 1), ("malformed", 1)):
        verdict = desk.locator(f"#report nav a[href*='status={status}'] small")
        expect(verdict).to_have_text(str(count))
    faults = desk.locator("article.faulty")
    expect(faults).to_have_text([re.compile("table-002"), re.compile("table-004")])
    report = desk.request.get(desk.locator("a[href*='report.csv']").get_attribute("href") or "")
    rows = list(csv.DictReader(io.StringIO(report.text())))
    assert len(rows) == LOGS
    assert sum(row["duplicate"] == "true" for row in rows) == 1

    desk.locator("#report a[href^='/games/']:not(article a)").first.click()
    desk.wait_for_url("**/games/*/#1.0")
    replay = wait_for_player(desk)
    replay.check(1, 0)
    desk.keyboard.press("ArrowRight")
    replay.check(1, 1)
    browser = desk.context.browser
    assert browser is not None
    member = browser.new_context(base_url=site)
    assert member.request.get(desk.url.split("#")[0]).ok
    assert "Member 0" not in member.request.get("/games/").text()
    member.close()


def reach(page: Page, selector: str) -> None:
    """Press Tab until a control has the focus."""
    control = page.locator(selector).first
    control.wait_for()
    for _ in range(MANY):
        page.keyboard.press("Tab")
        if control.evaluate("(element) => element.matches(':focus')"):
            return
    raise AssertionError(f"{selector} is not reached on {page.url}")


def follow(page: Page, selector: str) -> None:
    """Reach a control by Tab and press Enter."""
    reach(page, selector)
    page.keyboard.press("Enter")


def test_keyboard_leads_to_a_game_and_through_another_end_of_it(desk: Page) -> None:
    """The branch is in the address, is compared with the game, and is closed by a key."""
    # Only the samples, because tests also upload games.
    desk.goto(f"/games/?event={SAMPLES}&ruleset=koikoi&status=verified")
    desk.keyboard.press("Tab")
    expect(desk.locator(".skip")).to_be_focused()
    desk.keyboard.press("Enter")
    follow(desk, "main a[href^='/games/'][href$='/']:not([href='/games/'])")
    replay = wait_for_player(desk)
    replay.check(1, 0)
    desk.keyboard.press("?")
    dialog = desk.get_by_role("dialog", name="Keys and gestures")
    expect(dialog).to_be_visible()
    desk.keyboard.press("Escape")
    expect(dialog).to_be_hidden()

    follow(desk, "[data-what-if-begin]")
    table = desk.locator("[data-what-if]")
    expect(table.locator("[data-asks]")).not_to_be_empty()
    expect(desk.locator("kafu-replay")).to_be_hidden()
    assert table.locator("[data-real] li").count() > 4
    expect(table.locator("[data-real-came]")).to_contain_text(re.compile(r"[−+]\d"))
    branch = table.locator("[data-branch] li")
    for _tap in range(4):
        table.locator(".key").first.press("Enter")
        desk.locator("[data-what-if][aria-busy=false]").wait_for()
        expect(table.locator("button:focus")).to_have_count(1)
    expect(branch.nth(2)).to_be_visible()
    expect(desk).to_have_url(re.compile(r"\?at=1\.0&then=[A-Za-v]"))
    texts = branch.all_inner_texts()
    desk.reload()
    expect(branch).to_have_count(len(texts))
    assert branch.all_inner_texts() == texts
    expect(desk.locator("kafu-replay")).to_be_hidden()
    desk.keyboard.press("Backspace")
    expect(branch).not_to_have_count(len(texts))
    desk.keyboard.press("Escape")
    expect(desk.locator("kafu-replay")).to_be_visible()
    expect(desk).to_have_url(re.compile(r"/#1\.0$"))
    expect(desk.locator("[data-what-if-begin]")).to_be_focused()


def test_researcher_asks_a_question_and_gets_its_figures_and_the_data(desk: Page) -> None:
    desk.goto("/statistics/")
    desk.locator("main a[href^='/statistics/insights/']").first.click()
    desk.get_by_label("Divided by").select_option("month")
    desk.get_by_label("and also by").select_option("")
    desk.get_by_role("button", name="Show").click()
    expect(desk).to_have_url(re.compile("by=month"))
    title = "Months won by month of the year · Koi-koi"
    expect(desk.get_by_role("heading", name=title)).to_be_visible()
    # Each name is next to its mark.
    marks, names = desk.locator(".chart .marks > svg > .area"), desk.locator(".chart .names span")
    expect(marks).to_have_count(12)
    for at in (0, 11):
        name, mark = names.nth(at).bounding_box(), marks.nth(at).bounding_box()
        assert name is not None and mark is not None
        assert abs(name["y"] - mark["y"]) < 2 and abs(name["height"] - mark["height"]) < 2
        assert name["x"] + name["width"] < mark["x"]
    figures = desk.request.get(
        desk.locator("main a[href*='.csv?']").first.get_attribute("href") or ""
    )
    rows = list(csv.DictReader(io.StringIO(figures.text().removeprefix("\ufeff"))))
    expect(desk.locator("main table tbody tr")).to_have_count(len(rows))
    assert [row["by"] for row in rows] == [str(month) for month in range(1, 13)]

    data = desk.request.get("/data/").text()
    file = re.search(
        r'href="([^"]+/games\.parquet)".*?<code>([0-9a-f]{64})</code>', data, re.DOTALL
    )
    assert file is not None
    dump = desk.request.get(file[1]).body()
    assert hashlib.sha256(dump).hexdigest() == file[2]

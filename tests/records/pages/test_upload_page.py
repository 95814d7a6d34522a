"""The upload page in a browser: many files, folders, a pause, a line that breaks, a reload."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from lengths import part
from tests.records import makers
from tests.records.pages.test_axe import violations

MANY = 300
WAIT = 30_000


def files(folder: Path, count: int, first: int = 1) -> list[Path]:
    """Games in files of their own."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{number:03}.kafu" for number in range(first, first + count)]
    for number, path in enumerate(paths, start=first):
        path.write_text(makers.text(number))
    return paths


def small(folder: Path, count: int) -> list[Path]:
    """Files for a list alone."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{number:03}.kafu" for number in range(count)]
    for number, path in enumerate(paths, start=1):
        path.write_bytes(b"x" * number)
    return paths


@pytest.mark.parametrize("width", part([1280, 390]))
def test_the_button_is_in_sight_however_many_files(
    page: Page, own_site: str, tmp_path: Path, width: int
) -> None:
    many = small(tmp_path, MANY)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{own_site}/upload/")
    page.locator("[name=files]").set_input_files(many)
    expect(page.locator("[data-files] li")).to_have_count(MANY)
    expect(page.locator("[data-chosen]")).to_have_text(re.compile("300 files, 44.1 kB"))
    box = page.get_by_role("button", name="Upload").bounding_box()
    assert box is not None and box["y"] + box["height"] <= 800
    rows = page.locator("[data-files]").bounding_box()
    assert rows is not None and rows["height"] < 300
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Remove 007.kafu").click()
    expect(page.locator("[data-files] li")).to_have_count(MANY - 1)
    page.locator("[name=files]").set_input_files(many)
    expect(page.locator("[data-files] li")).to_have_count(MANY)
    assert violations(page) == []
    page.get_by_role("button", name="Remove all").click()
    expect(page.locator("[data-files] li")).to_have_count(0)


def test_a_folder_goes_as_one_upload(page: Page, own_site: str, tmp_path: Path) -> None:
    files(tmp_path / "games" / "2025", 2, first=301)
    files(tmp_path / "games", 1, first=311)
    page.goto(f"{own_site}/upload/")
    page.locator("[webkitdirectory]").set_input_files(tmp_path / "games")
    expect(page.locator("[data-files] li")).to_have_count(3)
    page.locator("textarea").fill(makers.text(312))
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url("**/uploads/**")
    expect(page.locator('[data-state="done"]')).to_be_visible(timeout=WAIT)
    expect(page.locator('[data-count="games.verified"]')).to_have_text("4")
    shown = page.locator("#games ~ .scroll tbody").inner_text()
    assert "games/2025/301.kafu" in shown
    assert "paste.kafu" in shown


def test_a_folder_is_dropped(page: Page, own_site: str, tmp_path: Path) -> None:
    """A real one: a script cannot make such a drop."""
    small(tmp_path / "games" / "2025", 3)
    small(tmp_path / "games", 2)
    page.goto(f"{own_site}/upload/")
    devtools = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(tmp_path / "games")], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        devtools.send("Input.dispatchDragEvent", {"type": kind, "x": 200, "y": 200, "data": data})
    rows = page.locator("[data-files] li")
    expect(rows).to_have_count(5)
    expect(rows.filter(has_text="games/2025/002.kafu")).to_have_count(1)
    expect(page.get_by_role("button", name="Upload")).to_be_in_viewport()


class Line:
    """The way of the parts to the archive, which can be cut."""

    def __init__(self, page: Page) -> None:
        self.is_cut = False
        self.tries = 0
        self.methods: list[str] = []
        page.route("**/uploads/resumable**", self.pass_on)

    def pass_on(self, route: Route) -> None:
        """Let a request through, or not."""
        self.methods.append(route.request.method)
        if self.is_cut:
            self.tries += 1
            route.abort()
        else:
            route.continue_()


def test_a_line_that_breaks_and_a_pause(page: Page, own_site: str, tmp_path: Path) -> None:
    (path,) = files(tmp_path, 1, first=321)
    page.goto(f"{own_site}/upload/")
    line = Line(page)
    line.is_cut = True
    page.locator("[name=files]").set_input_files(path)
    page.get_by_role("button", name="Upload").click()
    message = page.locator("[data-message]")
    expect(message).to_contain_text("The connection broke. Trying again")
    page.get_by_role("button", name="Pause").click()
    expect(message).to_contain_text("Paused.")
    line.is_cut = False
    tries = line.tries
    page.wait_for_timeout(1500)
    assert line.tries == tries
    page.get_by_role("button", name="Go on").click()
    page.wait_for_url("**/uploads/**")
    expect(page.locator('[data-state="done"]')).to_be_visible(timeout=WAIT)


@pytest.mark.parametrize("count", [1, 2])
def test_after_a_reload_it_goes_on_where_it_was(
    page: Page, own_site: str, tmp_path: Path, count: int
) -> None:
    """One file, and some that are sent as a ZIP: the same files make the same one."""
    paths = [tmp_path / f"large-{number}.kafu" for number in range(count)]
    for number, path in enumerate(paths, start=331 + 10 * count):
        path.write_text(makers.text(number) + "\n" + "; nothing\n" * 1_200_000)
    page.goto(f"{own_site}/upload/")
    sent: list[str] = []

    def cut_second(route: Route) -> None:
        request = route.request
        if request.method == "PATCH":
            sent.append(request.headers["upload-offset"])
        if request.method == "PATCH" and len(sent) > 1:
            route.abort()
        else:
            route.continue_()

    page.route("**/uploads/resumable**", cut_second)
    page.locator("[name=files]").set_input_files(paths)
    page.get_by_role("button", name="Upload").click()
    expect(page.locator("[data-message]")).to_contain_text("The connection broke")
    bars = page.locator("[data-files] progress")
    shares = [float(bars.nth(number).get_attribute("value") or 0) for number in range(count)]
    expect(bars.first).to_be_visible()
    assert 0 < sum(shares) < count, "each file shows how much of it has arrived"
    page.reload()  # while the line is cut, lest it goes on by itself before
    page.unroute("**/uploads/resumable**")
    line = Line(page)
    page.locator("[name=files]").set_input_files(paths)
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url("**/uploads/**")
    assert line.methods[0] == "HEAD"
    assert set(line.methods[1:]) == {"PATCH"}
    assert sent[0] == "0"
    expect(page.locator('[data-state="done"]')).to_be_visible(timeout=WAIT)
    expect(page.locator('[data-count="games.read"]')).to_have_text(str(count))


def test_what_the_archive_refuses_is_said(page: Page, own_site: str) -> None:
    page.goto(f"{own_site}/upload/")
    page.route(
        "**/uploads/resumable",
        lambda route: route.fulfill(
            status=413,
            content_type="application/problem+json",
            body='{"detail": "At most 1 byte can be sent here."}',
        ),
    )
    page.locator("textarea").fill(makers.text(1))
    page.get_by_role("button", name="Upload").click()
    expect(page.locator("[data-message]")).to_have_text("At most 1 byte can be sent here.")
    expect(page.get_by_role("button", name="Upload")).to_be_enabled()


def test_what_was_sent_without_an_account_is_taken_back(page: Page, own_site: str) -> None:
    """The secret is in the address, and the browser keeps it."""
    page.goto(f"{own_site}/upload/")
    expect(page.locator("[data-sent]")).to_be_hidden()
    page.locator("textarea").fill(makers.text(341))
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url("**/uploads/*/mine/*/")
    expect(page.locator('[data-state="done"]')).to_be_visible(timeout=WAIT)
    mine = page.url
    # A game that was sent alone is shown beside its verdict.
    expect(page.locator("kafu-replay .replay.live")).to_be_visible(timeout=WAIT)
    page.get_by_role("link", name="Watch the game").click()
    page.wait_for_url("**/games/*/**")
    page.go_back()
    game = page.locator("#games ~ .scroll a").first.get_attribute("href")
    page.goto(f"{own_site}/upload/")
    page.locator("[data-sent] a").click()
    page.wait_for_url(mine)
    page.get_by_role("button", name="Withdraw all games").click()
    expect(page.locator("main")).to_contain_text("1 game will be removed")
    page.get_by_role("button", name="Withdraw").click()
    page.wait_for_url(mine)
    expect(page.get_by_role("button", name="Restore the games")).to_be_visible()
    expect(page.locator("[data-changing]")).to_be_hidden(timeout=WAIT)
    assert page.request.get(f"{own_site}{game}").status == 410
    page.get_by_role("button", name="Restore the games").click()
    expect(page.locator("#visibility")).to_have_value("public")
    expect(page.locator("[data-changing]")).to_be_hidden(timeout=WAIT)
    assert page.request.get(f"{own_site}{game}").status == 200

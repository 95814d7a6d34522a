"""The upload page in a browser: files, folders, a pause, a broken connection, and secrets.

The games that are sent bear no event.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from tests.records import makers
from tests.records.pages.replay_page import BLOCK_STORAGE
from tests.records.pages.test_axe import violations

WAIT: Final = 30_000
RESUMABLE: Final = "**/uploads/resumable**"
#: Bytes of a file, two of which are sent in two parts.
LARGE: Final = 1_200_000


def write_games(folder: Path, *seeds: int) -> list[Path]:
    """Write games into files of their own."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{seed}.kafu" for seed in seeds]
    for seed, path in zip(seeds, paths, strict=True):
        path.write_text(makers.text(seed))
    return paths


def write_bytes(folder: Path, count: int) -> list[Path]:
    """Write files of 1, 2, 3 … bytes, which are listed but not sent."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{number:03}.kafu" for number in range(count)]
    for number, path in enumerate(paths, start=1):
        path.write_bytes(b"x" * number)
    return paths


@pytest.mark.long_only  # test_layout.py has the page, test_notebooks.py such a file
def test_button_stays_in_sight_below_many_files_and_a_notebook_is_shown_before_it_is_sent(
    page: Page, site: str, tmp_path: Path
) -> None:
    """Files are removed one by one and together, and a dropped folder is listed by its paths."""
    paths = write_bytes(tmp_path / "many", 60)
    button, rows = page.get_by_role("button", name="Upload"), page.locator("[data-files] li")
    page.goto(f"{site}/upload/")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        page.locator("[name=files]").set_input_files(paths)
        expect(rows).to_have_count(60)
        expect(page.locator("[data-chosen]")).to_have_text(re.compile("60 files, 1.8 kB"))
        box = button.bounding_box()
        assert box is not None and box["y"] + box["height"] <= 800
        files = page.locator("[data-files]").bounding_box()
        assert files is not None and files["height"] < 300
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Remove 007.kafu").click()
    expect(rows).to_have_count(59)
    page.locator("[name=files]").set_input_files(paths)
    expect(rows).to_have_count(60)
    page.get_by_role("button", name="Remove all").click()
    expect(rows).to_have_count(0)

    # A real drop of a folder, which a script cannot make.
    write_bytes(tmp_path / "games" / "2025", 3)
    write_bytes(tmp_path / "games", 2)
    devtools = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(tmp_path / "games")], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        devtools.send("Input.dispatchDragEvent", {"type": kind, "x": 200, "y": 200, "data": data})
    expect(rows).to_have_count(5)
    expect(rows.filter(has_text="games/2025/002.kafu")).to_have_count(1)
    expect(button).to_be_in_viewport()
    page.get_by_role("button", name="Remove all").click()

    # What is a notebook is tested in tests/javascript/upload.test.mjs.
    path = tmp_path / "points.csv"
    path.write_text("月,Aya,Ben\n1月,7,\n2月,,5\n", encoding="cp932")
    page.locator("[name=files]").set_input_files(path)
    expect(page.locator("[data-chosen]")).to_have_text("1 file, 25 B")
    button.click()
    page.locator("[name=rules]").select_option("koikoi")
    page.get_by_role("button", name="Read as a score sheet").click()
    expect(page.locator(".understood tbody tr")).to_have_text(
        [re.compile("Month 1.*Aya.*7", re.DOTALL), re.compile("Month 2.*Aya.*5", re.DOTALL)]
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page) == []
    page.goto(f"{site}/check/")
    page.locator("[name=notebook]").set_input_files(path)
    expect(page.locator("[data-chosen]")).to_have_text("points.csv")


class Connection:
    """The connection for the parts of an upload, which can be cut."""

    def __init__(self, page: Page, *, is_cut: bool = False, parts: int = 0) -> None:
        """Connect a page; ``parts`` are let through before a cut."""
        self.is_cut = is_cut
        self.parts = parts
        self.methods: list[str] = []
        self.offsets: list[str] = []
        page.route(RESUMABLE, self.pass_on)

    def pass_on(self, route: Route) -> None:
        """Let a request through, or break it off."""
        request = route.request
        self.methods.append(request.method)
        is_part = request.method == "PATCH"
        if is_part:
            self.offsets.append(request.headers["upload-offset"])
        if self.is_cut and (not self.parts or (is_part and len(self.offsets) > self.parts)):
            route.abort()
        else:
            route.continue_()


def test_folder_is_sent_as_one_upload_after_a_refusal_a_broken_connection_and_a_pause(
    page: Page, site: str, tmp_path: Path
) -> None:
    write_games(tmp_path / "games" / "2025", 321, 322)
    write_games(tmp_path / "games", 323)
    """The browser blocks storage, and its back button restores the form."""
    message, button = page.locator("[data-message]"), page.get_by_role("button", name="Upload")
    page.add_init_script(BLOCK_STORAGE)
    page.goto(f"{site}/upload/")
    expect(page.locator("[data-forgotten]")).to_be_visible()
    page.locator("[webkitdirectory]").set_input_files(tmp_path / "games")
    expect(page.locator("[data-files] li")).to_have_count(3)
    page.locator("textarea").fill(makers.text(324))

    problem = {"status": 413, "json": {"detail": "At most 1 byte can be sent here."}}
    page.route(RESUMABLE, lambda route: route.fulfill(**problem))
    button.click()
    expect(message).to_have_text("At most 1 byte can be sent here.")
    expect(button).to_be_enabled()
    page.unroute(RESUMABLE)

    connection = Connection(page, is_cut=True)
    button.click()
    expect(message).to_contain_text("The connection broke. Trying again")
    page.get_by_role("button", name="Pause").click()
    expect(message).to_contain_text("Paused.")
    connection.is_cut = False
    attempts = len(connection.methods)
    page.clock.install()
    page.clock.run_for(10_000)  # longer than the wait before the next attempt
    assert len(connection.methods) == attempts
    page.clock.resume()
    page.route("**/uploads/*/mine/**", lambda route: route.fulfill(status=204))
    with page.expect_request("**/uploads/*/mine/**") as report:
        page.get_by_role("button", name="Go on").click()
    expect(button).to_be_disabled()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(button).to_be_enabled()
    expect(message).to_be_hidden()
    page.unroute("**/uploads/*/mine/**")
    page.goto(report.value.url)
    expect(page.locator("[data-remembered]")).to_be_hidden()
    expect(page.locator('[data-state="done"]')).to_be_visible(timeout=WAIT)
    expect(page.locator(".notice.good")).to_have_text("All 4 games are in order.")
    rows = page.locator(".sent-games li")
    expect(rows).to_have_count(4)
    for name in ("games/2025/321.kafu", "Pasted text"):
        expect(rows.filter(has_text=name)).to_have_count(1)


@pytest.mark.long_only  # the folder goes on after a pause; `upload.test.mjs`
def test_upload_of_several_files_goes_on_after_a_reload(
    page: Page, site: str, tmp_path: Path
) -> None:
    """They are sent as a ZIP: the same files make the same one."""
    paths = [tmp_path / f"large-{number}.kafu" for number in range(2)]
    for path in paths:
        path.write_bytes(b"\0" * LARGE)
    page.goto(f"{site}/upload/")
    first = Connection(page, is_cut=True, parts=1)
    page.locator("[name=files]").set_input_files(paths)
    page.get_by_role("button", name="Upload").click()
    expect(page.locator("[data-message]")).to_contain_text("The connection broke")
    bars = page.locator("[data-files] progress")
    shares = bars.evaluate_all("(bars) => bars.map((bar) => bar.value)")
    expect(bars.first).to_be_visible()
    assert 0 < sum(shares) < 2, "each file shows how much of it has arrived"
    page.reload()  # while the connection is cut, lest the upload goes on by itself
    page.unroute(RESUMABLE)
    second = Connection(page)
    page.locator("[name=files]").set_input_files(paths)
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url("**/uploads/**")
    assert second.methods[0] == "HEAD"
    assert set(second.methods[1:]) == {"PATCH"}
    assert first.offsets[0] == "0" and "0" not in second.offsets
    expect(page.locator('[data-state="done"]')).to_be_visible(timeout=WAIT)

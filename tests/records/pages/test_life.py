"""The life of a game by the pages: sent, corrected, its history read, withdrawn, gone, restored.

Only `make test-long` walks through it; the tests of the upload page go through its parts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from lengths import LONG
from tests.records import makers
from tests.records.pages.test_axe import violations

MANY: Final = 60
HEIGHT: Final = 800
WAIT: Final = 30_000
WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "upload": "Upload games",
        "chosen": f"{MANY} files",
        "report": "Upload report",
        "check": "Check",
        "send": "Save this game",
        "history": "What changed",
        "count": "1 game will be removed",
        "withdraw": "Withdraw",
        "gone": "This game was withdrawn by its sender.",
    },
    "ja": {
        "upload": "対局をアップロード",
        "chosen": f"{MANY}件のファイル",
        "report": "アップロードの結果",
        "check": "調べる",
        "send": "この対局を保存",
        "history": "変わったところ",
        "count": "1件の対局が書庫から外れます",
        "withdraw": "取り下げる",
        "gone": "この対局はアップロードした人が取り下げました。",
    },
}
#: Width, language, and a seed of games for a single case.
CASES: Final = [(390, "ja", 951), (1280, "en", 954), (390, "en", 952), (1280, "ja", 953)]


class Visitor:
    """A visitor without an account, at a page of some width in some language."""

    def __init__(self, page: Page, site: str, width: int, language: str) -> None:
        self.page, self.site, self.width = page, site, width
        self.words = WORDS[language]
        page.set_viewport_size({"width": width, "height": HEIGHT})

    def check_page(self, heading: str = "") -> None:
        """Check that the page fits, has no barrier, and is in the language."""
        if heading:
            expect(self.page.locator("h1")).to_have_text(self.words[heading])
        assert self.page.evaluate("document.documentElement.scrollWidth") <= self.width
        assert violations(self.page.locator("main"), contrast=LONG) == []

    def press(self, name: str) -> None:
        """Press a button of the page by its word."""
        self.page.get_by_role("button", name=self.words[name], exact=True).click()

    def choose_many(self, folder: Path) -> None:
        """Choose many files, with the button still in the window; then clear them."""
        for number in range(MANY):
            (folder / f"{number:03}.kafu").write_bytes(b"x")
        page = self.page
        page.goto(f"{self.site}/upload/")
        page.locator("[name=files]").set_input_files(sorted(folder.iterdir()))
        expect(page.locator("[data-files] li")).to_have_count(MANY)
        expect(page.locator("[data-chosen]")).to_contain_text(self.words["chosen"])
        box: Any = page.locator("#upload [type=submit]").bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= HEIGHT
        expect(page.locator("h1")).to_have_text(self.words["upload"])
        page.locator("[data-clear]").click()
        expect(page.locator("[data-files] li")).to_have_count(0)

    def send(self, text: str) -> str:
        """Paste a game with a fault, wait for its report, and return the game's address."""
        page = self.page
        page.locator("textarea").fill(text)
        page.locator("#upload [type=submit]").click()
        page.wait_for_url("**/mine/**")
        link = page.locator(".faulty a[href^='/games/']").first
        expect(link).to_be_visible(timeout=WAIT)
        self.check_page("report")
        return f"{self.site}{link.get_attribute('href')}"

    def correct(self, text: str) -> str:
        """Correct the game from its report by `/check/`, which leads to the game.

        Return the address at which the sender manages the game.
        """
        page = self.page
        page.locator(".faulty a[href^='/check/']").click()
        expect(page.locator("fieldset[data-sent]")).to_be_visible()
        page.locator("textarea").fill(text)
        self.press("check")
        expect(page.locator("#verdict.good")).to_be_visible()
        self.check_page()
        self.press("send")
        page.wait_for_url("**/games/*/*", timeout=WAIT)
        address = page.locator("[data-manage]").get_attribute("href")
        assert address is not None
        return address

    def withdraw(self) -> None:
        """Withdraw the whole upload, after its count was shown."""
        page = self.page
        page.locator("[name=withdraw]").click()
        expect(page.locator("main")).to_contain_text(self.words["count"])
        self.check_page()
        self.press("withdraw")
        page.wait_for_url("**/mine/**")
        self.wait_until_changed("restore")

    def restore(self) -> None:
        """Restore the withdrawn games."""
        self.page.locator("[name=restore]").click()
        self.wait_until_changed("withdraw")

    def wait_until_changed(self, offered: str) -> None:
        """Wait until the games have changed and this is offered next."""
        page = self.page
        expect(page.locator(f"[name={offered}]")).to_be_visible()
        expect(page.locator("[data-changing]")).to_be_hidden(timeout=WAIT)

    def open_status(self, address: str) -> int:
        """Open a page and return its status."""
        response = self.page.goto(address)
        assert response is not None
        return response.status


@pytest.mark.long_only
@pytest.mark.parametrize(("width", "language", "seed"), CASES)
def test_faulty_game_is_corrected_withdrawn_and_restored(
    chromium: Browser, site: str, tmp_path: Path, width: int, language: str, seed: int
) -> None:
    page = chromium.new_page(locale=language)
    visitor = Visitor(page, site, width, language)
    visitor.choose_many(tmp_path)
    former = visitor.send(makers.illegal(seed))
    report = visitor.correct(makers.text(seed))

    assert visitor.open_status(former) == 200
    game = page.url.partition("#")[0]
    assert game != former, "the former address leads on"
    page.locator("ol.history").get_by_text(visitor.words["history"]).click()
    expect(page.locator("ol.history ins").first).to_be_visible()

    page.goto(report)
    visitor.withdraw()
    for address in (former, game):
        assert visitor.open_status(address) == 410
        expect(page.locator("main")).to_contain_text(visitor.words["gone"])
    visitor.check_page()
    page.goto(report)
    visitor.restore()
    assert visitor.open_status(game) == 200
    page.close()

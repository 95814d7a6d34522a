"""The check of a game on a phone that was made ready, without a network."""

from __future__ import annotations

import subprocess
import sys
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

import kafu
from tests.conftest import ROOT
from tests.records.pages.kinds import fits
from tests.records.pages.replay_page import watch_page

PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 390, "height": 664},
    "has_touch": True,
    "locale": "ja-JP",
}
GAME: Final = kafu.write(kafu.simulate("hachihachi", seed=1))
#: Loading Python takes seconds on a busy machine.
PATIENCE: Final = 120_000


@pytest.fixture(scope="module", autouse=True)
def engine() -> None:
    """Build the engine, unless `make` did."""
    if not (ROOT / "kafu/javascript/engine/engine.json").exists():
        subprocess.run([ROOT / "scripts/node-modules"], check=True)
        command = [
            sys.executable,
            str(ROOT / "scripts/engine"),
            str(ROOT / "kafu/javascript/engine"),
        ]
        subprocess.run(command, check=True)


def check(page: Page, text: str) -> None:
    page.locator("textarea").fill(text)
    page.get_by_role("button", name="調べる", exact=True).tap()


def test_phone_made_ready_checks_games_without_a_network(chromium: Browser, site: str) -> None:
    with watch_page(chromium, base_url=site, **PHONE) as page:
        page.goto("/check/")
        assert page.evaluate("performance.getEntriesByType('resource').length") < 20
        page.get_by_role("button", name="この端末を準備する").tap()
        expect(page.locator("[data-ready]")).to_be_visible(timeout=PATIENCE)
        page.context.set_offline(True)
        page.reload()
        expect(page.locator("[data-ready]")).to_be_visible()
        check(page, GAME)
        verdict = page.locator("#verdict")
        expect(verdict.locator(".status:visible")).to_have_text("検証済み", timeout=PATIENCE)
        check(page, GAME.replace("\nfinal 1 ", "\nfinal 1 9"))
        expect(verdict.locator(".status:visible")).not_to_have_text("検証済み", timeout=PATIENCE)
        check(page, "[Kafu]")
        expect(verdict.locator("[data-fault]")).to_contain_text("1:", timeout=PATIENCE)
        assert fits(page)
        page.context.set_offline(False)
        check(page, GAME)
        expect(page.locator("#verdict [data-fault]")).to_have_count(0)  # the archive's verdict
        expect(page.locator("#verdict p")).to_have_text("問題はありません。")

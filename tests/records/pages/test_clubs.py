"""A club in a browser, on telephones: founding, inviting, and tonight's score sheet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from secrets import token_hex
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.records.pages.accounts import sign_up
from tests.records.pages.kinds import fits
from tests.records.pages.replay_page import watch_page
from tests.records.pages.test_axe import violations
from tests.records.pages.writing.actions import save_game
from tests.services import wait_until

PHONE: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 664}, "has_touch": True}
#: The most taps from the page of a club to the first cell of a sheet.
MOST_TAPS: Final = 4
PAGES: Final = (
    "",
    "members/",
    "invites/",
    "settings/",
    "settings/?ruleset=koikoi",
    "games/",
    "log/",
)


@pytest.fixture
def founder(chromium: Browser, site: str) -> Iterator[Page]:
    """Yield the telephone of a founder with an account."""
    with watch_page(chromium, base_url=site, **PHONE) as page:
        sign_up(page.context, site, f"founder-{token_hex(4)}")
        yield page


@pytest.fixture
def guest(chromium: Browser, site: str) -> Iterator[Page]:
    """Yield the telephone of somebody with an account."""
    with watch_page(chromium, base_url=site, **PHONE) as page:
        sign_up(page.context, site, f"guest-{token_hex(4)}")
        yield page


def found_club(page: Page) -> str:
    """Found a club with rules of one month and a season, and return its address."""
    page.goto("/clubs/")
    page.get_by_role("link", name="Found a club").tap()
    page.locator("[name=name]").fill(f"Kai {token_hex(4)}")
    page.locator("[name=player]").fill("Aya")
    page.get_by_role("button", name="Found the club").tap()
    page.wait_for_url(re.compile(r"/clubs/kai-\w+/$"))
    address = page.url
    page.goto(f"{address}settings/?ruleset=koikoi")
    page.locator("[name=months]").fill("1")
    page.get_by_role("button", name="Save").tap()
    page.wait_for_url(f"{address}settings/")
    page.goto(f"{address}seasons/new/")
    page.locator("[name=name]").fill("This year")
    page.locator("[name=ruleset]").select_option("koikoi")
    page.locator("[name=first]").fill("2020-01-01")
    page.locator("[name=last]").fill("2099-12-31")
    page.locator(".season-form button").last.tap()
    page.wait_for_url(re.compile(r"/seasons/(?!new)\w+/$"))
    return address


def test_sheet_of_a_club_is_four_taps_away_and_counts_in_its_table(
    founder: Page, guest: Page
) -> None:
    address = found_club(founder)
    founder.goto(f"{address}invites/")
    founder.get_by_role("button", name="Make the link").tap()
    link = founder.locator(".invite a.key").get_attribute("href")
    assert link
    guest.goto(link)
    assert fits(guest)
    assert not violations(guest, contrast=False)
    guest.locator("[name=name]").fill("Ben")
    guest.get_by_role("button", name="Join").tap()
    expect(guest.get_by_role("link", name="Tonight's score sheet")).to_be_in_viewport(ratio=1)

    founder.goto(address)
    taps = 0

    def tap(control: Locator) -> None:
        nonlocal taps
        expect(control).to_be_in_viewport()
        control.tap()
        taps += 1

    tap(founder.get_by_role("link", name="Tonight's score sheet"))
    tap(founder.get_by_role("button", name="Ben", exact=True))
    tap(founder.get_by_role("button", name="Begin"))
    first = founder.locator("[data-paper] input").first
    expect(first).to_be_focused()
    assert taps <= MOST_TAPS
    founder.keyboard.type("7")
    expect(founder.locator("[data-send]")).to_be_enabled()
    # A draft that is opened again is still the club's.
    founder.reload()
    expect(founder.locator("[name=club]")).to_have_value(address.split("/")[-2])
    expect(founder.locator("[data-paper] input").first).to_have_value("7")
    key = save_game(founder)

    def is_in_table() -> bool:
        founder.goto(address)
        row = founder.locator(".standings .own")
        return row.count() == 1 and row.locator("td").nth(1).inner_text() == "1"

    wait_until(is_in_table, "the game counts in the table")
    assert founder.locator(f".own-games a[href*='{key}']").count() == 1
    faults = {}
    for path in PAGES:
        founder.goto(address + path)
        if not fits(founder):
            faults[path] = ["wider than the window"]
        elif broken := violations(founder, contrast=False):
            faults[path] = broken
    assert not faults


def test_names_are_tapped_in_the_order_of_seats_and_taken_out_again(founder: Page) -> None:
    address = found_club(founder)
    founder.goto(f"{address}members/")
    founder.locator("summary").filter(has_text="without an account").tap()
    founder.locator("textarea[name=name]").fill("Ben\nCho\nDai\nEri")
    founder.locator("details form button").tap()
    expect(founder.get_by_role("status")).to_be_visible()
    club = address.split("/")[-2]
    founder.goto(f"/sheets/new?club={club}&ruleset=hachihachi-bga")
    fields = founder.locator("[data-setup] [name=player]")

    def names() -> list[str]:
        return [field.input_value() for field in fields.all() if field.is_visible()]

    assert names() == ["Aya", "", ""]
    for name in ("Cho", "Ben", "Eri"):
        founder.get_by_role("button", name=name, exact=True).tap()
    assert names() == ["Aya", "Cho", "Ben", "Eri"]
    founder.get_by_role("button", name="Cho", exact=True).tap()
    assert names() == ["Aya", "Ben", "Eri"]
    founder.goto(f"/records/new?club={club}&ruleset=koikoi&player=Dai&player=Ben")
    assert names() == ["Dai", "Ben"]
    assert founder.locator("[data-members] [aria-pressed=true]").count() == 2
    assert fits(founder)
    assert not violations(founder, contrast=False)

"""A club in a browser, on telephones: from its founding to the printed table of a season."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import chain
from secrets import token_hex
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from lengths import LONG
from tests.records.pages.accounts import sign_up
from tests.records.pages.kinds import PRINTED, count_printed_pages, fits, wait_until_cached
from tests.records.pages.replay_page import watch_page
from tests.records.pages.test_axe import violations
from tests.records.pages.writing.actions import fill_amounts, save_game, wait_until_kept
from tests.services import wait_until

#: A telephone that caches no page for use without a network, which loads the files again.
PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 390, "height": 664},
    "has_touch": True,
    "service_workers": "block",
}
#: The most taps from the page of a club to the first cell of a sheet.
MOST_TAPS: Final = 4
#: Members with an invitation, and members whose names the founder writes down. In `make test` two
#: of the three tables have a score keeper.
NAMES: Final = ("Ben", "Cho", "Dai", "Eri", "Fuku", "Gen", "Haru", "Hammerschmidtmann")
INVITED, WRITTEN = (NAMES[:2], NAMES[2:]) if LONG else (NAMES[:1], NAMES[1:])
#: Pages of a club that only officers see, and pages with parts for officers.
PAGES: Final = (
    *("", "members/", "invites/", "settings/", "settings/?ruleset=ten-five-one", "evenings/"),
    *("games/", "log/"),
)

OpenPhone = Callable[..., Page]


@pytest.fixture
def open_phone(chromium: Browser, site: str) -> Iterator[OpenPhone]:
    """Yield a function that returns the telephone of a person with a new account.

    Options replace those of `PHONE`.
    """
    with ExitStack() as phones:

        def start(name: str, **options: Any) -> Page:
            page = phones.enter_context(watch_page(chromium, base_url=site, **PHONE | options))
            sign_up(page.context, site, f"{name}-{token_hex(4)}")
            return page

        yield start


@pytest.fixture
def founder(open_phone: OpenPhone) -> Page:
    """Return the telephone of a founder."""
    return open_phone("founder")


def found_club(page: Page) -> str:
    """Found a club with rules of one month and a season, and return its address."""
    page.goto("/clubs/")
    page.get_by_role("link", name="Found a club").tap()
    page.locator("[name=name]").fill(f"Kai {token_hex(4)}")
    page.locator("[name=player]").fill("Aya")
    page.get_by_role("button", name="Found the club").tap()
    page.wait_for_url(re.compile(r"/clubs/kai-\w+/$"))
    address = page.url
    page.goto(f"{address}settings/?ruleset=ten-five-one")
    page.locator("[name=months]").fill("1")
    page.get_by_role("button", name="Save").tap()
    page.wait_for_url(f"{address}settings/")
    page.goto(f"{address}seasons/new/")
    page.locator("[name=name]").fill("This year")
    page.locator("[name=ruleset]").select_option("ten-five-one")
    page.locator("[name=first]").fill("2020-01-01")
    page.locator("[name=last]").fill("2099-12-31")
    page.locator(".season-form button").last.tap()
    page.wait_for_url(re.compile(r"/seasons/(?!new)\w+/$"))
    return address


def write_names(page: Page, address: str, *names: str) -> None:
    """Write down members without an account."""
    page.goto(f"{address}members/")
    page.locator("summary").filter(has_text="without an account").tap()
    page.locator("textarea[name=name]").fill("\n".join(names))
    page.locator("details form button").tap()
    expect(page.get_by_role("status")).to_be_visible()


def draw_tables(page: Page, address: str, *names: str) -> list[list[str]]:
    """Draw the tables of tonight for these members, and return the names by table."""
    page.goto(address)
    page.get_by_role("link", name="Dates and tables").tap()
    page.get_by_role("button", name="Open the evening").tap()
    for name in names:
        page.locator(f".ticks label:has([name=present][value='{name}'])").tap()
    page.get_by_role("button", name="Draw", exact=True).tap()
    expect(page.get_by_role("status")).to_have_text(re.compile("drawn"))
    assert fits(page)
    assert not violations(page, contrast=False)
    tables = page.locator(".drawn-tables > li").all()
    return [table.locator("li").all_inner_texts() for table in tables]


def begin_sheet(page: Page, address: str, controls: list[tuple[Any, str]]) -> None:
    """Tap controls, given by role and name, from the page of the club to the first cell."""
    assert len(controls) <= MOST_TAPS
    page.goto(address)
    for role, name in controls:
        control = page.get_by_role(role, name=re.compile(f"^{re.escape(name)}( |:|$)"))
        expect(control).to_be_in_viewport(ratio=1)
        control.tap()
    expect(page.locator("[data-paper] input").first).to_be_focused()


def read_scores(page: Page, address: str) -> dict[str, int]:
    """Open the season from the page of the club, and return the scores by player."""
    page.goto(address)
    page.locator("main h2 a[href*='/seasons/']").tap()
    page.wait_for_url("**/seasons/*/")
    rows = page.locator(".season-table tbody tr").evaluate_all(
        """(rows) => rows.map((row) =>
            [row.querySelector("th bdi").innerText, row.querySelector(".score").innerText])"""
    )
    return {name: int(score.replace("\N{MINUS SIGN}", "-")) for name, score in rows}


def expect_scores(page: Page, address: str, scores: dict[str, int]) -> None:
    """Wait until the table of the season has these scores."""
    wait_until(lambda: read_scores(page, address) == scores, "the table has the scores")


def test_evening_of_nine_players_from_the_founding_to_the_printed_season(
    founder: Page, open_phone: OpenPhone
) -> None:
    address = found_club(founder)
    founder.goto(f"{address}invites/")
    founder.get_by_role("button", name="Make the link").tap()
    link = founder.locator(".invite a.key").get_attribute("href")
    assert link
    phones = {"Aya": founder}
    for name in INVITED:
        phones[name] = phone = open_phone(name)
        phone.goto(link)
        assert fits(phone)
        assert name != INVITED[0] or not violations(phone, contrast=False)
        phone.locator("[name=name]").fill(name)
        phone.get_by_role("button", name="Join").tap()
        sheet = phone.get_by_role("link", name="Tonight's score sheet")
        expect(sheet).to_be_in_viewport(ratio=1)
    write_names(founder, address, *WRITTEN)

    drawn = draw_tables(founder, address, *phones, *WRITTEN)
    tables = sorted(drawn, key=lambda table: NAMES[-1] not in table)  # it has a score keeper
    assert [len(table) for table in tables] == [3, 3, 3]
    assert {*chain(*tables)} == {*phones, *WRITTEN}
    scores: dict[str, int] = {}
    for number, (table, keeper) in enumerate(zip(tables, phones.values(), strict=False), start=1):
        link_of_table = f"Table {drawn.index(table) + 1}"
        begin_sheet(keeper, address, [("link", link_of_table), ("button", "Begin")])
        fill_amounts(keeper, "sums", ("10", str(-number)))
        expect(keeper.locator("[data-send]")).to_be_enabled()
        # A draft that is opened again is still the club's.
        wait_until_kept(keeper)
        keeper.reload()
        expect(keeper.locator("[name=club]")).to_have_value(address.split("/")[-2])
        save_game(keeper)
        scores |= dict(zip(table, (10, -number, number - 10), strict=True))
    expect_scores(founder, address, scores)

    keeper = phones["Ben"]
    keeper.locator("[data-own]").get_by_role("link", name="Correct it").tap()
    fill_amounts(keeper, "sums", ("30",))
    expect(keeper.locator("[data-save]")).to_have_value(re.compile(r"1 \+30 2 -2 3 -28"))
    save_game(keeper)
    scores |= dict(zip(tables[1], (30, -2, -28), strict=True))
    expect_scores(founder, address, scores)
    faults: dict[str, list[str]] = {}
    for path in PAGES:
        founder.goto(address + path)
        if not fits(founder):
            faults[path] = ["wider than the window"]
        elif broken := violations(founder, contrast=False):
            faults[path] = broken
    assert not faults

    read_scores(founder, address)
    lines = """(name) => {
        const range = document.createRange();
        range.selectNodeContents(name);
        return range.getClientRects().length;
    }"""
    assert founder.locator(".season-table bdi").get_by_text(NAMES[-1]).evaluate(lines) == 1
    founder.get_by_role("link", name="Print", exact=True).tap()
    founder.wait_for_url("**/print/")
    assert count_printed_pages(founder) == 1
    founder.emulate_media(media="print")
    founder.set_viewport_size(PRINTED)
    assert fits(founder)
    expect(founder.locator(".paper th").filter(has_text=tables[1][0]).first).to_be_visible()
    expect(founder.locator("header.site, nav.sections, footer.site").first).to_be_hidden()

    keeper.goto(address)
    keeper.get_by_role("link", name="Leave the club").tap()
    keeper.get_by_role("button", name="Leave the club").tap()
    keeper.wait_for_url("**/clubs/")
    keeper.goto(address)
    expect(keeper.get_by_role("link", name="Tonight's score sheet")).to_have_count(0)
    assert read_scores(keeper, address) == scores


def reload_without_network(page: Page) -> None:
    """Reload a form without the network, which is back afterwards."""
    wait_until_cached(page, "/sheets/new")
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("html[data-offline] [data-paper] input").first).to_be_visible()
    page.context.set_offline(False)


def test_sheet_reloaded_without_network_stays_in_its_private_club(open_phone: OpenPhone) -> None:
    founder = open_phone("founder", service_workers="allow")
    address = found_club(founder)
    write_names(founder, address, "Ben", "Cho")
    founder.goto(f"{address}settings/")
    founder.locator("[name=visibility]").select_option("1")
    founder.get_by_role("button", name="Save").tap()
    expect(founder.get_by_role("status")).to_be_visible()
    controls = [("link", "Tonight's score sheet"), ("button", "Ben"), ("button", "Cho")]
    begin_sheet(founder, address, [*controls, ("button", "Begin")])
    fill_amounts(founder, "sums", ("10",))
    reload_without_network(founder)
    fill_amounts(founder, "sums", ("10", "-4"))
    game = save_game(founder)
    expect(founder.locator("[data-own]")).to_contain_text("members of the club can see it")
    expect_scores(founder, address, {"Aya": 10, "Ben": -4, "Cho": -6})

    founder.goto(f"/sheets/new?record={game}")
    fill_amounts(founder, "sums", ("12",))
    reload_without_network(founder)
    fill_amounts(founder, "sums", ("20",))
    expect(founder.locator("[data-save]")).to_have_value(re.compile(r"1 \+20 2 -4 3 -16"))
    save_game(founder)
    expect(founder.locator("[data-own]")).to_contain_text("members of the club can see it")
    expect_scores(founder, address, {"Aya": 20, "Ben": -4, "Cho": -16})


def test_names_are_tapped_in_the_order_of_seats_and_taken_out_again(founder: Page) -> None:
    address = found_club(founder)
    write_names(founder, address, "Ben", "Cho", "Dai", "Eri")
    controls = [("link", "Tonight's score sheet"), ("button", "Ben"), ("button", "Cho")]
    begin_sheet(founder, address, [*controls, ("button", "Begin")])
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


def test_club_is_run_without_scripts(chromium: Browser, site: str) -> None:
    with watch_page(chromium, base_url=site, java_script_enabled=False, **PHONE) as page:
        sign_up(page.context, site, f"founder-{token_hex(4)}")
        address = found_club(page)
        write_names(page, address, "Ben", "Cho", "Dai", "Eri", "Fuku")
        members = ["Aya", "Ben", "Cho", "Dai", "Eri", "Fuku"]
        page.goto(address)
        page.get_by_role("link", name="Dates and tables").tap()
        page.get_by_role("button", name="Open the evening").tap()
        for name in members:
            page.locator(f".ticks label:has([name=present][value='{name}'])").tap()
        page.get_by_role("button", name="Draw", exact=True).tap()
        expect(page.get_by_role("status")).to_have_text(re.compile("drawn"))
        assert sorted(page.locator(".drawn-tables li li").all_inner_texts()) == members

        table = page.locator(".drawn-tables > li").first.locator("li").all_inner_texts()
        page.get_by_role("link", name="Score sheet of this table").first.tap()
        form = page.locator("form.plain")
        for number, name in enumerate([*table, *[""] * 4]):
            expect(form.locator("[name=player]").nth(number)).to_have_value(name)
        form.get_by_role("button", name="Begin").tap()
        page.locator("[name=rest-1-1]").fill("10")
        page.locator("[name=rest-1-2]").fill("-4")
        page.locator("button[name=save]").tap()
        page.wait_for_url(re.compile(r"/uploads/\w+/"))
        scores = dict(zip(table, (10, -4, -6), strict=True))
        expect_scores(page, address, scores)
        page.get_by_role("link", name="Penalties and corrections").tap()
        page.locator("[name=kind]").select_option("penalty")
        page.locator("[name=name]").fill(table[0])
        page.locator("[name=amount]").fill("-3")
        page.locator("[name=reason]").fill("Late")
        page.get_by_role("button", name="Add").tap()
        expect(page.locator(".entries-list")).to_contain_text("Late")
        expect_scores(page, address, scores | {table[0]: 7})
        page.goto(f"{address}log/")
        page.locator("[name=undo]").first.tap()
        expect(page.get_by_role("status")).to_have_text(re.compile("Taken back"))
        expect_scores(page, address, scores)

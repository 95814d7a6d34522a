"""One page of every kind, for tests that go through all of them in a browser."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Page, ViewportSize

from kafu.notation.writer import write
from records.operations.samples import year
from tests.records import makers
from tests.records.pages.sample_archive import CLUB, EVENING
from tests.services import wait_until

Window = tuple[int, int]
#: Windows that browsers leave to a page on phones, tablets and desks, the last one at 200 %.
ALL_WINDOWS: Final[tuple[Window, ...]] = (
    *((320, 568), (360, 640), (375, 667), (390, 664), (412, 700), (844, 340)),
    *((744, 1026), (820, 1066), (1280, 720), (2560, 1300), (640, 360)),
)
#: A page of A4 less its margins, in CSS pixels.
PRINTED: Final[ViewportSize] = {"width": 703, "height": 1032}
#: The event of the sample games.
SAMPLES: Final = "Sample games"
#: Kinds with the parts and scripts of tested kinds: only `make test-long` draws them.
VARIANTS: Final = (
    *("games, filtered", "game", "game in kan", "moves", "sheet", "check, empty"),
    *("plain sheet form", "house rules", "statistics of a ruleset", "statistics of nothing"),
    *("hostile moves", "crib", "programs", "rules", "bests", "learn", "rule options", "glossary"),
    *("lesson of hachihachi", "clubs", "evenings", "games of a club", "blank sheets"),
)


def write_hostile_game() -> str:
    """Return a game whose names and tags are 4,000 characters without a space."""
    game = year(1, ("8" * 4000, "9" * 4000))
    game.tags |= {"Event": "1" * 4000, "Site": "2" * 4000, "Round": "3" * 4000}
    return write(game)


def list_pages(page: Page, site: str) -> dict[str, str]:
    """Return paths by kind, most of them of the samples.

    One of the games of an upload is hostile: it is in the lists too.
    """

    def find_record(**query: str) -> dict[str, Any]:
        response = page.request.get(
            f"{site}/api/v1/records", params={**query, "event": SAMPLES}
        ).json()
        record: dict[str, Any] = response["results"][0]
        return record

    koikoi = find_record(ruleset="koikoi", status="verified")["key"]
    kan = find_record(ruleset="hachihachi", status="verified")["key"]
    illegal = find_record(status="illegal")
    many = find_record(ruleset="ten-five-one", status="verified")["key"]
    upload = page.request.post(
        f"{site}/api/v1/uploads",
        data=makers.joined(
            write_hostile_game(), makers.text(201), makers.illegal(202), makers.MALFORMED
        ),
        headers={"Content-Type": "text/x-kafu"},
    ).json()
    players = page.request.get(f"{site}/players/").text()
    link = re.search(r'href="(/players/[0-9A-Za-z]+/)"', players)
    assert link is not None
    seasons = page.request.get(f"{site}/clubs/{CLUB}/seasons/").text()
    season = re.search(rf'href="(/clubs/{CLUB}/seasons/\w+/)"', seasons)
    assert season is not None
    state = f"{site}/api/v1/uploads/{upload['key']}"
    wait_until(lambda: page.request.get(state).json()["state"] == "done", "the games are stored")
    newest = page.request.get(f"{site}/api/v1/records").json()["results"]
    hostile = next(
        record["key"] for record in newest if record["players"][0]["name"].startswith("888")
    )
    return {
        "home": "/",
        "games": "/games/",
        "games, filtered": "/games/?ruleset=koikoi&status=verified",
        "game": f"/games/{koikoi}/",
        "game in kan": f"/games/{kan}/?at=2.5",
        "game of many": f"/games/{many}/?at=2.5",
        "game with a fault": f"/games/{illegal['key']}/",
        "hostile game": f"/games/{hostile}/",
        "hostile moves": f"/games/{hostile}/moves/",
        "moves": f"/games/{koikoi}/moves/",
        "situations": f"/games/{koikoi}/situations/?at=1.0",
        "analysis": f"/games/{koikoi}/analysis/",
        "embed": f"/embed/{koikoi}/",
        "sheet": f"/games/{kan}/sheet",
        "sheet of many": f"/games/{many}/sheet",
        "problem": "/problems/",
        "players": "/players/",
        "player": link[1],
        "studies": "/studies/",
        "cards": "/cards/",
        "upload": "/upload/",
        "report": urlsplit(upload["page"]).path,
        "check": f"/check/?record={illegal['key']}",
        "check, empty": "/check/",
        "notation": "/kafu/",
        "crib": "/kafu/crib/",
        "programs": "/kafu/programs/",
        "editor": "/records/new",
        "editor with a game": f"/records/new?record={koikoi}",
        "sheet form": "/sheets/new",
        "plain sheet form": "/sheets/plain?rules=hachihachi&player=A&player=B&player=C",
        "rules": "/rules/",
        "rulebook": "/rules/hachihachi/",
        "house rules": "/rules/koikoi/koikoi-ai/",
        "rule options": "/rules/koikoi/options/",
        "poster": "/rules/koikoi/poster/",
        "glossary": "/glossary/",
        "learn": "/learn/",
        "lesson": "/learn/koikoi/",
        "lesson of hachihachi": "/learn/hachihachi/",
        "odds": "/odds/hachihachi/",
        "open data": "/data/",
        "notebook": "/data/notebook/",
        "statistics": "/statistics/",
        "statistics of a ruleset": "/statistics/koikoi/",
        "insights": "/statistics/insights/",
        "bests": "/statistics/bests/",
        "statistics of nothing": "/statistics/hachihachi/?from=2030&to=2020&seat=9",
        "clubs": "/clubs/",
        "club": f"/clubs/{CLUB}/",
        "season": season[1],
        "season to print": f"{season[1]}print/",
        "evening": f"/clubs/{CLUB}/evenings/{EVENING}/",
        "evenings": f"/clubs/{CLUB}/evenings/",
        "members": f"/clubs/{CLUB}/members/",
        "games of a club": f"/clubs/{CLUB}/games/",
        "blank sheets": f"/clubs/{CLUB}/evenings/{EVENING}/sheets/",
        "no page": "/games/nosuchgame0/",
    }


def open_page(page: Page, address: str) -> None:
    """Go to a page and wait until its player or editor, if it has one, has the game."""
    page.goto(address)
    if "/records/new?record=" in address:
        page.locator("[data-work]:not(.waiting, [aria-busy=true])").wait_for()
    page.wait_for_function(
        """() => [...document.querySelectorAll("kafu-replay")].every((element) =>
            element.shadowRoot?.querySelector(".replay.live"))"""
    )


def wait_until_cached(page: Page, path: str) -> None:
    """Wait until the page of a path opens without the server.

    Playwright's ``wait_for_function`` does not await promises: each promise is true.
    """
    is_cached = "async (path) => Boolean(await (await caches.open('hana-offline')).match(path))"
    wait_until(lambda: page.evaluate(is_cached, path), f"{path} is cached")


def fits(page: Page) -> bool:
    """Return whether the page is no wider than its window."""
    is_within: bool = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return is_within


def count_printed_pages(page: Page) -> int:
    """Return the number of pages that a browser prints."""
    printed = page.pdf(prefer_css_page_size=True)
    return len(re.findall(rb"/Type /Page\b", printed))

"""The player on a page, as its tests see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, expect

from tests.records.pages.kinds import SAMPLES

#: What the player shows, in the form of a step of the replay JSON, and where it says to be.
SHOWN = """(element) => {
    const root = element.shadowRoot;
    const all = (place, within = root) => [...within.querySelectorAll(place)];
    const cards = (place, within) =>
        all(`${place} [data-card]`, within).map((one) => one.dataset.card).join("");
    const seats = all("[data-seat]").sort((a, b) => a.dataset.seat - b.dataset.seat);
    const marked = root.querySelector("[data-moves] [aria-current]");
    return {
        at: element.position,
        list: marked.dataset.at,
        deal: root.querySelector("[data-pick][aria-current]").dataset.pick,
        words: [marked.querySelector("span").textContent,
                root.querySelector("[data-telling]").textContent],
        scrub: root.querySelector("[data-scrub]").ariaValueText,
        table: {
            hands: seats.map((seat) => cards("[data-hand]", seat)),
            field: cards("[data-field]"),
            captured: seats.map((seat) => cards("[data-captured]", seat)),
            stock: Number(root.querySelector("[data-left]").textContent),
            yaku: seats.map((seat) => all("[data-yaku] .made", seat).map((one) => one.dataset.id)),
        },
    };
}"""


def _sorted(cards: list[str]) -> list[list[str]]:
    return [sorted(one) for one in cards]


@dataclass
class Player:
    """The first player of a page; ``data`` is the JSON of its replay."""

    page: Page
    data: dict[str, Any]

    @property
    def deals(self) -> list[dict[str, Any]]:
        """The deals of the JSON."""
        deals: list[dict[str, Any]] = self.data["deals"]
        return deals

    @property
    def counts(self) -> list[int]:
        """How many steps each deal has."""
        return [len(deal["steps"]) for deal in self.deals]

    @property
    def at(self) -> str:
        """The place that the element tells: ``3.14``."""
        place: str = self.page.evaluate("document.querySelector('kafu-replay').position")
        return place

    @property
    def last(self) -> tuple[int, int]:
        """Deal and step of the end."""
        return len(self.counts), self.counts[-1] - 1

    def shown(self) -> dict[str, Any]:
        """What it shows; see `SHOWN`."""
        shown: dict[str, Any] = self.page.locator("kafu-replay").first.evaluate(SHOWN)
        return shown

    def stands(self, deal: int, step: int) -> None:
        """Waits until it is there."""
        marked = self.page.locator("[data-moves] [aria-current]").first
        expect(marked).to_have_attribute("data-at", f"{deal}.{step}")

    def check(self, deal: int, step: int) -> None:
        """Place, table, list of moves, strip and words all stand at this step."""
        self.stands(deal, step)
        due = self.deals[deal - 1]["steps"][step]
        shown = self.shown()
        assert (shown["at"], shown["list"]) == (f"{deal}.{step}", f"{deal}.{step}")
        assert shown["deal"] == str(deal)
        assert shown["words"] == [due["text"], due["text"]] != ["", ""]
        assert due["text"] in shown["scrub"]
        table = shown["table"]
        assert _sorted(table["hands"]) == _sorted(due["hands"])
        assert _sorted(table["captured"]) == _sorted(due["captured"])
        assert sorted(table["field"]) == sorted(due["field"])
        assert table["stock"] == due["stock"]
        assert table["yaku"] == [[one["id"] for one in own] for own in due["yaku"]]

    def go(self, deal: int, step: int) -> None:
        """Sets its place."""
        script = "(at) => { document.querySelector('kafu-replay').position = at }"
        self.page.evaluate(script, f"{deal}.{step}")
        self.stands(deal, step)


def opened(page: Page, address: str) -> Player:
    """The player of a page, as soon as it plays."""
    page.goto(address)
    return player(page)


def player(page: Page) -> Player:
    """The first player of the page that stands there, as soon as it plays."""
    page.locator(".replay.live").first.wait_for()
    element = page.locator("kafu-replay").first
    lang = page.evaluate("document.documentElement.lang") or "en"
    src = element.evaluate("(element) => element.src")
    return Player(page, page.request.get(f"{src}replay.json?lang={lang}").json())


def game(page: Page, site: str, status: str = "verified", ruleset: str = "koikoi") -> str:
    """The address of a game of the samples with this verdict."""
    asked = {"status": status, "ruleset": ruleset, "event": SAMPLES}
    answer = page.request.get(f"{site}/api/v1/records", params={**asked}).json()
    return str(answer["results"][-1]["page"])

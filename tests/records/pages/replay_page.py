"""The player on a page, as its tests read and drive it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect

from tests.records.pages.kinds import SAMPLES

#: Reads the shown position, in the form of a step of the replay JSON.
SHOWN = """(element) => {
    const root = element.shadowRoot;
    const all = (place, within = root) => [...within.querySelectorAll(place)];
    const cards = (place, within) =>
        all(`${place} [data-card]`, within).map((card) => card.dataset.card).join("");
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
            yaku: seats.map((seat) =>
                all("[data-yaku] .made", seat).map((made) => made.dataset.id)),
        },
    };
}"""


#: Presses keys one after another, and reads the player after each.
READ_KEYS = f"""(element, keys) => keys.map((key) => {{
    const shiftKey = key.startsWith("Shift+");
    document.body.dispatchEvent(new KeyboardEvent(
        "keydown", {{ key: key.replace("Shift+", ""), shiftKey, bubbles: true }}));
    return ({SHOWN})(element);
}})"""
#: Blocks storage and cookies, as Firefox does: each access throws.
BLOCK_STORAGE = """
    const refuse = () => { throw new DOMException("blocked", "SecurityError"); };
    for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
        Object.defineProperty(window, name, { get: refuse });
    window.BroadcastChannel = class { constructor() { refuse(); } };
    Object.defineProperty(navigator, "cookieEnabled", { get: () => false });
"""
#: Sets a position as a script of the page would.
GO = "(position) => { document.querySelector('kafu-replay').position = position }"
#: Resets the state of an earlier test: dialogs, settings, a view of one seat, a scrolled page.
RESET = """() => {
    const { shadowRoot: root } = document.querySelector("kafu-replay");
    root.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close());
    document.activeElement?.blur();
    scrollTo(0, 0);
}"""


def sort_cards(hands: list[str]) -> list[list[str]]:
    """Return the cards of each hand in an order that does not depend on how they lie."""
    return [sorted(hand) for hand in hands]


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
        """The number of steps of each deal."""
        return [len(deal["steps"]) for deal in self.deals]

    @property
    def position(self) -> str:
        """The position that the element tells: ``3.14``."""
        position: str = self.page.evaluate("document.querySelector('kafu-replay').position")
        return position

    @property
    def end(self) -> tuple[int, int]:
        """Deal and step of the end."""
        return len(self.counts), self.counts[-1] - 1

    def step(self, deal: int, step: int) -> dict[str, Any]:
        """Return a step of the JSON."""
        content: dict[str, Any] = self.deals[deal - 1]["steps"][step]
        return content

    def wait_for(self, deal: int, step: int) -> None:
        """Wait until the player shows this step."""
        marked = self.page.locator("[data-moves] [aria-current]").first
        expect(marked).to_have_attribute("data-at", f"{deal}.{step}")

    def check(self, deal: int, step: int) -> None:
        """Check that position, table, list of moves, strip and words are those of this step."""
        self.wait_for(deal, step)
        self.check_shown(self.page.locator("kafu-replay").first.evaluate(SHOWN), deal, step)

    def press_and_read(self, keys: list[str]) -> list[dict[str, Any]]:
        """Press keys in one go; return what the player shows after each of them."""
        shown: list[dict[str, Any]] = self.page.locator("kafu-replay").evaluate(READ_KEYS, keys)
        return shown

    def check_shown(self, shown: dict[str, Any], deal: int, step: int) -> None:
        """Check that what the player showed is all of this step."""
        expected = self.step(deal, step)
        assert (shown["at"], shown["list"]) == (f"{deal}.{step}", f"{deal}.{step}")
        assert shown["deal"] == str(deal)
        assert shown["words"] == [expected["text"], expected["text"]] != ["", ""]
        assert expected["text"] in shown["scrub"]
        table = shown["table"]
        assert sort_cards(table["hands"]) == sort_cards(expected["hands"])
        assert sort_cards(table["captured"]) == sort_cards(expected["captured"])
        assert sorted(table["field"]) == sorted(expected["field"])
        assert table["stock"] == expected["stock"]
        assert table["yaku"] == [[yaku["id"] for yaku in seat] for seat in expected["yaku"]]

    def go(self, deal: int, step: int) -> None:
        """Set the position."""
        self.page.evaluate(GO, f"{deal}.{step}")
        self.wait_for(deal, step)

    def reset(self) -> None:
        """Go back to the start, with no dialog open and no seat chosen."""
        self.page.evaluate(RESET)
        view = self.page.locator("[data-view]").first
        if view.input_value() != "0":
            view.select_option("0")
        bottom = self.page.locator("[data-bottom] [data-seat]").first
        if bottom.get_attribute("data-seat") != "1":
            self.page.locator('[data-do="turn"]').click()
        self.page.evaluate("document.activeElement?.blur()")
        self.go(1, 0)

    def read_hand(self, seat: int) -> str:
        """Return the hand of a seat as it lies: ``#`` is a card face down."""
        cards = self.page.locator(f'[data-seat="{seat}"] [data-hand] [data-card]')
        return "".join(cards.evaluate_all("(all) => all.map((card) => card.dataset.card)"))

    def open_setting(self, name: str) -> Locator:
        """Open the settings and return a box of theirs."""
        self.page.locator('[data-do="settings"]').click()
        return self.page.locator(f'[data-dialog="settings"] [name="{name}"]')


@contextmanager
def watch_page(browser: Browser, **options: Any) -> Iterator[Page]:
    """Yield a page in a fresh profile; fail if a script fails or the policy refuses something."""
    faults: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            faults.append(message.text)

    context = browser.new_context(**{"locale": "en-US"} | options)
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", note)
    yield page
    context.close()
    assert not faults


def open_replay(page: Page, address: str) -> Player:
    """Go to a page and return its player, as soon as it has the moves."""
    page.goto(address)
    return wait_for_player(page)


def wait_for_player(page: Page) -> Player:
    """Return the first player of the current page, as soon as it has the moves."""
    page.locator(".replay.live").first.wait_for()
    element = page.locator("kafu-replay").first
    lang = page.evaluate("document.documentElement.lang") or "en"
    src = element.evaluate("(element) => element.src")
    return Player(page, page.request.get(f"{src}replay.json?lang={lang}").json())


def find_game(page: Page, site: str, status: str = "verified", ruleset: str = "koikoi") -> str:
    """Return the address of a game of the samples with this verdict."""
    query = {"status": status, "ruleset": ruleset, "event": SAMPLES}
    response = page.request.get(f"{site}/api/v1/records", params={**query}).json()
    return str(response["results"][-1]["page"])

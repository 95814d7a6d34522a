"""Taps, keys and screens that a person needs on a phone for some jobs.

    python -m bench.taps [BASE_URL] [--only WORD]

Plays the jobs of `JOBS` at 390 px in Japanese and prints a table. A tap is one touch of a control;
choosing from a list takes two. Keys are typed characters. Screens are opened pages, and heights of
the window that have to be scrolled to reach the next control. Without an address, a server with the
sample games is started. docs/scenarios.md has the table.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Frame, Locator, Page, expect

from bench.corpus import table
from bench.sample_site import headless_browser, sample_site

PLAYERS: Final = ("Aya", "Ben", "Chiyo")
#: The secret of an upload without an account.
SECRET: Final = "0123456789abcdef0123456789abcdef"
#: Points of a kan, and the two fields of an amount.
KAN: Final = 12
UNITS: Final = ("kan", "rest")
#: Milliseconds in which a page computes what follows from what was typed.
PAUSE_MS: Final = 800
#: What twelve months of hachihachi gave the first two players, in points.
YEAR: Final = (
    *((18, -9), (-24, 48), (7, -15), (36, -12), (-22, 31), (5, 8)),
    *((-60, 30), (14, -6), (-9, -13), (72, -36), (-3, 11), (25, -40)),
)

# Brings a control into the window, unless it is there and uncovered; returns the way in windows.
SCROLL: Final = """(control) => {
    const { left, top, width, height } = control.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (control.contains(hit)) return 0;
    const before = scrollY;
    control.scrollIntoView({ block: "center" });
    return Math.abs(scrollY - before) / innerHeight;
}"""

# Whether the link of a game has been copied.
IS_COPIED: Final = "navigator.clipboard.readText().then((text) => text.includes('/games/'))"


class Person:
    """Count taps, keys and screens of a person with a phone."""

    def __init__(self, page: Page) -> None:
        """Count the pages that open from now on."""
        self.page = page
        self.taps = self.keys = self.pages = 0
        self.scrolled = 0.0
        self.address = ""
        page.on("framenavigated", self.note_page)

    def note_page(self, frame: Frame) -> None:
        """Count an opened page, but no mere change of address."""
        address = urlsplit(frame.url)._replace(query="", fragment="").geturl()
        if frame == self.page.main_frame and address != self.address:
            self.address = address
            self.pages += 1

    @property
    def cells(self) -> list[str]:
        """The figures for the table."""
        return [f"{self.taps}", f"{self.keys}", f"{self.pages + self.scrolled:.1f}"]

    def reach(self, selector: str) -> Locator:
        """Scroll until a control is in the window, and return it."""
        control = self.page.locator(selector).first
        control.wait_for()
        self.scrolled += control.evaluate(SCROLL)
        return control

    def tap(self, selector: str) -> None:
        """Tap a control."""
        self.reach(selector).tap()
        self.taps += 1

    def type(self, selector: str, text: str) -> None:
        """Tap a field and type a text."""
        self.tap(selector)
        expect(self.page.locator(selector)).to_be_focused()
        self.write(text)

    def write(self, text: str) -> None:
        """Type a text where the cursor is."""
        self.page.keyboard.type(text)
        self.keys += len(text)

    def press(self, key: str) -> None:
        """Press a key, such as Enter for the next field."""
        self.page.keyboard.press(key)
        self.keys += 1

    def choose(self, selector: str, value: str) -> None:
        """Choose from a list, which opens at a tap."""
        self.reach(selector).select_option(value)
        self.taps += 2

    def retype(self, selector: str, text: str) -> None:
        """Tap a field, select its text by another tap, and type over it."""
        self.tap(selector)
        self.reach(selector).select_text()
        self.taps += 1
        self.write(text)


# Jobs -------------------------------------------------------------------------------------------


def begin(person: Person, address: str, ruleset: str, players: Sequence[str]) -> None:
    """Come from the home page to a form with a ruleset and names."""
    person.page.goto("/")
    person.tap(f"main a[href^='{address}']")
    if person.page.locator("[name=ruleset]").input_value() != ruleset:
        person.choose("[name=ruleset]", ruleset)
    for number, name in enumerate(players):
        person.type(f"[name=player] >> nth={number}", name)
    person.tap("[data-setup] [type=submit]")


def write_year_by_sums(person: Person) -> None:
    """Write the sums of twelve months, the next dealer, and save the sheet."""
    begin(person, "/sheets/new", "hachihachi", PLAYERS)
    for number, amounts in enumerate(YEAR, start=1):
        enter_sums(person, number, amounts)
        person.tap(f"label:has([name=stone-{number}][value='1'])")
    result = re.compile(r"final 1 \+23k 2 -10k 3 -13k")
    expect(person.page.locator("[data-save]")).to_have_value(result)
    save(person)


def enter_sums(person: Person, month: int, amounts: Sequence[int]) -> None:
    """Enter what a month gave the first players, in kan and points, as on paper.

    The next field is reached by the key of the keyboard, any other by a tap.
    """
    fields = [f"[data-seat='{seat}'][data-part={part}]" for seat in (1, 2) for part in UNITS]
    place = -2
    for seat, amount in enumerate(amounts, start=1):
        person.page.wait_for_timeout(PAUSE_MS)
        box = f".amount-fields:has([data-month='{month}'][data-seat='{seat}'])"
        sign = person.page.locator(box).get_attribute("data-sign")
        if (sign == "-") != (amount < 0):
            person.tap(f"{box} [data-act=sign]")
            place = -2
        for part, count in zip(UNITS, divmod(abs(amount), KAN), strict=True):
            field = f"[data-seat='{seat}'][data-part={part}]"
            if not count:
                continue
            if fields.index(field) == place + 1:
                person.press("Enter")
            else:
                person.tap(f"[name=sums][data-month='{month}']{field}")
            expect(person.page.locator(f"[name=sums][data-month='{month}']{field}")).to_be_focused()
            person.write(str(count))
            place = fields.index(field)


def save(person: Person) -> None:
    """Save, and wait for the page of the game."""
    person.tap("[data-send]")
    person.page.wait_for_url(re.compile(r"/games/\w+/"))
    expect(person.page.locator("[data-own] [role=status]")).to_be_visible()


def write_month_and_share_it(person: Person) -> None:
    """Write a month of koi-koi card by card, save it, and copy its link."""
    # The simulation and the tests' hand need Django's settings, which `sample_site` has set up.
    from kafu.simulation.simulate import simulate
    from tests.records.pages.writing.tapping import Tapper

    class Hand(Tapper):
        """Tap cards as the tests do, counted as taps of the person."""

        def tap(self, selector: str) -> None:
            person.tap(selector)
            self.wait()

    game = simulate("koikoi", seed=5, options={"months": "1"})
    begin(person, "/records/new", "koikoi", PLAYERS[:2])
    person.page.locator("[data-dealing]").wait_for()
    Hand(person.page).month(game, 0)
    save(person)
    person.tap("[data-own] [data-share]")
    person.page.wait_for_timeout(PAUSE_MS)
    copy = "[data-dialog=share] [data-copy=link]"  # where sharing offers more than a copy
    if person.page.locator(copy).is_visible():
        person.tap(copy)
    person.page.wait_for_function(IS_COPIED)


def choose_rules_of_an_app(person: Person) -> None:
    """Begin a score sheet of koi-koi with the rules of Nintendo's games."""
    person.page.goto("/")
    person.tap("main a[href^='/sheets/new']")
    person.tap("label:has([name=preset][value=nintendo])")
    person.tap("[data-setup] [type=submit]")
    expect(person.page.locator("[data-text]")).to_contain_text("profile=koikoi-nintendo")


def correct_month(person: Person) -> None:
    """Correct a sum of the sender's stored sheet, whose fifth month does not sum to zero."""
    person.page.goto(f"/games/{store_faulty_sheet(person.page)}/")
    person.tap("[data-own] a[href*='/sheets/new?record=']")
    cell = "[name=sums][data-month='5'][data-seat='3'][data-part=rest]"
    expect(person.page.locator(cell)).to_have_value("8")
    person.retype(cell, "9")
    expect(person.page.locator("[data-fault]")).to_have_count(0)
    save(person)


def store_faulty_sheet(page: Page) -> str:
    """Store the year with a wrong sum, let the browser remember it, and return its key."""
    # These modules need Django's settings, which `sample_site` has set up.
    from kafu.editing.sheet_forms import MonthWanted, write_sheet
    from tests.records.pages.test_claims import REMEMBER
    from tests.records.pages.writing.actions import game_of

    months = [MonthWanted(sums=[*map(str, (a, b, -a - b))], stone=1) for a, b in YEAR]
    sheet = write_sheet("hachihachi", PLAYERS, {}, months).text
    headers = {"Content-Type": "text/x-kafu", "Upload-Secret": SECRET}
    wrong = sheet.replace("+2k7 3 -9", "+2k7 3 -8")
    assert wrong != sheet
    upload = page.request.post("/api/v1/uploads", data=wrong, headers=headers).json()["key"]
    key = game_of(page, upload)
    page.goto("/robots.txt")  # a page without scripts
    page.evaluate(REMEMBER, {"key": upload, "words": SECRET, "game": key})
    return key


#: The jobs by what a person would call them.
JOBS: Final[dict[str, Callable[[Person], None]]] = {
    "Score sheet of 12 months of 八八, by sums": write_year_by_sums,
    "A month of koi-koi, from nothing to a shared link": write_month_and_share_it,
    "A sheet with the rules of an app begun": choose_rules_of_an_app,
    "A faulty month of a saved sheet corrected": correct_month,
}


def play(browser: Browser, site: str, job: Callable[[Person], None]) -> list[str]:
    """Play a job in a fresh browser and return its figures."""
    context = browser.new_context(
        base_url=site,
        locale="ja-JP",
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        permissions=["clipboard-read", "clipboard-write"],
    )
    person = Person(context.new_page())
    job(person)
    context.close()
    return person.cells


def main() -> None:
    """Play the jobs and print their figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("address", nargs="?", default="", help="of an archive with the samples")
    parser.add_argument("--only", default="", help="only jobs whose name contains the word")
    arguments = parser.parse_args()
    with sample_site(arguments.address) as site, headless_browser() as browser:
        rows = [
            [name, *play(browser, site, job)]
            for name, job in JOBS.items()
            if arguments.only in name
        ]
    print(table(("Job at 390 px", "taps", "keys", "screens"), rows))


if __name__ == "__main__":
    main()

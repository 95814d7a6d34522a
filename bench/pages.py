"""Pictures and weights of every kind of page, and the taps that some jobs need on a phone.

    python -m bench.pages

Draws the kinds of page of the tests in windows of a phone, a tablet and a desk (`WIDTHS`), in both
languages and both themes, into var/screenshots, to be looked at by a person. Prints the most kB
transferred of each kind without card art (at most 120). Barriers, widths and layout are tested.

Then plays the jobs of `JOBS` at 390×664 in Japanese. A tap is one touch of a control; choosing from
a list takes two. Keys are typed characters. Screens are opened pages, and heights of the window
that have to be scrolled to reach the next control. docs/scenarios.md has the table.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import product
from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Frame, Locator, Page, Request, expect, sync_playwright

from bench import ROOT
from bench.corpus import table
from bench.sites import running, temporary_archive
from tests import services

#: Widths of windows with their heights, without the bars of the browser.
WIDTHS: Final = {390: 664, 744: 1026, 1280: 720}
#: The kB that a page should need at most.
MOST_KB: Final = 120
#: Files with pictures of cards, which do not count.
CARD_ART: Final = ("/cards.svg", ".png", ".gif")
PLAYERS: Final = ("Aya", "Ben", "Chiyo")
#: Members of a club besides the founder.
CLUB: Final = ("Ben", "Chiyo", "Dai", "Emi", "Fumi", "Gen", "Haru", "Iku")
#: Points of a kan, and the two fields of an amount.
KAN: Final = 12
UNITS: Final = ("kan", "rest")
#: Milliseconds for a page's computations after an input.
PAUSE_MS: Final = 800
#: Points of the first two players in twelve months of hachihachi.
YEAR: Final = (
    *((18, -9), (-24, 48), (7, -15), (36, -12), (-22, 31), (5, 8)),
    *((-60, 30), (14, -6), (-9, -13), (72, -36), (-3, 11), (25, -40)),
)

# Scrolls to a control if it is covered or outside the window; returns the distance in windows.
SCROLL: Final = """(control) => {
    const { left, top, width, height } = control.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (control.contains(hit)) return 0;
    const before = scrollY;
    control.scrollIntoView({ block: "center" });
    return Math.abs(scrollY - before) / innerHeight;
}"""

# Draws cards of games far below the window too, which the browser leaves out until they are near.
DRAW_ALL: Final = """document.adoptedStyleSheets = [new CSSStyleSheet()];
document.adoptedStyleSheets[0].replaceSync("* { content-visibility: visible !important }")"""
IS_COPIED: Final = "navigator.clipboard.readText().then((text) => text.includes('/games/'))"


def open_page(browser: Browser, site: str, language: str, width: int) -> Page:
    """Open an empty page of a fresh window; a phone's one may copy."""
    context = browser.new_context(
        base_url=site,
        locale=language,
        viewport={"width": width, "height": WIDTHS[width]},
        has_touch=width < 1280,
        is_mobile=width == 390,
        permissions=["clipboard-read", "clipboard-write"],
    )
    return context.new_page()


def draw(browser: Browser, site: str, name: str, path: str) -> list[str]:
    """Draw a kind of page in all ways, and return its figures."""
    # The modules of the tests import models, for which Django has to be set up.
    from tests.records.pages import kinds

    received: list[float] = []
    directory = ROOT / "var" / "screenshots" / name.replace(" ", "-")
    for language, width in product(("ja", "en"), WIDTHS):
        page = open_page(browser, site, language, width)
        requests: list[Request] = []
        page.on("requestfinished", partial(list.append, requests))
        kinds.open_page(page, path)
        page.wait_for_load_state("networkidle")
        page.evaluate(DRAW_ALL)
        sizes = [
            request.sizes()["responseHeadersSize"] + request.sizes()["responseBodySize"]
            for request in requests
            if not urlsplit(request.url).path.endswith(CARD_ART)
        ]
        received.append(sum(sizes) / 1000)
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            picture = directory / f"{width}-{language}-{theme}.png"
            page.screenshot(path=picture, full_page=True, animations="disabled")
        page.context.close()
    return [name, f"{max(received):.0f}{' !' if max(received) > MOST_KB else ''}"]


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


def begin(person: Person, address: str, ruleset: str, players: Sequence[str]) -> None:
    """Come from the home page to a form with a ruleset and names."""
    person.page.goto("/")
    person.tap(f"main a[href^='{address}']")
    if person.page.locator("[name=ruleset]").input_value() != ruleset:
        person.choose("[name=ruleset]", ruleset)
    for number, name in enumerate(players):
        field = f"[name=player] >> nth={number}"
        if number:
            person.press("Enter")
            expect(person.page.locator(field)).to_be_focused()
            person.write(name)
        else:
            person.type(field, name)
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
    # The simulation and the tests' hand need Django's settings, which `main` has set up.
    from kafu.simulation.simulate import simulate
    from tests.records.pages.writing.tapping import Tapper

    class Hand(Tapper):
        """Tap cards as the tests do, counted as taps of the person."""

        def tap(self, selector: str) -> None:
            person.tap(selector)
            self.wait()

    begin(person, "/records/new", "koikoi", PLAYERS[:2])
    person.page.locator("[data-dealing]").wait_for()
    game = simulate("koikoi", seed=5, options={"months": "1"})
    Hand(person.page, lays_hands=False).month(game, 0)
    save(person)
    person.tap("[data-own] [data-share]")
    person.tap("[data-dialog=share] [data-copy=link]")
    services.wait_until(lambda: person.page.evaluate(IS_COPIED), "the link is copied")


def learn_and_win_a_month(person: Person) -> None:
    """Take the lesson of koi-koi with an exercise on each screen, and play the month by hints."""
    page = person.page
    page.goto("/")
    person.tap("nav a[href='/learn/']")
    person.tap("main a[href='/learn/koikoi/']")
    person.tap("#cards [data-letter=A]")
    for screen in ("matching", "turn"):
        person.tap("[data-next]")
        tap_exercise(person, f"#{screen} [data-practice]")
    person.tap("[data-next]")
    for letter in "AIc":
        person.tap(f"#yaku .entry [data-letter={letter}]")
    person.tap("[data-next]")
    person.tap("#choice summary")
    person.tap("[data-next]")
    board = page.locator("[data-month]")
    board.locator(".key").first.wait_for()
    while page.locator("[data-hint]").is_enabled():
        person.tap("[data-hint]")
        person.tap("#month :focus")
        expect(board).to_have_attribute("aria-busy", "false")
        if board.locator("[data-field] button").count():
            person.tap("[data-month] [data-field] button")
            expect(board).to_have_attribute("aria-busy", "false")
    person.tap("[data-finish]")
    page.wait_for_url("**/records/new?ruleset=koikoi")


def tap_exercise(person: Person, table: str) -> None:
    """Play the cards of a hand and of a draw pile, capturing the first of two matches."""
    hand, pile = (person.page.locator(f"{table} [data-{name}] .tap") for name in ("hand", "pile"))
    while hand.count() + pile.count():
        is_hand_next = hand.count() >= max(pile.count(), 1)
        person.tap(f"{table} [data-{'hand' if is_hand_next else 'pile'}] .tap")
        if person.page.locator(f"{table} [data-field] .lit").count():
            person.tap(f"{table} [data-field] .lit")


def send_logs_of_a_club(person: Person) -> None:
    """Upload a file of games for those who have the address, and download the report."""
    from tests.records import makers

    person.page.goto("/")
    person.tap("main a[href='/upload/']")
    games = makers.joined(makers.text(901), makers.illegal(902), makers.MALFORMED)
    person.page.locator("input[name=files]").first.set_input_files(
        {"name": "spring.kafu", "mimeType": "text/x-kafu", "buffer": games}
    )
    person.taps += 2  # the button, and the file in the window of the phone
    person.tap("label:has([name=visibility][value=unlisted])")
    person.tap("#upload [type=submit]")
    person.page.locator('[data-state="done"]').wait_for()
    person.tap("summary:has(~ * a[href*='report.csv'], ~ a[href*='report.csv'])")
    person.tap("a[href*='report.csv']")


def follow(person: Person, selector: str) -> None:
    """Press Tab until a control has the focus, then Enter."""
    control = person.page.locator(selector).first
    control.wait_for()
    while not control.evaluate("(element) => element.matches(':focus')"):
        person.press("Tab")
    person.press("Enter")


def try_another_move_by_keys(person: Person) -> None:
    """Open a game by keys, play another card, and return to the game."""
    person.page.goto("/")
    follow(person, "main a[href='/games/']")
    person.page.wait_for_url("**/games/")
    follow(person, ".skip")
    follow(person, "main a[href^='/games/'][href$='/']:not([href='/games/'])")
    person.page.locator(".replay.live").wait_for()
    follow(person, ".skip")
    follow(person, "[data-what-if-begin]")
    follow(person, "[data-what-if] .key")
    expect(person.page.locator("[data-what-if]")).to_have_attribute("aria-busy", "false")
    person.press("Escape")
    expect(person.page.locator("[data-what-if-begin]")).to_be_focused()


def ask_for_the_months_won(person: Person) -> None:
    """Ask for the share of won deals by month, and download the figures."""
    person.page.goto("/")
    person.tap("main a[href='/statistics/']")
    person.tap("main a[href^='/statistics/insights/']")
    person.choose("[name=by]", "month")
    person.choose("[name=by2]", "")
    person.tap("form.ask .go button")
    person.page.wait_for_url("**by=month**")
    person.tap("main details:has(a[href*='.csv?']) > summary")
    person.tap("main a[href*='.csv?']")


def solve_a_problem_and_review_the_game(person: Person) -> None:
    """Answer the problem of the day, choose again in its game, and open the costliest choice."""
    page = person.page
    page.goto("/")
    person.tap("[data-problem] button[data-move]")
    person.tap("[data-answer] a[href*='?at=']")
    review = page.locator("[data-said] .review")
    review.locator("tr.chosen").wait_for()
    person.tap("[data-again]")
    person.tap("[data-answers] button")
    review.locator("tr.mine").wait_for()
    person.tap(".mistakes a")
    review.locator("tr.best").wait_for()


def begin_an_evening_of_a_club(person: Person) -> None:
    """Found a club with a season and nine names, draw its tables, and begin a sheet."""
    from tests.records.pages.accounts import sign_up

    page = person.page
    page.goto("/")
    sign_up(page.context, page.url.rstrip("/"), "founder")
    page.goto("/")
    person.tap("footer a[href='/clubs/']")
    person.tap("main a[href='/clubs/new/']")
    person.type("[name=name]", "Kai")
    person.type("[name=player]", PLAYERS[0])
    person.tap("main form button")
    person.tap("main a[href$='/seasons/new/']")
    person.type("[name=name]", "2026")
    person.choose("[name=ruleset]", "hachihachi")
    person.tap(".season-form button")
    person.tap(".sections a[href$='/members/']")
    person.tap("summary:has(~ form textarea)")
    person.type("textarea[name=name]", "\n".join(CLUB))
    person.tap("details form button")
    person.tap(".sections a[href$='/evenings/']")
    person.tap("form.find button")
    for number in range(1 + len(CLUB)):
        person.tap(f".ticks label >> nth={number}")
    person.tap("form.draw button")
    person.tap(".drawn-tables a.button")
    person.tap("[data-setup] [type=submit]")
    expect(page.locator("[data-paper] input").first).to_be_focused()


#: The jobs by their names in the report.
JOBS: Final[dict[str, Callable[[Person], None]]] = {
    "Score sheet of 12 months of 八八, by sums": write_year_by_sums,
    "A month of koi-koi, from nothing to a shared link": write_month_and_share_it,
    "Logs of a club, unlisted, with the report": send_logs_of_a_club,
    "Another move of a game, by keys": try_another_move_by_keys,
    "Months won by month of the year, as CSV": ask_for_the_months_won,
    "First lesson of koi-koi with a month by hints": learn_and_win_a_month,
    "Problem of the day, and the review of its game": solve_a_problem_and_review_the_game,
    "Club of nine, from nothing to tonight's first sheet": begin_an_evening_of_a_club,
}


def play(browser: Browser, site: str, job: Callable[[Person], None]) -> list[str]:
    """Play a job on a phone and return its figures."""
    person = Person(open_page(browser, site, "ja-JP", 390))
    job(person)
    person.page.context.close()
    return person.cells


@contextmanager
def open_site() -> Iterator[tuple[str, Browser]]:
    """Yield the address of an archive with the sample games, and a browser for it."""
    variables = {
        "HANA_ANALYSIS_DEALS": "60",
        "HANA_FACTS_SECONDS": "0",
        "DJANGO_SETTINGS_MODULE": "tests.records.pages.site_settings",
        # Playwright runs an event loop in this thread, and Django refuses database access there.
        "DJANGO_ALLOW_ASYNC_UNSAFE": "1",
    }
    sys.path += [str(ROOT / "kafu" / "tests"), str(ROOT / "kafu")]
    with temporary_archive(on_postgres=False, **variables):
        from tests.records.pages import sample_archive

        sample_archive.main()
        expect.set_options(timeout=30_000)
        root = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium's sandbox refuses root
        with running("worker") as (port, _pids), sync_playwright() as playwright:
            path = services.chromium_path()
            with playwright.chromium.launch(executable_path=path, args=root) as browser:
                yield f"http://127.0.0.1:{port}", browser


def main() -> None:
    """Draw the pages, play the jobs and print their figures."""
    with open_site() as (site, browser):
        from tests.records.pages import kinds

        paths = kinds.list_pages(open_page(browser, site, "en", 1280), site)
        pages = [draw(browser, site, name, path) for name, path in paths.items()]
        jobs = [[name, *play(browser, site, job)] for name, job in JOBS.items()]
    print(table(("Page", "kB"), pages))
    print(table(("Job at 390×664", "taps", "keys", "screens"), jobs))


if __name__ == "__main__":
    main()

"""Pictures and figures of every kind of page, to be looked at by a person.

    python -m bench.screenshots [BASE_URL] [--into var/screenshots] [--only WORD]

Draws 25 kinds of page at 390, 768 and 1280 px, in both languages and both themes, and one contact
sheet per kind. Prints of each kind: the most kB transferred without card art (at most 120), windows
that the page is wider than, the smallest control on a phone and the count of those below 40 px,
barriers found by axe, and milliseconds to the first paint. Without an address, a server with the
sample games is started.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from itertools import product
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page

from bench import ROOT
from bench.corpus import table
from bench.sample_site import headless_browser, sample_site

WIDTHS: Final = (390, 768, 1280)
LANGUAGES: Final = ("ja", "en")
THEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
HEIGHTS: Final = {390: 844, 768: 1024, 1280: 900}
#: The part of a long page that is drawn, in windows.
WINDOWS: Final = 2.5
#: Pixels of a contact sheet per pixel of a page.
SCALE: Final = 0.35
GAP: Final = 8
#: Bars of the figures: kB of a page, and px of a control.
MOST_KB, LEAST_PX = 120, 40
#: Files with pictures of cards, which do not count.
CARD_ART: Final = ("/cards.svg", ".png", ".gif")

# Measures the smallest side of controls in px, in shadow roots too. Links within a text do not
# count, and boxes count with their labels.
CONTROLS: Final = """() => {
    const all = (root) => [...root.querySelectorAll("*")].flatMap((element) =>
        [element, ...(element.shadowRoot ? all(element.shadowRoot) : [])]);
    const isControl = (element) =>
        element.matches("button, select, summary, textarea, input:not([type=hidden])") ||
        (element.matches("a[href]") && getComputedStyle(element).display !== "inline");
    return all(document)
        .filter((element) => isControl(element) && !element.disabled &&
            element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        .map((element) => {
            const isBox = element.matches("[type=radio], [type=checkbox], [type=file]");
            const area = (isBox && element.closest("label")) || element;
            const { width, height } = area.getBoundingClientRect();
            const name = element.ariaLabel || element.innerText || element.name || element.tagName;
            return [Math.round(Math.min(width, height)), name.trim().split("\\n")[0].slice(0, 24)];
        })
        .filter(([size]) => size > 1)
        .sort(([one], [other]) => one - other);
}"""
FIRST_PAINT: Final = """() =>
    performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0"""


@dataclass(frozen=True)
class Kind:
    """A kind of page: its path, and what the browser has stored before."""

    path: str
    is_member: bool = False
    sent: str = ""


@dataclass
class Figures:
    """The figures of a kind of page."""

    received: dict[str, float]
    paint: float
    controls: list[list[Any]]
    too_wide: list[str]
    barriers: list[str]

    @property
    def kb(self) -> float:
        """The kB of the page in the window and language where it is heaviest."""
        return total(self.received) / 1000

    def cells(self) -> list[str]:
        """Return the cells of the table."""
        size, name = self.controls[0] if self.controls else (0, "")
        small = sum(pixels < LEAST_PX for pixels, _ in self.controls)
        return [
            f"{self.kb:.0f}{' !' if self.kb > MOST_KB else ''}",
            ", ".join(self.too_wide) or "none",
            f"{size} {name}",
            str(small),
            str(len(self.barriers)),
            f"{self.paint:.0f}",
        ]

    def notes(self) -> list[str]:
        """Return what exceeds a bar: the largest files, small controls, and barriers."""
        files = sorted(self.received.items(), key=lambda file: file[1], reverse=True)
        largest = [f"{size / 1000:.0f} {address}" for address, size in files[:4]]
        small = [f"{pixels} {name}" for pixels, name in self.controls if pixels < LEAST_PX]
        return [
            *([f"kB: {', '.join(largest)}"] if self.kb > MOST_KB else []),
            *([f"px: {', '.join(small[:8])}"] if small else []),
            *self.barriers,
        ]


def find_record(page: Page, site: str, **query: str) -> str:
    """Return the key of a sample game."""
    response = page.request.get(
        f"{site}/api/v1/records", params={**query, "event": "Sample games"}
    ).json()
    return str(response["results"][-1]["key"])


def prepare_kinds(member: BrowserContext, site: str) -> dict[str, Kind]:
    """Return the kinds of pages, after storing what some of them show.

    The member has a study, a game and a sheet.
    """
    # The modules of tests import models, for which Django has to be set up.
    from tests.records import makers
    from tests.records.pages.accounts import sign_up
    from tests.records.pages.writing.actions import document, game_of

    sign_up(member, site, f"hanami-{token_hex(2)}")
    page = member.new_page()
    koikoi = find_record(page, site, ruleset="koikoi", status="verified")
    hachihachi = find_record(page, site, ruleset="hachihachi", status="verified")
    faulty = find_record(page, site, status="mismatch")
    illegal = find_record(page, site, status="illegal")
    links = re.findall(r'"(/players/[0-9A-Za-z]+/)"', page.request.get("/players/").text())

    cookies = {cookie["name"]: cookie["value"] for cookie in member.cookies()}
    kafu_type = {"Content-Type": "text/x-kafu"}

    def send(page: Page, text: str | bytes, **headers: str) -> dict[str, Any]:
        upload: dict[str, Any] = page.request.post(
            "/api/v1/uploads", data=text, headers=kafu_type | headers
        ).json()
        return upload

    for at in ("1.0", "2.3"):
        fields = {"record": koikoi, "at": at, "study": "new", "title": "Moon viewing"}
        study = page.request.post(
            f"{site}/studies/add/",
            form={
                **fields,
                "note": "Why not the boar?",
                "csrfmiddlewaretoken": cookies["csrftoken"],
            },
            headers={"Referer": site},
        ).url
    for text in (makers.text(77), document("hachihachi")):
        headers = {"X-CSRFToken": cookies["csrftoken"], "Referer": site}
        sheet = game_of(page, send(page, text, **headers)["key"])

    secret = {"Upload-Secret": token_hex(16)}
    visitor = member.browser.new_context(base_url=site)  # type: ignore[union-attr]
    other = visitor.new_page()
    several = makers.joined(makers.text(71), makers.illegal(72), makers.MALFORMED)
    report = send(other, several, **secret)["key"]
    saved = send(other, makers.text(73), **secret)["key"]
    own = game_of(other, saved)
    visitor.close()
    when = "2026-01-03T03:04:05Z"
    words = secret["Upload-Secret"]
    sent = {"key": saved, "words": words, "game": own, "when": when}
    return {
        "home": Kind("/"),
        "games": Kind("/games/"),
        "game": Kind(f"/games/{koikoi}/"),
        "game of three": Kind(f"/games/{hachihachi}/?at=2.5"),
        "game with a mismatch": Kind(f"/games/{faulty}/"),
        "saved game": Kind(f"/games/{own}/?saved", sent=json.dumps([sent])),
        "score sheet": Kind(f"/games/{sheet}/sheet"),
        "players": Kind("/players/"),
        "player": Kind(links[0]),
        "study": Kind(study.removeprefix(site), is_member=True),
        "cards": Kind("/cards/"),
        "upload": Kind("/upload/"),
        "report": Kind(f"/uploads/{report}/mine/{words}/"),
        "check": Kind(f"/check/?record={illegal}"),
        "notation": Kind("/kafu/"),
        "editor": Kind("/records/new"),
        "editor with a game": Kind(f"/records/new?record={koikoi}"),
        "sheet form": Kind("/sheets/new"),
        "sheet form with a sheet": Kind(f"/sheets/new?record={sheet}"),
        "rulebook": Kind("/rules/koikoi/"),
        "statistics": Kind("/statistics/"),
        "statistics of a ruleset": Kind("/statistics/koikoi/"),
        "insights": Kind("/statistics/insights/"),
        "my games": Kind("/me/", is_member=True),
        "log in": Kind("/account/login/"),
    }


class Drawer:
    """A browser that draws the kinds of pages into a directory."""

    def __init__(self, browser: Browser, member: BrowserContext, site: str, into: Path) -> None:
        """Draw nothing yet."""
        self.browser, self.site, self.into = browser, site, into
        self.account: Any = member.storage_state()

    @contextmanager
    def open(self, kind: Kind, language: str, width: int) -> Iterator[Page]:
        """Yield an empty page of a fresh window."""
        context = self.browser.new_context(
            locale=language,
            viewport={"width": width, "height": HEIGHTS[width]},
            has_touch=width < 1280,
            is_mobile=width == 390,
            storage_state=self.account if kind.is_member else None,
        )
        if kind.sent:
            store = f"localStorage.setItem('hana-sent', {json.dumps(kind.sent)})"
            context.add_init_script(store)
        yield context.new_page()
        context.close()

    def draw(self, name: str, kind: Kind) -> Figures:
        """Draw a kind in all ways and return its figures."""
        figures = Figures({}, 0, [], [], [])
        for language, width in product(LANGUAGES, WIDTHS):
            with self.open(kind, language, width) as page:
                received = count_bytes(page)
                self.load(page, kind.path)
                figures.received = max(figures.received, dict(received), key=total)
                if (language, width) == ("ja", 390):
                    figures.paint = page.evaluate(FIRST_PAINT)
                    figures.controls = page.evaluate(CONTROLS)
                self.picture(page, name, language, width)
                if language == "ja" and width != 768:
                    figures.barriers += find_barriers(page, width)
                drawn = page.evaluate("document.documentElement.scrollWidth")
                if drawn > width:
                    figures.too_wide.append(f"{drawn} in {width} {language}")
        self.gather(name)
        return figures

    def load(self, page: Page, path: str) -> None:
        """Open a page and wait until its player and pictures are there."""
        # It imports models too.
        from tests.records.pages.kinds import open_page

        open_page(page, f"{self.site}{path}")
        for number in range(int(WINDOWS) + 1, -1, -1):  # pictures come where one looks
            page.evaluate("(number) => scrollTo(0, number * innerHeight)", number)
            page.wait_for_load_state("networkidle")

    def picture(self, page: Page, name: str, language: str, width: int) -> None:
        """Draw the beginning of a page in both themes, window below window.

        A picture of the full page would be drawn for a mouse: Chromium forgets the finger then.
        """
        length = page.evaluate("document.documentElement.scrollHeight")
        height = min(length, int(WINDOWS * HEIGHTS[width]))
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            picture = Image.new("RGB", (width, height))
            for top in range(0, height, HEIGHTS[width]):
                page.evaluate("(top) => scrollTo(0, top)", top)
                window = page.screenshot(animations="disabled")
                picture.paste(Image.open(BytesIO(window)), (0, page.evaluate("scrollY")))
            picture.save(self.path(name, width, language, theme))

    def path(self, name: str, width: int, language: str, theme: str) -> Path:
        """Return where a picture is, in a directory that exists."""
        directory = self.into / name.replace(" ", "-")
        directory.mkdir(parents=True, exist_ok=True)
        return directory / f"{width}-{language}-{theme}.png"

    def gather(self, name: str) -> None:
        """Write the contact sheet of a kind: phones and tablets above, desks below."""
        pictures = {
            width: [
                shrink(self.path(name, width, language, theme))
                for language, theme in product(LANGUAGES, THEMES)
            ]
            for width in WIDTHS
        }
        rows = [[*pictures[390], *pictures[768]], pictures[1280]]
        sizes = [
            (sum(p.width + GAP for p in row), max(p.height + GAP for p in row)) for row in rows
        ]
        sheet = Image.new(
            "RGB", (max(width for width, _ in sizes), sum(height for _, height in sizes)), "#888"
        )
        top = 0
        for row, (_, height) in zip(rows, sizes, strict=True):
            left = 0
            for picture in row:
                sheet.paste(picture, (left, top))
                left += picture.width + GAP
            top += height
        sheet.save(self.into / f"{name.replace(' ', '-')}.png")


def shrink(path: Path) -> Image.Image:
    """Return a picture in the size of a contact sheet."""
    with Image.open(path) as picture:
        size = (round(picture.width * SCALE), round(picture.height * SCALE))
        return picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)


def total(received: dict[str, float]) -> float:
    """Return the sum of transferred bytes."""
    return sum(received.values())


def count_bytes(page: Page) -> dict[str, float]:
    """Return a dict that will have the transferred bytes by path, without card art."""
    received: dict[str, float] = {}
    paths: dict[str, str] = {}
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")

    def note_response(event: dict[str, Any]) -> None:
        paths[event["requestId"]] = urlsplit(event["response"]["url"]).path

    def note_end(event: dict[str, Any]) -> None:
        path = paths.get(event["requestId"], "")
        if not path.endswith(CARD_ART):
            received[path] = received.get(path, 0) + event["encodedDataLength"]

    devtools.on("Network.responseReceived", note_response)
    devtools.on("Network.loadingFinished", note_end)
    return received


def find_barriers(page: Page, width: int) -> list[str]:
    """Return what axe finds, each after the width of the window."""
    # Modules of tests import models.
    from tests.records.pages.test_axe import violations

    page.emulate_media(color_scheme="dark" if width == 390 else "light")
    return [f"{width}: {line}" for line in violations(page)]


def main() -> None:
    """Draw the pages and print their figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("address", nargs="?", default="", help="of an archive with the samples")
    parser.add_argument("--into", type=Path, default=ROOT / "var" / "screenshots")
    parser.add_argument("--only", default="", help="only kinds whose name contains the word")
    arguments = parser.parse_args()
    rows, notes = [], []
    with sample_site(arguments.address) as site, headless_browser() as browser:
        member = browser.new_context(base_url=site)
        kinds = prepare_kinds(member, site)
        drawer = Drawer(browser, member, site, arguments.into)
        for name, kind in kinds.items():
            if arguments.only not in name:
                continue
            figures = drawer.draw(name, kind)
            rows.append([name, *figures.cells()])
            notes += [f"{name}: {line}" for line in figures.notes()]
    head = (
        "Page",
        "kB",
        "wider than",
        "smallest control, px",
        f"< {LEAST_PX} px",
        "axe",
        "paint ms",
    )
    print(table(head, rows), *notes, sep="\n")


if __name__ == "__main__":
    main()

"""Milliseconds to the first paint of pages, of two archives alternately.

    python -m bench.paint BEFORE_URL NOW_URL [--loads 11] [--only KIND ...]

Each archive has the sample games, as `make run` serves them in a checkout. A page is loaded by a
fresh browser without cache, as by a phone (390 px, a processor four times slower) at 1.6 Mbit/s.
Prints medians by page and language, and the median of the differences of pairs.
"""

from __future__ import annotations

import argparse
from statistics import median
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext

from bench.corpus import table
from bench.sample_site import headless_browser, sample_site
from bench.screenshots import FIRST_PAINT, HEIGHTS, LANGUAGES, Kind, prepare_kinds

WIDTH: Final = 390
#: The network in bytes a second and milliseconds, and the factor by which the processor is slower.
BYTES, LATENCY_MS, SLOWDOWN = 200_000, 150, 4
#: Milliseconds after the load event in which the browser notes the paint.
PAUSE_MS: Final = 300


class Archive:
    """An archive with pages of every kind, and a member who may see them."""

    def __init__(self, browser: Browser, address: str) -> None:
        """Store what some pages show."""
        self.browser, self.address = browser, address
        member: BrowserContext = browser.new_context(base_url=address)
        self.kinds: dict[str, Kind] = prepare_kinds(member, address)
        self.account: Any = member.storage_state()
        member.close()

    def measure_paint(self, name: str, language: str) -> float:
        """Return the milliseconds from the request to the first paint of contents."""
        kind = self.kinds[name]
        context = self.browser.new_context(
            locale=language,
            viewport={"width": WIDTH, "height": HEIGHTS[WIDTH]},
            has_touch=True,
            is_mobile=True,
            storage_state=self.account if kind.is_member else None,
        )
        page = context.new_page()
        devtools = context.new_cdp_session(page)
        devtools.send("Network.enable")
        rates = {"downloadThroughput": BYTES, "uploadThroughput": BYTES}
        devtools.send(
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": LATENCY_MS, **rates},
        )
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        page.goto(f"{self.address}{kind.path}")
        page.wait_for_timeout(PAUSE_MS)
        paint = float(page.evaluate(FIRST_PAINT))
        context.close()
        return paint


def main() -> None:
    """Load the pages of both archives alternately and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("addresses", nargs=2, metavar="URL", help="of archives with the samples")
    parser.add_argument("--loads", type=int, default=11, help="of each page from each archive")
    parser.add_argument("--only", nargs="+", metavar="KIND", help="only these kinds of page")
    arguments = parser.parse_args()
    rows = []
    with sample_site(arguments.addresses[0]), headless_browser() as browser:
        archives = [Archive(browser, address.rstrip("/")) for address in arguments.addresses]
        for name in arguments.only or archives[0].kinds:
            for language in LANGUAGES:
                pairs = [
                    [archive.measure_paint(name, language) for archive in archives]
                    for _ in range(arguments.loads)
                ]
                before, now = (median(paints) for paints in zip(*pairs, strict=True))
                change = median(pair[1] - pair[0] for pair in pairs)
                rows.append([name, language, f"{before:.0f}", f"{now:.0f}", f"{change:+.0f}"])
                print(*rows[-1], sep="\t", flush=True)
    print(table(("Page", "language", "before", "now", "change"), rows))


if __name__ == "__main__":
    main()

"""How many taps a month takes in the editor, and how long it keeps one waiting: a script taps.

    python -m bench.taps [--months 12] [--postgres] [--json]

A koi-koi game of so many months is written down by taps alone, on a telephone's page of 390 px:
cards from the pack by month, every card that is played or turned, captures where one chooses,
decisions, the dealer. A card that comes to the table, dealt or turned from the draw pile, takes one
tap at least: `beyond` counts the others, most of them the cards that are played from a hand.
Seconds are those of the script and the archive; a person looks and thinks as well.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Iterator
from typing import Final

from playwright.sync_api import Page, sync_playwright

from bench import figures
from bench.figures import Figure, Ratio, Row
from bench.serving import site
from kafu.simulation.simulate import simulate
from tests.records.pages.writing.tapping import Tapper, written_by_taps
from tests.services import chromium_path

#: Taps a month beyond one a card, at most.
MOST: Final = 40.0
#: Months of a whole game.
WHOLE: Final = 12


def tapped(page: Page, months: int) -> list[tuple[int, int, float]]:
    """Taps, cards that came to the table and seconds of each month."""
    options = {"months": str(months)} if months != WHOLE else {}
    game = simulate("koikoi", seed=16, options=options)
    tapper = Tapper(page)
    tapper.begin(game.rules, ("Aya", "Ben"), options)
    found = []
    for number in range(len(game.months)):
        before, began = (tapper.taps, tapper.cards), time.perf_counter()
        tapper.month(game, number)
        taps, cards = tapper.taps - before[0], tapper.cards - before[1]
        found.append((taps, cards, time.perf_counter() - began))
    text = page.locator("[data-text]").input_value()
    assert text == written_by_taps(game, len(game.months), ("Aya", "Ben")), text
    return found


def measure(months: int, *, postgres: bool = False) -> Iterator[Figure]:
    """One row, and what is aimed at."""
    root = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium's sandbox refuses root
    with site(postgres) as (port, _pid, _keys), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=root)
        context = browser.new_context(
            base_url=f"http://127.0.0.1:{port}",
            viewport={"width": 390, "height": 844},
            has_touch=True,
        )
        found = tapped(context.new_page(), months)
        browser.close()
    taps, cards, seconds = (statistics.mean(column) for column in zip(*found, strict=True))
    most = max(one - other for one, other, _seconds in found)
    values = {
        "taps": taps,
        "cards": cards,
        "taps beyond": taps - cards,
        "beyond, most": float(most),
        "seconds": seconds,
        "ms a tap": seconds / taps * 1000,
    }
    yield Row("Writing down by taps, a month", f"koi-koi, {len(found)} months", values)
    yield Ratio("koi-koi month: taps beyond one a card", most, MOST, most=True)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--months", type=int, default=WHOLE)
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL and Redis")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each figure")
    given = parser.parse_args()
    figures.publish(measure(given.months, postgres=given.postgres), as_json=given.json)


if __name__ == "__main__":
    main()

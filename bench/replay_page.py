"""The game page of a hachi-hachi year in Chromium: its weight, its first table, the cost of a step.

    python -m bench.replay_page [--game http://127.0.0.1:8000/games/KEY/] [--steps 60] [--loads 5]

Without ``--game`` it starts `manage.py serve` and takes the year of the samples. Weight is what
came over the wire, headers and all, into an empty cache. First paint and data are times since the
request on a slow line (150 ms, 1.6 Mbit/s). A step is a press of the right arrow key; its cost is
the processor time of the page's main thread, by Chromium's own trace, until the step is drawn
(script, style, layout, paint), and with all frames in which its cards glide. Figures depend on the
machine.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, sync_playwright

from bench import ROOT
from tests.services import chromium_path

WIDTHS: Final = (1280, 390)
PAUSE_MS: Final = 250  # longer than a card glides
LINE: Final = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 1.6e6 / 8,
}
CATEGORIES: Final = ("devtools.timeline", "toplevel", "disabled-by-default-devtools.timeline")
PARTS: Final = {
    "FunctionCall": "script",
    "UpdateLayoutTree": "style",
    "Layout": "layout",
    "PrePaint": "paint",
    "Paint": "paint",
    "Layerize": "paint",
    "Commit": "paint",
}
TIMES: Final = """() => [performance.getEntriesByName("first-contentful-paint")[0].startTime,
    performance.getEntriesByType("resource").find(({ name }) => name.includes("replay.json"))
        .responseEnd]"""


@contextmanager
def served() -> Iterator[str]:
    """An archive with the samples: the address of its year of hachi-hachi."""
    with tempfile.TemporaryDirectory(prefix="hana-bench-") as var:
        command = [sys.executable, "manage.py", "serve", "--port=0"]
        environment = os.environ | {"HANA_ENV": "development", "HANA_VAR": var}
        with subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            lines = (re.search(r"http://\S+", line) for line in process.stdout)
            site = next((found[0] for found in lines if found), "")
            try:
                query = f"{site}api/v1/records?status=verified&ruleset=hachihachi"
                with urlopen(query) as answer:
                    yield json.load(answer)["results"][-1]["page"]
            finally:
                process.terminate()
                process.communicate()


def opened(page: Page, game: str) -> None:
    """Goes to the game and waits until the player plays and the line is quiet."""
    page.goto(game, wait_until="networkidle")
    page.locator(".replay.live").wait_for()


def weight(browser: Browser, game: str) -> dict[str, int]:
    """Bytes over the wire by kind of resource."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    session = context.new_cdp_session(page)
    kinds: dict[str, str] = {}
    found: Counter[str] = Counter()
    session.on(
        "Network.responseReceived", lambda one: kinds.update({one["requestId"]: one["type"]})
    )
    session.on(
        "Network.loadingFinished",
        lambda one: found.update({kinds.get(one["requestId"], "Other"): one["encodedDataLength"]}),
    )
    session.send("Network.enable")
    opened(page, game)
    context.close()
    return dict(found.most_common())


def first_table(browser: Browser, game: str, loads: int) -> tuple[float, float]:
    """First paint and arrival of the moves on the slow line in ms, medians of so many loads."""
    times = []
    for _ in range(loads):
        context = browser.new_context(viewport={"width": 390, "height": 844})
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", LINE)
        opened(page, game)
        times.append(page.evaluate(TIMES))
        context.close()
    paint, data = (statistics.median(one) for one in zip(*times, strict=True))
    return paint, data


def trace(browser: Browser, game: str, width: int, steps: int) -> list[dict[str, Any]]:
    """Chromium's trace of so many steps."""
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    opened(page, game)
    browser.start_tracing(page=page, categories=list(CATEGORIES))
    for _ in range(steps):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(PAUSE_MS)
    events: list[dict[str, Any]] = json.loads(browser.stop_tracing())["traceEvents"]
    context.close()
    return events


@dataclass
class Cost:
    """Processor times of steps in ms: ``drawn`` until each is drawn, ``whole`` until the next,
    ``parts`` of it on average (they may hold each other).
    """

    drawn: list[float]
    whole: list[float]
    parts: dict[str, float]


def costs(events: Sequence[dict[str, Any]]) -> Cost:
    """What the steps of a trace took."""

    def place(event: dict[str, Any]) -> tuple[int, int]:
        return event["pid"], event["tid"]

    def pressed(event: dict[str, Any]) -> bool:
        return event["name"] == "EventDispatch" and event["args"]["data"]["type"] == "keydown"

    timed = [event for event in events if event.get("ph") == "X" and "tdur" in event]
    main = place(next(event for event in timed if pressed(event)))
    own = sorted((event for event in timed if place(event) == main), key=lambda event: event["ts"])
    starts = sorted({event["ts"] for event in own if pressed(event)})
    cost = Cost([], [], defaultdict(float))
    for start, end in pairwise([*starts, float("inf")]):
        # The press is within a task, the first that ends after it.
        step = [event for event in own if start < event["ts"] + event["dur"] and event["ts"] < end]
        tasks = [event for event in step if event["name"] == "RunTask"]
        drawn = next(event["ts"] for event in step if event["name"] == "Commit")
        cost.drawn.append(sum(one["tdur"] for one in tasks if one["ts"] < drawn) / 1000)
        cost.whole.append(sum(one["tdur"] for one in tasks) / 1000)
        for event in step:
            if event["name"] in PARTS:
                cost.parts[PARTS[event["name"]]] += event["tdur"] / 1000 / len(starts)
    return cost


def summary(times: Sequence[float]) -> str:
    """Median and 95 % of times in ms."""
    return f"{statistics.median(times):.1f} ms (95 %: {sorted(times)[int(len(times) * 0.95)]:.1f})"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--loads", type=int, default=5)
    given = parser.parse_args()
    if given.game:
        measure(given.game, given.steps, given.loads)
    else:
        with served() as game:
            measure(game, given.steps, given.loads)


def measure(game: str, steps: int, loads: int) -> None:
    """Measure and print."""
    root = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium's sandbox refuses root
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=root)
        print(f"load of this machine  {os.getloadavg()[0]:.1f}")
        kinds = weight(browser, game)
        each = ", ".join(f"{kind} {size / 1000:.1f}" for kind, size in kinds.items())
        print(f"over the wire         {sum(kinds.values()) / 1000:.1f} kB ({each})")
        paint, data = first_table(browser, game, loads)
        print(f"slow line             first paint {paint:.0f} ms, moves there {data:.0f} ms")
        for width in WIDTHS:
            cost = costs(trace(browser, game, width, steps))
            print(
                f"step at {width:4} px       {summary(cost.drawn)}, gliding {summary(cost.whole)}"
            )
            share = ", ".join(f"{name} {time:.1f}" for name, time in sorted(cost.parts.items()))
            print(f"                      {share}")
        browser.close()


if __name__ == "__main__":
    main()

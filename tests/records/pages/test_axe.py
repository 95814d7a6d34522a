"""Checks by axe-core of parts that open on a page. test_layout.py checks every page."""

from __future__ import annotations

from typing import Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from lengths import LONG
from tests.records.pages.kinds import open_page
from tests.records.pages.replay_page import find_game

SCRIPT: Final = Axe().axe_script
#: Rules about colours, which take most of the time.
COLOUR_RULES: Final = ("color-contrast", "link-in-text-block")
#: Expensive rules whose faults are never serious.
MINOR_RULES: Final = ("heading-order", "landmark-unique", "region")
#: Runs axe on the element without some rules, and returns a line for each serious fault. The rule
#: about the size of targets (WCAG 2.2) is off by default. A target that a sticky bar covers in part
#: can be scrolled.
RUN: Final = """async (element, rules) => {
    const { violations } = await axe.run(element ?? document, {
        resultTypes: ["violations"],
        preload: false,
        rules: {
            "target-size": { enabled: true },
            ...Object.fromEntries(rules.map((rule) => [rule, { enabled: false }])),
        },
    });
    return violations
        .filter(({ impact }) => ["serious", "critical"].includes(impact))
        .flatMap(({ impact, id, nodes }) => nodes
            .filter(({ failureSummary }) => !failureSummary.includes("partially obscured"))
            .slice(0, 3)
            .map(({ html, failureSummary }) =>
                `${impact} ${id}: ${html.slice(0, 120)} ${failureSummary}`));
}"""


def violations(target: Page | Locator, *, contrast: bool = True) -> list[str]:
    """Return what axe finds on the page, or within an element of it, shadow roots and all.

    Pages that share their colours can go without ``contrast``.
    """
    page = target if isinstance(target, Page) else target.page
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT)
    left_out = [*MINOR_RULES, *(() if contrast else COLOUR_RULES)]
    lines: list[str]
    if isinstance(target, Page):
        lines = target.evaluate(f"(rules) => ({RUN})(null, rules)", left_out)
    else:
        lines = target.evaluate(RUN, left_out)
    return lines


def test_dialogs_branch_and_hidden_results_have_no_barrier(chromium: Browser, site: str) -> None:
    context = chromium.new_context(locale="en-US", viewport={"width": 390, "height": 900})
    context.add_cookies([{"name": "spoilers", "value": "hide", "url": site}])
    page = context.new_page()
    open_page(page, find_game(page, site))
    barriers = {"no results": violations(page, contrast=LONG)}
    buttons = {name: f"[data-do={name}]" for name in ("help", "settings")}
    for dialog, button in {**buttons, "share": "[data-sharing] summary"}.items():
        page.locator(button).click()
        barriers[dialog] = violations(page.locator(f"[data-dialog={dialog}]"), contrast=LONG)
        page.keyboard.press("Escape")
    page.locator("[data-what-if-begin]").click()
    page.locator("[data-what-if] .key").first.wait_for()
    barriers["what if"] = violations(page.locator("[data-what-if]"), contrast=LONG)
    # An action that does not fit shows what fits. Branches by keys are in test_scenarios.py.
    page.goto(f"{page.url.partition('?')[0]}?at=1.0&then==shobu")
    expect(page.locator("[data-what-if] [data-status]")).not_to_be_empty()
    expect(page.locator("[data-what-if] [data-branch] li")).to_have_count(0)
    context.close()
    assert not any(barriers.values()), barriers

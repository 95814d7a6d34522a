"""Pages for the tests of the record editor and of the score-sheet form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from lengths import part
from tests.records.pages.replay_page import watch_page
from tests.records.pages.writing.actions import DESK, TELEPHONE, text_of, unfold

#: Caches no page for use without a network, which loads its files again. Accounts in
#: test_drafts.py and the telephone of test_scenarios.py cache them.
UNCACHED: Final[dict[str, Any]] = {"service_workers": "block"}
#: Ends the delay of responses that a test has begun.
UNDELAY = "() => { window.fetch = window.undelayed ?? window.fetch; }"


@pytest.fixture(
    scope="session",
    params=part([DESK, TELEPHONE]),
    ids=lambda kind: "-".join(map(str, kind)),
)
def example_page(
    request: pytest.FixtureRequest, chromium: Browser, site: str
) -> Iterator[tuple[Page, str]]:
    """Yield the editor with a deal of koi-koi and its text, loaded once for several tests."""
    width, locale = request.param
    size = {"width": width, "height": 844}
    options = {"viewport": size, "has_touch": width < 500, "base_url": site, **UNCACHED}
    with watch_page(chromium, locale=locale, **options) as page:
        page.goto("/records/new?example=koikoi")
        expect(page.locator("textarea[data-text]")).not_to_have_value("")
        unfold(page)
        yield page, text_of(page)


@pytest.fixture
def example(example_page: tuple[Page, str]) -> Page:
    """Return the editor at the last step of a deal of koi-koi."""
    page, text = example_page
    page.evaluate(UNDELAY)
    box = page.locator("textarea[data-text]")
    box.fill(text)
    expect(page.locator("[data-verdict]")).to_have_attribute("data-kind", "unfinished")
    expect(page.locator("[data-work]")).to_have_attribute("aria-busy", "false")
    expect(page.locator("[data-steps] li button").last).to_have_attribute("aria-current", "step")
    box.evaluate("(box) => box.scrollTo(0, 0)")
    return page


@pytest.fixture
def page(request: pytest.FixtureRequest, chromium: Browser, site: str) -> Iterator[Page]:
    """Open an empty page of the site, and fail the test if a script raises an error.

    The parameter is a width and a language, as `ON_DESK` and `ON_TELEPHONE` of `actions` set it.
    """
    width, locale = request.param
    context = chromium.new_context(
        locale=locale,
        viewport={"width": width, "height": 844},
        has_touch=width < 500,
        base_url=site,
        **UNCACHED,
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors

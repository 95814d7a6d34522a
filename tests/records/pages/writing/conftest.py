"""Pages for the tests of the record editor and of the score-sheet form."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page


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
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors

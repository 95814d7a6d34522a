"""The editors' browser tests run on a telephone in Japanese and on a desk in English."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page


@pytest.fixture(params=((390, "ja-JP"), (1280, "en-US")), ids=lambda way: f"{way[0]}-{way[1]}")
def page(request: pytest.FixtureRequest, chromium: Browser, site: str) -> Iterator[Page]:
    """An empty page of the site, at whose end no script has had an error.

    By width and language; the narrow one is a telephone, where fingers tap.
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

"""The editors' browser tests run on a telephone in Japanese and on a desk in English."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from zlib import crc32

import pytest
from playwright.sync_api import Browser, Page

from lengths import LONG

WAYS: Final = ((390, "ja-JP"), (1280, "en-US"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each test on one of the two, by turns of their names; in `make test-long` on both."""
    marks = metafunc.definition.iter_markers("parametrize")
    if "page" in metafunc.fixturenames and not any(mark.args[0] == "page" for mark in marks):
        turn = crc32(metafunc.function.__name__.encode()) % 2
        chosen = WAYS if LONG else WAYS[turn : turn + 1]
        names = [f"{width}-{locale}" for width, locale in chosen]
        metafunc.parametrize("page", chosen, ids=names, indirect=True)


@pytest.fixture
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

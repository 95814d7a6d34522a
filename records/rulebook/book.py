"""All pages of the rulebook. A new page is a row of its module's ``PAGES``."""

from __future__ import annotations

from typing import Final

from records.rulebook import hachihachi, hachihachi_bga, hanaawase, koikoi, ten_five_one
from records.rulebook.pages import Page

PAGES: Final[tuple[Page, ...]] = (
    *koikoi.PAGES,
    *hachihachi.PAGES,
    *hachihachi_bga.PAGES,
    *hanaawase.PAGES,
    *ten_five_one.PAGES,
)
_BY_HOUSE: Final = {(page.rules, page.profile): page for page in PAGES}


def find(rules: str, profile: str = "") -> Page | None:
    """The page of a ruleset as a house plays it, by default its document; None if there is none."""
    return _BY_HOUSE.get((rules, profile or rules))

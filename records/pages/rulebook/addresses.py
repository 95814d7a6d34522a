"""Where the pages of the rulebook stand."""

from __future__ import annotations

from django.urls import reverse

from records.pages.rulebook.book import find
from records.pages.rulebook.outline import Page


def address(page: Page) -> str:
    """Where a page of the rulebook stands."""
    if page.profile == page.rules:
        return reverse("rulebook", args=[page.rules])
    return reverse("rulebook", args=[page.rules, page.profile])


def address_of(ruleset: str, profile: str = "") -> str:
    """Where the rules of a game stand; nothing if the rulebook does not have them."""
    page = find(ruleset, profile)
    return address(page) if page else ""

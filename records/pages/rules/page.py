"""The pages of the rulebook."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.pages.rulebook import book
from records.serving.cached_responses import cached_page
from records.states import of_release


@cached_page(of_release)
def rules(request: HttpRequest) -> HttpResponse:
    """Show the list of rulesets, with their houses."""
    groups = [
        {
            "name": labels.ruleset(ruleset),
            "href": book.address_of(ruleset),
            "page": book.find(ruleset),
            "houses": [(href, name) for href, name, _here in _houses(ruleset)],
        }
        for ruleset in RULESETS
    ]
    return render(request, "records/rules.html", {"groups": groups})


@cached_page(of_release)
def rulebook(request: HttpRequest, ruleset: str, profile: str = "") -> HttpResponse:
    """Show a ruleset in the rules of one house."""
    page = book.find(ruleset, profile)
    if page is None:
        raise Http404
    return render(
        request,
        "records/rulebook.html",
        {
            "page": page,
            "name": labels.ruleset(ruleset),
            "rulesets": [
                (book.address_of(listed), labels.ruleset(listed), listed == ruleset)
                for listed in RULESETS
            ],
            "houses": _houses(ruleset, page.profile),
            "house": book.house(ruleset, page.profile),
            "odds": reverse("odds", args=[ruleset]),
            "sheet": _sheet_form(page),
        },
    )


def _houses(ruleset: str, chosen: str = "") -> list[tuple[str, str, bool]]:
    """Return the address and name of each house of a ruleset, with a flag for the chosen house.

    The list is empty for a ruleset with one house.
    """
    houses = RULESETS[ruleset].profiles
    if len(houses) == 1:
        return []
    return [
        (book.address_of(ruleset, house), book.house(ruleset, house), house == chosen)
        for house in houses
    ]


def _sheet_form(page: book.Page) -> str:
    """Return the address of the score sheet form of a house; "" if no sheet is judged."""
    chosen = urlencode({"ruleset": page.rules, "house": page.profile})
    return f"{reverse('new-sheet')}?{chosen}" if RULESETS[page.rules].sheet else ""

"""The pages of the rulebook."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from kafu.rules.names import GRADES, YAKU, Name
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.pages.card_views import card_views
from records.pages.rulebook import common
from records.pages.rulebook.addresses import address
from records.pages.rulebook.book import find, pages
from records.pages.rulebook.outline import Note, Page, RuleEntry, Section
from records.serving.cached_responses import cached_page
from records.states import of_release


@cached_page(of_release)
def rules(request: HttpRequest) -> HttpResponse:
    """The list of rulesets, with their houses."""
    groups = [
        {
            "name": labels.ruleset(page.rules),
            "href": address(page),
            "summary": page.summary,
            "houses": [(address(one), one.house) for one in _houses(page)],
        }
        for page in pages()
        if page.profile == page.rules
    ]
    return render(request, "records/rules.html", {"groups": groups})


@cached_page(of_release)
def rulebook(request: HttpRequest, ruleset: str, profile: str = "") -> HttpResponse:
    """A ruleset as one house plays it."""
    page = find(ruleset, profile)
    if page is None:
        raise Http404
    return render(
        request,
        "records/rulebook.html",
        {
            "page": page,
            "name": labels.ruleset(ruleset),
            "japanese": labels.lang() == "ja",
            "rulesets": [
                (address(one), labels.ruleset(one.rules), one.rules == ruleset)
                for one in pages()
                if one.profile == one.rules
            ],
            "houses": [(address(one), one.house, one is page) for one in _houses(page)],
            "sections": [_section(one) for one in page.sections],
            "rulings": [*page.rulings.items(), *_common(page)],
            "odds": reverse("odds", args=[ruleset]),
            "sheet": _sheet_form(page),
        },
    )


def _sheet_form(page: Page) -> str:
    """The form of a score sheet of this house; none where sheets are not judged."""
    chosen = urlencode({"rules": page.rules, "house": page.profile})
    return f"{reverse('new-sheet')}?{chosen}" if RULESETS[page.rules].sheet else ""


def _houses(page: Page) -> list[Page]:
    """The houses of a ruleset, if there are several."""
    houses = [one for one in pages() if one.rules == page.rules]
    return houses if len(houses) > 1 else []


def _common(page: Page) -> list[tuple[str, Any]]:
    """The common rulings that the page names."""
    named = {number for note in _notes(page) for number in note.rulings}
    return [(number, text) for number, text in common.RULINGS.items() if number in named]


def _notes(page: Page) -> list[Note]:
    notes = [*page.summary, *(option.note for option in page.options)]
    for section in page.sections:
        notes += section.notes
        notes += [note for entry in section.entries for note in entry.notes]
    return notes


def _section(section: Section) -> dict[str, Any]:
    grid = section.grid
    return {
        "id": section.id,
        "title": section.title,
        "notes": section.notes,
        "entries": [_entry(one) for one in section.entries],
        "grid": grid
        and {"head": [_cell(one) for one in grid.head], "rows": [map(_cell, r) for r in grid.rows]},
    }


def _entry(entry: RuleEntry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "name": YAKU.get(entry.id) or GRADES[entry.id],
        "value": entry.value,
        "cards": [
            {
                "label": group.label,
                "back": group.back,
                "cards": card_views(group.letters),
            }
            for group in entry.cards
        ],
        "notes": entry.notes,
    }


def _cell(cell: object) -> object:
    return cell.label(labels.lang()) if isinstance(cell, Name) else cell

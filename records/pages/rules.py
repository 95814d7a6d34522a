"""Pages of the rules: rulebooks, cards and odds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from kafu import cards
from kafu.judging.progress import Goal, card_points, goals
from kafu.odds.exact import ALL, DONI, NONE, OTHER, Odds, odds
from kafu.odds.form import list_other_odds, to_json
from kafu.rules.names import YAKU
from kafu.rules.rulesets import RULESETS, machine_of
from records.base import figures, labels
from records.pages.link_previews import default_preview
from records.pages.rulebook import book
from records.pages.rulebook.book import address_of
from records.pages.rulebook.entries import RulebookEntry, format_amount, is_drawn
from records.pages.rulebook.glossary import load_words
from records.serving.cached_responses import cached_page
from records.serving.parameters import one_of
from records.states import of_release
from records.wording.cards import KINDS, CardView, card_views
from records.wording.readings import ReadName, read_yaku

#: Marks that a reader may choose to see on every card (``?marks=months,kinds``).
MARKS: Final = ("months", "kinds")
Chance = Mapping[str, Any]


def _read_marks(values: list[str]) -> list[str]:
    """Return the chosen marks, in the order of `MARKS`."""
    chosen = {mark for value in values for mark in value.split(",")}
    return [mark for mark in MARKS if mark in chosen]


@cached_page(of_release)
def rulebooks(request: HttpRequest) -> HttpResponse:
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
    page = _find_page(ruleset, profile)
    anchors = [(f"#{anchor}", title) for anchor, title in page.contents if anchor != book.OPTIONS]
    context = _book_context(page, "rulebook") | {
        "contents": anchors,
        "odds": reverse("odds", args=[ruleset]),
        "sheet": _sheet_form(page),
        "poster": address_of(ruleset, page.profile, "poster"),
        "options": page.options_body and address_of(ruleset, page.profile, "rule-options"),
    }
    return render(request, "records/rulebook.html", context)


@cached_page(of_release)
def rule_options(request: HttpRequest, ruleset: str, profile: str = "") -> HttpResponse:
    """Show the rules that can be chosen in a house. Raise Http404 for rules without options."""
    page = _find_page(ruleset, profile)
    if not page.options_body:
        raise Http404
    return render(request, "records/rule_options.html", _book_context(page, "rule-options"))


@cached_page(of_release)
def glossary(request: HttpRequest) -> HttpResponse:
    """Show the words of the game with their readings."""
    return render(request, "records/glossary.html", {"words": load_words(labels.lang())})


@dataclass(frozen=True, slots=True)
class PosterEntry:
    """A yaku of a poster, with its cards in groups, each with a label."""

    name: ReadName
    worth: str
    groups: list[tuple[str, list[CardView]]]


@cached_page(of_release, parameters=book.PRESET)
def poster(request: HttpRequest, ruleset: str, profile: str = "") -> HttpResponse:
    """Show the yaku of a house on one page, for print and phones. ``preset`` changes the house."""
    preset = request.GET.get("preset", "")
    page = _find_page(ruleset, profile, preset)
    picture = address_of(ruleset, page.profile, "poster-preview")
    query = ({"preset": preset} if preset else {}) | {"lang": labels.lang()}
    choices = list(_poster_choices(page, preset))
    context = _book_context(page, "poster") | {
        "entries": [_poster_entry(entry) for entry in page.entries if is_drawn(entry)],
        "picture": f"{picture}?{urlencode(query)}",
        "houses": choices if len(choices) > 1 else [],
        "house": book.name_house(page, preset),
    }
    preview = replace(default_preview(request), image=context["picture"])
    return render(request, "records/poster.html", context | {"preview": preview})


def _poster_choices(shown: book.Page, preset: str) -> Iterator[tuple[str, str, bool]]:
    """Yield address and name of each poster of a ruleset, with a flag for the shown one.

    A preset with the same yaku as a listed poster has none of its own.
    """
    listed = []
    for profile in RULESETS[shown.ruleset].profiles:
        for id in ("", *(choice.id for choice in book.list_presets(shown.ruleset, profile))):
            page = _find_page(shown.ruleset, profile, id)
            if id and page.entries in listed:
                continue
            listed.append(page.entries)
            address = address_of(shown.ruleset, profile, "poster") + f"?preset={id}" * bool(id)
            yield address, book.name_house(page, id), (profile, id) == (shown.profile, preset)


def _poster_entry(entry: RulebookEntry) -> PosterEntry:
    return PosterEntry(
        name=read_yaku(entry.id),
        worth=entry.worth,
        groups=[(group.label, card_views(group.letters)) for group in entry.groups],
    )


def _find_page(ruleset: str, profile: str, preset: str = "") -> book.Page:
    page = book.find(ruleset, profile, preset)
    if page is None:
        raise Http404
    return page


def _book_context(page: book.Page, name: str) -> dict[str, Any]:
    """Return the context of a page about a house: its names, and links to the other houses.

    ``name`` is the name of the address of such pages.
    """
    return {
        "page": page,
        "name": labels.ruleset(page.ruleset),
        "rulesets": [
            (
                book.address_of(listed, name=name),
                labels.ruleset_brief(listed),
                listed == page.ruleset,
            )
            for listed in RULESETS
            if name != "rule-options" or RULESETS[listed].options
        ],
        "houses": _houses(page.ruleset, page.profile, name),
        "house": labels.house(page.profile),
        "rules": book.address_of(page.ruleset, page.profile),
    }


def _houses(ruleset: str, chosen: str = "", name: str = "rulebook") -> list[tuple[str, str, bool]]:
    """Return the address and name of each house of a ruleset, with a flag for the chosen house.

    The list is empty for a ruleset with one house. ``name`` is the name of the addresses.
    """
    profiles = RULESETS[ruleset].profiles
    if len(profiles) == 1:
        return []
    return [
        (book.address_of(ruleset, profile, name), labels.house(profile), profile == chosen)
        for profile in profiles
    ]


def _sheet_form(page: book.Page) -> str:
    """Return the address of the score sheet form of a house."""
    chosen = urlencode({"ruleset": page.ruleset, "house": page.profile})
    return f"{reverse('new-sheet')}?{chosen}"


@dataclass(frozen=True, slots=True)
class Worth:
    """The value of a card in a ruleset.

    ``points`` is a text, empty if points are not counted. ``yaku`` are (address of the rule page,
    label).
    """

    rules: str
    href: str
    points: str
    yaku: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card with its names, the name of the kind and the worth by ruleset."""

    card: CardView
    known: cards.Card
    kind: str
    worth: list[Worth]


@dataclass(frozen=True, slots=True)
class RulesetValues:
    """The values of cards in a ruleset, in the house of its document."""

    ruleset: str
    goals: list[Goal]
    points: dict[str, int] | None

    def worth(self, letter: str) -> Worth:
        """Return the value of a card in the ruleset."""
        href = address_of(self.ruleset)
        points = self.points[letter] if self.points else None
        return Worth(
            labels.ruleset_brief(self.ruleset),
            href,
            "" if points is None else ngettext("%d point", "%d points", points) % points,
            [
                (f"{href}#{goal.id}", YAKU[goal.id].ja if _japanese() else YAKU[goal.id].romaji)
                for goal in self.goals
                if letter in goal.cards
            ],
        )


@cached_page(of_release, parameters={"marks": _read_marks, "back": one_of(["black"])})
def cards_page(request: HttpRequest) -> HttpResponse:
    """Show the 48 cards by month. The query chooses marks and the colour of the back."""
    columns = list(_ruleset_values())
    return render(
        request,
        "records/cards.html",
        {
            "marks": request.GET.getlist("marks"),
            "black": "back" in request.GET,
            "legend": [
                (KINDS[kind], labels.kinds(kind), sum(card.kind is kind for card in cards.PACK))
                for kind in cards.Kind
            ],
            "months": [
                (
                    plant,
                    labels.month(plant.month),
                    [_show_card(card, columns) for card in _cards_of(plant)],
                )
                for plant in cards.PLANTS
            ],
        },
    )


def _cards_of(plant: cards.Plant) -> list[cards.Card]:
    return [card for card in cards.PACK if card.month == plant.month]


def _ruleset_values() -> Iterator[RulesetValues]:
    for id, description in RULESETS.items():
        machine = machine_of(id, {}, description.seats[0])
        yield RulesetValues(id, goals(machine.captured_yaku), card_points(id))


def _show_card(card: cards.Card, columns: list[RulesetValues]) -> ShownCard:
    return ShownCard(
        card=card_views(card.letter)[0],
        known=card,
        kind=labels.kind(card.kind),
        worth=[column.worth(card.letter) for column in columns],
    )


def _japanese() -> bool:
    return labels.lang() == "ja"


@cached_page(of_release)
def odds_page(request: HttpRequest, ruleset: str) -> HttpResponse:
    """Show the grades and the dealt-hand yaku with their odds, as a matrix for two families."""
    if ruleset not in RULESETS:
        raise Http404
    ruleset_odds = odds(ruleset)
    data = to_json(ruleset_odds)
    hand, year = data["hand"], data["year"]
    return render(
        request,
        "records/odds.html",
        {
            "name": labels.ruleset(ruleset),
            "rules": address_of(ruleset),
            "rulesets": [(id, labels.ruleset_brief(id), id == ruleset) for id in RULESETS],
            "hand": hand,
            "bare": RULESETS[ruleset].dealt is None,
            "wide": len(hand["columns"]) > 1,
            "rows": [
                {
                    "name": labels.yaku(yaku) if yaku != NONE else labels.dealt(yaku),
                    "cells": [_figures(chance) for chance in cells.values()],
                    "sum": _figures_with_value(hand["rows"][yaku], ruleset_odds),
                }
                for yaku, cells in hand["matrix"].items()
            ],
            "sums": [
                {"name": labels.dealt(yaku), **_figures_with_value(chance, ruleset_odds)}
                for yaku, chance in hand["columns"].items()
            ],
            "more": [(name, _figures(chance)) for name, chance in _more(data)],
            "grades": _grades(year) if year else None,
            "house": labels.house(data["house"]["profile"]),
            "places": _places(data["house"]["places"], ruleset_odds),
        },
    )


def _places(places: Iterable[Mapping[str, Any]], of: Odds) -> list[dict[str, Any]]:
    """Return the yaku of a house by place; empty if all places have the whole table."""
    words = {
        DONI: _("The hand of dōni (胴二)"),
        OTHER: _("The hand of any other seat"),
        ALL: _("Every hand"),
    }
    if all(place["rows"].keys() == of.hands.rows.keys() for place in places):
        return []
    return [
        {
            "name": words[place["place"]],
            "yaku": [
                {"name": labels.yaku(yaku), **_figures_with_value(chance, of)}
                for family in (place["rows"], place["columns"])
                for yaku, chance in family.items()
                if yaku != NONE
            ],
            "any": _figures(place["any"]),
        }
        for place in places
    ]


def _figures_with_value(chance: Chance, of: Odds) -> dict[str, Any]:
    """Return a yaku's probability and value for people, in the document's unit."""
    value = chance["value"] and format_amount(RULESETS[of.rules], chance["value"])
    return {**_figures(chance), "value": value or ""}


def _figures(chance: Chance) -> dict[str, Any]:
    count = f"{chance['count']:,}" if chance["count"] else ""
    return {
        "count": count,
        "percent": figures.percent(chance["percent"] / 100),
        "odds": figures.odds(chance["one_in"]) if chance["count"] else "",
    }


def _more(data: Mapping[str, Any]) -> list[tuple[str, Chance]]:
    """Return the document's other figures, and fields with a whole month, by name."""
    words = {
        "any": _("Any yaku"),
        "compound": _("Yaku by count and by chaff together"),
        "slips": _("Aka with five ribbons or more"),
        "alone": _("%(yaku)s, also within other yaku"),
        "held": _("%(yaku)s in the hand of one shut out"),
        "four": _("Four of a month on the field"),
        "three": _("Three of a month on the field"),
    }
    return [
        (words[topic] % {"yaku": labels.dealt(yaku) if yaku else ""}, chance)
        for topic, yaku, chance in list_other_odds(data)
    ]


def _grades(year: Mapping[str, Any]) -> dict[str, Any]:
    """Return the chain of grades in the document's layout."""
    draw_chance = year["etsunen"] and year["etsunen"]["value"]
    return {
        "months": year["months"],
        "columns": [labels.bound(bound) for bound in year["grades"]],
        "rows": [
            {
                "name": labels.grade(grade),
                "mean": f"{mean['value']:.4f}",
                "cells": [_figures(chances[grade]) for chances in year["grades"].values()],
            }
            for grade, mean in year["mean_months"].items()
        ],
        "etsunen": draw_chance
        and {"percent": figures.percent(draw_chance), "odds": figures.odds(1 / draw_chance)},
    }

"""The page of the odds of a ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from kafu.odds.exact import ALL, DONI, NONE, OTHER, Odds, odds
from kafu.odds.form import format_one_in, format_percent, list_other_odds, to_json
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.pages.rulebook.book import address_of, house
from records.serving.cached_responses import cached_page
from records.states import of_release

Chance = Mapping[str, Any]
#: Digits of percentages, as the document prints them.
HAND_DIGITS: Final = 6
GRADE_DIGITS: Final = 4


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
            "rulesets": [(id, labels.ruleset(id), id == ruleset) for id in RULESETS],
            "hand": hand,
            "bare": RULESETS[ruleset].dealt is None,
            "wide": len(hand["columns"]) > 1,
            "rows": [
                {
                    "name": labels.yaku(yaku) if yaku != NONE else labels.dealt(yaku),
                    "cells": [_figures(chance, HAND_DIGITS) for chance in cells.values()],
                    "sum": _figures_with_value(hand["rows"][yaku], ruleset_odds),
                }
                for yaku, cells in hand["matrix"].items()
            ],
            "sums": [
                {"name": labels.dealt(yaku), **_figures_with_value(chance, ruleset_odds)}
                for yaku, chance in hand["columns"].items()
            ],
            "more": [(name, _figures(chance, HAND_DIGITS)) for name, chance in _more(data)],
            "grades": _grades(year) if year else None,
            "house": house(ruleset, data["house"]["profile"]),
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
            "any": _figures(place["any"], HAND_DIGITS),
        }
        for place in places
    ]


def _figures_with_value(chance: Chance, of: Odds) -> dict[str, Any]:
    """Return a yaku's probability and value for people, in the document's unit."""
    words = {
        "kan": _("%(amount)d kan"),
        "mon": _("%(amount)d mon"),
        "points": _("%(amount)d points"),
    }
    worth = words[of.counted] % {"amount": chance["value"] // of.unit}
    return {**_figures(chance, HAND_DIGITS), "value": worth if chance["value"] else ""}


def _figures(chance: Chance, digits: int) -> dict[str, Any]:
    count = f"{chance['count']:,}" if chance["count"] else ""
    return {
        "count": count,
        "percent": format_percent(chance, digits),
        "one_in": format_one_in(chance),
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
                "cells": [
                    _figures(chances[grade], GRADE_DIGITS) for chances in year["grades"].values()
                ],
            }
            for grade, mean in year["mean_months"].items()
        ],
        "etsunen": draw_chance
        and {"percent": f"{100 * draw_chance:.4f}", "one_in": f"{1 / draw_chance:.4f}"},
    }

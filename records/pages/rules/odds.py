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
    """Dealt-hand yaku with their odds, as a matrix if there are two families, and the grades."""
    if ruleset not in RULESETS:
        raise Http404
    found = odds(ruleset)
    data = to_json(found)
    hand, year = data["hand"], data["year"]
    return render(
        request,
        "records/odds.html",
        {
            "name": labels.ruleset(ruleset),
            "rules": address_of(ruleset),
            "rulesets": [(one, labels.ruleset(one), one == ruleset) for one in RULESETS],
            "hand": hand,
            "bare": RULESETS[ruleset].dealt is None,
            "wide": len(hand["columns"]) > 1,
            "rows": [
                {
                    "name": labels.yaku(yaku) if yaku != NONE else labels.dealt(yaku),
                    "cells": [_figures(one, HAND_DIGITS) for one in cells.values()],
                    "sum": _valued(hand["rows"][yaku], found),
                }
                for yaku, cells in hand["matrix"].items()
            ],
            "sums": [
                {"name": labels.dealt(yaku), **_valued(one, found)}
                for yaku, one in hand["columns"].items()
            ],
            "more": [(name, _figures(one, HAND_DIGITS)) for name, one in _more(data)],
            "grades": _grades(year) if year else None,
            "house": house(ruleset, data["house"]["profile"]),
            "places": _places(data["house"]["places"], found),
        },
    )


def _places(places: Iterable[Mapping[str, Any]], of: Odds) -> list[dict[str, Any]]:
    """Return the yaku of a house by place; none where it plays all yaku of the table for all."""
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
                {"name": labels.yaku(yaku), **_valued(one, of)}
                for family in (place["rows"], place["columns"])
                for yaku, one in family.items()
                if yaku != NONE
            ],
            "any": _figures(place["any"], HAND_DIGITS),
        }
        for place in places
    ]


def _valued(one: Chance, of: Odds) -> dict[str, Any]:
    """Return a yaku's probability and value for people, in the document's unit."""
    words = {
        "kan": _("%(amount)d kan"),
        "mon": _("%(amount)d mon"),
        "points": _("%(amount)d points"),
    }
    worth = words[of.counted] % {"amount": one["value"] // of.unit}
    return {**_figures(one, HAND_DIGITS), "value": worth if one["value"] else ""}


def _figures(one: Chance, digits: int) -> dict[str, Any]:
    count = f"{one['count']:,}" if one["count"] else ""
    return {"count": count, "percent": format_percent(one, digits), "one_in": format_one_in(one)}


def _more(data: Mapping[str, Any]) -> list[tuple[str, Chance]]:
    """Return the document's other figures, and the fields with a whole month, by name."""
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
        (words[what] % {"yaku": labels.dealt(yaku) if yaku else ""}, one)
        for what, yaku, one in list_other_odds(data)
    ]


def _grades(year: Mapping[str, Any]) -> dict[str, Any]:
    """Return the chain of grades in the document's layout."""
    left = year["etsunen"] and year["etsunen"]["value"]
    return {
        "months": year["months"],
        "columns": [labels.bound(bound) for bound in year["grades"]],
        "rows": [
            {
                "name": labels.grade(grade),
                "mean": f"{mean['value']:.4f}",
                "cells": [_figures(one[grade], GRADE_DIGITS) for one in year["grades"].values()],
            }
            for grade, mean in year["mean_months"].items()
        ],
        "etsunen": left and {"percent": f"{100 * left:.4f}", "one_in": f"{1 / left:.4f}"},
    }

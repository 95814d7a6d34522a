"""Odds as JSON for programs, and as formatted figures for people."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from kafu.odds.exact import MONTHS, Hands, Odds, Year, house_hands
from kafu.rules.rulesets import RULESETS

#: Significant figures of n in 1/n.
FIGURES: Final = 6


def to_json(odds: Odds) -> dict[str, Any]:
    """Return odds as JSON: integer counts, each with its percentage and n of 1/n, by yaku id.

    Values are in the small unit. ``year`` is null for a ruleset without field grades.
    """
    return {
        "ruleset": odds.rules,
        "house": _house(odds.rules),
        "hand": _hands(odds.hands),
        "field": {
            "cards": odds.field,
            "total": odds.fields,
            "four_of_a_month": _chance(odds.fours, odds.fields),
            "three_of_a_month": _chance(odds.threes, odds.fields),
        },
        "year": _year(odds.year, odds.fields) if odds.year else None,
    }


def _house(rules: str) -> dict[str, Any]:
    """Return the hands of the document's house, by place at the table."""
    return {
        "profile": next(iter(RULESETS[rules].houses), rules),
        "places": [
            {
                "place": at_place.place,
                "any": _chance(at_place.hands.any, at_place.hands.total),
                "rows": _yaku_chances(at_place.hands.rows, 0, at_place.hands),
                "columns": _yaku_chances(at_place.hands.columns, 0, at_place.hands),
            }
            for at_place in house_hands(rules)
        ],
    }


def _hands(hands: Hands) -> dict[str, Any]:
    total, values = hands.total, hands.values
    return {
        "cards": hands.size,
        "total": total,
        "any": _chance(hands.any, total),
        "compound": _chance(hands.compound, total),
        "mean_value": float(hands.mean_value),
        "rows": _yaku_chances(hands.rows, 0, hands),
        "columns": _yaku_chances(hands.columns, 0, hands),
        "matrix": {
            row: _yaku_chances(cells, values[row], hands) for row, cells in hands.matrix.items()
        },
        "aka_by_slips": {str(n): _chance(hands.slips[n], total) for n in sorted(hands.slips)},
        "aka_of_five_slips": _chance(hands.opening_slips, total),
        "willow_choices": {
            "+".join(yaku): _chance(count, total)
            for yaku, count in hands.choices.items()
            if len(yaku) > 1
        },
        "alone": _yaku_chances(hands.alone, 0, hands),
        "held": {yaku: _chance(count, total) for yaku, count in hands.held.items()},
    }


def _yaku_chances(counts: Mapping[str, int], base: int, hands: Hands) -> dict[str, Any]:
    """Return chances with values; ``base`` is the value of a yaku shown together with each."""
    return {
        yaku: {"value": base + hands.values[yaku], **_chance(count, hands.total)}
        for yaku, count in counts.items()
    }


def _chance(count: int, total: int) -> dict[str, Any]:
    return {
        "count": count,
        "percent": 100 * count / total,
        "one_in": total / count if count else None,
    }


def _year(year: Year, fields: int) -> dict[str, Any]:
    return {
        "months": MONTHS,
        "grades": {
            bound or "none": {grade: _chance(count, fields) for grade, count in counts.items()}
            for bound, counts in year.grades.items()
        },
        "mean_months": {grade: _exact(mean) for grade, mean in year.mean.items()},
        "carried": {bound or "none": _exact(part) for bound, part in year.carried.items()},
        "etsunen": _exact(year.left) if year.extends else None,
    }


def _exact(number: Fraction) -> dict[str, Any]:
    return {"value": float(number), "fraction": f"{number.numerator}/{number.denominator}"}


def list_other_odds(data: Mapping[str, Any]) -> list[tuple[str, str, Mapping[str, Any]]]:
    """Return the odds outside the table of yaku, from `to_json`, without impossible events.

    Each has its kind, its yaku or "", and its chance. The kinds are ``any`` yaku, ``compound`` yaku
    of both families, ``slips`` (赤 with five or more), a yaku ``alone`` that yaku of other rows
    conceal, a captured-hand yaku ``held`` in a dealt hand, and ``four`` or ``three`` cards of a
    month on the field.
    """
    hand, field = data["hand"], data["field"]
    rows = [
        ("any", "", hand["any"]),
        ("compound", "", hand["compound"]),
        ("slips", "", hand["aka_of_five_slips"]),
        *(
            ("alone", yaku, chance)
            for yaku, chance in hand["alone"].items()
            if chance["count"] != hand["rows"][yaku]["count"]
        ),
        *(("held", yaku, chance) for yaku, chance in hand["held"].items()),
        ("four", "", field["four_of_a_month"]),
        ("three", "", field["three_of_a_month"]),
    ]
    return [row for row in rows if row[2]["count"]]


def format_percent(chance: Mapping[str, Any], digits: int = 6) -> str:
    """Format the percentage of a chance like the document, with an extra digit if it is tiny.

    >>> format_percent({"count": 1, "percent": 100 / 73629072, "one_in": 73629072.0})
    '0.0000014'
    """
    rare = 0 < chance["percent"] < 10 ** (1 - digits)
    return f"{chance['percent']:.{digits + rare}f}"


def format_one_in(chance: Mapping[str, Any]) -> str:
    """Format n of 1/n with six significant figures, or return "" for an impossible event.

    >>> format_one_in({"count": 4384404, "percent": 5.95, "one_in": 73629072 / 4384404})
    '16.7934'
    """
    if not chance["count"]:
        return ""
    whole = len(str(int(chance["one_in"])))
    return f"{chance['one_in']:,.{max(0, FIGURES - whole)}f}"

"""Odds as JSON for programs, and as formatted figures for people."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Final, TypedDict

from kafu.notation.json_types import OneOf, RulesetId
from kafu.odds.exact import ALL, DONI, MONTHS, OTHER, Hands, Odds, Year, house_hands
from kafu.rules.rulesets import RULESETS

#: Significant figures of n in 1/n.
FIGURES: Final = 6


class Chance(TypedDict):
    """A count of all possible ones: exact count, percentage, and n of 1/n, null for 0."""

    count: int
    percent: float
    one_in: float | None


class ValuedChance(Chance):
    """The probability of a yaku, and its value on a small field, in the small unit."""

    value: int


class Exact(TypedDict):
    """A number, and its exact fraction: ``417353/141376``."""

    value: float
    fraction: str


class HandOdds(TypedDict):
    """Dealt hands by yaku; `nashi` is none. Rows are yaku by count, columns those by chaff.

    A hand counts for its most valuable declaration.
    """

    cards: int
    total: int
    any: Annotated[Chance, "Hands with a yaku."]
    compound: Annotated[Chance, "Hands with a yaku of either family."]
    mean_value: float
    rows: dict[str, ValuedChance]
    columns: dict[str, ValuedChance]
    matrix: Annotated[dict[str, dict[str, ValuedChance]], "By row, then by column."]
    aka_by_slips: Annotated[dict[str, Chance], "Hands of `aka` by the most ribbons they can name."]
    aka_of_five_slips: Annotated[Chance, "Those that must lay a ribbon open."]
    willow_choices: Annotated[dict[str, Chance], "Hands that may choose, by what they choose from."]
    alone: Annotated[
        dict[str, ValuedChance], "Hands of a yaku by count, those counted in another row included."
    ]
    held: Annotated[
        dict[str, Chance], "Hands in which a captured-hand yaku lies complete (tsukami)."
    ]


class FieldOdds(TypedDict):
    """Dealt fields."""

    cards: int
    total: int
    four_of_a_month: Chance
    three_of_a_month: Annotated[Chance, "And of no month all four."]


class YearOdds(TypedDict):
    """The Markov chain of field grades over a year without an early end.

    By the grade carried over into a month (`none`, `large`, `absolute`): the odds of each grade.
    """

    months: int
    grades: dict[str, dict[str, Chance]]
    mean_months: dict[str, Exact]
    carried: Annotated[dict[str, Exact], "The probability of what the last month carries over."]
    etsunen: Annotated[
        Exact | None, "The probability that it carries anything over; null where that lapses."
    ]


class PlaceOdds(TypedDict):
    """Dealt hands of one place at the table by the yaku that the house plays there."""

    place: Annotated[
        str,
        OneOf("Place", (ALL, DONI, OTHER)),
        "`doni` and `other` where only dōni may show some yaku.",
    ]
    any: Annotated[Chance, "Hands with a yaku."]
    rows: dict[str, ValuedChance]
    columns: dict[str, ValuedChance]


class HouseOdds(TypedDict):
    """Dealt hands by what the document's house plays, as dealt, whether shown or not."""

    profile: str
    places: list[PlaceOdds]


class OddsJson(TypedDict):
    """The odds of a ruleset."""

    ruleset: RulesetId
    house: HouseOdds
    hand: Annotated[HandOdds, "By every yaku that a house of the ruleset may play."]
    field: FieldOdds
    year: Annotated[YearOdds | None, "Null where fields have no grades."]


def to_json(odds: Odds) -> OddsJson:
    """Return the JSON form: whole counts, each with its percentage and the n of 1/n; yaku by id.

    Values are in the small unit.
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


def _house(ruleset: str) -> HouseOdds:
    """Return the hands of the document's house, by place at the table."""
    return {
        "profile": next(iter(RULESETS[ruleset].houses), ruleset),
        "places": [
            {
                "place": at_place.place,
                "any": _chance(at_place.hands.any, at_place.hands.total),
                "rows": _yaku_chances(at_place.hands.rows, 0, at_place.hands),
                "columns": _yaku_chances(at_place.hands.columns, 0, at_place.hands),
            }
            for at_place in house_hands(ruleset)
        ],
    }


def _hands(hands: Hands) -> HandOdds:
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
        "aka_by_slips": {str(n): _chance(hands.ribbons[n], total) for n in sorted(hands.ribbons)},
        "aka_of_five_slips": _chance(hands.opening_ribbons, total),
        "willow_choices": {
            "+".join(yaku): _chance(count, total)
            for yaku, count in hands.choices.items()
            if len(yaku) > 1
        },
        "alone": _yaku_chances(hands.alone, 0, hands),
        "held": {yaku: _chance(count, total) for yaku, count in hands.held.items()},
    }


def _yaku_chances(counts: Mapping[str, int], base: int, hands: Hands) -> dict[str, ValuedChance]:
    """Return chances with values; ``base`` is the value of a yaku shown together with each."""
    return {
        yaku: {"value": base + hands.values[yaku], **_chance(count, hands.total)}
        for yaku, count in counts.items()
    }


def _chance(count: int, total: int) -> Chance:
    return {
        "count": count,
        "percent": 100 * count / total,
        "one_in": total / count if count else None,
    }


def _year(year: Year, fields: int) -> YearOdds:
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


def _exact(number: Fraction) -> Exact:
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

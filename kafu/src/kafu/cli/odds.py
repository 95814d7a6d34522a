"""`kafu odds`: the exact odds of a ruleset as a table for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from unicodedata import east_asian_width

from kafu.odds.exact import ALL, DONI, NONE, OTHER
from kafu.odds.form import format_one_in, format_percent, list_other_odds
from kafu.rules.names import GRADES, YAKU
from kafu.rules.rulesets import RULESETS

Chance = Mapping[str, Any]
Row = tuple[str, ...]

_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "sum": "Sum",
        "months": "Months",
        "left": "A bond left after December (etsunen)",
        "any": "Any yaku",
        "compound": "Yaku by count and by chaff together",
        "slips": "Aka with five ribbons or more",
        "alone": "{}, also within other yaku",
        "held": "{} in the hand of one shut out",
        "four": "Four of a month on the field",
        "three": "Three of a month on the field",
        "house": "House",
        ALL: "every hand",
        DONI: "the hand of dōni",
        OTHER: "the hand of any other seat",
        NONE: "no yaku",
        "none": "nothing carried",
        "large": "ōba carried",
        "absolute": "zetsuba carried",
    },
    "ja": {
        "sum": "合計",
        "months": "平均月数",
        "left": "越年",
        "any": "手役がある",
        "compound": "複合した手役",
        "slips": "短冊札5枚以上の赤",
        "alone": "{}（他の役に含まれるものも）",
        "held": "追い込まれた手の{}",
        "four": "場に同月札4枚",
        "three": "場に同月札3枚",
        "house": "取り決め",
        ALL: "すべての手",
        DONI: "胴二の手",
        OTHER: "胴二以外の手",
        NONE: "役無し",
        "none": "持ち越しなし",
        "large": "大場持ち越し",
        "absolute": "絶場持ち越し",
    },
}


def format_table(data: Mapping[str, Any], lang: str) -> Iterator[str]:
    """Yield the odds (`kafu.odds.form.to_json`) as lines of text."""
    hand, year, words = data["hand"], data["year"], _WORDS[lang]
    yield RULESETS[data["ruleset"]].name.label(lang)
    if len(hand["columns"]) > 1:
        for title, show in (("", _format_count), ("%", format_percent), ("1/n", format_one_in)):
            yield ""
            yield from _align_columns(_make_matrix(hand, title, show, lang))
    for place in data["house"]["places"]:
        if place["rows"].keys() != hand["rows"].keys():
            yield ""
            yield f"{words['house']} {data['house']['profile']}: {words[place['place']]}"
            chances = [(YAKU[yaku].label(lang), chance) for yaku, chance in _list_yaku(place)]
            chances.append((words["any"], place["any"]))
            yield from _align_columns([(name, *_format_chance(chance)) for name, chance in chances])
    yield ""
    chances = [
        (YAKU[yaku].label(lang) if yaku in YAKU else yaku, chance)
        for yaku, chance in _list_yaku(hand)
    ]
    yield from _align_columns(
        [(name, *_format_chance(chance)) for name, chance in chances + _list_more(data, lang)]
    )
    if year:
        yield ""
        yield from _align_columns(_make_grade_rows(year, lang))
        if year["etsunen"]:
            yield f"{words['left']}  {100 * year['etsunen']['value']:.4f} %"


def _list_more(data: Mapping[str, Any], lang: str) -> list[tuple[str, Chance]]:
    """Return the odds outside the table of yaku, by name."""
    words = _WORDS[lang]
    return [
        (words[key].format(_short_name(yaku, lang) if yaku else ""), chance)
        for key, yaku, chance in list_other_odds(data)
    ]


def _short_name(yaku: str, lang: str) -> str:
    """Return the short name of a dealt-hand yaku (手役); an external ruleset has only ids."""
    if yaku == NONE:
        return _WORDS[lang][NONE]
    if yaku not in YAKU:
        return yaku
    return YAKU[yaku].ja if lang == "ja" else YAKU[yaku].romaji


def _list_yaku(hand: Mapping[str, Any]) -> Iterator[tuple[str, Chance]]:
    """Yield the yaku of both families with their probabilities, in any combination."""
    for family in (hand["rows"], hand["columns"]):
        yield from ((yaku, chance) for yaku, chance in family.items() if yaku != NONE)


def _format_chance(chance: Chance) -> tuple[str, str, str]:
    return f"{chance['count']:,}", f"{format_percent(chance)} %", f"1/{format_one_in(chance)}"


def _format_count(chance: Chance) -> str:
    return f"{chance['count']:,}"


def _make_matrix(
    hand: Mapping[str, Any], title: str, show: Callable[[Chance], str], lang: str
) -> list[Row]:
    """Return rows and columns of yaku, with their sums."""
    total = _WORDS[lang]["sum"]
    rows: list[Row] = [(title, *(_short_name(yaku, lang) for yaku in hand["columns"]), total)]
    for row, cells in hand["matrix"].items():
        rows.append((_short_name(row, lang), *_format_cells(cells, show), show(hand["rows"][row])))
    rows.append((total, *_format_cells(hand["columns"], show), ""))
    return rows


def _format_cells(cells: Mapping[str, Chance], show: Callable[[Chance], str]) -> list[str]:
    return [show(chance) if chance["count"] else "-" for chance in cells.values()]


def _make_grade_rows(year: Mapping[str, Any], lang: str) -> list[Row]:
    """Return the months of each grade in a year, and the odds of each by the carried grade."""
    words = _WORDS[lang]
    rows: list[Row] = [("", words["months"], *(words[bound] for bound in year["grades"]))]
    for grade, mean in year["mean_months"].items():
        cells = [counts[grade] for counts in year["grades"].values()]
        chances = (f"{format_percent(chance, 4)} %" if chance["count"] else "-" for chance in cells)
        rows.append((GRADES[grade].label(lang), f"{mean['value']:.4f}", *chances))
    return rows


def _align_columns(rows: list[Row]) -> Iterator[str]:
    """Yield lines of columns: the first flush left, the others right.

    East Asian letters count as two columns.
    """
    widths = [max(map(_measure_width, column)) for column in zip(*rows, strict=True)]
    for first, *cells in rows:
        line = first + " " * (widths[0] - _measure_width(first))
        for text, width in zip(cells, widths[1:], strict=True):
            line += "  " + " " * (width - _measure_width(text)) + text
        yield line.rstrip()


def _measure_width(text: str) -> int:
    return sum(1 + (east_asian_width(letter) in "WF") for letter in text)

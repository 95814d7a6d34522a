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


def table(data: Mapping[str, Any], lang: str) -> Iterator[str]:
    """The odds (as of `kafu.odds.form.to_json`) for people, line by line."""
    hand, year, words = data["hand"], data["year"], _WORDS[lang]
    yield RULESETS[data["ruleset"]].name.label(lang)
    if len(hand["columns"]) > 1:
        for title, show in (("", _count), ("%", format_percent), ("1/n", format_one_in)):
            yield ""
            yield from _aligned(_matrix(hand, title, show, lang))
    for place in data["house"]["places"]:
        if place["rows"].keys() != hand["rows"].keys():
            yield ""
            yield f"{words['house']} {data['house']['profile']}: {words[place['place']]}"
            named = [(YAKU[yaku].label(lang), one) for yaku, one in _yaku(place)]
            named.append((words["any"], place["any"]))
            yield from _aligned([(name, *_figures(one)) for name, one in named])
    yield ""
    named = [(YAKU[yaku].label(lang) if yaku in YAKU else yaku, one) for yaku, one in _yaku(hand)]
    yield from _aligned([(name, *_figures(one)) for name, one in named + _more(data, lang)])
    if year:
        yield ""
        yield from _aligned(_grades(year, lang))
        if year["etsunen"]:
            yield f"{words['left']}  {100 * year['etsunen']['value']:.4f} %"


def _more(data: Mapping[str, Any], lang: str) -> list[tuple[str, Chance]]:
    """The odds outside the table of yaku, by name."""
    words = _WORDS[lang]
    return [
        (words[what].format(_dealt(yaku, lang) if yaku else ""), one)
        for what, yaku, one in list_other_odds(data)
    ]


def _dealt(yaku: str, lang: str) -> str:
    """A dealt-hand yaku, short; one of an external ruleset by its id."""
    if yaku == NONE:
        return _WORDS[lang][NONE]
    if yaku not in YAKU:
        return yaku
    return YAKU[yaku].ja if lang == "ja" else YAKU[yaku].romaji


def _yaku(hand: Mapping[str, Any]) -> Iterator[tuple[str, Chance]]:
    """The yaku of both families with their probabilities, each in any combination."""
    for family in (hand["rows"], hand["columns"]):
        yield from ((yaku, one) for yaku, one in family.items() if yaku != NONE)


def _figures(one: Chance) -> tuple[str, str, str]:
    return f"{one['count']:,}", f"{format_percent(one)} %", f"1/{format_one_in(one)}"


def _count(one: Chance) -> str:
    return f"{one['count']:,}"


def _matrix(
    hand: Mapping[str, Any], title: str, show: Callable[[Chance], str], lang: str
) -> list[Row]:
    """Rows and columns of yaku, and their sums."""
    total = _WORDS[lang]["sum"]
    rows: list[Row] = [(title, *(_dealt(yaku, lang) for yaku in hand["columns"]), total)]
    for row, cells in hand["matrix"].items():
        rows.append((_dealt(row, lang), *_shown(cells, show), show(hand["rows"][row])))
    rows.append((total, *_shown(hand["columns"], show), ""))
    return rows


def _shown(cells: Mapping[str, Chance], show: Callable[[Chance], str]) -> list[str]:
    return [show(chance) if chance["count"] else "-" for chance in cells.values()]


def _grades(year: Mapping[str, Any], lang: str) -> list[Row]:
    """Months of each grade in a year, and the odds of each by the grade carried into the month."""
    words = _WORDS[lang]
    rows: list[Row] = [("", words["months"], *(words[bound] for bound in year["grades"]))]
    for grade, mean in year["mean_months"].items():
        cells = [counts[grade] for counts in year["grades"].values()]
        chances = (f"{format_percent(chance, 4)} %" if chance["count"] else "-" for chance in cells)
        rows.append((GRADES[grade].label(lang), f"{mean['value']:.4f}", *chances))
    return rows


def _aligned(rows: list[Row]) -> Iterator[str]:
    """Lines of columns: the first flush left, the others right. East Asian letters are wide."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        line = first + " " * (widths[0] - _width(first))
        for text, width in zip(others, widths[1:], strict=True):
            line += "  " + " " * (width - _width(text)) + text
        yield line.rstrip()


def _width(text: str) -> int:
    return sum(1 + (east_asian_width(letter) in "WF") for letter in text)

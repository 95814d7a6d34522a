"""`manage.py odds RULES`: exact odds of dealt hands and of field grades."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from unicodedata import east_asian_width

from django.core.management.base import BaseCommand
from django.utils import translation
from django.utils.translation import gettext as _

from kafu.odds.exact import NONE, odds
from kafu.odds.form import one_in, percent, to_json
from kafu.rules.rulesets import RULESETS
from records import names
from records.batch import utf8
from records.management.arguments import piped
from records.views.odds import more

Chance = Mapping[str, Any]
Row = tuple[str, ...]


class Command(BaseCommand):
    """Needs no database and no key. Everything is computed anew."""

    help = "Print how likely each dealt-hand yaku and each field grade is."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Of which rules, and in which form."""
        parser.add_argument("rules", choices=RULESETS, help="a ruleset id")
        parser.add_argument("--format", choices=("table", "json"), default="table")
        parser.add_argument("--lang", choices=("en", "ja"), default="en", help="of the table")

    def handle(self, *, rules: str, format: str, lang: str, **options: Any) -> None:
        """Print the table, or JSON as the API has it."""
        utf8(sys.stdout)
        data = to_json(odds(rules))
        with piped(), translation.override(lang):
            if format == "json":
                self.stdout.write(json.dumps(data, ensure_ascii=False, indent=2))
            else:
                for line in _table(data):
                    self.stdout.write(line)


def _table(data: dict[str, Any]) -> Iterator[str]:
    """The odds for people, line by line."""
    hand, year = data["hand"], data["year"]
    yield names.ruleset(data["ruleset"])
    if len(hand["columns"]) > 1:
        for title, show in (("", _count), ("%", percent), ("1/n", one_in)):
            yield ""
            yield from _aligned(_matrix(hand, title, show))
    yield ""
    named = [(names.yaku(yaku), one) for yaku, one in _yaku(hand)]
    yield from _aligned([(name, *_figures(one)) for name, one in named + more(data)])
    if year:
        yield ""
        yield from _aligned(_grades(year))
        if year["etsunen"]:
            left = _("A bond left after December (etsunen)")
            yield f"{left}  {100 * year['etsunen']['value']:.4f} %"


def _yaku(hand: dict[str, Any]) -> Iterator[tuple[str, Chance]]:
    """The yaku of both families with their chances, whatever goes with them."""
    for family in (hand["rows"], hand["columns"]):
        yield from ((yaku, one) for yaku, one in family.items() if yaku != NONE)


def _figures(one: Chance) -> tuple[str, str, str]:
    return f"{one['count']:,}", f"{percent(one)} %", f"1/{one_in(one)}"


def _count(one: Chance) -> str:
    return f"{one['count']:,}"


def _matrix(hand: dict[str, Any], title: str, show: Callable[[Chance], str]) -> list[Row]:
    """Rows and columns of yaku, and their sums."""
    rows: list[Row] = [(title, *map(names.dealt, hand["columns"]), _("Sum"))]
    for row, cells in hand["matrix"].items():
        rows.append((names.dealt(row), *_shown(cells, show), show(hand["rows"][row])))
    rows.append((_("Sum"), *_shown(hand["columns"], show), ""))
    return rows


def _shown(cells: Mapping[str, Chance], show: Callable[[Chance], str]) -> list[str]:
    return [show(one) if one["count"] else "-" for one in cells.values()]


def _grades(year: dict[str, Any]) -> list[Row]:
    """Months of each grade in a year, and the odds of each by what is carried into the month."""
    rows: list[Row] = [("", _("Months"), *map(names.bound, year["grades"]))]
    for grade, mean in year["mean_months"].items():
        cells = [counts[grade] for counts in year["grades"].values()]
        chances = (f"{percent(one, 4)} %" if one["count"] else "-" for one in cells)
        rows.append((names.grade(grade), f"{mean['value']:.4f}", *chances))
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

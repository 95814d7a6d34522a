"""The score sheet as a plain form, for browsers without scripts: months down, players across."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _

from kafu.editing.sheet_forms import (
    LineWanted,
    MonthWanted,
    WrittenMonth,
    WrittenSheet,
    plain_amount,
    write_sheet,
)
from kafu.facade.errors import Error
from kafu.rules.description import Ruleset
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.ingest.receiving import Part
from records.ingest.sheet_entries import checked
from records.pages.editor.setup import circle_of, login_redirect, saving_context
from records.pages.editor.sheet_page import OF_CLUB, page_texts, plain_context, unit_names
from records.pages.uploads.submission import send
from records.privacy.circles import Circle
from records.services.editing import refusal
from records.services.sheet_editing import build_sheet_response
from records.serving.computing import compute
from records.serving.limits import expensive
from records.shapes.sheets import WrittenSheetJson
from records.wording.steps import amount

#: Maximum length of a number and of a name in a field.
_NUMBER_LENGTH: Final = 9
_NAME_LENGTH: Final = 100


@dataclass(frozen=True, slots=True)
class PlainGame:
    """The game of a form: rules, options and players."""

    choice: str
    description: Ruleset
    options: dict[str, str]
    players: list[str]


@dataclass(frozen=True, slots=True)
class PlainCell:
    """The fields of a player in a month, and the amount that follows from the others or ""."""

    seat: int
    name: str
    kan: str
    rest: str
    minus: bool
    known: str
    stone: bool
    mark: bool


@dataclass(frozen=True, slots=True)
class PlainRow:
    """A month of the form, with its name and its short name."""

    number: int
    name: str
    short: str
    cells: list[PlainCell]
    errors: list[str]


def plain_sheet(request: HttpRequest) -> HttpResponse:
    """Show the months of a sheet to fill in; by POST compute or save what was filled in.

    Without a ruleset show the choice of rules and players.
    """
    if answer := login_redirect(request):
        return answer
    fields = request.POST if request.method == "POST" else request.GET
    circle = circle_of(request)
    game = _game(fields, circle)
    if game is None:
        return render(request, "records/sheet_plain.html", plain_context(request, circle))
    with expensive(request, "sheet"):
        return _respond(request, fields, game, circle)


def _respond(
    request: HttpRequest, fields: QueryDict, game: PlainGame, circle: Circle | None
) -> HttpResponse:
    months = _months(fields, game)
    try:
        sheet = compute(write_sheet, game.description.id, game.players, game.options, months)
    except Error as error:
        return render(request, "records/sheet_plain.html", {"refusal": refusal(error)}, status=400)
    response = build_sheet_response(game.description.id, game.players, sheet)
    rows = _rows(fields, game, sheet, months, response)
    is_faulty = any(row.errors for row in rows) and request.method == "POST"
    context: dict[str, Any] = {
        "game": game,
        "title": labels.ruleset(game.description.id),
        "players": labels.people(game.players),
        "units": unit_names(game.description.id),
        "rows": rows,
        "totals": response.months[-1].totals_words,
        "dealer": months[0].dealer or 1,
        "stones": sheet.offered.stone or sheet.offered.stones,
        "mark": labels.yaku(label) if (label := _find_mark(game)) else "",
        "is_faulty": is_faulty,
        "is_over": sheet.is_over,
        **saving_context(request, circle),
    }
    context["level"] = fields.get("visibility", context.get("level", "public"))

    def show(error: str = "", status: int = 200) -> HttpResponse:
        page = context | {"error": error}
        return render(request, "records/sheet_plain.html", page, status=status)

    is_saving = request.method == "POST" and "save" in fields
    if not is_saving or is_faulty or all(month.is_blank for month in months):
        return show()
    entries = checked(json.dumps([asdict(month) for month in months]))
    part = Part(labels.PASTE, [sheet.text.encode()], entries)
    club = fields.get("club", "")
    return send(request, [part], form=show, visibility=context["level"], club=club, is_saved=True)


def _game(fields: QueryDict, circle: Circle | None) -> PlainGame | None:
    """Return the game of a form; None if no ruleset is chosen."""
    choice = fields.get("rules", "")
    id, _slash, preset_id = choice.partition("/")
    description = RULESETS.get(id)
    if description is None:
        return None
    options = next((dict(row.options) for row in description.presets if row.id == preset_id), {})
    if preset_id == OF_CLUB and circle is not None:
        options = dict(circle.houses.get(id, {}))
    names = [" ".join(name[:_NAME_LENGTH].split()) for name in fields.getlist("player")]
    count = min(
        max(len([name for name in names if name]), description.seats[0]), description.seats[-1]
    )
    names = [name for name in names if name][:count]
    names += [_("Player %(number)s") % {"number": i + 1} for i in range(len(names), count)]
    return PlainGame(choice, description, options, names)


def _count_rows(game: PlainGame) -> int:
    """Return the number of months of a game."""
    defaults = game.description.defaults(game.options.get("profile", ""))
    months = game.options.get("months") or defaults.get("months") or game.description.months
    return int(months)


def _number(fields: QueryDict, name: str) -> int | None:
    """Return a seat of the form, None without one."""
    value = fields.get(name, "")
    return int(value) if value in ("1", "2", "3", "4", "5", "6", "7") else None


def _find_mark(game: PlainGame) -> str:
    """Return the payment that a month marks by its player alone, such as ふけ; "" without one."""
    payments = game.description.sheet(game.options, len(game.players)).payments
    return next((row.id for row in payments.values() if row.marks), "")


def _months(fields: QueryDict, game: PlainGame) -> list[MonthWanted]:
    """Return the months that are filled in, at least one."""
    seats = range(1, len(game.players) + 1)
    label = _find_mark(game)
    months = []
    for number in range(1, _count_rows(game) + 1):
        mark = _number(fields, f"mark-{number}")
        months.append(
            MonthWanted(
                lines=[LineWanted(mark, label)] if mark and label else (),
                sums=() if mark else [_word(fields, number, seat) for seat in seats],
                stone=_number(fields, f"stone-{number}"),
                short=True,
            )
        )
    while len(months) > 1 and months[-1].is_blank:
        months.pop()
    months[0] = replace(months[0], dealer=_number(fields, "dealer"))
    return months


def _word(fields: QueryDict, number: int, seat: int) -> str:
    """Return the amount of a player in a month as a word of Kafu, "" for empty fields."""
    kan, rest = (
        plain_amount(fields.get(f"{part}-{number}-{seat}", "")[:_NUMBER_LENGTH])
        for part in ("kan", "rest")
    )
    size = f"{kan.lstrip('+-')}k{rest.lstrip('+-')}" if kan else rest.lstrip("+-")
    minus = f"minus-{number}-{seat}" in fields or kan.startswith("-") or rest.startswith("-")
    return f"-{size}" if minus and size else size


def _rows(
    fields: QueryDict,
    game: PlainGame,
    sheet: WrittenSheet,
    months: Sequence[MonthWanted],
    response: WrittenSheetJson,
) -> list[PlainRow]:
    rows = []
    following = sheet.months[-1].month.month + 1 if sheet.faults else sheet.next_month
    for number in range(1, max(_count_rows(game), len(months)) + 1):
        written = sheet.months[number - 1] if number <= len(months) else None
        if written is None or months[number - 1].is_blank:
            month, following = following, following + 1
        else:
            month = written.month.month
        errors = list(
            dict.fromkeys(
                fault.message
                for fault in response.faults
                if fault.month == number and not fault.doubt
            )
        )
        if written and (lacking := _lacking(months, number, written, game)):
            errors.insert(0, lacking)
        cells = [
            _cell(fields, game, written, number, seat) for seat in range(1, len(game.players) + 1)
        ]
        short = page_texts()["monthCell"] % {"number": month}
        rows.append(PlainRow(number, labels.month(month), short, cells, errors))
    return rows


def _lacking(
    months: Sequence[MonthWanted], number: int, written: WrittenMonth, game: PlainGame
) -> str:
    """Return what a month lacks, "" if nothing."""
    month, order = months[number - 1], written.playing.order
    if month.is_blank:
        return page_texts()["emptySums"] if number < len(months) else ""
    open_seats = [seat for seat in order if not month.sums or not month.sums[seat - 1]]
    if month.lines or len(open_seats) < 2:
        return ""
    return page_texts()["lacking"] % {"name": labels.person(game.players[open_seats[0] - 1])}


def _cell(
    fields: QueryDict, game: PlainGame, written: WrittenMonth | None, number: int, seat: int
) -> PlainCell:
    kan, rest = (
        fields.get(f"{part}-{number}-{seat}", "")[:_NUMBER_LENGTH] for part in ("kan", "rest")
    )
    computed_sum = ""
    if written and written.month.payments and not (kan or rest):
        computed_sum = amount(written.score[seat - 1], units=labels.units(game.description.id))
    stone = written.month.stone if written else None
    return PlainCell(
        seat,
        labels.person(game.players[seat - 1]),
        kan,
        rest,
        f"minus-{number}-{seat}" in fields,
        computed_sum,
        (_number(fields, f"stone-{number}") or stone) == seat,
        _number(fields, f"mark-{number}") == seat,
    )

"""Score notebooks on the page for checking games: the reading, before anything is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.http import HttpRequest

from kafu.facade.errors import Error
from kafu.facade.rulesets import options_of
from kafu.importers.notebook.months import MonthRow
from kafu.importers.notebook.sheet import (
    Notebook,
    convert,
    players_of,
    read_rows,
    recognises_text,
)
from kafu.importers.notebook.table import Rows, cell_name, write_table
from kafu.notation.faults import Fault, Malformed
from kafu.notation.game import Month
from kafu.notation.vocabulary import MAX_GAME_BYTES
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.pages.rulebook.book import house
from records.services.editing import refusal

#: The fields of the form: a file, and the table of an earlier sheet.
FILE: Final = "notebook"
TABLE: Final = "table"
#: Maximum length of the options in a form.
OPTIONS_LENGTH: Final = 500


@dataclass(frozen=True, slots=True)
class Choice:
    """A house of a ruleset that may be chosen."""

    value: str
    name: str


@dataclass(frozen=True, slots=True)
class MonthView:
    """A month of a notebook. ``is_wrong`` marks a row contradicting the rules."""

    month: str
    grade: str
    dealer: str
    amounts: Sequence[int]
    remarks: str
    is_wrong: bool


@dataclass(slots=True)
class NotebookView:
    """A notebook for the page.

    ``text`` is the table of the notebook. For a table without faults ``text`` is the sheet, and
    ``table`` the table. ``faults`` and ``warnings`` name the cells.
    """

    text: str
    table: str = ""
    players: Sequence[str] = ()
    choices: Sequence[Choice] = ()
    chosen: str = ""
    dealer: int = 1
    ended: bool = False
    options: str = ""
    months: Sequence[MonthView] = ()
    totals: Sequence[int] = ()
    units: labels.Units | None = None
    has_grades: bool = False
    has_remarks: bool = False
    is_sheet: bool = False
    faults: Sequence[dict[str, Any]] = ()
    warnings: Sequence[dict[str, Any]] = field(default_factory=list)


def notebook_view(request: HttpRequest, text: str) -> NotebookView | None:
    """Return the notebook of a form; None for another text.

    The form has a file, a pasted table, or the table of an earlier sheet.
    """
    file = request.FILES.get(FILE)
    if "again" in request.POST:
        text = request.POST.get(TABLE, "")
    if file is not None:
        data = file.read(MAX_GAME_BYTES + 1)
    elif "[Kafu" not in text and recognises_text(text):
        data = text.encode(errors="replace")
    else:
        return None
    try:
        rows, warnings = read_rows(data)
        players = players_of(rows)
    except Malformed as malformed:
        return NotebookView(text, faults=[_describe_fault(malformed.fault)])
    view = NotebookView(write_table(rows), players=labels.people(players))
    view.choices = _choices(len(players))
    view.warnings = [_describe_fault(warning) for warning in warnings]
    _read(view, request, rows)
    return view


def _choices(players: int) -> list[Choice]:
    """Return the houses of the rulesets for a number of players, or all houses if none fits."""
    rulesets = [ruleset for ruleset in RULESETS.values() if ruleset.sheet is not None]
    fitting = [ruleset for ruleset in rulesets if players in ruleset.seats] or rulesets
    choices = []
    for ruleset in fitting:
        name = labels.ruleset(ruleset.id)
        choices.append(Choice(ruleset.id, name))
        for profile in ruleset.profiles[1:]:
            title = f"{name} · {house(ruleset.id, profile)}"
            choices.append(Choice(f"{ruleset.id}/{profile}", title))
    return choices


def _read(view: NotebookView, request: HttpRequest, rows: Rows) -> None:
    """Read the table by the rules chosen in the form, if any."""
    chosen = request.POST.get("rules", "")
    if chosen not in {choice.value for choice in view.choices}:
        return
    dealer = request.POST.get("dealer", "")
    view.chosen = chosen
    view.dealer = int(dealer) if dealer in "1234567" and dealer else 1
    view.ended = "ended" in request.POST
    rules, _, profile = chosen.partition("/")
    view.options = request.POST.get("options", "")[:OPTIONS_LENGTH]
    try:
        options = options_of(
            rules, f"profile={profile} {view.options}" if profile else view.options
        )
    except Error as error:
        view.faults = [{"message": refusal(error)}]
        return
    notebook = convert(rows, rules, options, dealer=view.dealer)
    if view.ended and notebook.game is not None:
        # The players agreed on fewer months than their house plays.
        last = str(notebook.game.months[-1].month)
        months = RULESETS[rules].options.get("months")
        if months is not None and last in months.known and not _is_over(notebook):
            options["months"] = last
            notebook = convert(rows, rules, options, dealer=view.dealer)
    _show(view, notebook, rules)


def _is_over(notebook: Notebook) -> bool:
    return notebook.game is not None and notebook.game.termination != "unfinished"


def _show(view: NotebookView, notebook: Notebook, rules: str) -> None:
    """Show the months or the faults of a notebook."""
    names = notebook.players
    view.warnings = [
        *view.warnings,
        *(_describe_fault(warning, names) for warning in notebook.warnings),
    ]
    view.faults = [_describe_fault(fault, names) for fault in notebook.faults]
    game = notebook.game
    if game is None or notebook.verification is None:
        return
    view.units = labels.units(rules)
    error = notebook.verification.verdict.error
    if error is None:
        view.is_sheet = True
        view.table, view.text = view.text, notebook.verification.text
    else:
        view.faults = [_describe_fault(notebook.placed(error), names)]
    wrong = error.deal if error is not None else None
    pairs = zip(notebook.rows, game.months, strict=True)
    view.months = [
        _month(row, month, view.players, is_wrong=number == wrong)
        for number, (row, month) in enumerate(pairs, start=1)
    ]
    view.totals = [
        sum(column) for column in zip(*(month.amounts for month in view.months), strict=True)
    ]
    view.has_grades = any(month.grade for month in view.months)
    view.has_remarks = any(month.remarks for month in view.months)


def _month(row: MonthRow, month: Month, players: Sequence[str], *, is_wrong: bool) -> MonthView:
    return MonthView(
        month=labels.month(month.month),
        grade=_grade(month.ba) if month.ba else "",
        dealer=players[month.dealer - 1],
        amounts=[amount or 0 for amount in row.amounts],
        remarks=" · ".join(row.comments),
        is_wrong=is_wrong,
    )


def _grade(ba: str) -> str:
    """Return a grade in short, with the mark of a bright carried over to the next month."""
    mark = "2" if ba.endswith("2") else ""
    return f"{labels.grade_brief(ba.removesuffix(mark))}{mark}"


def _describe_fault(fault: Fault, players: Sequence[str] = ()) -> dict[str, Any]:
    """Return a fault in words, with the name of its cell."""
    message = labels.fault(fault.to_stored(), players) or {}
    cell = cell_name(fault.line, fault.column) if fault.line and fault.column else ""
    return message | {"cell": cell}

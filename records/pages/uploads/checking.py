"""Checks of a text or a file without storage: a game, or a score notebook and its reading.

Everything here is for a computing process (`records.serving.computing`): no request, no database.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final

from kafu.facade.errors import Error
from kafu.facade.rulesets import options_of
from kafu.importers import read_piece
from kafu.importers.notebook.months import MonthRow
from kafu.importers.notebook.sheet import (
    Notebook,
    convert,
    players_of,
    read_rows,
    recognises_text,
)
from kafu.importers.notebook.table import Rows, cell_name, write_table
from kafu.judging.position import position
from kafu.judging.verify import Verification, verify
from kafu.notation.faults import Fault, Malformed
from kafu.notation.game import Game, Month
from kafu.notation.stream.cut import cut, single
from kafu.notation.stream.extent import Piece
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.models import Status
from records.pages.game.player_data import ScoreTable, score_table
from records.services.editing import refusal
from records.services.repairs import leave_out, put_in
from records.wording.faults import MAX_MOVES, FaultView, fault_view

#: Maximum length of the options in a form.
OPTIONS_LENGTH: Final = 500


@dataclass(frozen=True, slots=True)
class CheckForm:
    """The fields of a form: a text or the bytes of a file, and the choices for a notebook.

    ``put`` is the number of the legal move to put in the place of the bad move, ``omit`` to leave
    that out, or "".
    """

    text: str
    file: bytes | None = None
    rules: str = ""
    dealer: str = ""
    options: str = ""
    is_ended: bool = False
    put: str = ""


@dataclass(frozen=True, slots=True)
class NotebookChoice:
    """A house of a ruleset that may be chosen."""

    value: str
    name: str


@dataclass(frozen=True, slots=True)
class NotebookMonth:
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
    choices: Sequence[NotebookChoice] = ()
    chosen: str = ""
    dealer: int = 1
    ended: bool = False
    options: str = ""
    months: Sequence[NotebookMonth] = ()
    totals: Sequence[int] = ()
    units: labels.Units | None = None
    has_grades: bool = False
    has_remarks: bool = False
    is_sheet: bool = False
    faults: Sequence[dict[str, Any]] = ()
    warnings: Sequence[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a check: ``status`` with a label, the fault if any, and the score.

    ``is_stranger``: the text has no line with which a game begins.
    """

    status: str
    label: str
    fault: FaultView | None
    warnings: list[dict[str, Any]]
    score: ScoreTable | None
    is_stranger: bool


@dataclass(slots=True)
class FormCheck:
    """The result for a form: the text to show, and the reading of a notebook or the verdict.

    ``checked`` is None for a notebook without a sheet, and for a text of several games.
    ``is_uncorrected``: the requested correction is impossible.
    """

    text: str
    notebook: NotebookView | None = None
    checked: Checked | None = None
    is_uncorrected: bool = False


def check_form(form: CheckForm) -> FormCheck:
    """Read and judge the text or file of a form."""
    if notebook := read_form(form):
        judged = judge_text(notebook.text) if notebook.is_sheet else None
        return FormCheck(notebook.text, notebook, judged)
    piece = single(form.text.encode(errors="replace"))
    if piece is None:
        return FormCheck(form.text)
    verification = verify(read_piece(piece))
    if form.put:
        corrected = _correct(form.text, verification, form.put)
        if corrected is not None:
            return FormCheck(corrected, checked=judge_text(corrected))
    judged = _judge(piece, verification)
    return FormCheck(form.text, checked=judged, is_uncorrected=bool(form.put))


def first_piece(text: str) -> Piece:
    """Return the first game of a text."""
    return next(cut(BytesIO(text.encode(errors="replace"))))


def judge_text(text: str) -> Checked:
    """Return the verdict on the first game of a text."""
    piece = first_piece(text)
    return _judge(piece, verify(read_piece(piece)))


def read_form(form: CheckForm) -> NotebookView | None:
    """Return the notebook of a form: a file or a pasted table; None for another text."""
    if form.file is not None:
        data = form.file
    elif "[Kafu" not in form.text and recognises_text(form.text):
        data = form.text.encode(errors="replace")
    else:
        return None
    try:
        rows, warnings = read_rows(data)
        players = players_of(rows)
    except Malformed as malformed:
        return NotebookView(form.text, faults=[_describe_fault(malformed.fault)])
    view = NotebookView(write_table(rows), players=labels.people(players))
    view.choices = _choices(len(players))
    view.warnings = [_describe_fault(warning) for warning in warnings]
    _read(view, form, rows)
    return view


def _choices(players: int) -> list[NotebookChoice]:
    """Return the houses of the rulesets for a number of players, or all houses if none fits."""
    rulesets = RULESETS.values()
    fitting = [description for description in rulesets if players in description.seats] or rulesets
    choices = []
    for description in fitting:
        name = labels.ruleset(description.id)
        choices.append(NotebookChoice(description.id, name))
        for profile in description.profiles[1:]:
            title = f"{name} · {labels.house(profile)}"
            choices.append(NotebookChoice(f"{description.id}/{profile}", title))
    return choices


def _read(view: NotebookView, form: CheckForm, rows: Rows) -> None:
    """Read the table by the rules chosen in the form, if any."""
    if form.rules not in {choice.value for choice in view.choices}:
        return
    view.chosen = form.rules
    view.dealer = int(form.dealer) if form.dealer in "1234567" and form.dealer else 1
    view.ended = form.is_ended
    ruleset, _, profile = form.rules.partition("/")
    view.options = form.options[:OPTIONS_LENGTH]
    try:
        options = options_of(
            ruleset, f"profile={profile} {view.options}" if profile else view.options
        )
    except Error as error:
        view.faults = [{"words": refusal(error)}]
        return
    notebook = convert(rows, ruleset, options, dealer=view.dealer)
    if view.ended and notebook.game is not None:
        # The players agreed on fewer months than their house plays.
        last = str(notebook.game.months[-1].month)
        months = RULESETS[ruleset].options.get("months")
        if months is not None and last in months.known and not _is_over(notebook):
            options["months"] = last
            notebook = convert(rows, ruleset, options, dealer=view.dealer)
    _show(view, notebook, ruleset)


def _is_over(notebook: Notebook) -> bool:
    return notebook.game is not None and notebook.game.termination != "unfinished"


def _show(view: NotebookView, notebook: Notebook, ruleset: str) -> None:
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
    view.units = labels.units(ruleset)
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


def _month(row: MonthRow, month: Month, players: Sequence[str], *, is_wrong: bool) -> NotebookMonth:
    return NotebookMonth(
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
    message = labels.worded_fault(fault.to_stored(), players) or {}
    cell = cell_name(fault.line, fault.column) if fault.line and fault.column else ""
    return message | {"cell": cell}


def _correct(text: str, verification: Verification, choice: str) -> str | None:
    """Return the text with a legal move (numbered from 0) in the place of the bad move.

    With ``omit`` the bad move is left out. Return None if the correction is impossible.
    """
    error, game = verification.verdict.error, verification.game
    place = position(game) if error is not None and game is not None else None
    if error is None or place is None:
        return None
    if choice == "omit":
        return leave_out(text, error.line, error.column, place.omit)
    numbers = {str(number): option for number, option in enumerate(place.legal[:MAX_MOVES])}
    if choice not in numbers:
        return None
    return put_in(text, error.line, error.column, numbers[choice])


def _judge(piece: Piece, verification: Verification) -> Checked:
    """Return the verdict on a piece for the page."""
    verdict, game = verification.verdict, verification.game
    stored = verdict.to_stored()
    players = game.players if game else ()
    warnings = [labels.worded_fault(warning, players) for warning in stored["warnings"]]
    return Checked(
        status=verdict.status,
        label=str(Status(verdict.status).label),
        fault=fault_view(
            error=labels.worded_fault(stored["error"], players),
            mismatches=stored["mismatches"],
            text=text_of(piece),
            first=1,
            game=game,
            place=position(game) if game and verdict.error else None,
            address="",
        ),
        warnings=[warning for warning in warnings if warning],
        score=_score(stored, game) if game and verdict.deals else None,
        is_stranger=game is None and piece.form != "json" and "[Kafu" not in text_of(piece),
    )


def _score(stored: dict[str, Any], game: Game) -> ScoreTable:
    return score_table(game, stored, [labels.person(name) for name in game.players])


def text_of(piece: Piece) -> str:
    """Return the text of a game without a byte order mark."""
    return piece.text().removeprefix("\ufeff")

"""Checks of a pasted game or score notebook without storage, and corrections of games.

Score notebooks on the page for checking games: the reading, before anything is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

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
from kafu.notation.vocabulary import MAX_GAME_BYTES
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.ingest import reports
from records.ingest.pieces import piece_of
from records.models import Status, Upload
from records.pages.game.corrected import replaced_context
from records.pages.game.page import record_of
from records.pages.game.player_data import ScoreTable, score_table
from records.pages.notation import example_text, examples
from records.privacy.access import mark, submissions_of, viewer_of
from records.privacy.redaction import redaction_for
from records.services.editing import refusal
from records.services.repairs import leave_out, put_in
from records.serving.limits import SMALL_BYTES, Limit, expensive, step, takes
from records.serving.senders import sender_of
from records.wording.faults import MAX_MOVES, FaultView, fault_view

#: The fields of the form: a file, and the table of an earlier sheet.
FILE: Final = "notebook"
TABLE: Final = "table"
#: Maximum length of the options in a form.
OPTIONS_LENGTH: Final = 500
#: Overhead of the form: each byte of the game may take three bytes when sent.
FORM_BYTES: Final = 2 * MAX_GAME_BYTES + SMALL_BYTES


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
            title = f"{name} · {labels.house(profile)}"
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
        view.faults = [{"words": refusal(error)}]
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
    message = labels.worded_fault(fault.to_stored(), players) or {}
    cell = cell_name(fault.line, fault.column) if fault.line and fault.column else ""
    return message | {"cell": cell}


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


@csrf_exempt  # _check is protected: a form that cannot be parsed gets our message
@takes(Limit(lambda: MAX_GAME_BYTES, more=FORM_BYTES))
def check(request: HttpRequest) -> HttpResponse:
    """Show the form, or by POST the verdict on a text.

    The query may choose a game of an upload (``upload``, ``file``, ``game``), a game of the archive
    (``record``), or an ``example``.
    """
    if request.method != "POST":
        piece, record, upload = _find_requested(request)
        if piece is None:
            return _page(request, "")
        with expensive(request, "verify"):
            if notebook := notebook_view(request, _text(piece)):
                return _notebook(request, notebook)
            judged = _judge(piece, verify(read_piece(piece)))
        return _page(request, _text(piece), judged, record=record, upload=upload)
    try:
        return _check(request)
    except RequestDataTooBig:
        return _too_large(request)


@csrf_protect
def _check(request: HttpRequest) -> HttpResponse:
    # A form sends every line end as CRLF, whatever was pasted.
    text = request.POST.get("text", "").replace("\r\n", "\n")
    limit = step("verify", sender_of(request))
    if limit.too_fast:
        wait = limit.left
        again = _("Too many checks: try again in %(seconds)d seconds.") % {"seconds": wait}
        response = _page(request, text, error=again, status=429)
        response.headers["Retry-After"] = str(wait)
        return response
    with expensive(request, "verify"):
        if notebook := notebook_view(request, text):
            return _notebook(request, notebook)
    if not text.strip():
        return _page(request, text, error=_("Paste a game."), status=400)
    data = text.encode(errors="replace")
    if len(data) > MAX_GAME_BYTES:
        return _too_large(request)
    piece = single(data)
    if piece is None:
        many = _("This is more than one game; send several games as an upload.")
        return _page(request, text, error=many, status=400)
    with expensive(request, "verify"):
        return _verify(request, text, piece)


def _notebook(request: HttpRequest, notebook: NotebookView) -> HttpResponse:
    """Show the reading of a score notebook, with the verdict if it makes a sheet."""
    if not notebook.is_sheet:
        return _page(request, notebook.text, notebook=notebook)
    piece = _piece(notebook.text)
    judged = _judge(piece, verify(read_piece(piece)))
    return _page(request, notebook.text, judged, notebook=notebook)


def _verify(request: HttpRequest, text: str, piece: Piece) -> HttpResponse:
    verification = verify(read_piece(piece))
    choice = request.POST.get("put", "")
    if not choice:
        return _page(request, text, _judge(piece, verification))
    corrected = _correct(text, verification, choice)
    if corrected is None:
        error = _("This could not be inserted: please edit the text yourself.")
        return _page(request, text, _judge(piece, verification), error=error)
    piece = _piece(corrected)
    return _page(request, corrected, _judge(piece, verify(read_piece(piece))))


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


def _piece(text: str) -> Piece:
    """Return the first game of a text."""
    return next(cut(BytesIO(text.encode(errors="replace"))))


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
            text=_text(piece),
            first=1,
            game=game,
            place=position(game) if game and verdict.error else None,
            address="",
        ),
        warnings=[warning for warning in warnings if warning],
        score=_score(stored, game) if game and verdict.deals else None,
        is_stranger=game is None and piece.form != "json" and "[Kafu" not in _text(piece),
    )


def _score(stored: dict[str, Any], game: Game) -> ScoreTable:
    return score_table(game, stored, [labels.person(name) for name in game.players])


def _text(piece: Piece) -> str:
    return piece.text().removeprefix("\ufeff")


def _find_requested(request: HttpRequest) -> tuple[Piece | None, str, Upload | None]:
    """Return the game chosen by the query, the key of a stored game, and the chosen upload.

    Return None and "" for a query without a game. Raise Http404.
    """
    params = request.GET
    if (example := params.get("example", "")) in RULESETS:
        return _piece(example_text(example)), "", None
    if key := params.get("record", ""):
        record = record_of(request, key.replace("\0", ""))
        return _piece(record.text), record.key, None
    if key := params.get("upload", ""):
        file, game = params.get("file", "1"), params.get("game", "1")
        numbers = [
            int(number) if number.isascii() and number.isdigit() and len(number) < 9 else 0
            for number in (file, game)
        ]
        viewer = viewer_of(request)
        upload = get_object_or_404(reports.uploads(viewer), key=key.replace("\0", ""))
        submission = get_object_or_404(
            submissions_of(upload, viewer).select_related("file", "chunk", "record"),
            file__number=numbers[0],
            number=numbers[1],
            is_shown=True,
        )
        mark(request, upload.visibility)
        text = _text(piece_of(submission))
        if redaction_for(upload, viewer).covers(text):
            raise Http404
        # Cut again: lines count from the beginning of the text that is shown, not of the file.
        return _piece(text), submission.record.key if submission.record else "", upload
    return None, "", None


def _page(
    request: HttpRequest,
    text: str,
    checked: Checked | None = None,
    *,
    notebook: NotebookView | None = None,
    record: str = "",
    upload: Upload | None = None,
    error: str = "",
    status: int = 200,
) -> HttpResponse:
    """Render the page.

    ``record`` is the key of the corrected game, or "". ``upload`` is the upload of the game, if
    chosen by the query.
    """
    context: dict[str, Any] = {
        "text": text,
        "checked": checked,
        "notebook": notebook,
        "error": error,
        "limit": MAX_GAME_BYTES,
    }
    context |= replaced_context(request, record or request.POST.get("replaces", ""), upload)
    if not text.strip() or (checked and checked.is_stranger):
        context["examples"] = examples()
    return render(request, "records/check.html", context, status=status)


def _too_large(request: HttpRequest) -> HttpResponse:
    return render(request, "413.html", {"limit": MAX_GAME_BYTES}, status=413)

"""Checks of a pasted game or score notebook without storage, and corrections of games."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from kafu.importers import read_piece
from kafu.judging.position import position
from kafu.judging.verify import Verification, verify
from kafu.notation.game import Game
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
from records.pages.game.score import ScoreTable, score_table
from records.pages.notation.examples import example_text, examples
from records.pages.uploads.notebooks import NotebookView, notebook_view
from records.privacy.access import mark, submissions_of, viewer_of
from records.privacy.redaction import redaction_for
from records.services.repairs import leave_out, put_in
from records.serving.body_limits import SMALL_BYTES, Limit, takes
from records.serving.limits import expensive, step
from records.serving.senders import sender_of
from records.wording.faults import MAX_MOVES, FaultView, fault_view

#: Overhead of the form: each byte of the game may take three bytes when sent.
FORM_BYTES: Final = 2 * MAX_GAME_BYTES + SMALL_BYTES


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
    warnings = [labels.fault(warning, players) for warning in stored["warnings"]]
    return Checked(
        status=verdict.status,
        label=str(Status(verdict.status).label),
        fault=fault_view(
            error=labels.fault(stored["error"], players),
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

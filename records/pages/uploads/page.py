"""Uploading games, and the report on an upload."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import RequestDataTooBig, TooManyFilesSent
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from kafu.importers import read_piece
from kafu.notation import codes
from kafu.notation.game import Game
from kafu.notation.stream.extent import Piece
from records.base import labels
from records.base.labels import described_visibilities
from records.ingest import reports
from records.ingest.receiving import Part
from records.ingest.sheet_entries import checked
from records.models import Job, Status, Upload, UploadFile, Visibility
from records.models.uploads import PASSED_OVER
from records.pages.uploads.submission import send, too_large
from records.privacy.access import (
    Viewer,
    is_sender,
    mark,
    viewer_of,
    with_secret,
)
from records.privacy.circles import list_addresses
from records.privacy.redaction import Redaction, redaction_for
from records.services import visibility
from records.services.quotas import shown_quotas
from records.services.replays import position_of_text
from records.serving.computing import compute
from records.serving.limits import FORM_BYTES, Limit, expensive, takes
from records.texts.pieces import extent_of, piece_of
from records.wording.faults import fault_view

FAULTS = 20
GAMES = 100
#: Bytes of faulty games on a page for which the table before the fault is computed. The first fault
#: of a page always has the table.
REPLAYED_BYTES: Final = 256 << 10


@csrf_exempt  # _accept is protected: a form that cannot be parsed gets our message
@takes(Limit(lambda: settings.UPLOAD_LIMIT_BYTES, more=FORM_BYTES))
def upload(request: HttpRequest) -> HttpResponse:
    """Show the form; by POST store files and pasted text, and redirect to the report.

    With ``saved`` one game was written on a page of the editor: its report leads to the game.
    """
    if not settings.ANONYMOUS_UPLOAD and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if request.method != "POST":
        return _form(request)
    try:
        return _accept(request)
    except RequestDataTooBig:
        return too_large(request)
    except TooManyFilesSent:
        most = {"count": settings.DATA_UPLOAD_MAX_NUMBER_FILES}
        return _form(request, _("At most %(count)d files at once.") % most, 400)


@csrf_protect
def _accept(request: HttpRequest) -> HttpResponse:
    fields = request.POST
    return send(
        request,
        _parts(request),
        form=partial(_form, request),
        visibility=fields.get("visibility", ""),
        club=fields.get("club", ""),
        replaces=fields.get("replaces", ""),
        secret=fields.get("secret", ""),
        is_saved="saved" in fields,
    )


def _parts(request: HttpRequest) -> Iterator[Part]:
    for file in request.FILES.getlist("files"):
        yield Part(file.name or "", file.chunks())
    text = request.POST.get("text", "")
    if text.strip():
        # A form sends every line end as CRLF.
        lines = text.replace("\r\n", "\n").encode()
        yield Part(labels.PASTE, [lines], _entries(request))


def _entries(request: HttpRequest) -> str | None:
    """Return the entries of a score sheet's form, None for other games and invalid entries."""
    try:
        return checked(request.POST["entries"])
    except (KeyError, ValueError):
        return None  # The text contains the whole game.


def _form(request: HttpRequest, error: str = "", status: int = 200) -> HttpResponse:
    context = {
        "limit": settings.UPLOAD_LIMIT_BYTES,
        "most": settings.RESUMABLE_LIMIT_BYTES,
        "words": page_texts(),
        "error": error,
        "quotas": shown_quotas(request),
        "visibilities": described_visibilities(private=request.user.is_authenticated),
        "clubs": list_addresses(request.user.pk),
        "club": request.POST.get("club") or request.GET.get("club"),
    }
    return render(request, "records/upload.html", context, status=status)


def page_texts() -> dict[str, str]:
    """Return the texts that the form's modules put into the page."""
    return {
        "chosen": _("%(count)s files, %(size)s"),
        "chosenOne": _("1 file, %(size)s"),
        "more": _("and %(count)s more"),
        "remove": _("Remove"),
        "nothing": _("Choose a file, or paste a game."),
        "sending": _("Sending …"),
        "broken": _("The connection broke. Trying again …"),
        "paused": _("Paused."),
        "pause": _("Pause"),
        "resume": _("Go on"),
        "failed": _("The upload failed. Is the server still running?"),
        "untitled": _("Games"),
    }


def my_report(request: HttpRequest, key: str, secret: str) -> HttpResponse:
    """Show the report to the sender of an anonymous upload, by the secret of the upload."""
    viewer = with_secret(viewer_of(request), key, secret)
    if viewer.upload is None:
        raise Http404
    mark(request, Visibility.PRIVATE)
    return report(request, key, viewer=viewer, secret=secret)


def report(
    request: HttpRequest, key: str, *, viewer: Viewer | None = None, secret: str = ""
) -> HttpResponse:
    """Show the report on an upload: counts, each faulty game with the error, all games.

    `my_report` passes the viewer with the secret.
    """
    with expensive(request, "report"):
        return _report(request, key, viewer or viewer_of(request), secret)


def _report(request: HttpRequest, key: str, viewer: Viewer, secret: str) -> HttpResponse:
    upload = get_object_or_404(reports.uploads(viewer), key=key)
    mark(request, min(upload.visibility, Visibility.UNLISTED))
    # Queried before the lists: they may be ahead of the counts, never behind "done".
    progress = upload.progress()
    change = reports.progress_of_change(upload)
    is_mine = is_sender(upload, viewer)
    status = request.GET.get("status", "")
    if status not in Status.values:
        status = ""
    faults = Paginator(reports.submissions(upload, viewer, faulty=True), FAULTS)
    games = Paginator(reports.submissions(upload, viewer, status=status), GAMES)
    shown = faults.get_page(request.GET.get("faults"))
    listed = games.get_page(request.GET.get("page"))
    redaction = redaction_for(upload, viewer)
    namesakes = reports.namesakes(
        upload, (submission.file.name for submission in (*shown, *listed))
    )
    given_up = _list_dead_jobs(upload, redaction)
    for row in (*shown, *listed, *given_up):
        file = getattr(row, "file", row)
        file.name = redaction.redact_report(file.name)
    reports.add_copies([*shown, *listed], viewer)
    for row in (*shown, *listed):
        is_titled = row.is_shown and row.record
        row.title = reports.join_players(row.record, redaction) if is_titled else ""
        row.ruleset = labels.ruleset_brief(row.record.ruleset) if is_titled else ""
    games_read = progress["games"]
    broken = _list_broken(upload, redaction)
    return render(
        request,
        "records/report.html",
        {
            "upload": upload,
            "progress": progress,
            "change": change,
            "changing": change is not None and change.state in Job.OPEN,
            "mine": is_mine,
            "saved": "saved" in request.GET and is_mine and (progress["games"]["total"] or 0) <= 1,
            "claiming": bool(upload.claim),
            "secret": secret,
            "restorable_until": visibility.restorable_until(upload),
            "level": Visibility(upload.visibility).id,
            "levels": described_visibilities(private=upload.owner_id is not None)
            if upload.visibility
            else [],
            "counts": [
                (value, label, progress["games"][value])
                for value, label in Status.choices
                if progress["games"][value]
            ],
            "status": status,
            "api": reverse("api:upload", args=[upload.key]),
            "title": reports.title(upload, viewer),
            "problems": sum(games_read[status] for status in reports.FAULTY),
            "has_many_files": progress["files"] + progress["files_unpacked"] > 1,
            "broken": broken,
            "passed_over": _with_faults(reports.files(upload).filter(PASSED_OVER), redaction),
            "doubtful": list(_list_doubtful(upload, viewer, redaction)),
            "stopped": labels.fault(upload.stopped),
            "namesakes": redaction.redact_report(list(namesakes)),
            "given_up": given_up,
            "faults": shown,
            "faulty": list(_faults(shown, redaction)),
            "games": listed,
        },
    )


def _list_dead_jobs(upload: Upload, redaction: Redaction) -> list[Any]:
    """Return the files and chunks with a job that failed too often, with the reasons."""
    dead = {"job__state": Job.State.DEAD_LETTER}
    rows: list[Any] = [
        *upload.files.filter(**dead).select_related("job"),
        *upload.chunks.filter(**dead).select_related("job", "file"),
    ]
    for row in rows:
        row.job.reason = redaction.redact_report(row.job.reason)
    return rows


def _list_broken(upload: Upload, redaction: Redaction) -> dict[str, Any]:
    """Return the number of files that could not be read completely, and the first with reasons."""
    return _with_faults(
        reports.files(upload).filter(fault__isnull=False).exclude(PASSED_OVER), redaction
    )


def _with_faults(broken: QuerySet[UploadFile], redaction: Redaction) -> dict[str, Any]:
    shown = [
        (redaction.redact_report(file.name), labels.fault(redaction.redact_fault(file.fault)))
        for file in broken[:FAULTS]
    ]
    return {"shown": shown, "more": max(0, broken.count() - len(shown))}


def _list_doubtful(
    upload: Upload, viewer: Viewer, redaction: Redaction
) -> Iterator[dict[str, Any]]:
    """Yield the games that their sender should check, and the warnings about them."""
    shown_codes = reports.DOUBTFUL | {codes.DECODED.id}  # the encoding that names were read in
    for submission in reports.find_doubtful(upload, viewer):
        warnings = [
            labels.fault(redaction.redact_fault(warning))
            for warning in submission.warnings
            if warning["code"] in shown_codes
        ]
        name = redaction.redact_report(submission.file.name)
        yield {"file": name, "number": submission.number, "warnings": warnings}


def _faults(submissions: Iterable[Any], redaction: Redaction) -> Iterator[dict[str, Any]]:
    """Yield the faulty games of a page for the report, within `REPLAYED_BYTES`."""
    bytes_left = REPLAYED_BYTES
    for submission in submissions:
        is_replayed = bytes_left > 0
        if submission.is_shown:
            bytes_left -= extent_of(submission).length
        yield _fault(submission, redaction, is_replayed=is_replayed)


def _read_game(piece: Piece) -> Game | None:
    return read_piece(piece).game


def _fault(submission: Any, redaction: Redaction, *, is_replayed: bool) -> dict[str, Any]:
    """Return a faulty game for the report, with the details needed for a correction.

    A text that may not be quoted is left out. Unless ``is_replayed``, the table before the fault is
    left out too.
    """
    if not submission.is_shown:
        return {"submission": submission, "fault": None, "is_quoted": False}
    record = submission.record
    piece = piece_of(submission)
    text = piece.text().removeprefix("\ufeff")
    is_readable = is_replayed and submission.status != Status.MALFORMED
    game = compute(_read_game, piece) if is_readable else None
    if game is not None:
        game.players = redaction.redact_report(game.players)
    players = game.players if game else ()
    fault = fault_view(
        error=labels.worded_fault(redaction.redact_fault(submission.error), players),
        mismatches=submission.mismatches,
        text=text,
        first=submission.line,
        game=game,
        place=position_of_text(text, game) if game and submission.error else None,
        address=reverse("game", args=[record.key]) if record else "",
    )
    is_quoted = not redaction.covers(text)
    if fault is not None and not is_quoted:
        fault = replace(fault, rows=[])
    more = len(fault.claims) - 1 if fault is not None else 0
    return {"submission": submission, "fault": fault, "more": more, "is_quoted": is_quoted}

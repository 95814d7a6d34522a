"""Handing games in, and the report of what became of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFilesSent
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from records import queries
from records.engine.verdict import localise_fault
from records.models import Submission, Upload
from records.uploads import NothingUploaded, Part, UploadTooLarge, receive
from records.views import names
from records.views.excerpt import excerpt
from records.views.score import claim

#: A form has a little more than its files: names, boundaries, the token.
FORM_BYTES = 1 << 16
PIECE = 1 << 20
FAULTS = 20
GAMES = 100


@csrf_exempt  # _accept is protected: the size is to be judged before the token is read
def upload(request: HttpRequest) -> HttpResponse:
    """The form; by POST, files and pasted text, and then on to the report."""
    if request.method != "POST":
        return _form(request)
    limit = settings.UPLOAD_LIMIT_BYTES
    if int(request.META.get("CONTENT_LENGTH") or 0) > limit + FORM_BYTES:
        # A browser shows the answer only when it could send all it wanted to, within reason.
        for _piece in range(4 * limit // PIECE + 1):
            if not request.read(PIECE):
                break
        return too_large(request)
    try:
        return _accept(request)
    except (UploadTooLarge, RequestDataTooBig):
        return too_large(request)
    except NothingUploaded:
        return _form(request, _("Choose a file, or paste a game."))
    except TooManyFilesSent:
        most = {"count": settings.DATA_UPLOAD_MAX_NUMBER_FILES}
        return _form(request, _("At most %(count)d files at once.") % most)


def too_large(request: HttpRequest) -> HttpResponse:
    """413, with the limit."""
    limit = settings.UPLOAD_LIMIT_BYTES
    return render(request, "413.html", {"limit": limit}, status=413)


@csrf_protect
def _accept(request: HttpRequest) -> HttpResponse:
    return redirect("report", receive(parts=_parts(request), via="page").key)


def _parts(request: HttpRequest) -> Iterator[Part]:
    for file in request.FILES.getlist("files"):
        yield Part(file.name or "", file.chunks())
    text = request.POST.get("text", "")
    if text.strip():
        # A form sends every line end as CRLF, whatever was pasted.
        yield Part("paste.kafu", [text.replace("\r\n", "\n").encode()])


def _form(request: HttpRequest, error: str = "") -> HttpResponse:
    context = {"limit": settings.UPLOAD_LIMIT_BYTES, "error": error}
    return render(request, "records/upload.html", context, status=400 if error else 200)


def report(request: HttpRequest, key: str) -> HttpResponse:
    """What became of an upload: counts, each faulty game with its error, all games."""
    found = get_object_or_404(Upload, key=key)
    # Asked before the lists: they may be ahead of the counts, never behind "done".
    progress = found.progress()
    faults = Paginator(queries.submissions(found, faulty=True), FAULTS)
    games = Paginator(queries.submissions(found), GAMES)
    shown = faults.get_page(request.GET.get("faults"))
    return render(
        request,
        "records/report.html",
        {
            "upload": found,
            "progress": progress,
            "api": reverse("api:upload", args=[found.key]),
            "files": found.files.all(),
            "aside": [*found.files.filter(state="aside"), *found.chunks.filter(state="aside")],
            "faults": shown,
            "faulty": [_fault(one) for one in shown],
            "games": games.get_page(request.GET.get("page")),
        },
    )


def _fault(submission: Submission) -> dict[str, Any]:
    """A faulty game for the report: its error in words, and the lines it stands in."""
    error = localise_fault(submission.error, names.lang())
    record = submission.record
    players = [names.person(name) for name in record.players] if record else []
    rules = record.ruleset if record else ""
    rows = []
    if error:
        rows = excerpt(
            submission.source_text(1 << 20),
            first=submission.line,
            line=error["line"],
            column=error["column"],
        )
    return {
        "submission": submission,
        "error": error,
        "rows": rows,
        "mismatches": [claim(one, players, rules) for one in submission.mismatches],
    }

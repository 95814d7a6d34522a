"""The page that checks a pasted game or score notebook without storage, and corrects games."""

from __future__ import annotations

from typing import Any, Final

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from kafu.notation.reading.source import INVISIBLE
from kafu.notation.vocabulary import MAX_GAME_BYTES
from kafu.rules.rulesets import RULESETS
from records.ingest import reports
from records.models import Status, Upload
from records.pages.game.corrected import replaced_context
from records.pages.game.page import record_of
from records.pages.notation import example_text, examples
from records.pages.uploads.checking import CheckForm, FormCheck, check_form, text_of
from records.privacy.access import mark, submissions_of, viewer_of
from records.privacy.redaction import redaction_for
from records.serving.computing import CPU_SECONDS, WORKBOOK_SECONDS, compute
from records.serving.limits import SMALL_BYTES, Limit, expensive, step, takes
from records.serving.senders import sender_of
from records.texts.pieces import piece_of

#: The fields of the form: a file, and the table of an earlier sheet.
FILE: Final = "notebook"
TABLE: Final = "table"
#: Overhead of the form: each byte of the game may take three bytes when sent.
FORM_BYTES: Final = 2 * MAX_GAME_BYTES + SMALL_BYTES


@csrf_exempt  # _check is protected: a form that cannot be parsed gets our message
@takes(Limit(lambda: MAX_GAME_BYTES, more=FORM_BYTES))
def check(request: HttpRequest) -> HttpResponse:
    """Show the form, or by POST the verdict on a text.

    The query may choose a game of an upload (``upload``, ``file``, ``game``), a game of the archive
    (``record``), or an ``example``.
    """
    if request.method != "POST":
        text, record, upload = _find_requested(request)
        if text is None:
            return _page(request, FormCheck(""))
        with expensive(request, "verify"):
            result = compute(check_form, CheckForm(text))
        return _page(request, result, record=record, upload=upload)
    try:
        return _check(request)
    except RequestDataTooBig:
        return _too_large(request)


@csrf_protect
def _check(request: HttpRequest) -> HttpResponse:
    form = _read_form(request)
    limit = step("verify", sender_of(request))
    if limit.too_fast:
        wait = limit.left
        again = _("Too many checks: try again in %(seconds)d seconds.") % {"seconds": wait}
        response = _page(request, FormCheck(form.text), error=again, status=429)
        response.headers["Retry-After"] = str(wait)
        return response
    if form.file is None:
        if not form.text.strip():
            return _page(request, FormCheck(form.text), error=_("Paste a game."), status=400)
        if len(form.text.encode(errors="replace")) > MAX_GAME_BYTES:
            return _too_large(request)
    with expensive(request, "verify"):
        seconds = CPU_SECONDS if form.file is None else WORKBOOK_SECONDS
        result = compute(check_form, form, seconds=seconds)
    if result.notebook is None and result.checked is None:
        many = _("This is more than one game; send several games as an upload.")
        return _page(request, result, error=many, status=400)
    error = ""
    if result.is_uncorrected:
        error = _("This could not be inserted: please edit the text yourself.")
    return _page(request, result, error=error)


def _read_form(request: HttpRequest) -> CheckForm:
    """Return the fields of a form: a file, a pasted text, or the table of an earlier sheet."""
    fields = request.POST
    file = request.FILES.get(FILE)
    # A form sends every line end as CRLF.
    text = fields.get(TABLE if "again" in fields else "text", "").replace("\r\n", "\n")
    return CheckForm(
        text,
        file=file.read(MAX_GAME_BYTES + 1) if file is not None else None,
        rules=fields.get("rules", ""),
        dealer=fields.get("dealer", ""),
        options=fields.get("options", ""),
        is_ended="ended" in fields,
        put=fields.get("put", ""),
    )


def _find_requested(request: HttpRequest) -> tuple[str | None, str, Upload | None]:
    """Return the text chosen by the query, the key of a stored game, and the chosen upload.

    Return None and "" for a query without a game. Raise Http404.
    """
    params = request.GET
    if (example := params.get("example", "")) in RULESETS:
        return example_text(example), "", None
    if key := params.get("record", ""):
        record = record_of(request, key.replace("\0", ""))
        return record.text, record.key, None
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
        text = text_of(piece_of(submission))
        if redaction_for(upload, viewer).covers(text):
            raise Http404
        # Marks of direction would display a different text than the archive judges.
        shown_text = INVISIBLE.sub("", text)
        return shown_text, submission.record.key if submission.record else "", upload
    return None, "", None


def _page(
    request: HttpRequest,
    result: FormCheck,
    *,
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
        "text": result.text,
        "checked": result.checked,
        "notebook": result.notebook,
        "error": error,
        "limit": MAX_GAME_BYTES,
        "statuses": Status.choices,
    }
    context |= replaced_context(request, record or request.POST.get("replaces", ""), upload)
    if "replaces" not in context:
        names = ("visibility", "club")  # chosen on the upload page, for a score notebook
        context["chosen"] = [(name, request.POST[name]) for name in names if name in request.POST]
    if not result.text.strip() or (result.checked and result.checked.is_stranger):
        context["examples"] = examples()
    return render(request, "records/check.html", context, status=status)


def _too_large(request: HttpRequest) -> HttpResponse:
    return render(request, "413.html", {"limit": MAX_GAME_BYTES}, status=413)

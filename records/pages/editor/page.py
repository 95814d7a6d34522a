"""The page of the editor, on which a game is tapped or written as text, and the service worker."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from kafu.notation.vocabulary import MAX_GAME_BYTES
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.models import Record
from records.pages.editor.setup import login_redirect, setup_context, setup_data
from records.pages.game.corrected import replaced_context
from records.pages.game.page import record_of, table_texts
from records.pages.notation import example_text
from records.serving.limits import SMALL_BYTES, Limit, takes
from records.wording.cards import card_data

_SCRIPT: Final = "records/editor/offline.js"


@takes(Limit(lambda: MAX_GAME_BYTES, more=2 * MAX_GAME_BYTES + SMALL_BYTES))
@gzip_page
def new_record(request: HttpRequest) -> HttpResponse:
    """Show the editor: empty, with a game of the archive, with an example, or with a text.

    The query chooses a game to continue (``record``, ``at``) or a ruleset's ``example``. By POST
    the form for checking a game sends a ``text``, which may correct a game of the archive
    (``replaces``).
    """
    if answer := login_redirect(request):
        return answer
    if request.method == "POST":
        text = request.POST.get("text", "").replace("\r\n", "\n")
        if len(text.encode(errors="replace")) > MAX_GAME_BYTES:
            return render(request, "413.html", {"limit": MAX_GAME_BYTES}, status=413)
        return _editor(request, text, request.POST.get("replaces", ""))
    key = request.GET.get("record", "").replace("\0", "")
    record = corrected_record(request, key) if key else None
    if record is not None and record.sheet:
        return redirect(f"{reverse('new-sheet')}?{urlencode({'record': key})}")
    example = request.GET.get("example", "")
    text = record.text if record is not None else ""
    if record is None and example in RULESETS:
        text = example_text(example)
    return _editor(request, text, key)


def corrected_record(request: HttpRequest, key: str) -> Record | None:
    """Return the game with a key; None for a removed game that a ``draft`` of the query corrects.

    Raise Http404 as `record_of`.
    """
    try:
        return record_of(request, key)
    except Http404:
        if "draft" in request.GET:
            return None
        raise


def _editor(request: HttpRequest, text: str, key: str) -> HttpResponse:
    context = setup_context(request, _data(text, request.GET.get("at", "")[:10]))
    context |= {"text": text} | replaced_context(request, key)
    return render(request, "records/editor.html", context)


def _data(text: str, at: str) -> dict[str, Any]:
    """Return the data for the modules of the page."""
    data = setup_data() | card_data()
    return data | {
        "text": text,
        "at": at,
        "monthNames": [labels.month(number) for number in range(1, 13)],
        "words": data["words"] | table_texts() | page_texts(),
    }


def page_texts() -> dict[str, str]:
    """Return the texts that the modules put into the page."""
    return {
        "field": _("Field"),
        "stock": _("Draw pile: %(count)s"),
        "dealer": _("Who deals?"),
        "lying": _("%(count)s of %(whole)s"),
        "noCard": _("No card has the letter “%(found)s”."),
        "liesThere": _("%(card)s lies there already: %(place)s."),
        "hasAll": _("%(place)s has all its %(count)s cards; left out: %(cards)s."),
        "line": _("line %(line)s"),
        "instead": _("Instead:"),
        "cut": _("Remove this and everything after it"),
        "compute": _("Replace all claims by the computed values"),
        "gone": _("There is nothing to undo."),
        "lost": _("What follows would be removed too: %(months)s."),
        "again": _("%(month)s (deal %(number)s)"),
    }


@require_safe
@cache_control(public=True, max_age=3600)
def offline(request: HttpRequest) -> HttpResponse:
    """Return the script. Browsers request it again with each visit to the editor."""
    path = finders.find(_SCRIPT)
    assert isinstance(path, str)
    return HttpResponse(Path(path).read_bytes(), content_type="text/javascript; charset=utf-8")

"""Studies: public studies, the user's own, and their forms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from records.base import labels
from records.base.release import absolute
from records.models import Record, Study, Visibility
from records.models.studies import NOTE, NOTES, TITLE
from records.pages.game.page import record_of
from records.pages.link_previews import default_preview
from records.privacy.access import ANONYMOUS, Viewer, mark, viewer_of
from records.search.games import find_months
from records.search.paging import key_page
from records.services import studies as stored_studies
from records.services.studies import has_step, query_of, show_entries
from records.serving.limits import step
from records.serving.senders import sender_of
from records.shapes.studies import MAX_ENTRIES, StudyJson, is_branch, step_of
from records.shapes.visibilities import LEVELS
from records.wording.previews import LinkPreview, picture_path
from records.wording.steps import place_words

#: Number of studies on a page.
PAGE: Final = 50
#: Characters of a study's notes in a preview.
_NOTES_SHOWN: Final = 160
#: Choices of the form that saves a step, apart from the keys of studies.
BOOKMARKS, FRESH = "bookmarks", "new"
_LEVELS: Final = {
    str(int(level)): level for level in Visibility if level is not Visibility.WITHDRAWN
}


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry of a study; all fields are empty for a game invisible to the viewer."""

    pk: int
    address: str
    picture: str
    players: str
    ruleset: str
    place: str
    then: str
    note: str


def study_view(study: Study, viewer: Viewer, size: int) -> StudyJson:
    """Return a study of ``size`` entries for a page, on which bookmarks have a title."""
    shown = stored_studies.show_study(study, viewer, size)
    shown.title = shown.title or _("Bookmarks")
    return shown


def entry_views(study: Study, viewer: Viewer) -> list[EntryView]:
    """Return the entries of a study in order."""
    entries = show_entries(study, viewer)
    months = find_months(entry.record.pk for entry in entries if entry.record is not None)
    return [
        EntryView(
            entry.pk,
            address_of(entry.record, entry.at, entry.then),
            picture_path("picture", entry.record.key, entry.at),
            players_of(entry.record),
            labels.ruleset(entry.record.ruleset),
            place_words(entry.at, months[entry.record.pk]),
            entry.then,
            entry.note,
        )
        if entry.record is not None
        else EntryView(entry.pk, "", "", "", "", "", "", "")
        for entry in entries
    ]


def address_of(record: Record, at: str, then: str) -> str:
    """Return the address of a game at a step, with a branch."""
    return reverse("game", args=[record.key]) + query_of(at, then)


def players_of(record: Record) -> str:
    """Return the names of a game's players."""
    return " – ".join(labels.person(name) for name in record.players)


@require_safe
def studies(request: HttpRequest) -> HttpResponse:
    """Show public studies, the newest first: ``?before=``, ``?after=``."""
    page = key_page(stored_studies.public_studies(), request.GET.dict(), PAGE)
    rows = [study_view(listed, ANONYMOUS, listed.size) for listed in page.rows]
    return render(
        request, "records/studies.html", {"rows": rows, "page": page, "query": QueryDict()}
    )


@require_safe
def study(request: HttpRequest, key: str) -> HttpResponse:
    """Show a study visible to the viewer. Raise Http404."""
    viewer = viewer_of(request)
    stored = stored_studies.find(key, viewer)
    if stored is None:
        raise Http404
    mark(request, stored.visibility)
    entries = entry_views(stored, viewer)
    view = study_view(stored, viewer, len(entries))
    context = {
        "study": view,
        "preview": _preview(view),
        "entries": entries,
        "visibility": Visibility(stored.visibility).label,
        "is_own": viewer.user == stored.owner_id,
        "is_full": len(entries) >= MAX_ENTRIES,
        "raw": stored,
        "levels": levels(),
    }
    return render(request, "records/study.html", context)


def _preview(study: StudyJson) -> LinkPreview:
    """Return the preview of a study: its notes, or its size and owner."""
    default = default_preview(None)
    size = ngettext("%(size)s step", "%(size)s steps", study.size) % {"size": study.size}
    facts = f"{size} · {study.owner}"
    if LEVELS[study.visibility] < Visibility.UNLISTED:
        return replace(default, description=facts)
    return LinkPreview(
        description=Truncator(" ".join(study.notes.split())).chars(_NOTES_SHOWN) or facts,
        image=picture_path("study-preview", study.key),
        alt=f"{study.title} · {facts}",
        url=absolute(reverse("study", args=[study.key])),
    )


def levels() -> list[tuple[int, str]]:
    """Return the choices for the visibility of a study."""
    return [
        (int(level), str(level.label)) for level in Visibility if level is not Visibility.WITHDRAWN
    ]


def _owner_view(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Require a login, forbid caching, and limit the rate of changes (decorator)."""

    @login_required
    @wraps(view)
    def respond_to_owner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        mark(request, Visibility.PRIVATE)
        if request.method == "POST":
            return too_often(request, "studies") or view(request, *args, **kwargs)
        return view(request, *args, **kwargs)

    return respond_to_owner


@_owner_view
def my_studies(request: HttpRequest) -> HttpResponse:
    """Show the user's studies, the newest first; by POST create a study."""
    user: Any = request.user
    if request.method == "POST":
        title = request.POST.get("title", "").replace("\0", "").strip()[:TITLE]
        if title and (new_study := _create(request, title)):
            return redirect("study", new_study.key)
        return redirect("my-studies")
    viewer = viewer_of(request)
    page = key_page(stored_studies.studies_of(user.pk), request.GET.dict(), PAGE)
    rows = [
        (study_view(listed, viewer, listed.size), Visibility(listed.visibility).label)
        for listed in page.rows
    ]
    context = {"rows": rows, "page": page, "query": QueryDict(), "section": "studies"}
    return render(request, "records/my_studies.html", context)


@_owner_view
def add(request: HttpRequest) -> HttpResponse:
    """Show the form for saving a step (``record``, ``at``) with a branch ``then``; by POST save it.

    Raise Http404 for an unknown game or step.
    """
    user: Any = request.user
    params = request.POST if request.method == "POST" else request.GET
    record = record_of(request, params.get("record", "").replace("\0", ""))
    at, then = params.get("at", "1.0"), params.get("then", "")
    try:
        place = step_of(at)
    except ValueError:
        raise Http404 from None
    if not is_branch(then) or not has_step(record, *place):
        raise Http404
    if request.method == "POST" and (study := _choose_study(request)):
        note = request.POST.get("note", "").replace("\0", "").strip()[:NOTE]
        try:
            stored_studies.add_entry(study, record.pk, at, then, note)
        except stored_studies.StudyFull as error:
            messages.error(request, _full_message(error))
        else:
            messages.success(request, _("The step is saved."))
            return redirect("study", study.key)
    user_studies = list(
        stored_studies.studies_of(user.pk).exclude(title="")[: stored_studies.MAX_STUDIES]
    )
    context = {
        "record": record,
        "players": players_of(record),
        "game": address_of(record, at, then),
        "at": at,
        "then": then,
        "studies": user_studies,
    }
    return render(request, "records/study_add.html", context)


def _choose_study(request: HttpRequest) -> Study | None:
    """Return the study chosen by the form: bookmarks, a new study, or a study by key."""
    user: Any = request.user
    where = request.POST.get("study", BOOKMARKS)
    title = request.POST.get("title", "").replace("\0", "").strip()[:TITLE]
    if where == BOOKMARKS:
        return stored_studies.get_bookmarks(user.pk)
    if where != FRESH:
        return Study.objects.filter(owner=user, key=where.replace("\0", "")).first()
    if not title:
        messages.error(request, _("A new study needs a title."))
        return None
    return _create(request, title)


def _create(request: HttpRequest, title: str) -> Study | None:
    user: Any = request.user
    try:
        return stored_studies.create(user.pk, {"title": title}, ())
    except stored_studies.StudyFull as error:
        messages.error(request, _full_message(error))
        return None


@_owner_view
@require_POST
def change(request: HttpRequest, key: str) -> HttpResponse:
    """Change title, notes and visibility of the user's study. Raise Http404."""
    study = _find_own_study(request, key)
    fields: dict[str, Any] = {
        "notes": request.POST.get("notes", "").replace("\0", "").strip()[:NOTES]
    }
    title = request.POST.get("title", "").replace("\0", "").strip()[:TITLE]
    if title and study.title:
        fields["title"] = title
    if (level := _LEVELS.get(request.POST.get("visibility", ""))) is not None:
        fields["visibility"] = level
    stored_studies.update(study, fields, None)
    messages.success(request, _("The study is changed."))
    return redirect("study", study.key)


@_owner_view
@require_POST
def delete(request: HttpRequest, key: str) -> HttpResponse:
    """Delete the user's study after a confirmation. Raise Http404."""
    study = _find_own_study(request, key)
    if "confirmed" not in request.POST:
        view = study_view(study, viewer_of(request), study.entries.count())
        return render(request, "records/study_delete.html", {"study": view})
    study.delete()
    messages.success(request, _("The study is deleted."))
    return redirect("my-studies")


@_owner_view
@require_POST
def entry(request: HttpRequest, key: str) -> HttpResponse:
    """Change the entry ``entry`` as ``do`` says: ``up``, ``down``, ``remove``, ``note``."""
    study = _find_own_study(request, key)
    number = request.POST.get("entry", "")
    entries = (
        study.entries.filter(pk=int(number)) if number.isdecimal() and len(number) < 19 else None
    )
    if entries is None or not entries.exists():
        raise Http404
    match request.POST.get("do"):
        case "up":
            stored_studies.move_entry(study, int(number), -1)
        case "down":
            stored_studies.move_entry(study, int(number), 1)
        case "remove":
            entries.delete()
        case "note":
            entries.update(note=request.POST.get("note", "").replace("\0", "").strip()[:NOTE])
    return redirect("study", study.key)


def _find_own_study(request: HttpRequest, key: str) -> Study:
    user: Any = request.user
    study = Study.objects.filter(owner=user, key=key).select_related("owner").first()
    if study is None:
        raise Http404
    return study


def _full_message(error: stored_studies.StudyFull) -> str:
    text = _("There are %(most)d already, the most there can be: delete one first.")
    return text % {"most": error.most}


def too_often(request: HttpRequest, rate: str) -> HttpResponse | None:
    """Count a change against ``settings.RATES[rate]``. Return 429 beyond the limit, else None."""
    limit = step(rate, sender_of(request))
    if not limit.too_fast:
        return None
    text = _("Too many changes: try again in %(seconds)d seconds.")
    explanation = text % {"seconds": limit.left}
    context = {"heading": _("A moment, please"), "explanation": explanation}
    response = render(request, "later.html", context, status=429)
    response.headers["Retry-After"] = str(limit.left)
    return response

"""The list of public studies, and the page of a study."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from records.models import Visibility
from records.pages.studies.shown import entry_views, study_view
from records.privacy.access import ANONYMOUS, mark, viewer_of
from records.search.paging import key_page
from records.services import studies as stored_studies

#: Number of studies on a page.
PAGE: Final = 50


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
    context = {
        "study": study_view(stored, viewer, len(entries)),
        "entries": entries,
        "visibility": Visibility(stored.visibility).label,
        "is_full": len(entries) >= stored_studies.MAX_ENTRIES,
        "raw": stored,
        "levels": levels(),
    }
    return render(request, "records/study.html", context)


def levels() -> list[tuple[int, str]]:
    """Return the choices for the visibility of a study."""
    return [
        (int(level), str(level.label)) for level in Visibility if level is not Visibility.WITHDRAWN
    ]

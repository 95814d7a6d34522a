"""The log of a club, in which officers undo changes."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from clubs.access import Access
from clubs.changes import FINAL, undo
from clubs.models import Role
from clubs.pages.view import club_view, render_club
from clubs.refused import Refused
from clubs.wording import sentence_of
from records.search.paging import pk_page

#: Number of changes on a page.
PAGE: Final = 50


@club_view(Role.MEMBER)
def show_log(request: HttpRequest, club: Access) -> HttpResponse:
    """Show the changes, the newest first; by POST undo the change ``undo``."""
    changes = club.club.changes.order_by("-pk").select_related("account")
    if request.method == "POST":
        number = request.POST.get("undo", "")
        made = (
            changes.filter(pk=int(number)).first()
            if number.isdecimal() and len(number) < 19
            else None
        )
        if made is None:
            raise Refused("no-change", _("There is no such change any more."))
        undo(club, made)
        messages.success(request, _("Taken back."))
        return redirect(request.get_full_path())
    changes = changes.defer("rows").select_related("undone_by")
    page = pk_page(changes, request.GET.dict(), PAGE)
    rows = [(change, sentence_of(change), hasattr(change, "undone_by")) for change in page.rows]
    context = {"rows": rows, "page": page, "query": QueryDict(), "final": FINAL}
    return render_club(request, "log", club, "home", context)

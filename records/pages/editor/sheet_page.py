"""The page on which a score sheet is written month by month."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page

from records.pages.editor.page import corrected_record
from records.pages.editor.setup import login_redirect, setup_context, setup_data
from records.pages.editor.sheet_reopening import reopened_data
from records.pages.game.corrected import replaced_context
from records.privacy.access import viewer_of


@gzip_page
def new_sheet(request: HttpRequest) -> HttpResponse:
    """Show the form: empty, or with a sheet of the archive to correct.

    The query chooses a ruleset (``ruleset``) or a sheet (``record``).
    """
    if answer := login_redirect(request):
        return answer
    data = setup_data(sheets=True)
    if key := request.GET.get("record", "").replace("\0", ""):
        record = corrected_record(request, key)
        data["sheet"] = record and reopened_data(record, viewer_of(request))
        if data["sheet"] is None and "draft" not in request.GET:
            return redirect(f"{reverse('check')}?{urlencode({'record': key})}")
    data["words"] |= page_texts()
    context = setup_context(request, data) | replaced_context(request, key)
    return render(request, "records/sheet_form.html", context)


def page_texts() -> dict[str, str]:
    """Return the texts that the module puts into the page."""
    return {
        "dealer": _("Dealer"),
        "grade": _("Field grade"),
        "playing": _("Who plays"),
        "mode": _("Level of detail"),
        "yaku": _("Yaku by yaku"),
        "sums": _("Only the month's sums"),
        "whose": _("Whose yaku?"),
        "dealt": _("Dealt-hand yaku"),
        "captured": _("Captured yaku"),
        "special": _("Special yaku"),
        "other": _("Other payments"),
        "paid": _("What was paid"),
        "gets": _("%(name)s gets, for %(yaku)s"),
        "values": _("Another value"),
        "payer": _("Who pays for %(yaku)s"),
        "everybody": _("all pay"),
        "alone": _("%(name)s alone"),
        "half": _("half (sage, cancelled)"),
        "void": _("struck out"),
        "remove": _("Remove %(yaku)s"),
        "points": _("Card points"),
        "counting": _("How card points are written"),
        "paidPoints": _("As they are paid"),
        "capturedPoints": _("As they were captured"),
        "last": _("The last player's are filled in."),
        "whole": _("The last player's are filled in: all cards count %(whole)s."),
        "sum": _("The month's sums"),
        "sign": _("Change the sign: %(name)s"),
        "stone": _("Month stone: who deals next"),
        "next": _("Who deals next"),
        "nobody": _("nobody"),
        "nothing": _("Nothing was paid"),
        "barred": _("not with %(yaku)s"),
        "empty": _("Enter what was paid, or choose “Nothing was paid”."),
        "month": _("This month"),
        "total": _("Total"),
        "over": _("The game is over."),
        "in": _("%(month)s: %(message)s"),
        "gone": _("There is nothing to undo."),
        "unsaid": _("What this form cannot take over from the sheet"),
    }

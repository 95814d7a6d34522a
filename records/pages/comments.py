"""The comments of a game on a separate page, which needs no script."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from records.base import labels
from records.models import Comment, Record
from records.models.studies import COMMENT_LENGTH
from records.pages.game.page import game_preview, record_of
from records.pages.parameters import AT, PLACE, RESULTS
from records.pages.studies import address_of, too_often
from records.privacy.access import viewer_of
from records.search.paging import key_page
from records.services import comments as stored_comments
from records.serving.cached_responses import cached_page
from records.shapes.studies import step_of
from records.states import of_record_and_comments

#: Comments on a page.
PAGE: Final = 50


@require_http_methods(["GET", "HEAD", "POST"])
def comments(request: HttpRequest, key: str) -> HttpResponse:
    """Show the comments of a game by step (``?before=``, ``?after=``); by POST change comments.

    For a user, ``do`` is ``say`` (``at``, ``text``), or ``remove`` or ``report`` a ``comment``.
    Raise Http404.
    """
    return _change(request, key) if request.method == "POST" else _show(request, key=key)


@cached_page(of_record_and_comments, parameters=AT | PLACE | RESULTS)
def _show(request: HttpRequest, key: str) -> HttpResponse:
    return _page(request, record_of(request, key))


def _change(request: HttpRequest, key: str) -> HttpResponse:
    record = record_of(request, key)
    here = reverse("comments", args=[record.key])
    if not request.user.is_authenticated:
        return redirect_to_login(here)
    if refused := too_often(request, "comments"):
        return refused
    match request.POST.get("do"):
        case "say":
            return _write(request, record)
        case "remove":
            comment = _named_comment(request, record)
            if not stored_comments.may_delete(comment, viewer_of(request)):
                raise Http404
            stored_comments.delete(comment)
            messages.success(request, _("The comment is deleted."))
        case "report":
            stored_comments.report(_named_comment(request, record), request.user.pk, "")
            messages.success(request, _("The comment is reported to the staff."))
    return redirect(here)


def _write(request: HttpRequest, record: Record) -> HttpResponse:
    user: Any = request.user
    at = request.POST.get("at", "")
    text = request.POST.get("text", "").replace("\0", "").replace("\r\n", "\n").strip()
    if not 0 < len(text) <= COMMENT_LENGTH:
        words = _("A comment has 1 to %(most)d characters.") % {"most": COMMENT_LENGTH}
        return _page(request, record, at=at, text=text, error=words)
    try:
        stored_comments.add(record, user.pk, step_of(at), text)
    except (ValueError, stored_comments.NoStep):
        words = _("The game has no such step.")
        return _page(request, record, at=at, text=text, error=words)
    except stored_comments.TooManyComments as full:
        words = _("There are %(most)d comments, the most there can be.") % {"most": full.most}
        return _page(request, record, at=at, text=text, error=words)
    return redirect(f"{address_of(record, at, '')}#comments")


def _named_comment(request: HttpRequest, record: Record) -> Comment:
    """Return the comment named by the form. Raise Http404."""
    comment = stored_comments.find(request.POST.get("comment", ""))
    if comment is None or comment.record_id != record.pk:
        raise Http404
    return comment


def _page(
    request: HttpRequest, record: Record, *, at: str = "", text: str = "", error: str = ""
) -> HttpResponse:
    page = key_page(stored_comments.comments_by_step(record), request.GET.dict(), PAGE)
    context = {
        "record": record,
        "preview": game_preview(record, url=request.path),
        "title": " – ".join(labels.people(record.players)),
        "comments": stored_comments.show(page.rows, viewer_of(request)),
        "page": page,
        "query": QueryDict(),
        "at": at or request.GET.get("at", "1.0"),
        "text": text,
        "error": error,
    }
    return render(request, "records/comments.html", context, status=400 if error else 200)

"""What all pages of a club share: access, refusals, caching, and the head with its sections."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from clubs import access
from clubs.access import Access
from clubs.models import Role
from clubs.refused import Refused
from clubs.shown import redact_club
from records.models import Visibility
from records.privacy import revisions
from records.privacy.access import ANONYMOUS, mark, viewer_of
from records.serving.limits import count_change

View = Callable[..., HttpResponse]


def state_of(
    request: HttpRequest, key: str, *_args: Any, **_kwargs: Any
) -> tuple[object, ...] | None:
    """Return the state of a club's page that visitors without a session share, else None."""
    club = access.find(key, ANONYMOUS)
    if club is None:
        return None
    mark(request, club.club.visibility)  # a cached response runs no view
    return (club.club.pk, *revisions.at(request))


def club_view(role: Role | None = None) -> Callable[[View], View]:
    """Give a view the `Access` to the club with the key of the address (decorator).

    With ``role``, only members of this role or a higher one see the page; every POST needs an
    account and counts against the limit of changes. A refusal that the view does not handle is
    shown as a message, on the page from which the form came.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def respond(request: HttpRequest, key: str, *args: Any, **kwargs: Any) -> HttpResponse:
            club = access.find(key, viewer_of(request))
            if club is None:
                raise Http404
            mark(request, club.club.visibility)
            needs_account = role is not None or request.method == "POST"
            if needs_account and not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            if role is not None and club.role < role:
                raise Http404
            if request.method != "POST":
                return view(request, club, *args, **kwargs)
            mark(request, Visibility.PRIVATE)
            count_change(request)
            try:
                return view(request, club, *args, **kwargs)
            except Refused as refused:
                messages.error(request, refused.words)
            return redirect(request.get_full_path())

        return respond

    return decorate


def render_club(
    request: HttpRequest, template: str, club: Access, section: str, context: dict[str, Any]
) -> HttpResponse:
    """Render a page below the head of a club; ``section`` is the current one of its sections."""
    return render(
        request,
        f"clubs/{template}.html",
        {"club": redact_club(club.club), "access": club, "section": section, **context},
    )

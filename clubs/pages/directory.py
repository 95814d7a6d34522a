"""The list of clubs, founding a club, and joining one by an invitation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubs import access, clubs, invites
from clubs.members import claimable, no_invite
from clubs.models import ADDRESS, Club, Invite
from clubs.names import find_by_name
from clubs.pages.forms import JoinForm, NewClubForm
from clubs.shown import redact, redact_club, show_players
from records.base.keys import player_key
from records.models import Visibility
from records.privacy import revisions
from records.privacy.access import mark, viewer_of
from records.search.paging import pk_page
from records.serving.cached_responses import cached_page
from records.serving.limits import count_change
from records.serving.parameters import texts

#: Number of clubs on a page, and of free names in the form of an invitation.
PAGE: Final = 50
MOST_NAMES: Final = 300


@require_safe
@cached_page(lambda request: revisions.at(request), parameters=texts("before", "after"))
def show_clubs(request: HttpRequest) -> HttpResponse:
    """Show the user's clubs and the public clubs, the newest first: ``?before=``, ``?after=``."""
    viewer = viewer_of(request)
    page = pk_page(access.public_clubs(), request.GET.dict(), PAGE)
    context: dict[str, Any] = {
        "clubs": [redact_club(club) for club in page.rows],
        "page": page,
        "query": QueryDict(),
    }
    if viewer.user is not None and not page.before:
        context["memberships"] = [
            (redact_club(member.club), member) for member in access.clubs_of(viewer.user)
        ]
    return render(request, "clubs/clubs.html", context)


@login_required
def found(request: HttpRequest) -> HttpResponse:
    """Show the form for a new club; by POST found it."""
    mark(request, Visibility.PRIVATE)
    user: Any = request.user
    form = NewClubForm(request.POST or None, initial={"player": user.get_username()})
    if request.method == "POST":
        count_change(request)
        made: list[Club] = []

        def act(fields: Mapping[str, Any]) -> None:
            key = fields["key"] or suggest_address(fields["name"])
            made.append(clubs.found(user.pk, **{**fields, "key": key}))

        if form.act(act):
            messages.success(request, _("The club is founded. Now invite the others."))
            return redirect("club", made[0].key)
    return render(request, "clubs/new.html", {"form": form})


def suggest_address(name: str) -> str:
    """Return an address from the Latin letters and digits of a name; "" if there are none."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub("[^a-z0-9]+", "-", plain)[:ADDRESS].strip("-")


@never_cache
def join(request: HttpRequest, secret: str) -> HttpResponse:
    """Show the invitation of a link; by POST join the club."""
    mark(request, Visibility.PRIVATE)
    invite = invites.find(secret)
    if invite is None:
        return render(request, "clubs/join.html", {"error": no_invite().words}, status=404)
    club = access.of(invite.club, viewer_of(request))
    if club.is_member:
        messages.info(request, _("You are a member of this club already."))
        return redirect("club", club.club.key)
    if not request.user.is_authenticated and request.method == "POST":
        return redirect_to_login(request.get_full_path())
    context: dict[str, Any] = {"club": redact_club(invite.club)}
    if request.user.is_authenticated:
        user: Any = request.user
        form = JoinForm(_free_names(invite, club), request.POST or None)
        if request.method == "POST":
            count_change(request)
            if form.act(lambda fields: _accept(invite, secret, user.pk, fields)):
                text = _("Welcome to %(name)s.") % {"name": redact(invite.club.name)}
                messages.success(request, text)
                return redirect("club", invite.club.key)
        context["form"] = form
    return render(request, "clubs/join.html", context)


def _free_names(invite: Invite, club: access.Access) -> list[tuple[str, str]]:
    """Return keys and shown names of the members without an account."""
    free = list(claimable(invite.club)[:MOST_NAMES])
    shown = show_players(club, [member.key for member in free])
    keys = [member.key for member in free if shown[member.key].is_named]
    return [(key, shown[key].name) for key in keys]


def _accept(invite: Invite, secret: str, account: int, fields: Mapping[str, Any]) -> None:
    claimed = fields.get("claimed", "")
    if not claimed and fields["name"]:
        # A name that an officer wrote down already is claimed, not taken.
        member = find_by_name(invite.club_id, player_key(fields["name"]))
        if member is not None and member.account_id is None and member.left is None:
            claimed = member.key
    invites.accept(secret, account, name=fields["name"], claimed=claimed)

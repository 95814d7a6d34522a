"""Members of a club: the list, a member's page, invitations, and leaving."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import qrcode
from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from qrcode.image.svg import SvgPathImage

from clubs import invites, members
from clubs.access import Access
from clubs.changes import stamp
from clubs.models import Member, MemberName, Role
from clubs.names import find_by_name
from clubs.pages.forms import (
    AddMembersForm,
    ClubForm,
    InviteForm,
    MergeForm,
    RenameForm,
    RoleForm,
)
from clubs.pages.view import club_view, render_club, state_of
from clubs.refused import Refused
from clubs.shown import ShownPlayer, redact, show_players
from records.base.keys import player_key
from records.base.release import absolute
from records.privacy.redaction import archive_redaction
from records.search.paging import key_page
from records.serving.cached_responses import cached_page
from records.serving.parameters import texts

#: Number of members on a page, and of claims above them.
PAGE: Final = 60
CLAIMS: Final = 20


@cached_page(state_of, parameters=texts("before", "after", "q"))
@club_view()
def show_members(request: HttpRequest, club: Access) -> HttpResponse:
    """Show members with the highest roles first, or those with ``?q=`` in a name; add names.

    Officers decide about claims: ``claim`` with ``right`` or ``wrong``.
    """
    form = AddMembersForm(request.POST if "name" in request.POST else None)
    if request.method == "POST" and "claim" in request.POST:
        member = members.find(club, request.POST["claim"])
        members.decide(club, member, is_right="right" in request.POST)
        return redirect("club-members", club.club.key)
    if request.method == "POST" and form.act(lambda fields: _add(club, fields)):
        messages.success(request, _("The names are added."))
        return redirect("club-members", club.club.key)
    present = club.club.members.filter(left=None).order_by("-role", "-pk")
    searched = request.GET.get("q", "").replace("\0", "") if club.sees_names else ""
    page = key_page(_named(present, searched), request.GET.dict(), PAGE)
    context = {
        "rows": list(zip(page.rows, _shown(club, page.rows), strict=True)),
        "page": page,
        "query": QueryDict(f"q={searched}" if searched else ""),
        "searched": searched,
        "count": present.filter(role__gte=Role.MEMBER).count(),
        "form": form,
        "claims": _list_claims(club) if club.is_officer else (),
    }
    return render_club(request, "members", club, "members", context)


def _add(club: Access, fields: Any) -> None:
    names = [name.strip() for name in fields["name"].splitlines() if name.strip()]
    members.add(club, names, Role.GUEST if fields["guest"] else Role.MEMBER)


def _named(rows: QuerySet[Member], searched: str) -> QuerySet[Member]:
    """Return the members with a text in a name, except those shown under a pseudonym."""
    if not searched:
        return rows
    names = MemberName.objects.filter(member__in=rows.order_by(), name__icontains=searched)
    names = names.exclude(key__in=map(player_key, archive_redaction().names))
    return rows.filter(pk__in=names.order_by().values("member"))


def _shown(club: Access, rows: Iterable[Member]) -> list[ShownPlayer]:
    rows = list(rows)
    shown = show_players(club, [member.key for member in rows])
    return [shown[member.key] for member in rows]


def _claims(club: Access) -> QuerySet[Member]:
    """Return the members who claim a name, until an officer decides."""
    return club.club.members.filter(left=None, claims__isnull=False)


def _list_claims(club: Access) -> list[tuple[Member, str]]:
    """Return claimants, and the claimed names as shown."""
    redact = archive_redaction().redact
    rows = _claims(club).select_related("claims", "account")[:CLAIMS]
    return [(row, redact(row.claims.name)) for row in rows if row.claims is not None]


def count_claims(club: Access) -> int:
    """Return the number of claims to decide."""
    return _claims(club).count()


@cached_page(lambda request, key, member: state_of(request, key))
@club_view()
def show_member(request: HttpRequest, club: Access, member: str) -> HttpResponse:
    """Show a member; officers change names and role, members their own name.

    A POST does one of ``rename``, ``role``, ``merge``, ``split``, ``remove``.
    """
    try:
        row = members.find(club, member)
    except Refused:
        raise Http404 from None
    do, data = request.POST.get("do", ""), request.POST
    forms: dict[str, ClubForm] = {
        "rename": RenameForm(data if do == "rename" else None, initial=_name_of(row)),
        "role": RoleForm(data if do == "role" else None, initial={"role": row.role}),
        "merge": MergeForm(data if do == "merge" else None),
    }
    if request.method == "POST" and (target := _change(club, row, do, data, forms)):
        messages.success(request, _("Saved. Officers can undo it in the log."))
        return redirect(*target)
    (shown,) = _shown(club, [row])
    redact = archive_redaction().redact
    is_own = club.member is not None and club.member.pk == row.pk
    context = {
        "member": row,
        "shown": shown,
        "names": [(name.key, redact(name.name)) for name in row.names.all()],
        "is_own": is_own,
        **forms,
    }
    return render_club(request, "member", club, "members", context)


def _name_of(row: Member) -> dict[str, str]:
    return {"name": archive_redaction().redact(row.name), "was": stamp(row)}


def _change(
    club: Access, row: Member, do: str, data: QueryDict, forms: dict[str, ClubForm]
) -> tuple[str, ...]:
    """Change a member; return the page to show then, () to show the form with its error."""
    here, others = ("club-member", club.club.key, row.key), ("club-members", club.club.key)
    if do == "rename":
        rename = forms[do]
        is_done = rename.act(lambda new: members.rename(club, row, new["name"], new["was"]), row)
        return here if is_done else ()
    if do == "role":
        is_done = forms[do].act(lambda new: members.set_role(club, row, Role(new["role"])))
        return here if is_done else ()
    if do == "merge":
        is_done = forms[do].act(lambda new: _merge(club, row, new["into"]))
        return others if is_done else ()
    if do == "split":
        name = row.names.filter(key=data.get("name", "").replace("\0", "")).first()
        if name is None:
            raise Refused("no-name", _("The member has no such name any more."))
        members.split(club, name)
        return here
    if do == "remove":
        members.remove(club, row)
        return others
    raise Http404


def _merge(club: Access, row: Member, name: str) -> None:
    into = find_by_name(club.club.pk, player_key(name))
    if into is None:
        text = _("The club has no member %(name)s.")
        raise Refused("no-member", text % {"name": name}, "into")
    members.merge(club, row, into)


@club_view(Role.OFFICER)
def show_invites(request: HttpRequest, club: Access) -> HttpResponse:
    """Show the valid invitations with links and QR codes; by POST create or withdraw one."""
    revoked = request.POST.get("revoke", "")
    form = InviteForm(request.POST if "days" in request.POST else None)
    if revoked:
        invites.revoke(club, revoked)
    if revoked or form.act(lambda new: invites.create(club, days=new["days"], most=new["most"])):
        return redirect("club-invites", club.club.key)
    rows = [
        (
            invite,
            address := absolute(reverse("club-join", args=[invites.secret_of(invite)])),
            qr_code(address),
        )
        for invite in invites.valid_invites(club.club)
    ]
    return render_club(request, "invites", club, "members", {"rows": rows, "form": form})


def qr_code(text: str) -> SafeString:
    """Return the QR code of a text as an SVG element."""
    image = qrcode.make(text, image_factory=SvgPathImage, box_size=10, border=2)
    return mark_safe(image.to_string(encoding="unicode"))


@club_view(Role.MEMBER)
def leave(request: HttpRequest, club: Access) -> HttpResponse:
    """Ask whether to leave the club; by POST leave it."""
    if request.method == "POST":
        members.leave(club)
        text = _("You left the club %(name)s.") % {"name": redact(club.club.name)}
        messages.success(request, text)
        return redirect("clubs")
    return render_club(request, "leave", club, "members", {})

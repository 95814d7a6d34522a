"""Members of a club: adding, joining, claiming a name, merging, splitting, roles, and leaving."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from clubs.access import Access, current_members
from clubs.changes import Work, change
from clubs.models import Club, ClubGame, Follower, Invite, Member, MemberName, Role
from clubs.names import MOST_NAMES, add_name, check_name
from clubs.refused import Refused
from records.base import clock
from records.base.keys import player_key
from records.models import Seat

#: Maximum number of members of a club, guests and former members included.
MOST_MEMBERS: Final = 20_000
#: Maximum number of names that can be added at once.
MOST_ADDED: Final = 500


def find(access: Access, key: str) -> Member:
    """Return a member of a club, a former one included. Raise Refused."""
    members = Member.objects.filter(club=access.club, key=key.replace("\0", ""))
    member = members.select_related("claims").first()
    if member is None:
        raise Refused("no-member", _("The club has no such member any more."), "member")
    return member


def add(access: Access, names: Iterable[str], role: Role = Role.MEMBER) -> list[Member]:
    """Add members without an account, by an officer. Raise Refused."""
    access.require(Role.OFFICER)
    listed = [check_name(name) for name in names]
    if len(listed) > MOST_ADDED:
        text = _("At most %(most)d names can be added at once.")
        raise Refused("full", text % {"most": MOST_ADDED}, "name")
    counts = Counter(map(player_key, listed))
    if twice := [name for name in listed if counts[player_key(name)] > 1]:
        raise Refused("name-twice", _("%(name)s is there twice.") % {"name": twice[0]}, "name")
    club = access.club
    with change(club, access.viewer.user, "members-added", {"names": ", ".join(listed)}) as work:
        _check_room(club, len(listed))
        members = [work.create(Member(club=club, name=name, role=role)) for name in listed]
        for member in members:
            add_name(work, member, member.name)
    return members


def _check_room(club: Club, count: int) -> None:
    if club.members.count() + count > MOST_MEMBERS:
        text = _("A club has at most %(most)d members.")
        raise Refused("full", text % {"most": MOST_MEMBERS})


def claimable(club: Club) -> QuerySet[Member]:
    """Return the members whose name a joining account can claim: those without an account."""
    return club.members.filter(account=None, left=None).order_by("name", "pk")


def join(invite: Invite, account: int, name: str, claimed: str = "") -> Member:
    """Make an account a member by a valid invitation; `clubs.invites` checks it.

    The account plays as ``name``, or claims to be the member without an account with the key
    ``claimed``, until an officer decides. A former member comes back. Raise Refused.
    """
    club = invite.club
    with change(club, account, "joined") as work:
        _check_room(club, 1)
        invite.refresh_from_db()  # another account may have joined before the lock
        if invite.revoked is not None or invite.used >= invite.most:
            raise no_invite()
        member = club.members.filter(account=account).first()
        if member is not None and member.left is None:
            raise Refused("member", _("You are a member of this club already."))
        work.update(invite, used=invite.used + 1)
        if member is not None:
            role = Role.MEMBER
            work.update(member, left=None, role=role, joined=clock.now())
            work.values["name"] = member.name
            return member
        former = claimable(club).filter(key=claimed).first() if claimed else None
        if claimed and former is None:
            text = _("This name is not free any more: choose another one.")
            raise Refused("name-taken", text, "claimed")
        work.values["name"] = name = check_name(name or (former.name if former is not None else ""))
        member = work.create(Member(club=club, name=name, account_id=account, claims=former))
        if former is None:
            add_name(work, member, name)
        return member


def no_invite() -> Refused:
    """Return the error for an invitation that is unknown, used up, withdrawn or too old."""
    text = _("This invitation is not valid any more: ask for a new one.")
    return Refused("no-invite", text)


def decide(access: Access, member: Member, *, is_right: bool) -> None:
    """Decide whether a member is the one whose name it claims, by an officer. Raise Refused.

    If so, the two become one, with the account. Otherwise the member plays under a name of its own.
    """
    access.require(Role.OFFICER)
    claimed = member.claims
    if claimed is None:
        raise Refused("no-claim", _("There is nothing to decide any more."))
    what = "claim-confirmed" if is_right else "claim-refused"
    with change(access.club, access.viewer.user, what, {"name": member.name}) as work:
        work.update(member, claims_id=None)
        if is_right:
            _merge(work, claimed, into=member)


def merge(access: Access, member: Member, into: Member) -> None:
    """Make two members one, by an officer; games stay as they are. Raise Refused.

    The result has all names, the account that either has, and the higher role.
    """
    access.require(Role.OFFICER)
    values = {"name": member.name, "into": into.name}
    with change(access.club, access.viewer.user, "merged", values) as work:
        _merge(work, member, into=into)


def _merge(work: Work, member: Member, *, into: Member) -> None:
    member.refresh_from_db()
    into.refresh_from_db()
    if member.pk == into.pk:
        raise Refused("same", _("Choose two different members."), "into")
    if member.account_id is not None and into.account_id is not None:
        text = _("Both have an account, so they cannot become one: one of them must leave first.")
        raise Refused("two-accounts", text, "into")
    if _met(member, into):
        text = _("Both played in the same game, so they are two people.")
        raise Refused("played-together", text, "into")
    if member.role == Role.FOUNDER or into.names.count() + member.names.count() > MOST_NAMES:
        member, into = into, member
    if into.names.count() + member.names.count() > MOST_NAMES:
        text = _("A member has at most %(most)d names.")
        raise Refused("full", text % {"most": MOST_NAMES}, "into")
    account, role = member.account_id, max(member.role, into.role)
    joined = min(member.joined, into.joined)
    left = None if None in (member.left, into.left) else into.left
    for claimant in Member.objects.filter(claims=member):
        work.update(claimant, claims_id=None)
    for name in member.names.all():
        work.update(name, member_id=into.pk)
    work.delete(member)
    account = into.account_id or account
    work.update(into, account_id=account, role=role, joined=joined, left=left)


def _met(member: Member, other: Member) -> bool:
    """Return whether two members sat at a table in a game of the club."""
    seats = Seat.objects.filter(record__club_game__club=member.club_id)
    first, second = (
        seats.filter(player__origin__in=list(one.names.values_list("key", flat=True)))
        for one in (member, other)
    )
    return first.filter(Exists(second.filter(record=OuterRef("record")))).exists()


def split(access: Access, name: MemberName) -> Member:
    """Make a name of a member a member of its own, by an officer. Raise Refused."""
    access.require(Role.OFFICER)
    former = name.member
    values = {"name": name.name, "former": former.name}
    with change(access.club, access.viewer.user, "split", values) as work:
        if former.names.count() < 2:
            raise Refused("last-name", _("The member has no other name."), "name")
        role = min(former.role, Role.MEMBER)
        member = work.create(Member(club=access.club, name=name.name, role=role))
        work.update(name, member_id=member.pk)
        if former.name == name.name:
            rest = former.names.exclude(pk=name.pk).first()
            assert rest is not None
            work.update(former, name=rest.name)
    return member


def rename(access: Access, member: Member, written: str, was: str = "") -> None:
    """Show a member under another name, which becomes one of its names. Raise Refused.

    Officers rename everybody, members themselves.
    """
    if access.member is None or access.member.pk != member.pk:
        access.require(Role.OFFICER)
    name = check_name(written)
    values = {"name": member.name, "into": name}
    with change(access.club, access.viewer.user, "renamed", values) as work:
        add_name(work, member, name)
        work.update(member, was=was, name=name)


def set_role(access: Access, member: Member, role: Role) -> None:
    """Change the role of a member. Raise Refused.

    The founder names officers, and hands the club on by naming another founder. Officers change
    between guests and members.
    """
    values = {"name": member.name, "role": role.id}
    with change(access.club, access.viewer.user, "role", values) as work:
        member.refresh_from_db()  # another request may have changed the role before the lock
        is_high = Role.OFFICER in (role, member.role) or Role.FOUNDER in (role, member.role)
        access.require(Role.FOUNDER if is_high else Role.OFFICER)
        if role >= Role.OFFICER and member.account_id is None:
            text = _("%(name)s has no account: send an invitation first.")
            raise Refused("no-account", text % {"name": member.name}, "role")
        if member.role == Role.FOUNDER and role != Role.FOUNDER:
            raise Refused("founder", _("Name another founder first."), "role")
        if role == Role.FOUNDER and access.member is not None:
            access.member.refresh_from_db()
            access.require(Role.FOUNDER)  # another request may have named a founder before the lock
            if member.left is not None:
                raise Refused("left", _("This member has left the club."), "member")
            work.update(access.member, role=Role.OFFICER)
        work.update(member, role=role)


def leave(access: Access) -> None:
    """Leave a club. Games stay in the club unless taken out before. Raise Refused."""
    access.require(Role.MEMBER)
    assert access.member is not None
    _end(access, access.member, "left")


def remove(access: Access, member: Member) -> None:
    """Remove a member, by an officer; an officer by the founder. Games stay. Raise Refused."""
    access.require(Role.FOUNDER if member.role >= Role.OFFICER else Role.OFFICER)
    _end(access, member, "removed")


def _end(access: Access, member: Member, what: str) -> None:
    with change(access.club, access.viewer.user, what, {"name": member.name}) as work:
        member.refresh_from_db()
        if member.role == Role.FOUNDER:
            text = _("The founder cannot leave: name another founder first, or delete the club.")
            raise Refused("founder", text)
        work.update(member, left=clock.now(), role=min(member.role, Role.MEMBER), claims_id=None)


def end_memberships(account: int, **_signal: Any) -> None:
    """End the memberships of an account that is being closed, and take back its private games.

    The account stops following clubs. The names stay, as in games. The officer who joined first
    becomes the founder; a club without officers has no founder until the staff names one
    (`clubs.admin`).
    """
    memberships = Member.objects.filter(account=account).select_related("club")
    for member in memberships.filter(left=None):
        with change(member.club, None, "left", {"name": member.name}) as work:
            role = Role(member.role)
            values: dict[str, Any] = {
                "role": min(role, Role.MEMBER),
                "claims_id": None,
                "left": clock.now(),
            }
            work.update(member, account_id=None, **values)
            heirs = current_members().filter(club=member.club, role=Role.OFFICER)
            heir = heirs.exclude(account=None).order_by("joined", "pk").first()
            if role == Role.FOUNDER and heir is not None:
                work.update(heir, role=Role.FOUNDER)
    memberships.update(account=None)
    ClubGame.objects.filter(sender=account).update(sender=None)
    Follower.objects.filter(account=account).delete()

"""The rights of a viewer in a club.

A public club is listed, an unlisted one is visible to everybody with the address, a private one to
its members with an account. Members see its private games (`clubs.games.shares_for`).
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from clubs.models import Club, Member, Role
from clubs.refused import NOT_ALLOWED, Refused
from records.models import Visibility
from records.privacy.access import Viewer


@dataclass(frozen=True, slots=True)
class Access:
    """A club as a viewer may use it; ``member`` is the viewer's membership, None if not a member.

    The staff of the archive sees every club, but changes none.
    """

    club: Club
    viewer: Viewer
    member: Member | None

    @property
    def role(self) -> int:
        """The viewer's role, below every role if not a member."""
        return self.member.role if self.member is not None else -1

    @property
    def is_member(self) -> bool:
        """Whether the viewer sees all games of the club; guests do not."""
        return self.role >= Role.MEMBER

    @property
    def is_officer(self) -> bool:
        """Whether the viewer may change the club."""
        return self.role >= Role.OFFICER

    @property
    def is_founder(self) -> bool:
        """Whether the viewer names officers and can delete the club."""
        return self.role == Role.FOUNDER

    @property
    def sees_names(self) -> bool:
        """Whether the viewer sees names of players who opted out of figures by name."""
        return self.is_member or self.viewer.staff

    def require(self, role: Role) -> None:
        """Raise Refused unless the viewer has a role or a higher one."""
        if self.role >= role:
            return
        words = {
            Role.MEMBER: _("Only members can do this: ask an officer for an invitation."),
            Role.OFFICER: _("Only an officer of the club can do this."),
            Role.FOUNDER: _("Only the founder of the club can do this."),
        }
        raise Refused(NOT_ALLOWED, words[role])


def find(key: str, viewer: Viewer) -> Access | None:
    """Return the club with a key, None if there is none or the viewer may not see it."""
    club = Club.objects.filter(key=key.replace("\0", "")).first()
    if club is None:
        return None
    access = of(club, viewer)
    is_visible = club.visibility >= Visibility.UNLISTED or access.is_member or viewer.staff
    return access if is_visible else None


def of(club: Club, viewer: Viewer) -> Access:
    """Return a club as a viewer may use it, whether or not the viewer may see it."""
    member = None
    if viewer.user is not None:
        member = current_members().filter(club=club, account=viewer.user).first()
    return Access(club, viewer, member)


def current_members() -> QuerySet[Member]:
    """Return the members of all clubs who have not left."""
    return Member.objects.filter(left=None)


def count_members(club: Club) -> int:
    """Return the number of members of a club, guests excepted."""
    return current_members().filter(club=club, role__gte=Role.MEMBER).count()


def public_clubs() -> QuerySet[Club]:
    """Return the clubs that are listed, the newest first."""
    return Club.objects.filter(visibility=Visibility.PUBLIC).order_by("-pk")


def clubs_of(user: int) -> QuerySet[Member]:
    """Return the memberships of an account, with their clubs, the oldest first."""
    memberships = current_members().filter(account=user, role__gte=Role.MEMBER)
    return memberships.select_related("club").order_by("joined", "pk")


def shown_to(viewer: Viewer) -> Q:
    """Return the condition for clubs that a viewer may see, in a query of clubs."""
    if viewer.staff:
        return Q()
    visible = Q(visibility__gte=Visibility.UNLISTED)
    if viewer.user is not None:
        visible |= Q(pk__in=clubs_of(viewer.user).order_by().values("club"))
    return visible

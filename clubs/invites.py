"""Invitations: a link that makes accounts members, with an expiry and a maximum of uses.

The secret of a link is derived from the invitation and the key of the site, so that officers can
show it again, and nobody can read it from a copy of the database.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.core.signing import BadSignature, Signer
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from clubs.access import Access
from clubs.changes import change
from clubs.members import join, no_invite
from clubs.models import Club, Invite, Member, Role
from clubs.refused import Refused
from records.base import clock

#: The days for which an invitation can be valid, and the numbers of accounts that can join by it.
DAYS: Final = (1, 7, 30, 365)
USES: Final = (1, 5, 20, 100)
#: Maximum number of valid invitations of a club.
MOST: Final = 20
_SIGNER: Final = Signer(salt="clubs.invites")


def create(access: Access, *, days: int = 7, most: int = 20) -> Invite:
    """Create an invitation, by an officer. Raise Refused."""
    access.require(Role.OFFICER)
    if days not in DAYS or most not in USES:
        raise Refused("invite", _("Choose one of the listed times and numbers."))
    with change(access.club, access.viewer.user, "invited", {"days": days, "most": most}) as work:
        if valid_invites(access.club).count() >= MOST:
            text = _("There are %(most)d invitations already: withdraw one first.")
            raise Refused("full", text % {"most": MOST})
        expires = clock.now() + timedelta(days=days)
        return work.create(Invite(club=access.club, expires=expires, most=most))


def valid_invites(club: Club) -> QuerySet[Invite]:
    """Return the invitations of a club by which accounts can join now."""
    invites = club.invites.filter(revoked=None, expires__gt=clock.now(), used__lt=F("most"))
    return invites.select_related("club")


def revoke(access: Access, key: str) -> None:
    """Withdraw an invitation, by an officer. Raise Refused."""
    access.require(Role.OFFICER)
    invite = access.club.invites.filter(key=key.replace("\0", ""), revoked=None).first()
    if invite is None:
        raise Refused("no-invite", _("This invitation is not valid any more."))
    with change(access.club, access.viewer.user, "invite-revoked") as work:
        work.update(invite, revoked=clock.now())


def secret_of(invite: Invite) -> str:
    """Return the last part of the link of an invitation."""
    return _SIGNER.sign(invite.key)


def find(secret: str) -> Invite | None:
    """Return the valid invitation of a link, None if there is none."""
    try:
        key = _SIGNER.unsign(secret)
    except BadSignature:
        return None
    invites = Invite.objects.filter(key=key, revoked=None, expires__gt=clock.now())
    return invites.filter(used__lt=F("most")).select_related("club").first()


def accept(secret: str, account: int, *, name: str, claimed: str = "") -> Member:
    """Make an account a member by a link; see `clubs.members.join`. Raise Refused."""
    invite = find(secret)
    if invite is None:
        raise no_invite()
    return join(invite, account, name, claimed)

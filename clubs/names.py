"""Names of members in games: a name belongs to one member of a club, a member may have several."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from django.utils.translation import gettext as _

from clubs.changes import Work
from clubs.models import MEMBER_NAME, Member, MemberName
from clubs.refused import Refused
from records.base.keys import player_key, player_name

#: Maximum number of names of a member.
MOST_NAMES: Final = 20


def check_name(written: str) -> str:
    """Return a name as shown. Raise Refused for an empty name and one that is too long."""
    name = player_name(written.replace("\0", ""))
    if not name or len(name) > MEMBER_NAME or not name.isprintable():
        text = _("A name has 1 to %(most)d letters.")
        raise Refused("name", text % {"most": MEMBER_NAME}, "name")
    return name


def add_name(work: Work, member: Member, written: str) -> None:
    """Give a member a name. Raise Refused if another member has it."""
    name = check_name(written)
    key = player_key(name)
    other = find_by_name(member.club_id, key)
    if other is not None:
        if other.pk == member.pk:
            return
        text = _("%(name)s is a member already: merge the two members if they are one person.")
        raise Refused("name-taken", text % {"name": name}, "name")
    if member.names.count() >= MOST_NAMES:
        text = _("A member has at most %(most)d names.")
        raise Refused("full", text % {"most": MOST_NAMES}, "name")
    work.create(MemberName(club_id=member.club_id, member=member, key=key, name=name))


def find_by_name(club: int, key: str) -> Member | None:
    """Return the member of a club with a name, given the key of the name."""
    named = MemberName.objects.filter(club=club, key=key).select_related("member").first()
    return named.member if named is not None else None


def names_of_keys(club: int, keys: Collection[str]) -> dict[str, Member]:
    """Return the members of a club with the names of some keys, by key."""
    rows = MemberName.objects.filter(club=club, key__in=keys).select_related("member").order_by()
    return {row.key: row.member for row in rows}


def players_of(club: int, names: Iterable[str]) -> dict[str, str]:
    """Return the players of figures by name: keys of members, or of names that no member has."""
    keys = {name: player_key(name) for name in names}
    rows = MemberName.objects.filter(club=club, key__in=set(keys.values())).order_by()
    members = dict(rows.values_list("key", "member__key"))
    return {name: members.get(key, key) for name, key in keys.items()}

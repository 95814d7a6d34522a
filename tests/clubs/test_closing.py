"""Clubs after the closing of an account, and what the staff does about them."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from clubs import games, members
from clubs.changes import undo
from clubs.models import Change, Club, Member, Role
from clubs.refused import Refused
from people.accounts import lifecycle
from records.models import Revision, Visibility
from records.privacy.access import Viewer, may_see
from tests.clubs import world
from tests.people.world import do_jobs, session, user

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(aya: Any) -> Club:
    """Return a private club of aya."""
    return world.found(aya, visibility=Visibility.PRIVATE)


def roles(club: Club) -> dict[str, Role]:
    """Return the roles of the members with an account."""
    return {row.name: Role(row.role) for row in club.members.exclude(account=None)}


def test_oldest_officer_follows_the_founder_whose_account_is_closed(aya: Any, club: Club) -> None:
    founder = world.of(club, aya)
    for name in ("Ben", "Cho", "Dan"):
        member = world.joins(club, aya, user(name.lower()), name)
        if name != "Ben":
            members.set_role(founder, member, Role.OFFICER)
    lifecycle.close(aya, withdraw=False)
    assert roles(club) == {"Ben": Role.MEMBER, "Cho": Role.FOUNDER, "Dan": Role.OFFICER}
    former = club.members.get(name="Aya")
    assert former.account is None and former.left is not None
    officer = world.of(club, Member.objects.get(name="Cho").account)
    with pytest.raises(Refused, match="taken back"):
        undo(officer, Change.objects.get(what="left"))


def test_private_games_of_a_closed_account_leave_the_club_at_once(aya: Any, club: Club) -> None:
    """The jobs that withdraw the games run later."""
    ben = user("ben")
    world.joins(club, aya, ben, "Ben")
    private = world.play(club, ben, 1, visibility=Visibility.PRIVATE)
    world.play(club, ben, 2)
    assert may_see(private, Viewer(aya.pk))
    lifecycle.close(ben, withdraw=False)
    assert not may_see(private, Viewer(aya.pk))
    shown = list(games.games_of(club, Visibility.PRIVATE))
    do_jobs()
    assert list(games.games_of(club, Visibility.PRIVATE)) == shown
    assert [game.record.visibility for game in shown] == [Visibility.PUBLIC]


def test_account_that_left_before_has_no_membership_after_closing(aya: Any, club: Club) -> None:
    ben = user("ben")
    world.joins(club, aya, ben, "Ben")
    members.leave(world.of(club, ben))
    count = Change.objects.count()
    lifecycle.close(ben, withdraw=True)
    assert not Member.objects.filter(account=ben).exists()
    assert Change.objects.count() == count


def test_staff_names_the_founder_of_a_club_without_one(aya: Any, club: Club) -> None:
    ben = user("ben")
    member = world.joins(club, aya, ben, "Ben")
    name = members.add(world.of(club, aya), ["Cho"])[0]
    staff = session(user("staff", staff=True))
    action = {"action": "make_founder", "_selected_action": [member.pk, name.pk]}
    staff.post(reverse("admin:clubs_member_changelist"), action)
    assert roles(club)["Ben"] == Role.MEMBER, "the club has a founder"
    lifecycle.close(aya, withdraw=False)
    assert roles(club) == {"Ben": Role.MEMBER}
    staff.post(reverse("admin:clubs_member_changelist"), action)
    assert roles(club) == {"Ben": Role.FOUNDER}
    assert world.of(club, ben).is_founder


def test_staff_deletes_a_club_and_no_cached_page_shows_it(aya: Any, club: Club) -> None:
    staff = session(user("staff", staff=True))
    count = Revision.objects.count()
    action = {"action": "delete_selected", "_selected_action": [club.pk], "post": "yes"}
    staff.post(reverse("admin:clubs_club_changelist"), action)
    assert not Club.objects.exists()
    assert Revision.objects.count() > count
    member = reverse("admin:clubs_member_changelist")
    assert session(aya).get(member).status_code == 302

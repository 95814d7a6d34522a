"""Members of a club: invitations, claims, names, roles and leaving."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from clubs import access, clubs, invites, members
from clubs.models import Club, Invite, Member, Role
from clubs.refused import Refused
from records.models import Visibility
from records.privacy.access import ANONYMOUS, Viewer
from tests.clubs import world
from tests.people.world import user

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(aya: Any) -> Club:
    """Return a private club of aya."""
    return world.found(aya, visibility=Visibility.PRIVATE)


@pytest.mark.parametrize("key", ["", "Kai", "kai_", "-kai", "kai-", "new", "a" * 41, "花"])
def test_address_is_refused(aya: Any, key: str) -> None:
    with pytest.raises(Refused) as refused:
        world.found(aya, key)
    assert (refused.value.code, refused.value.field) == ("address", "key")


def test_taken_address_is_refused(aya: Any, club: Club) -> None:
    with pytest.raises(Refused, match="taken"):
        world.found(user("ben"), club.key)


def test_house_rules_are_checked_and_written_in_one_way(aya: Any, club: Club) -> None:
    officer = world.of(club, aya)
    houses = {"koikoi": " months=6  profile=koikoi-nintendo ", "hanaawase": ""}
    clubs.update(officer, {"houses": houses})
    assert club.houses == {"koikoi": "months=6 profile=koikoi-nintendo"}
    with pytest.raises(Refused) as refused:
        clubs.update(officer, {"houses": {"koikoi": "months=99"}})
    assert refused.value.field == "houses"


def test_invitation_works_until_it_is_used_up_revoked_or_too_old(aya: Any, club: Club) -> None:
    officer = world.of(club, aya)
    once = invites.create(officer, most=1)
    invites.accept(invites.secret_of(once), user("ben").pk, name="Ben")
    revoked = invites.create(officer)
    invites.revoke(officer, revoked.key)
    old = invites.create(officer)
    Invite.objects.filter(pk=old.pk).update(expires=timezone.now() - timedelta(seconds=1))
    forged = invites.secret_of(invites.create(officer))[:-1]
    for secret in (*map(invites.secret_of, (once, revoked, old)), forged, "", once.key):
        with pytest.raises(Refused) as refused:
            invites.accept(secret, user(f"u{secret[-5:]}{len(secret)}").pk, name="Cho")
        assert refused.value.code == "no-invite"
    assert set(Member.objects.values_list("name", flat=True)) == {"Aya", "Ben"}


def test_claimed_name_becomes_the_members_when_an_officer_confirms(aya: Any, club: Club) -> None:
    officer = world.of(club, aya)
    ben = user("ben")
    (kept,) = members.add(officer, ["ベン"])
    secret = invites.secret_of(invites.create(officer))
    claimant = invites.accept(secret, ben.pk, name="", claimed=kept.key)
    assert claimant.claims == kept
    assert world.of(club, ben).is_member
    members.decide(officer, claimant, is_right=True)
    member = Member.objects.get(account=ben)
    assert [name.name for name in member.names.all()] == ["ベン"]
    assert Member.objects.count() == 2


def test_refused_claimant_stays_a_member_without_the_name(aya: Any, club: Club) -> None:
    officer = world.of(club, aya)
    ben = user("ben")
    (kept,) = members.add(officer, ["ベン"])
    secret = invites.secret_of(invites.create(officer))
    claimant = invites.accept(secret, ben.pk, name="Ben S.", claimed=kept.key)
    members.decide(officer, claimant, is_right=False)
    assert world.of(club, ben).is_member
    assert kept.names.count() == 1
    assert not Member.objects.get(account=ben).names.exists()


def test_name_belongs_to_one_member_in_every_spelling(aya: Any, club: Club) -> None:
    officer = world.of(club, aya)
    members.add(officer, ["Ben Sato"])
    with pytest.raises(Refused) as refused:
        members.add(officer, ["Cho", "ＢＥＮ　sato"])
    assert (refused.value.code, refused.value.field) == ("name-taken", "name")
    assert not Member.objects.filter(name="Cho").exists(), "all or none are added"


def test_merge_with_oneself_and_of_two_accounts_is_refused(aya: Any, club: Club) -> None:
    officer = world.of(club, aya)
    ben = world.joins(club, aya, user("ben"), "Ben")
    founder = Member.objects.get(account=aya)
    for one, other in ((ben, ben), (ben, founder), (founder, ben)):
        with pytest.raises(Refused):
            members.merge(officer, one, other)
    assert Member.objects.count() == 2


def test_merge_of_two_players_of_a_game_is_refused(aya: Any, club: Club) -> None:
    officer = world.of(club, aya)
    (ben,) = members.add(officer, ["Ben"])
    world.play(club, aya, 1, "Aya", "Ben")
    with pytest.raises(Refused) as refused:
        members.merge(officer, ben, Member.objects.get(account=aya))
    assert refused.value.code == "played-together"


def test_split_name_is_a_member_again(aya: Any, club: Club) -> None:
    officer = world.of(club, aya)
    ben, other = members.add(officer, ["Ben", "B. S."])
    members.merge(officer, other, ben)
    fresh = members.split(officer, ben.names.get(name="Ben"))
    ben.refresh_from_db()
    assert {fresh.name, ben.name} == {"Ben", "B. S."}
    with pytest.raises(Refused):
        members.split(officer, ben.names.get())


def test_roles(aya: Any, club: Club) -> None:
    founder = world.of(club, aya)
    ben, cho = user("ben"), user("cho")
    for account, name in ((ben, "Ben"), (cho, "Cho")):
        world.joins(club, aya, account, name)
    member = Member.objects.get(account=ben)
    (nameless,) = members.add(founder, ["Dai"])
    with pytest.raises(Refused, match="account"):
        members.set_role(founder, nameless, Role.OFFICER)
    with pytest.raises(Refused, match="officer"):
        members.add(world.of(club, ben), ["Eri"])
    members.set_role(founder, member, Role.OFFICER)
    officer = world.of(club, ben)
    with pytest.raises(Refused, match="founder"):
        members.set_role(officer, Member.objects.get(account=cho), Role.OFFICER)
    with pytest.raises(Refused, match="founder"):
        members.remove(officer, Member.objects.get(account=aya))
    with pytest.raises(Refused, match="founder"):
        members.leave(founder)
    members.set_role(founder, Member.objects.get(account=ben), Role.FOUNDER)
    assert not world.of(club, aya).is_founder
    assert world.of(club, ben).is_founder
    members.leave(world.of(club, aya))
    assert access.find(club.key, Viewer(aya.pk)) is None


def test_removed_member_sees_nothing_and_comes_back_by_an_invitation(aya: Any, club: Club) -> None:
    ben = user("ben")
    member = world.joins(club, aya, ben, "Ben")
    assert access.find(club.key, Viewer(ben.pk)) is not None
    members.remove(world.of(club, aya), member)
    assert access.find(club.key, Viewer(ben.pk)) is None
    assert access.find(club.key, ANONYMOUS) is None
    world.joins(club, aya, ben, "")
    assert world.of(club, ben).is_member
    assert Member.objects.filter(account=ben).count() == 1


def test_officer_of_a_club_cannot_touch_another(aya: Any, club: Club) -> None:
    ben = user("ben")
    other = world.found(ben, "other")
    stranger = world.of(club, ben)
    member = Member.objects.get(club=club)
    for wish in (
        lambda: members.add(stranger, ["X"]),
        lambda: members.remove(stranger, member),
        lambda: members.find(world.of(other, ben), member.key),
        lambda: clubs.update(stranger, {"name": "mine"}),
        lambda: clubs.delete(stranger),
        lambda: invites.create(stranger),
    ):
        with pytest.raises(Refused):
            wish()
    assert Club.objects.count() == 2

"""Changes of a club: the log, undoing, and two officers at once."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from clubs import changes, clubs, evenings, members, seasons
from clubs.changes import ChangedMeanwhile, stamp, undo
from clubs.models import Change, Evening, Member, MemberName, Role, Season
from clubs.refused import Refused
from tests.clubs import world
from tests.people.world import user

pytestmark = pytest.mark.django_db


def last_change() -> Change:
    """Return the newest change."""
    return Change.objects.latest("pk")


def names_by_member() -> dict[str, set[str]]:
    """Return the names of each member."""
    rows = MemberName.objects.select_related("member")
    found: dict[str, set[str]] = {}
    for row in rows:
        found.setdefault(row.member.name, set()).add(row.name)
    return found


def test_merge_is_undone_with_names_and_account(aya: Any) -> None:
    club = world.found(aya)
    officer = world.of(club, aya)
    ben = user("ben")
    joined = world.joins(club, aya, ben, "Ben")
    (old,) = members.add(officer, ["B. Sato"])
    before = names_by_member()
    members.merge(officer, joined, old)
    merged = Member.objects.get(account=ben)
    assert names_by_member()["B. Sato"] == {"Ben", "B. Sato"}
    assert merged.pk == old.pk
    undo(officer, last_change())
    assert names_by_member() == before
    assert Member.objects.get(account=ben).name == "Ben"
    with pytest.raises(Refused, match="taken back"):
        undo(officer, Change.objects.get(what="merged"))


def test_undo_is_undone_itself(aya: Any) -> None:
    club = world.found(aya)
    officer = world.of(club, aya)
    members.add(officer, ["Ben"])
    undo(officer, last_change())
    assert not Member.objects.filter(name="Ben").exists()
    undo(officer, last_change())
    assert Member.objects.filter(name="Ben").exists()


def test_change_whose_row_changed_since_is_not_undone(aya: Any) -> None:
    club = world.found(aya)
    officer = world.of(club, aya)
    season = world.begin_season(club, aya)
    begun = last_change()
    seasons.update(officer, season, {"name": "Spring"})
    with pytest.raises(Refused, match="taken back"):
        undo(officer, begun)
    undo(officer, last_change())
    assert Season.objects.get().name == "2026"


def test_season_with_entries_since_is_not_removed_by_undoing(aya: Any) -> None:
    club = world.found(aya)
    officer = world.of(club, aya)
    season = world.begin_season(club, aya)
    begun = last_change()
    entry = seasons.NewEntry("penalty", "Ben", season.first, -5, reason="late")
    seasons.add_entries(officer, season, [entry])
    with pytest.raises(Refused, match="taken back"):
        undo(officer, begun)
    assert season.entries.count() == 1


def test_large_season_is_deleted_and_restored_by_few_queries(
    aya: Any, django_assert_max_num_queries: Any
) -> None:
    officer = world.of(world.found(aya), aya)
    season = world.begin_season(officer.club, aya)
    totals = [seasons.NewEntry("total", f"P{i}", season.first, i) for i in range(1200)]
    seasons.add_entries(officer, season, totals)
    with django_assert_max_num_queries(40):
        seasons.delete(officer, season)
    assert not Season.objects.exists()
    with django_assert_max_num_queries(40):
        undo(officer, last_change())
    assert Season.objects.get().entries.count() == len(totals)


def test_row_that_a_change_updated_twice_gets_its_first_values(aya: Any) -> None:
    officer = world.of(world.found(aya), aya)
    season = world.begin_season(officer.club, aya)
    with changes.change(officer.club, aya.pk, "season-changed", {"name": "2026"}) as work:
        work.update(season, name="Spring")
        work.update(season, name="Summer")
    undo(officer, last_change())
    assert Season.objects.get().name == "2026"


def test_deleted_evening_that_was_written_again_is_not_restored(aya: Any) -> None:
    officer = world.of(world.found(aya), aya)
    day = date(2026, 4, 3)
    evenings.delete(officer, evenings.write(officer, day, {"place": "Hall"}))
    deleted = last_change()
    evenings.write(officer, day, {"place": "Library"})
    with pytest.raises(Refused, match="taken back"):
        undo(officer, deleted)
    assert Evening.objects.get().place == "Library"


def test_name_of_a_season_that_another_has_is_not_restored(aya: Any) -> None:
    officer = world.of(world.found(aya), aya)
    season = world.begin_season(officer.club, aya)
    seasons.update(officer, season, {"name": "Spring"})
    renamed = last_change()
    world.begin_season(officer.club, aya)
    with pytest.raises(Refused, match="taken back"):
        undo(officer, renamed)
    assert set(Season.objects.values_list("name", flat=True)) == {"2026", "Spring"}


def test_second_of_two_officers_is_told_that_the_first_changed_the_club(aya: Any) -> None:
    club = world.found(aya)
    officer = world.of(club, aya)
    shown = stamp(club)
    clubs.update(officer, {"name": "First"}, was=shown)
    with pytest.raises(ChangedMeanwhile):
        clubs.update(officer, {"name": "Second"}, was=shown)
    club.refresh_from_db()
    assert club.name == "First"


def test_officer_undoes_neither_roles_nor_leaving_nor_founding(aya: Any) -> None:
    club = world.found(aya)
    founder = world.of(club, aya)
    ben, cho = user("ben"), user("cho")
    for account, name in ((ben, "Ben"), (cho, "Cho")):
        world.joins(club, aya, account, name)
    members.set_role(founder, Member.objects.get(account=ben), Role.OFFICER)
    members.set_role(founder, Member.objects.get(account=cho), Role.OFFICER)
    members.set_role(founder, Member.objects.get(account=cho), Role.MEMBER)
    officer = world.of(club, ben)
    with pytest.raises(Refused, match="founder"):
        undo(officer, last_change())
    members.leave(world.of(club, cho))
    with pytest.raises(Refused, match="taken back"):
        undo(officer, last_change())
    with pytest.raises(Refused, match="taken back"):
        undo(founder, Change.objects.get(what="found"))
    assert Member.objects.get(account=cho).left is not None

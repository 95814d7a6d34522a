"""Games of a club: taking in, corrections, access of members, and standings."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.urls import reverse

from clubs import games, members, seasons
from clubs.changes import undo
from clubs.models import Change, Club, ClubGame, Member
from clubs.refused import Refused
from clubs.standings import compute_standings
from records.ingest.ownership import change_visibility, take_down
from records.models import Record, Visibility
from records.operations import rebuild
from records.privacy.access import ANONYMOUS, Viewer, may_see, records_for
from records.search.games import find as find_game
from tests.clubs import world
from tests.people.world import do_jobs, sent, session, user

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(aya: Any) -> Club:
    """Return a private club of aya."""
    return world.found(aya, visibility=Visibility.PRIVATE)


def days(club: Club, level: int = Visibility.PRIVATE) -> list[date]:
    """Return the evenings of the games of a club."""
    return [game.day for game in games.games_of(club, level)]


def scores(season: Any, level: int = Visibility.PRIVATE) -> dict[str, int | None]:
    """Return the scores of a season by shown name or key."""
    played = seasons.load(season, level)
    rows = compute_standings(played.games, played.entries, seasons.scoring_of(season))
    names = dict(Member.objects.values_list("key", "name"))
    return {names.get(row.player, "?"): row.score for row in rows}


def finals(record: Record) -> dict[str, int]:
    """Return the final sums of a game by name."""
    return {seat.name: seat.final or 0 for seat in record.seats.all()}


def test_game_of_a_private_club_is_seen_by_members_alone(aya: Any, club: Club) -> None:
    ben, stranger = user("ben"), user("stranger")
    member = world.joins(club, aya, ben, "Ben")
    game = world.play(club, aya, 1, visibility=Visibility.PRIVATE)
    for viewer, sees in ((aya, True), (ben, True), (stranger, False)):
        assert may_see(game, Viewer(viewer.pk)) == sees
        assert Record.objects.filter(records_for(Viewer(viewer.pk))).exists() == sees
    assert not may_see(game, ANONYMOUS)
    members.remove(world.of(club, aya), member)
    assert not may_see(game, Viewer(ben.pk))


def test_member_sees_the_text_of_the_sender_not_of_another_owner(aya: Any, club: Club) -> None:
    """The other owner of the private game is no member; nobody learns of that upload."""
    ben = user("ben")
    world.joins(club, aya, ben, "Ben")
    text = world.game_text(1)
    sent(text.replace("[Date", '[Event "secret"]\n[Date'), owner=user("cho"), visibility=1)
    sent(text, owner=aya, visibility=Visibility.PRIVATE, circle=club.circle)
    record = Record.objects.get()
    seen = find_game(record.key, Viewer(ben.pk))
    assert seen is not None
    assert seen.event == ""
    assert "secret" not in seen.text


def test_withdrawn_game_leaves_club_and_standings_at_once(aya: Any, club: Club) -> None:
    season = world.begin_season(club, aya)
    game = world.play(club, aya, 1, visibility=Visibility.PRIVATE)
    assert scores(season)["Aya"] == finals(game)["Aya"]
    change_visibility(owner=aya.pk, records=[game.pk], visibility=Visibility.WITHDRAWN)
    assert days(club) == []
    assert scores(season) == {}


def test_taken_down_public_game_leaves_the_club(aya: Any, club: Club) -> None:
    game = world.play(club, aya, 1)
    take_down([game.pk])
    assert days(club) == []


def test_corrected_game_takes_the_place_of_the_former_one(aya: Any, club: Club) -> None:
    season = world.begin_season(club, aya)
    former = world.play(club, aya, 1)
    sent(world.game_text(2, "Aya", "Cho", day="2026-04-10"), owner=aya, replaces=former.key)
    (row,) = games.games_of(club, Visibility.PRIVATE)
    assert row.record_id != former.pk
    assert row.day == date(2026, 4, 10)
    assert scores(season)["Aya"] == finals(row.record)["Aya"]


def test_game_taken_out_does_not_come_back_with_its_upload(aya: Any, club: Club) -> None:
    game = world.play(club, aya, 1)
    assert games.take_out(world.of(club, aya), [game.pk]) == 1
    rebuild.begin()
    do_jobs()
    assert days(club) == []
    added = games.add(world.of(club, aya), [game.key])
    assert (added.new, len(days(club))) == (1, 1)


def test_upload_for_a_club_by_a_former_member_stays_out(aya: Any, club: Club) -> None:
    ben = user("ben")
    member = world.joins(club, aya, ben, "Ben")
    members.remove(world.of(club, aya), member)
    world.play(club, ben, 1)
    assert days(club) == []


def test_game_of_a_private_club_is_refused_like_one_that_does_not_exist(
    aya: Any, club: Club
) -> None:
    public = world.play(club, aya, 1)
    private = world.play(club, aya, 2, visibility=Visibility.PRIVATE)
    ben = user("ben")
    other = world.found(ben, "other")
    answers = [
        (games.add(world.of(other, ben), [key]), send(other, ben, key))
        for key in (public.key, private.key, "6J2Yyk71BYa")
    ]
    assert [(added.new, added.known, len(added.refused)) for added, _page in answers] == [
        (0, 0, 1)
    ] * 3
    assert len({words for _added, words in answers}) == 1
    assert set(ClubGame.objects.values_list("club", flat=True)) == {club.pk}


def send(club: Club, account: Any, links: str) -> str:
    """Return the message on the page of games after an officer added links."""
    address = reverse("club-games", args=[club.key])
    response = session(account).post(address, {"do": "add", "links": links}, follow=True)
    (message,) = response.context["messages"]
    return str(message)


def test_member_adds_and_takes_out_own_games_only(aya: Any, club: Club) -> None:
    ben = user("ben")
    world.joins(club, aya, ben, "Ben")
    theirs = world.play(club, aya, 1)
    member = world.of(club, ben)
    with pytest.raises(Refused, match="own"):
        games.take_out(member, [theirs.pk])
    sent(world.game_text(2), owner=aya)
    with pytest.raises(Refused, match="own"):
        games.add(member, [Record.objects.exclude(pk=theirs.pk).get().key])
    sent(world.game_text(3), owner=ben, visibility=Visibility.PRIVATE)
    mine = Record.objects.latest("pk")
    games.add(member, [mine.key])
    assert may_see(mine, Viewer(aya.pk))
    games.take_out(member, [mine.pk])
    assert not may_see(mine, Viewer(aya.pk))


def test_strangers_of_a_public_club_see_figures_of_public_games(aya: Any) -> None:
    club = world.found(aya)
    season = world.begin_season(club, aya)
    public = world.play(club, aya, 1)
    private = world.play(club, aya, 2, visibility=Visibility.PRIVATE)
    unlisted = world.play(club, aya, 3, visibility=Visibility.UNLISTED)
    assert scores(season, Visibility.PUBLIC)["Aya"] == finals(public)["Aya"]
    sums = [finals(game)["Aya"] for game in (public, private, unlisted)]
    assert scores(season)["Aya"] == sum(sums)
    assert scores(season, Visibility.UNLISTED)["Aya"] == sums[0] + sums[2]


def test_games_are_moved_to_another_evening_in_one_change(aya: Any, club: Club) -> None:
    pks = [world.play(club, aya, seed).pk for seed in (1, 2)]
    games.move(world.of(club, aya), pks, date(2026, 5, 1))
    assert days(club) == [date(2026, 5, 1)] * 2
    undo(world.of(club, aya), Change.objects.latest("pk"))
    assert days(club) == [date(2026, 4, 3)] * 2


def test_game_that_another_club_adds_at_the_same_time_is_refused(
    aya: Any, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent(world.game_text(1), owner=aya)
    other = world.found(aya, "other")
    row_of = games._row

    def add_elsewhere(*fields: Any) -> ClubGame:
        if not ClubGame.objects.exists():
            ClubGame.objects.create(
                club=other, record=fields[1], ruleset="koikoi", day="2026-04-03"
            )
        return row_of(*fields)

    monkeypatch.setattr(games, "_row", add_elsewhere)
    with pytest.raises(Refused, match="same time"):
        games.add(world.of(club, aya), [Record.objects.get().key])


def test_copies_in_a_club_count_once(aya: Any, club: Club) -> None:
    season = world.begin_season(club, aya)
    world.play(club, aya, 1)
    text = world.game_text(1).replace("2026-04-03", "2026-04-04")
    sent(text, owner=aya, circle=club.circle)
    assert len(days(club)) == 2
    played = seasons.load(season, Visibility.PRIVATE)
    assert len(played.games) == 1


def test_season_is_loaded_by_three_queries(
    aya: Any, club: Club, django_assert_num_queries: Any
) -> None:
    season = world.begin_season(club, aya)
    for seed in (1, 2, 3):
        world.play(club, aya, seed)
    with django_assert_num_queries(3):
        played = seasons.load(season, Visibility.PRIVATE)
    assert len(played.games) == 3


def test_merged_member_has_the_games_of_both_names(aya: Any, club: Club) -> None:
    season = world.begin_season(club, aya)
    officer = world.of(club, aya)
    first = world.play(club, aya, 1, "Aya", "Ben")
    second = world.play(club, aya, 2, "Aya", "B. S.")
    ben, alias = members.add(officer, ["Ben", "B. S."])
    members.merge(officer, alias, ben)
    assert scores(season)["Ben"] == finals(first)["Ben"] + finals(second)["B. S."]
    assert finals(Record.objects.get(pk=second.pk)) == finals(second), "games stay as they are"
    assert Member.objects.count() == 2

"""Pages of evenings: list, games, tables, sheets to print, and the feeds."""

from __future__ import annotations

import re
from datetime import date, time
from typing import Any

import pytest
from django.urls import reverse

from clubs import evenings
from clubs.models import Club, Evening
from clubs.pages.feeds import write_calendar
from records.models import Visibility
from tests.clubs import world
from tests.people.world import session, user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

_DAY = "2026-04-03"
_NAMES = ("Ben", "Cho", "Dan", "Eri")


@pytest.fixture
def club(aya: Any) -> Club:
    """Return a public club of aya with four further members."""
    club = world.found(aya)
    for name in _NAMES:
        world.add_member(club, aya, name)
    return club


def address(name: str = "club-evening", day: str = _DAY) -> str:
    """Return the address of a page of an evening."""
    return reverse(name, args=["kai", day])


def test_coming_evening_is_first_and_past_ones_follow(aya: Any, club: Club) -> None:
    officer = world.of(club, aya)
    for day in (date(2099, 2, 1), date(2099, 1, 1)):
        evenings.write(officer, day, {"place": f"Hall {day.month}"})
    world.play(club, aya, 1)
    page = session(None).get(reverse("club-evenings", args=["kai"])).content.decode()
    places = [page.index(text) for text in ("Hall 1", "Hall 2", "3 April 2026")]
    assert places == sorted(places)


def test_evening_has_games_sums_and_the_table_so_far(aya: Any, club: Club) -> None:
    season = world.begin_season(club, aya)
    games = [world.play(club, aya, seed) for seed in (1, 2)]
    world.play(club, aya, 3, day="2026-04-10")
    response = session(None).get(address())
    assert [record.pk for record in response.context["records"]] == [game.pk for game in games]
    finals = sum(game.seats.get(name="Aya").final or 0 for game in games)
    sums = {row.player.name: row.total for row in response.context["sums"]}
    assert sums["Aya"] == str(finals).replace("-", "−")
    (row,) = (row for row in response.context["rows"] if row.player.name == "Aya")
    assert row.standing.games == 2
    assert response.context["season"] == season


def test_large_evening_has_sums_without_columns(
    aya: Any, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clubs.pages.evenings.MOST_GAMES", 2)
    monkeypatch.setattr("clubs.pages.evenings.MOST_COLUMNS", 2)
    monkeypatch.setattr("clubs.pages.evenings.MOST_SUMS", 1)
    games = [world.play(club, aya, seed) for seed in (1, 2, 3)]
    context = session(None).get(address()).context
    assert [record.pk for record in context["records"]] == [game.pk for game in games[1:]]
    (first,) = context["sums"]
    assert (first.cells, context["more"], context["more_sums"]) == ([], 1, 1)
    totals = {
        player: sum(game.seats.get(name=player).final or 0 for game in games)
        for player in ("Aya", "Ben")
    }
    assert first.player.name == max(totals, key=lambda player: totals[player])


def test_change_of_an_evening_is_the_change_of_ranks(aya: Any, club: Club) -> None:
    world.begin_season(club, aya)
    ranks: list[dict[str, int | None]] = []
    changes: list[dict[str, int | None]] = []
    for seed, day in enumerate((_DAY, "2026-04-10", "2026-04-17"), start=1):
        world.play(club, aya, seed, day=day)
        rows = session(None).get(address(day=day)).context["rows"]
        ranks.append({row.player.name: row.standing.rank for row in rows})
        changes.append({row.player.name: row.standing.change for row in rows})
    assert set(changes[0].values()) == {None}
    for before, after, change in zip(ranks, ranks[1:], changes[1:], strict=False):
        assert change == {name: (before[name] or 0) - (after[name] or 0) for name in after}


def test_day_without_games_is_for_officers(aya: Any, club: Club) -> None:
    assert session(None).get(address()).status_code == 404
    assert session(aya).get(address()).status_code == 200
    assert session(aya).get("/clubs/kai/evenings/2026-02-30/").status_code == 404


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_first_and_last_day_of_the_calendar_have_pages(aya: Any, club: Club, day: str) -> None:
    officer = session(aya)
    officer.post(address(day=day), {"do": "write", "place": "Hall"})
    for name in ("club-evening", "club-sheets"):
        assert officer.get(address(name, day)).status_code == 200
    for name in ("club-evenings", "club-calendar", "club-feed", "club"):
        assert session(None).get(reverse(name, args=["kai"])).status_code == 200


def test_time_and_place_are_written_and_deleted(aya: Any, club: Club) -> None:
    officer = session(aya)
    fields = {"do": "write", "time": "18:30", "place": "Hall", "line": "Bring tea."}
    officer.post(address(), fields)
    evening = Evening.objects.get()
    assert (evening.time, evening.place) == (time(18, 30), "Hall")
    page = officer.post(address(), fields | {"time": "late"})
    assert "time" in page.context["form"].errors
    assert 'value="Hall"' in page.content.decode()
    officer.post(address(), {"do": "delete"})
    assert not Evening.objects.exists()


def test_evening_that_another_officer_wrote_first_is_not_replaced(aya: Any, club: Club) -> None:
    officer = session(aya)
    evenings.write(world.of(club, aya), date(2026, 4, 3), {"place": "Hall"})
    page = officer.post(address(), {"do": "write", "place": "Library", "was": ""})
    assert "at the same time" in page.content.decode()
    assert Evening.objects.get().place == "Hall"
    fields = {"do": "write", "place": "Library", "was": page.context["was"]}
    officer.post(address(), fields)
    assert Evening.objects.get().place == "Library"


def test_tables_are_drawn_for_those_who_are_there(aya: Any, club: Club) -> None:
    fields = {
        "do": "draw",
        "ruleset": "koikoi",
        "present": ["Aya", "Ben", "Cho"],
        "typed": "Fay、Gen",
    }
    session(aya).post(address(), fields)
    evening = Evening.objects.get()
    seated = [name for table in evening.tables for name in table]
    assert sorted([*seated, *evening.byes]) == ["Aya", "Ben", "Cho", "Fay", "Gen"]
    assert len(evening.byes) == 1
    page = session(aya).get(address()).content.decode()
    query = "&amp;".join(f"player={name}" for name in evening.tables[0])
    assert f"{reverse('new-sheet')}?club=kai&amp;ruleset=koikoi&amp;{query}" in page


def test_late_comer_gets_a_seat_while_a_table_stays(aya: Any, club: Club) -> None:
    officer = session(aya)
    fields = {"do": "draw", "ruleset": "koikoi", "present": ["Aya", "Ben", "Cho"]}
    officer.post(address(), fields)
    table = Evening.objects.get().tables[0]
    everybody = ["Aya", "Ben", "Cho", "Dan"]
    officer.post(address(), fields | {"present": everybody, "fixed": ["1"]})
    evening = Evening.objects.get()
    assert table in evening.tables
    assert len(evening.tables) == 2
    assert evening.byes == []


def test_impossible_draw_is_explained_and_keeps_the_ticks(aya: Any, club: Club) -> None:
    fields = {"do": "draw", "ruleset": "koikoi", "present": ["Aya"]}
    page = session(aya).post(address(), fields, follow=True).content.decode()
    assert "Too few players" in page
    fields |= {"present": ["Aya", "Ben"], "typed": "ben, Fay"}
    response = session(aya).post(address(), fields, follow=True)
    assert "is there twice" in response.content.decode()
    context = response.context
    assert [row.name for row in context["attendees"] if row.is_present] == ["Aya", "Ben"]
    assert (context["typed"], context["ruleset"]) == ("Fay\nben", "koikoi")
    assert not Evening.objects.exists()


def test_members_who_played_last_are_first_to_tick(aya: Any, club: Club) -> None:
    world.play(club, aya, 1, "Dan", "Eri", day="2026-04-03")
    world.play(club, aya, 2, "Cho", "Eri", day="2026-04-10")
    attendees = session(aya).get(address(day="2026-04-17")).context["attendees"]
    assert [attendee.name for attendee in attendees] == ["Cho", "Eri", "Dan", "Aya", "Ben"]


def test_blank_sheets_have_names_and_house_rules(aya: Any, club: Club) -> None:
    world.set_houses(club, aya, {"koikoi": "months=6"})
    world.begin_season(club, aya)
    officer = session(aya)
    page = officer.get(address("club-sheets")).content.decode()
    assert page.count("<article") == 1
    assert page.count('<th scope="row">') == 8
    fields = {"do": "draw", "ruleset": "koikoi", "present": ["Aya", "Ben", "Cho", "Dan"]}
    officer.post(address(), fields)
    page = officer.get(address("club-sheets")).content.decode()
    assert page.count("<article") == 2
    assert all(f"<bdi>{name}</bdi>" in page for name in ("Aya", "Ben", "Cho", "Dan"))


def test_table_of_three_has_the_rules_of_a_season_for_three(aya: Any, club: Club) -> None:
    """The newest season has another ruleset, which two play."""
    world.set_houses(club, aya, {"hachihachi-bga": "months=6"})
    world.begin_season(club, aya, name="Three", ruleset="hachihachi-bga")
    world.begin_season(club, aya)
    fields = {"do": "draw", "ruleset": "hachihachi-bga", "present": ["Aya", "Ben", "Cho"]}
    page = session(aya).post(address(), fields, follow=True).text
    assert "ruleset=hachihachi-bga&amp;player=" in page
    sheet = session(aya).get(address("club-sheets")).text
    assert sheet.count('<th scope="row">') == 8


def test_calendar_follows_the_format(aya: Any, club: Club) -> None:
    officer = world.of(club, aya)
    evenings.write(officer, date(2026, 4, 3), {"time": time(18, 30), "place": "Hall; 2, left"})
    evenings.write(officer, date(2026, 4, 10), {"line": "花" * 60})
    response = session(None).get(reverse("club-calendar", args=["kai"]))
    assert response["Content-Type"].startswith("text/calendar")
    text = response.content.decode()
    lines = text.split("\r\n")
    assert lines[-1] == ""
    assert all(len(line.encode()) <= 75 for line in lines)
    unfolded = text.replace("\r\n ", "").split("\r\n")
    assert "DTSTART:20260403T183000" in unfolded
    assert "DTSTART;VALUE=DATE:20260410" in unfolded
    assert r"LOCATION:Hall\; 2\, left" in unfolded
    assert f"DESCRIPTION:{'花' * 60}" in unfolded
    assert unfolded.count("BEGIN:VEVENT") == unfolded.count("END:VEVENT") == 2
    assert len({line for line in unfolded if line.startswith("UID:")}) == 2


def test_line_breaks_of_texts_do_not_end_a_line_of_the_calendar(aya: Any, club: Club) -> None:
    evening = Evening(club=club, day=date(2026, 4, 3), line="one\r\nEND:VCALENDAR\x07")
    text = write_calendar(club, [evening], club.created)
    assert text.count("\r\nEND:VCALENDAR") == 1


def test_feed_has_evenings_without_results(aya: Any, club: Club) -> None:
    world.play(club, aya, 1)
    text = session(None).get(reverse("club-feed", args=["kai"]), {"lang": "ja"}).content.decode()
    assert "2026年4月3日" in text
    assert re.findall("<entry>", text) == ["<entry>"]


@pytest.mark.parametrize("name", ["club-feed", "club-calendar"])
def test_feed_of_a_private_club_needs_the_signature_of_a_member(aya: Any, name: str) -> None:
    club = world.found(aya, "ura", Visibility.PRIVATE)
    ben = user("ben")
    member = world.joins(club, aya, ben, "Ben")
    plain = reverse(name, args=["ura"])
    page = session(ben).get(reverse("club-evenings", args=["ura"]))
    signed = page.context["feed" if name == "club-feed" else "calendar"].partition(plain)[2]
    assert session(None).get(plain).status_code == 404
    response = session(None).get(plain + signed)
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    assert session(None).get(plain + signed[:-1]).status_code == 404
    world.removes(club, aya, member)
    assert session(None).get(plain + signed).status_code == 404

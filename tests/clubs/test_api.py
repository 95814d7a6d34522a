"""Clubs in the API: what callers see and change."""

from __future__ import annotations

import csv
import io
from datetime import date, time
from typing import Any

import pytest
from django.test import Client

from clubs import evenings, members, seasons
from clubs.models import Change, Club, ClubGame, Entry
from clubs.seasons import NewEntry
from records.models import Player, Record, Visibility
from records.services.pseudonyms import set_pseudonym
from tests.api.contract import problem
from tests.clubs import world
from tests.people.world import sent, token, user

pytestmark = pytest.mark.django_db

CLUBS = "/api/v1/clubs"


@pytest.fixture
def club(aya: Any) -> Club:
    """Return a public club of aya with a member ben."""
    club = world.found(aya)
    world.joins(club, aya, user("ben"), "Ben")
    return club


def get(path: str, account: Any = None, **options: Any) -> Any:
    """Return the response to a request."""
    headers = token(account, "read") if account is not None else {}
    return Client().get(f"{CLUBS}{path}", headers=headers | options.pop("headers", {}), **options)


def send(path: str, account: Any, body: Any, method: str = "post") -> Any:
    """Return the response to a request that changes a club."""
    headers = token(account, "upload") if account is not None else {}
    call = getattr(Client(), method)
    return call(f"{CLUBS}{path}", body, content_type="application/json", headers=headers)


def test_list_has_public_clubs_alone(aya: Any, club: Club) -> None:
    for level in (Visibility.UNLISTED, Visibility.PRIVATE):
        world.found(aya, level.id, level)
    (shown,) = get("", aya).json()["results"]
    assert (shown["key"], shown["members"], shown["role"]) == ("kai", 2, "founder")
    assert get("").json()["results"][0]["role"] is None


def test_lists_continue_at_their_cursor(aya: Any, club: Club) -> None:
    officer = world.of(club, aya)
    for month in range(1, 6):
        day = date(2026, month, 1)
        fields = {"name": str(month), "first": day, "last": day}
        world.begin_season(club, aya, **fields)
        evenings.write(officer, day, {"time": time(19, 30), "place": "Kyoto"})
    members.add(officer, ["Cho", "Dan", "Eri"])
    for path, field, values in (
        ("/kai/seasons", "name", ["5", "4", "3", "2", "1"]),
        ("/kai/evenings", "day", [f"2026-0{month}-01" for month in (5, 4, 3, 2, 1)]),
        ("/kai/members", "name", ["Aya", "Ben", "Cho", "Dan", "Eri"]),
    ):
        response = get(f"{path}?page_size=2").json()
        listed = [row[field] for row in response["results"]]
        while response["next"]:
            response = Client().get(response["next"]).json()
            listed += [row[field] for row in response["results"]]
        assert listed == values
    assert get("/kai/evenings").json()["results"][0]["time"] == "19:30"


def test_standings_are_the_same_as_json_and_csv(aya: Any, club: Club) -> None:
    season = world.begin_season(club, aya, scoring="mean")
    world.play(club, aya, 1)
    world.play(club, aya, 2, "Aya", "=Cho()")
    path = f"/kai/seasons/{season.key}/standings"
    rows = get(path).json()["rows"]
    assert {row["name"]: row["guest"] for row in rows} == {
        "Aya": False,
        "Ben": False,
        "=Cho()": True,
    }
    finals = [
        seat.final
        for record in Record.objects.all()
        for seat in record.seats.all()
        if seat.name == "Aya"
    ]
    (own,) = (row for row in rows if row["name"] == "Aya")
    assert own["score"] == own["mean"] == sum(final or 0 for final in finals) / 2
    text = get(f"{path}.csv").content.decode().removeprefix("\ufeff")
    table = list(csv.DictReader(io.StringIO(text)))
    assert [row["score"] for row in table] == [str(row["score"]) for row in rows]
    assert "'=Cho()" in {row["name"] for row in table}


def test_strangers_get_the_figures_of_public_games(aya: Any, club: Club) -> None:
    season = world.begin_season(club, aya)
    world.play(club, aya, 1, visibility=Visibility.PRIVATE)
    path = f"/kai/seasons/{season.key}/standings"
    assert len(get(path, aya).json()["rows"]) == 2
    assert get(path).json()["rows"] == get(path, user("cho")).json()["rows"] == []
    assert len(get("/kai/games", aya).json()["results"]) == 1
    assert get("/kai/games").json()["results"] == []


def test_private_game_in_the_list_has_the_text_of_its_sender(aya: Any, club: Club) -> None:
    text = world.game_text(1)
    sent(text.replace("[Date", '[Event "secret"]\n[Date'), owner=user("cho"), visibility=1)
    sent(text, owner=aya, visibility=Visibility.PRIVATE, circle=club.circle)
    (shown,) = get("/kai/games", aya).json()["results"]
    assert shown["event"] == ""


def test_names_are_shown_as_the_viewer_may_see_them(aya: Any, club: Club) -> None:
    season = world.begin_season(club, aya)
    world.play(club, aya, 1)
    officer = world.of(club, aya)
    penalty = NewEntry("penalty", "Ben", date(2026, 4, 3), -5, reason="Ben was late")
    seasons.add_entries(officer, season, [penalty])
    evening = evenings.write(officer, date(2026, 4, 3), {"line": "With Ben"})
    evenings.draw(officer, evening, "koikoi", ["Aya", "Ben"])
    paths = (
        "members",
        "evenings",
        *(f"seasons/{season.key}/{p}" for p in ("standings", "entries")),
    )
    set_pseudonym(Player.objects.get(name="Ben"), "Wisteria")
    for path in paths:
        for viewer in (aya, None):
            body = get(f"/kai/{path}", viewer).content.decode()
            assert "Ben" not in body
            assert "Wisteria" in body
    Player.objects.update(statistics=False)
    for path in paths:
        assert "withheld" in get(f"/kai/{path}").content.decode()
        assert "Wisteria" in get(f"/kai/{path}", aya).content.decode()


def test_member_adds_own_games_by_key(aya: Any, club: Club) -> None:
    ben = user("cho")
    world.joins(club, aya, ben, "Cho")
    sent(world.game_text(1), owner=ben, visibility=Visibility.PRIVATE)
    sent(world.game_text(2), owner=aya)
    private, public = Record.objects.order_by("pk")
    body = {"records": [private.key], "day": "2026-05-01"}
    response = send("/kai/games", ben, body)
    assert response.json() == {"added": 1, "known": 0, "refused": []}
    assert ClubGame.objects.get().day == date(2026, 5, 1)
    assert problem(send("/kai/games", ben, {"records": [public.key]}))["reason"] == "not-own"
    assert send("/kai/games", user("dan"), body).status_code == 403
    assert send("/kai/games", None, body).status_code == 401
    assert send("/kai/games", aya, {"records": ["none"]}).json()["refused"] == ["none"]
    assert send(f"/kai/games/{private.key}", user("eri"), {}, "delete").status_code == 403
    assert send(f"/kai/games/{private.key}", ben, {}, "delete").status_code == 204
    assert send(f"/kai/games/{private.key}", ben, {}, "delete").status_code == 404


def test_officer_adds_entries_that_the_log_can_undo(aya: Any, club: Club) -> None:
    season = world.begin_season(club, aya)
    path = f"/kai/seasons/{season.key}/entries"
    entry = {"kind": "total", "name": "Ben", "day": "2026-04-03", "amount": 12, "games": 3}
    response = send(path, aya, {"entries": [entry]})
    assert response.status_code == 201
    assert response.json()["entries"][0]["amount"] == 12
    assert Change.objects.latest("pk").what == "totals"
    refusals = {
        "outside": entry | {"day": "2027-04-03"},
        "reason": entry | {"kind": "penalty", "amount": -1},
        "amount": entry | {"kind": "penalty", "amount": 1, "reason": "late"},
    }
    for reason, body in refusals.items():
        refused = problem(send(path, aya, {"entries": [entry, body]}))
        assert (refused["status"], refused["code"]) == (409, "refused")
        assert refused["reason"] == reason
    assert send(path, aya, {"entries": []}).status_code == 400
    assert send(path, aya, {"entries": [entry | {"day": "no day"}]}).status_code == 400
    for account in (user("cho"), club.members.get(name="Ben").account):
        assert problem(send(path, account, {"entries": [entry]}))["reason"] == "not-allowed"
    assert Entry.objects.count() == 1
    unknown = f"{path}".replace(season.key, "none")
    assert send(unknown, aya, {"entries": [entry]}).status_code == 404


def test_season_of_another_club_is_unknown(aya: Any, club: Club) -> None:
    world.found(aya, "other")
    season = world.begin_season(club, aya)
    assert get(f"/other/seasons/{season.key}").status_code == 404
    assert get(f"/other/seasons/{season.key}/standings").status_code == 404


def test_private_club_is_unknown_to_others(aya: Any) -> None:
    club = world.found(aya, "secret", Visibility.PRIVATE)
    season, stranger = world.begin_season(club, aya), user("cho")
    parts = (
        *("", "/members", "/seasons", "/evenings", "/games"),
        *(f"/seasons/{season.key}{part}" for part in ("", "/standings", "/entries")),
    )
    for part in parts:
        assert get(f"/secret{part}").status_code == 404
        assert get(f"/secret{part}", stranger).status_code == 404
        response = get(f"/secret{part}", aya)
        assert response.status_code == 200
        assert "no-store" in response["Cache-Control"]

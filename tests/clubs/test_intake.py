"""Uploads for a club: by the page, the API and in parts."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs import members
from clubs.models import Club, ClubGame
from records.models import PartialUpload, Record, Upload, Visibility
from tests.clubs import world
from tests.people.world import do_jobs, session, token, user

pytestmark = pytest.mark.django_db

UPLOADS = "/api/v1/uploads"


@pytest.fixture
def club(aya: Any) -> Club:
    """Return a private club of aya."""
    return world.found(aya, visibility=Visibility.PRIVATE)


def send(account: Any, query: str = "", seed: int = 1) -> Any:
    """Send a game to the API."""
    headers = token(account, "upload") if account is not None else {}
    text = world.game_text(seed)
    return Client().post(f"{UPLOADS}{query}", text, content_type="text/x-kafu", headers=headers)


def test_upload_for_a_club_is_as_visible_as_the_club(aya: Any, club: Club) -> None:
    assert send(aya, "?club=kai").status_code == 202
    do_jobs()
    game = ClubGame.objects.get()
    assert (game.club, game.record.visibility) == (club, Visibility.PRIVATE)


def test_chosen_visibility_wins_over_that_of_the_club(aya: Any, club: Club) -> None:
    send(aya, "?club=kai&visibility=public")
    do_jobs()
    assert ClubGame.objects.get().record.visibility == Visibility.PUBLIC


def test_corrected_game_keeps_its_visibility(aya: Any, club: Club) -> None:
    game = world.play(club, aya, 1, visibility=Visibility.UNLISTED)
    assert send(aya, f"?club=kai&replaces={game.key}", seed=2).status_code == 202
    do_jobs()
    assert ClubGame.objects.get().record.visibility == Visibility.UNLISTED


def test_upload_for_a_club_of_others_is_refused_in_the_same_words(aya: Any, club: Club) -> None:
    ben = user("ben")
    problems = [send(ben, f"?club={key}").json() for key in ("kai", "iak")]
    assert [problem["code"] for problem in problems] == ["invalid-parameter"] * 2
    details = [problem["detail"] for problem in problems]
    assert details[0].replace("kai", "iak") == details[1]
    member = world.joins(club, aya, ben, "Ben")
    members.remove(world.of(club, aya), member)
    assert send(ben, "?club=kai").status_code == 400
    assert send(None, "?club=kai").status_code == 401
    assert not Upload.objects.exists()


def begin(account: Any, **fields: str) -> Any:
    """Begin a resumable upload of no bytes."""
    metadata = ",".join(
        f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in fields.items()
    )
    headers = token(account, "upload") | {
        "Tus-Resumable": "1.0.0",
        "Upload-Length": "0",
        "Upload-Metadata": metadata,
    }
    return Client().post(reverse("api:resumables"), headers=headers)


def test_upload_in_parts_is_for_the_club_of_its_metadata(aya: Any, club: Club) -> None:
    assert begin(aya, club="kai").status_code == 201
    upload = Upload.objects.get()
    assert (upload.circle, upload.visibility) == (club.circle, Visibility.PRIVATE)
    assert begin(aya, club="kai", visibility="unlisted").status_code == 201
    assert Upload.objects.latest("pk").visibility == Visibility.UNLISTED
    assert begin(aya).status_code == 201
    assert Upload.objects.latest("pk").visibility == Visibility.PUBLIC
    count = PartialUpload.objects.count()
    assert begin(aya, club="iak").status_code == 400
    assert PartialUpload.objects.count() == count


def test_upload_page_offers_the_clubs_of_the_account(aya: Any, club: Club) -> None:
    page = session(aya).get("/upload/?club=kai").content.decode()
    assert '<option value="kai" selected>' in page
    assert 'name="club"' not in session(user("ben")).get("/upload/").content.decode()


def test_upload_page_sends_to_the_chosen_club(aya: Any, club: Club) -> None:
    fields = {"text": world.game_text(1), "visibility": "", "club": "kai"}
    assert session(aya).post("/upload/", fields).status_code == 302
    do_jobs()
    assert ClubGame.objects.get().record.visibility == Visibility.PRIVATE


def test_upload_page_refuses_a_club_of_others_and_stores_nothing(club: Club) -> None:
    fields = {"text": world.game_text(1), "visibility": "public", "club": "kai"}
    response = session(user("ben")).post("/upload/", fields)
    assert response.status_code == 403
    assert "You are no member of this club" in response.content.decode()
    assert not Upload.objects.exists()


def test_score_notebook_keeps_the_choices_of_the_upload_page(aya: Any, club: Club) -> None:
    fields = {"text": "month,Aya,Ben\n1,3,-3\n", "visibility": "private", "club": "kai"}
    page = session(aya).post("/check/", fields).content.decode()
    assert '<input type="hidden" name="club" value="kai">' in page
    assert '<input type="hidden" name="visibility" value="private">' in page


def test_score_sheet_without_script_is_for_the_club(aya: Any, club: Club) -> None:
    fields = {"rules": "koikoi", "player": ["Aya", "Ben"], "rest-1-1": "5"}
    choices = {"visibility": "private", "club": "kai", "save": "1"}
    response = session(aya).post(reverse("plain-sheet"), fields | choices)
    assert response.status_code == 302, response.content.decode()
    do_jobs()
    assert Record.objects.get(club_game__club=club).visibility == Visibility.PRIVATE

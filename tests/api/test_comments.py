"""Comments through the API: at steps, in pages, bounded, moderated, gone with the game."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse

from records.models import Comment, CommentReport, Player, Record
from records.store.ownership import take_down
from records.store.pseudonyms import give
from records.studies import commenting
from tests.api.contract import Api, problem
from tests.api.test_studies import write
from tests.people.test_corrections import Corrected
from tests.people.world import sent, session, token, user
from tests.records.makers import text

pytestmark = pytest.mark.django_db


def said(author: Any, record: Record, at: str = "1.2", words: str = "Oh!") -> Any:
    return write(author, f"records/{record.key}/comments", {"at": at, "text": words})


def plain(author: Any, path: str, fields: dict[str, Any]) -> Any:
    """A request whose answer has no body, and so no media type."""
    headers = token(author, "upload")
    return Client().post(f"/api/v1/{path}", fields, "application/json", headers=headers)


def listed(api: Api, record: Record, **query: Any) -> Any:
    return api.get(f"records/{record.key}/comments", query).json()


def test_what_is_said_is_read(api: Api, aya: Any, game: Record) -> None:
    made = said(aya, game, "1.2", " <b>Not</b> the moon?\n札は桜 ").json()
    assert (made["at"], made["author"], made["own"]) == ("1.2", "aya", True)
    said(user("ben"), game, "2.0")
    found = listed(api, game)["results"]
    assert [(one["at"], one["author"], one["own"]) for one in found] == [
        ("1.2", "aya", False),
        ("2.0", "ben", False),
    ]
    assert found[0]["text"] == "<b>Not</b> the moon?\n札は桜", "as it is: pages put it in as text"
    first = listed(api, game, page_size=1)
    assert len(first["results"]) == 1
    second = api.get(first["next"]).json()
    assert [one["at"] for one in second["results"]] == ["2.0"] and second["next"] is None


@pytest.mark.parametrize(
    ("at", "words"),
    [("1.2", ""), ("1.2", "x" * 1001), ("1.9999", "x"), ("99.0", "x"), ("1", "x"), ("1.2", "\0")],
)
def test_bad_comments(aya: Any, game: Record, at: str, words: str) -> None:
    problem(said(aya, game, at, words), "invalid-parameter", 400)
    assert not Comment.objects.exists()


def test_they_are_bounded_and_throttled(
    aya: Any, game: Record, monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    monkeypatch.setattr(commenting, "MOST_OF_PERSON", 1)
    monkeypatch.setattr(commenting, "MOST_OF_GAME", 2)
    ben, cho = user("ben"), user("cho")
    assert said(aya, game).status_code == 201
    assert problem(said(aya, game), "full", 409)["limit"] == 1
    assert said(ben, game).status_code == 201
    assert problem(said(cho, game), "full", 409)["limit"] == 2
    settings.RATES = {**settings.RATES, "comments": (1, 600)}
    dan = user("dan")
    problem(said(dan, game), "full", 409)
    problem(said(dan, game), "too-many-requests", 429)


def test_reported_hidden_and_shown_again(api: Api, aya: Any, game: Record) -> None:
    key = said(aya, game).json()["key"]
    ben = user("ben")
    for reason in ("Rude", "Very rude"):
        path = f"comments/{key}/reports"
        assert plain(ben, path, {"reason": reason}).status_code == 204
    assert CommentReport.objects.get().reason == "Very rude"
    staff = session(user("staff", staff=True))
    page = reverse("admin:records_comment_changelist")
    assert "Oh!" in staff.get(page, {"reported": "open"}).content.decode()
    comment = Comment.objects.get()
    row = reverse("admin:records_comment_change", args=[comment.pk])
    assert "Very rude" in staff.get(row).content.decode()

    def act(action: str) -> None:
        fields = {"action": action, "_selected_action": [comment.pk]}
        assert staff.post(page, fields, follow=True).status_code == 200

    act("hide")
    assert listed(api, game)["results"] == []
    problem(plain(ben, f"comments/{key}/reports", {}), "not-found", 404)
    assert "Oh!" in staff.get(page, {"reported": "hidden"}).content.decode()
    act("restore")
    assert len(listed(api, game)["results"]) == 1 and not CommentReport.objects.exists()


def test_none_of_a_game_that_is_gone(api: Api, aya: Any, game: Record) -> None:
    key = said(aya, game).json()["key"]
    take_down([game.pk])
    problem(api.client.get(f"/api/v1/records/{game.key}/comments"), "gone", 410)
    problem(write(user("ben"), f"comments/{key}/reports", {}), "not-found", 404)


def test_a_pseudonym_hides_the_name_here_too(api: Api, aya: Any) -> None:
    sent(text(1).replace('"Aya"', '"Kobayashi Issa"'), owner=aya)
    record = Record.objects.get()
    said(aya, record, words="Kobayashi Issa waits")
    give(Player.objects.get(name="Kobayashi Issa"), "Wisteria")
    assert listed(api, record)["results"][0]["text"] == "Wisteria waits"


def test_they_follow_a_game_that_is_corrected(api: Api, aya: Any) -> None:
    corrected = Corrected()
    commenting.say(corrected.broken, aya.pk, (1, 0), "Stays")
    mended = corrected.mend()
    assert [one["text"] for one in listed(api, mended)["results"]] == ["Stays"]

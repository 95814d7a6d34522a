"""Comments through the API: steps, pages, limits, moderation, deletion with the game."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse

from records.ingest.ownership import take_down
from records.models import Comment, CommentReport, Player, Record
from records.services import comments
from records.services.pseudonyms import set_pseudonym
from tests.api.contract import Api, problem
from tests.api.test_studies import write
from tests.people.test_corrections import Corrected
from tests.people.world import sent, session, token, user
from tests.records.makers import text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


def comment_on(author: Any, record: Record, at: str = "1.2", comment_text: str = "Oh!") -> Any:
    """Send a comment; return the response."""
    return write(author, f"records/{record.key}/comments", {"at": at, "text": comment_text})


def send_without_body(author: Any, path: str, fields: dict[str, Any]) -> Any:
    """Send a request whose response has no body or media type."""
    headers = token(author, "upload")
    return Client().post(f"/api/v1/{path}", fields, "application/json", headers=headers)


def list_comments(api: Api, record: Record, **query: Any) -> Any:
    """Return a page of the comments on a game."""
    return api.get(f"records/{record.key}/comments", query).json()


def test_comments_are_listed_by_step_and_page(api: Api, aya: Any, game: Record) -> None:
    created = comment_on(aya, game, "1.2", " <b>Not</b> the moon?\n札は桜 ").json()
    assert (created["at"], created["author"], created["own"]) == ("1.2", "aya", True)
    comment_on(user("ben"), game, "2.0")
    listed = list_comments(api, game)["results"]
    assert [(comment["at"], comment["author"], comment["own"]) for comment in listed] == [
        ("1.2", "aya", False),
        ("2.0", "ben", False),
    ]
    assert listed[0]["text"] == "<b>Not</b> the moon?\n札は桜", "not escaped: pages do that"
    first = list_comments(api, game, page_size=1)
    assert len(first["results"]) == 1
    second = api.get(first["next"]).json()
    assert [comment["at"] for comment in second["results"]] == ["2.0"] and second["next"] is None


def test_invalid_comment_is_refused(aya: Any, game: Record) -> None:
    for at, comment_text in (
        *(("1.2", ""), ("1.2", "x" * 1001), ("1.2", "\0")),
        *(("1.9999", "x"), ("99.0", "x"), ("1", "x")),
    ):
        problem(comment_on(aya, game, at, comment_text), "invalid-parameter", 400)
    assert not Comment.objects.exists()


def test_comments_are_limited_and_throttled(
    aya: Any, game: Record, monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    monkeypatch.setattr(comments, "MAX_PER_ACCOUNT", 1)
    monkeypatch.setattr(comments, "MAX_PER_GAME", 2)
    ben, cho = user("ben"), user("cho")
    assert comment_on(aya, game).status_code == 201
    assert problem(comment_on(aya, game), "full", 409)["limit"] == 1
    assert comment_on(ben, game).status_code == 201
    assert problem(comment_on(cho, game), "full", 409)["limit"] == 2
    settings.RATES = {**settings.RATES, "comments": (1, 600)}
    dan = user("dan")
    problem(comment_on(dan, game), "full", 409)
    problem(comment_on(dan, game), "too-many-requests", 429)


def test_reported_comment_is_hidden_and_restored_by_staff(api: Api, aya: Any, game: Record) -> None:
    key = comment_on(aya, game).json()["key"]
    ben = user("ben")
    for reason in ("Rude", "Very rude"):
        path = f"comments/{key}/reports"
        assert send_without_body(ben, path, {"reason": reason}).status_code == 204
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
    assert list_comments(api, game)["results"] == []
    problem(send_without_body(ben, f"comments/{key}/reports", {}), "not-found", 404)
    assert "Oh!" in staff.get(page, {"reported": "hidden"}).content.decode()
    act("restore")
    assert len(list_comments(api, game)["results"]) == 1 and not CommentReport.objects.exists()


def test_comment_of_an_inactive_account_is_not_listed(api: Api, aya: Any, game: Record) -> None:
    ben = user("ben")
    for author in (aya, ben):
        comments.add(game, author.pk, (1, 2), "Oh!")
    ben.is_active = False
    ben.save()
    assert [comment["author"] for comment in list_comments(api, game)["results"]] == ["aya"]


def test_comments_of_a_removed_game_are_gone(api: Api, aya: Any, game: Record) -> None:
    key = comment_on(aya, game).json()["key"]
    take_down([game.pk])
    problem(api.client.get(f"/api/v1/records/{game.key}/comments"), "gone", 410)
    problem(write(user("ben"), f"comments/{key}/reports", {}), "not-found", 404)


def test_pseudonym_replaces_the_name_in_comments(api: Api, aya: Any) -> None:
    sent(text(1).replace('"Aya"', '"Kobayashi Issa"'), owner=aya)
    record = Record.objects.get()
    comment_on(aya, record, comment_text="Kobayashi Issa waits")
    set_pseudonym(Player.objects.get(name="Kobayashi Issa"), "Wisteria")
    assert list_comments(api, record)["results"][0]["text"] == "Wisteria waits"


def test_comments_follow_a_corrected_game(api: Api, aya: Any) -> None:
    corrected = Corrected()
    comments.add(corrected.broken, aya.pk, (1, 0), "Stays")
    mended = corrected.mend()
    assert [comment["text"] for comment in list_comments(api, mended)["results"]] == ["Stays"]

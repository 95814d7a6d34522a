"""Studies through the API: limits, order, branches, deletion with the account."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from people.accounts import lifecycle
from records.ingest.ownership import take_down
from records.models import Comment, CommentReport, Record, Study, StudyEntry, Visibility
from records.services import studies
from tests.api.contract import Api, problem
from tests.people.world import token, user

pytestmark = pytest.mark.django_db
JSON = "application/json"


def write(owner: Any, path: str, fields: dict[str, Any], method: str = "post") -> Any:
    """Send a request of an account; return the response, checked against the document."""
    api = Api()
    call = getattr(api.client, method)
    headers = token(owner, "read", "upload")
    return api.checked(method, call(f"/api/v1/{path}", fields, JSON, headers=headers))


def test_study_has_its_steps_in_order(api: Api, aya: Any, game: Record) -> None:
    steps = [
        {"record": game.key, "at": "2.3", "note": "Why not the moon?"},
        {"record": game.key, "at": "1.0", "then": "AxC/B,H=koikoi"},
    ]
    created = write(aya, "studies", {"title": "Moons", "visibility": "public", "entries": steps})
    assert created.status_code == 201
    study = created.json()
    assert (study["owner"], study["size"], study["visibility"]) == ("aya", 2, "public")
    read = api.get(f"studies/{study['key']}").json()
    assert [(entry["at"], entry["then"]) for entry in read["entries"]] == [
        ("2.3", ""),
        ("1.0", "AxC/B,H=koikoi"),
    ]
    address = f"http://testserver/games/{game.key}/"
    pages = [entry["page"] for entry in read["entries"]]
    assert pages == [f"{address}?at=2.3", f"{address}?at=1.0&then=AxC/B,H=koikoi"]
    assert [listed["key"] for listed in api.get("studies").json()["results"]] == [study["key"]]
    fields = {"notes": "In order", "entries": steps[::-1]}
    changed = write(aya, f"studies/{study['key']}", fields, "patch").json()
    assert [entry["at"] for entry in changed["entries"]] == ["1.0", "2.3"]
    assert (changed["notes"], changed["title"]) == ("In order", "Moons")


def test_first_bookmark_makes_a_private_study(aya: Any, game: Record) -> None:
    first = write(aya, "studies/bookmarks/entries", {"record": game.key, "at": "1.4"}).json()
    assert (first["title"], first["visibility"]) == ("", "private")
    second = write(aya, "studies/bookmarks/entries", {"record": game.key, "at": "1.5"}).json()
    assert second["key"] == first["key"] and second["size"] == 2
    listed = Client().get("/api/v1/me/studies", headers=token(aya, "read"))
    assert [study["key"] for study in listed.json()["results"]] == [first["key"]]
    assert listed["Cache-Control"] == "private, no-store"


def test_studies_and_entries_are_limited(
    aya: Any, game: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(studies, "MAX_STUDIES", 1)
    monkeypatch.setattr(studies, "MAX_ENTRIES", 1)
    key = write(aya, "studies", {"title": "One"}).json()["key"]
    assert problem(write(aya, "studies", {"title": "Two"}), "full", 409)["limit"] == 1
    step = {"record": game.key, "at": "1.0"}
    assert write(aya, f"studies/{key}/entries", step).status_code == 201
    problem(write(aya, f"studies/{key}/entries", step), "full", 409)
    problem(write(aya, f"studies/{key}", {"entries": [step, step]}, "patch"), "full", 409)
    assert StudyEntry.objects.count() == 1, "nothing is half written"


def test_invalid_fields_are_refused(aya: Any, game: Record) -> None:
    entries: list[dict[str, Any]] = [
        {"record": "nosuchgame", "at": "1.0"},
        {"record": game.key, "at": "0.0"},
        {"record": game.key, "at": "1.0", "then": "<b>"},
        {"record": game.key, "at": "1.0", "then": "A" * 601},
        {"record": game.key, "at": "1.0", "note": "x" * 2001},
    ]
    cases: list[dict[str, Any]] = [
        {"title": ""},
        {"title": "x" * 121},
        {"title": "t", "notes": "x" * 4001},
        {"title": "t", "visibility": "withdrawn"},
        *({"title": "t", "entries": [entry]} for entry in entries),
    ]
    for fields in cases:
        problem(write(aya, "studies", fields), "invalid-parameter", 400)
        assert not Study.objects.exists()


def test_step_that_the_game_lacks_is_refused(aya: Any, game: Record) -> None:
    for at in ("13.0", "1.999"):
        entry = {"record": game.key, "at": at}
        for path, fields in (
            ("studies", {"title": "Moons", "entries": [entry]}),
            ("studies/bookmarks/entries", entry),
        ):
            body = problem(write(aya, path, fields), "invalid-parameter", 400)
            assert f"the game {game.key} has no step {at}" in body["detail"]
    assert not StudyEntry.objects.exists()


def test_entry_of_a_removed_game_is_empty(api: Api, aya: Any, game: Record) -> None:
    study = studies.create(aya.pk, {"title": "T", "visibility": Visibility.PUBLIC}, ())
    studies.add_entry(study, game.pk, "1.3", "A", "words")
    take_down([game.pk])
    entry = {"record": None, "at": "", "then": "", "note": "", "page": None}
    assert api.get(f"studies/{study.key}").json()["entries"] == [entry]


def test_closed_account_loses_studies_and_comments(api: Api, aya: Any, game: Record) -> None:
    """They go immediately, although the games are handled later and stay."""
    ben = user("ben")
    studies.create(ben.pk, {"title": "T", "visibility": Visibility.PUBLIC}, ())
    comment = Comment.objects.create(record=game, author=aya, deal=1, step=0, text="A")
    Comment.objects.create(record=game, author=ben, deal=1, step=0, text="B")
    CommentReport.objects.create(comment=comment, reporter=ben)
    lifecycle.close(ben, withdraw=False)
    assert not Study.objects.exists() and not CommentReport.objects.exists()
    comments = api.get(f"records/{game.key}/comments").json()["results"]
    assert [comment["text"] for comment in comments] == ["A"]


def test_changed_entry_without_a_record_is_refused(aya: Any, game: Record) -> None:
    key = write(aya, "studies", {"title": "Moons"}).json()["key"]
    refused = write(aya, f"studies/{key}", {"entries": [{"at": "1.0"}]}, "patch")
    (error,) = problem(refused, "invalid-parameter", 400)["errors"]
    assert error["pointer"] == "/entries/0/record"


def test_parameters_of_a_list_are_refused_where_a_study_is_sent(aya: Any) -> None:
    answer = write(aya, "studies?page_size=1", {"title": "Moons"})
    problem(answer, "invalid-parameter", 400)
    assert not Study.objects.exists()

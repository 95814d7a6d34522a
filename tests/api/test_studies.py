"""Studies through the API: bounded, in order, with branches, gone with the account."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from people.accounts import closing
from records.models import Comment, CommentReport, Record, Study, StudyEntry, Visibility
from records.store.ownership import take_down
from records.studies import keeping
from tests.api.contract import Api, problem
from tests.people.world import token, user

pytestmark = pytest.mark.django_db
JSON = "application/json"


def write(owner: Any, path: str, fields: dict[str, Any], method: str = "post") -> Any:
    """A request of an account that is checked against the document."""
    api = Api()
    call = getattr(api.client, method)
    headers = token(owner, "read", "upload")
    return api.checked(method, call(f"/api/v1/{path}", fields, JSON, headers=headers))


def test_a_study_with_steps_and_branches(api: Api, aya: Any, game: Record) -> None:
    steps = [
        {"record": game.key, "at": "2.3", "note": "Why not the moon?"},
        {"record": game.key, "at": "1.0", "then": "AxC/B,H=koikoi"},
    ]
    made = write(aya, "studies", {"title": "Moons", "visibility": "public", "entries": steps})
    assert made.status_code == 201
    study = made.json()
    assert (study["owner"], study["size"], study["visibility"]) == ("aya", 2, "public")
    read = api.get(f"studies/{study['key']}").json()
    assert [(one["at"], one["then"]) for one in read["entries"]] == [
        ("2.3", ""),
        ("1.0", "AxC/B,H=koikoi"),
    ]
    address = f"http://testserver/games/{game.key}/"
    pages = [one["page"] for one in read["entries"]]
    assert pages == [f"{address}?at=2.3", f"{address}?at=1.0&then=AxC/B,H=koikoi"]
    assert [one["key"] for one in api.get("studies").json()["results"]] == [study["key"]]
    fields = {"notes": "In order", "entries": steps[::-1]}
    changed = write(aya, f"studies/{study['key']}", fields, "patch").json()
    assert [one["at"] for one in changed["entries"]] == ["1.0", "2.3"]
    assert (changed["notes"], changed["title"]) == ("In order", "Moons")


def test_bookmarks_need_no_study(aya: Any, game: Record) -> None:
    kept = write(aya, "studies/bookmarks/entries", {"record": game.key, "at": "1.4"}).json()
    assert (kept["title"], kept["visibility"]) == ("", "private")
    again = write(aya, "studies/bookmarks/entries", {"record": game.key, "at": "1.5"}).json()
    assert again["key"] == kept["key"] and again["size"] == 2
    mine = Client().get("/api/v1/me/studies", headers=token(aya, "read"))
    assert [one["key"] for one in mine.json()["results"]] == [kept["key"]]


def test_it_is_bounded(aya: Any, game: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "MOST_STUDIES", 1)
    monkeypatch.setattr(keeping, "MOST_ENTRIES", 1)
    key = write(aya, "studies", {"title": "One"}).json()["key"]
    assert problem(write(aya, "studies", {"title": "Two"}), "full", 409)["limit"] == 1
    step = {"record": game.key, "at": "1.0"}
    assert write(aya, f"studies/{key}/entries", step).status_code == 201
    problem(write(aya, f"studies/{key}/entries", step), "full", 409)
    problem(write(aya, f"studies/{key}", {"entries": [step, step]}, "patch"), "full", 409)
    assert StudyEntry.objects.count() == 1, "nothing is half written"


@pytest.mark.parametrize(
    "fields",
    [
        {"title": ""},
        {"title": "x" * 121},
        {"title": "t", "notes": "x" * 4001},
        {"title": "t", "visibility": "withdrawn"},
        {"title": "t", "entries": [{"record": "nosuchgame", "at": "1.0"}]},
        {"title": "t", "entries": [{"record": "KEY", "at": "0.0"}]},
        {"title": "t", "entries": [{"record": "KEY", "at": "1.0", "then": "<b>"}]},
        {"title": "t", "entries": [{"record": "KEY", "at": "1.0", "then": "A" * 601}]},
        {"title": "t", "entries": [{"record": "KEY", "at": "1.0", "note": "x" * 2001}]},
    ],
)
def test_bad_fields(aya: Any, game: Record, fields: dict[str, Any]) -> None:
    for entry in fields.get("entries", ()):
        entry["record"] = entry["record"].replace("KEY", game.key)
    problem(write(aya, "studies", fields), "invalid-parameter", 400)
    assert not Study.objects.exists()


@pytest.mark.parametrize("at", ["13.0", "1.999"])
def test_a_step_that_the_game_lacks(aya: Any, game: Record, at: str) -> None:
    entry = {"record": game.key, "at": at}
    for path, fields in (
        ("studies", {"title": "Moons", "entries": [entry]}),
        ("studies/bookmarks/entries", entry),
    ):
        body = problem(write(aya, path, fields), "invalid-parameter", 400)
        assert f"the game {game.key} has no step {at}" in body["detail"]
    assert not StudyEntry.objects.exists()


def test_a_game_that_is_gone_tells_nothing(api: Api, aya: Any, game: Record) -> None:
    study = keeping.create(aya.pk, {"title": "T", "visibility": Visibility.PUBLIC}, ())
    keeping.add(study, game.pk, "1.3", "A", "words")
    take_down([game.pk])
    entry = {"record": None, "at": "", "then": "", "note": "", "page": None}
    assert api.get(f"studies/{study.key}").json()["entries"] == [entry]


def test_all_of_it_goes_with_the_account(api: Api, aya: Any, game: Record) -> None:
    """At once, although its games follow later and stay."""
    ben = user("ben")
    keeping.create(ben.pk, {"title": "T", "visibility": Visibility.PUBLIC}, ())
    comment = Comment.objects.create(record=game, author=aya, deal=1, step=0, text="A")
    Comment.objects.create(record=game, author=ben, deal=1, step=0, text="B")
    CommentReport.objects.create(comment=comment, reporter=ben)
    closing.close(ben, withdraw=False)
    assert not Study.objects.exists() and not CommentReport.objects.exists()
    found = api.get(f"records/{game.key}/comments").json()["results"]
    assert [one["text"] for one in found] == ["A"]

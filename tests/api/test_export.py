"""Games as files: records?format=…, records/export, me/games/export."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from api.views import export
from records.models import Record, Visibility
from records.search import export as queries
from records.serving import downloads
from tests.api.contract import Api, check, operation, problem
from tests.people.world import sent, token, user
from tests.records.makers import ingest, joined, text, with_wrong_score

pytestmark = pytest.mark.django_db
SEEDS = range(1, 8)


@pytest.fixture
def games(db: None, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts in the archive, the first the oldest; they are read two and three at a time."""
    monkeypatch.setattr(queries, "PLACES", 3)
    monkeypatch.setattr(queries, "TEXTS", 2)
    ingest(joined(*(text(seed) for seed in SEEDS)))
    return list(Record.objects.order_by("pk").values_list("text", flat=True))


def body(query: str, path: str = "records", **headers: str) -> str:
    """The whole file."""
    response: Any = Client().get(f"/api/v1/{path}?{query}", headers=headers)
    assert response.status_code == 200, response.content
    return str(response.getvalue().decode())


def lines(query: str, path: str = "records", **headers: str) -> list[dict[str, Any]]:
    """The objects of an NDJSON file."""
    return [json.loads(line) for line in body(query, path, **headers).splitlines()]


@pytest.mark.parametrize("sort", ["newest", "oldest", "played", "longest", "score"])
def test_all_are_there_once_in_the_order_of_the_list(games: list[str], sort: str) -> None:
    listed = Client().get("/api/v1/records", {"sort": sort}).json()["results"]
    found = lines(f"format=ndjson&sort={sort}")
    assert [one["key"] for one in found] == [one["key"] for one in listed]
    assert sorted(one["text"] for one in found) == sorted(games)


@pytest.mark.parametrize("sort", ["newest", "oldest", "played", "longest", "score"])
def test_what_was_cut_off_goes_on_behind_any_line(games: list[str], sort: str) -> None:
    whole = lines(f"format=ndjson&sort={sort}")
    for number, line in enumerate(whole, start=1):
        if number == 4 and sort != "oldest":
            ingest(text(20).encode())  # what comes in meanwhile stands before, or is not asked for
        rest = lines(f"format=ndjson&sort={sort}&cursor={line['cursor']}")
        known = {one["key"] for one in whole}
        assert [one for one in rest if one["key"] in known] == whole[number:]


def test_lines_are_as_documented_and_say_what_the_list_says(games: list[str]) -> None:
    said = operation("get", "/api/v1/records")["responses"]["200"]["content"]
    listed = {one["key"]: one for one in Client().get("/api/v1/records").json()["results"]}
    for line in lines("format=ndjson"):
        check(said["application/x-ndjson"]["schema"], line)
        assert {name: listed[line["key"]][name] for name in line if name not in ("cursor", "text")}
        for name in line.keys() - {"cursor", "text"}:
            assert line[name] == listed[line["key"]][name]


def test_kafu_can_be_handed_in_again(games: list[str]) -> None:
    whole = body("format=kafu&sort=oldest")
    assert whole == "".join(f"{game}\n" for game in games)
    assert body("sort=oldest", accept="text/x-kafu") == whole
    before = set(Record.objects.values_list("identity", flat=True))
    upload = ingest(whole.encode())
    assert upload.submissions.filter(duplicate=True).count() == len(games)
    assert set(Record.objects.values_list("identity", flat=True)) == before


def test_csv(games: list[str]) -> None:
    ingest(text(30).replace('"Aya"', '"=cmd()"').encode())
    rows = list(csv.DictReader(io.StringIO(body("format=csv&sort=oldest").removeprefix("\ufeff"))))
    assert [row["key"] for row in rows] == [
        one["key"] for one in lines("format=ndjson&sort=oldest")
    ]
    assert rows[-1]["player1"] == "'=cmd()"
    assert rows[0]["sheet"] == "false" and rows[0]["player3"] == ""
    rest = body(f"format=csv&sort=oldest&cursor={rows[0]['cursor']}")
    assert rest.startswith(rows[1]["cursor"])  # no second head


def test_blocks(games: list[str]) -> None:
    client, address, found = Client(), "/api/v1/records?format=kafu&page_size=3", ""
    blocks = 0
    while address:
        response: Any = client.get(address)
        found += response.getvalue().decode()
        address = response.get("Link", "").partition(">")[0].removeprefix("<")
        blocks += 1
    assert (blocks, found) == (3, body("format=kafu"))


def test_filters_hold(games: list[str]) -> None:
    ingest(with_wrong_score(40).encode())
    assert [one["status"] for one in lines("format=ndjson&status=mismatch")] == ["mismatch"]
    assert body("format=kafu&player=Nobody") == body("format=ndjson&player=Nobody") == ""
    assert body("format=csv&player=Nobody").count("\n") == 1


def test_what_is_withdrawn_meanwhile_is_not_sent(games: list[str]) -> None:
    response: Any = Client().get("/api/v1/records?format=ndjson&sort=oldest")
    Record.objects.filter(text=games[-1]).update(visibility=Visibility.WITHDRAWN)
    assert [json.loads(one)["text"] for one in response.getvalue().splitlines()] == games[:-1]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("format=xml", "format"),
        ("format=kafu&cursor=x", "cursor"),
        ("format=kafu&cursor=WyJiIiwxXQ", "cursor"),  # ["b",1]
        ("format=ndjson&sort=played&cursor=WyJhIiwxXQ", "cursor"),  # ["a",1]
        ("format=kafu&page_size=10001", "page_size"),
        ("format=kafu&page_size=0", "page_size"),
        ("format=json&page_size=201", "page_size"),
        ("format=kafu&keys=a", "keys"),
        ("format=csv&from=2026-02&to=2026-01", "to"),
    ],
)
def test_what_cannot_be_queried(api: Api, query: str, name: str) -> None:
    found = problem(api.get(f"records?{query}"), "invalid-parameter", 400)
    assert [error["name"] for error in found["errors"]] == [name]


def test_keys(games: list[str], api: Api) -> None:
    keys = [one["key"] for one in lines("format=ndjson")]
    asked = ",".join([keys[4], "nosuchgame0", keys[0], keys[4]])
    response: Any = Client().get(f"/api/v1/records/export?keys={asked}")
    found = [json.loads(one)["key"] for one in response.getvalue().splitlines()]
    assert found == [keys[4], keys[0]]
    assert response["Missing-Keys"] == "nosuchgame0"
    assert response["Content-Disposition"] == 'attachment; filename="games.ndjson"'
    for wrong in ("", ",", "a/b", "花", ",".join(["a"] * 301)):
        problem(api.get("records/export", {"keys": wrong}), "invalid-parameter", 400)
    problem(api.get("records/export", {"keys": ",".join(["a"] * 300)}), "not-found", 404)


def test_own_games_are_as_they_were_handed_in(db: None) -> None:
    owner, other = user("owner"), user("other")
    mine = text(1).replace('[Rules "koikoi"]', '[Rules "koikoi"]\n[Event "Mine"]')
    theirs = text(1).replace('[Rules "koikoi"]', '[Rules "koikoi"]\n[Event "Theirs"]')
    sent(theirs, owner=other, visibility=Visibility.PRIVATE)
    sent(mine, owner=owner, visibility=Visibility.PRIVATE)
    sent(text(2), owner=owner, visibility=Visibility.UNLISTED)
    sent(text(3), owner=other)
    for who, event in ((owner, "Mine"), (other, "Theirs")):
        headers = token(who, "read")
        found = lines("ruleset=koikoi", "me/games/export", **headers)
        assert len(found) == 2
        assert [one["event"] for one in found if one["event"]] == [event]
        key = Record.objects.get(visibility=Visibility.PRIVATE).key
        (one,) = lines(f"keys={key}", "records/export", **headers)
        assert f'[Event "{event}"]' in one["text"]


def test_only_so_many_at_once(games: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of one sender, four of all; whoever asks for too many leaves room for the others."""
    path = "/api/v1/records?format=kafu"
    clients = [Client(REMOTE_ADDR=f"192.0.2.{number}") for number in range(3)]
    found: list[Any] = [client.get(path) for client in clients for _ in range(3)]
    assert [one.status_code for one in found] == [200, 200, 429] * 2 + [503] * 3
    assert [one["Retry-After"] for one in (found[2], found[6])] == ["10", "5"]
    assert "At most 2 files can be downloaded at once" in found[2].json()["detail"]
    under_way = [one for one in found if one.status_code == 200]
    under_way.pop().close()  # the reader went away
    under_way.append(clients[2].get(path))
    assert under_way[0].getvalue()  # read to the end
    under_way.append(clients[2].get(path))
    monkeypatch.setattr(export, "written", broken)
    for one in under_way:
        one.close()
    broke: Any = Client().get(path)
    with pytest.raises(OSError):
        broke.getvalue()
    assert not downloads._under_way, "there is as much room as before"


def test_who_reads_too_slowly_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the time that we waited for the reader, not by the time that the pieces took."""
    now = iter(range(0, 10_000, 10))
    monkeypatch.setattr(downloads.time, "monotonic", lambda: float(next(now)))
    some = downloads.Download(iter([b"x"] * 100), "somebody")
    with pytest.raises(downloads.TooSlow):
        list(some)
    many = downloads.Download(iter([bytes(1 << 20)] * 100), "somebody")
    assert len(list(many)) == 100
    assert not downloads._under_way


def broken(*_given: Any, **_more: Any) -> Any:
    """A database that goes away in the middle."""
    yield b"x"
    raise OSError


def test_questions_do_not_grow_with_the_games(games: list[str]) -> None:
    with CaptureQueriesContext(connection) as seven:
        body("format=ndjson")
    ingest(joined(*(text(seed) for seed in range(50, 57))))
    with CaptureQueriesContext(connection) as fourteen:
        body("format=ndjson")
    # Two more blocks of places; texts, seats and players of three or four more.
    assert len(fourteen) - len(seven) <= 2 + 3 * 4

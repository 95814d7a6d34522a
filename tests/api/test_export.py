"""Downloads of games: records, records/export and me/games as NDJSON, Kafu and CSV."""

from __future__ import annotations

import csv
import io
import json
import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from api.views import export
from lengths import part
from records.models import Record, Visibility
from records.search import export as queries
from records.search import export_forms
from records.serving import downloads, limits
from records.serving.limits import Account
from tests.api.contract import Api, check, operation, problem
from tests.people.world import sent, token, user
from tests.records.makers import ingest, joined, text, with_wrong_score

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]
SEEDS = range(1, 8)


@pytest.fixture(scope="module")
def games_for_all(rows_for_all: None) -> list[str]:
    ingest(joined(*(text(seed) for seed in SEEDS)))
    return list(Record.objects.order_by("pk").values_list("text", flat=True))


@pytest.fixture
def games(games_for_all: list[str], db: None, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Store texts, the oldest first; blocks hold two texts and three places."""
    monkeypatch.setattr(queries, "PLACES", 3)
    monkeypatch.setattr(queries, "TEXTS", 2)
    return games_for_all


def get_body(query: str = "", path: str = "records.kafu", **headers: str) -> str:
    """Return a whole file."""
    response: Any = Client().get(f"/api/v1/{path}?{query}", headers=headers)
    assert response.status_code == 200, response.content
    return str(response.getvalue().decode())


def get_lines(
    query: str = "", path: str = "records.ndjson", **headers: str
) -> list[dict[str, Any]]:
    """Return the objects of an NDJSON file."""
    return [json.loads(line) for line in get_body(query, path, **headers).splitlines()]


@pytest.mark.parametrize("sort", part(["newest", "oldest", "played", "longest", "score"]))
def test_export_has_each_game_once_in_the_order_of_the_list(games: list[str], sort: str) -> None:
    listed = Client().get("/api/v1/records", {"sort": sort}).json()["results"]
    lines = get_lines(f"sort={sort}")
    assert [line["key"] for line in lines] == [record["key"] for record in listed]
    assert sorted(line["text"] for line in lines) == sorted(games)


@pytest.mark.parametrize("sort", part(["newest", "oldest", "played", "longest", "score"]))
def test_export_goes_on_after_any_line(games: list[str], sort: str) -> None:
    whole = get_lines(f"sort={sort}")
    for number, line in enumerate(whole, start=1):
        if number == 4 and sort != "oldest":
            ingest(text(20).encode())  # sorted before the cursor, or not in `whole`
        following = get_lines(f"sort={sort}&cursor={line['cursor']}")
        keys = {line["key"] for line in whole}
        assert [line for line in following if line["key"] in keys] == whole[number:]


def test_lines_are_documented_and_equal_the_list(games: list[str]) -> None:
    content = operation("get", "/api/v1/records.ndjson")["responses"]["200"]["content"]
    listed = {record["key"]: record for record in Client().get("/api/v1/records").json()["results"]}
    for line in get_lines():
        check(content["application/x-ndjson"]["schema"], line)
        for name in line.keys() - {"cursor", "text"}:
            assert line[name] == listed[line["key"]][name]


def test_exported_kafu_can_be_uploaded_again(games: list[str]) -> None:
    whole = get_body("sort=oldest")
    assert whole == "".join(f"{game}\n" for game in games)
    before = set(Record.objects.values_list("identity", flat=True))
    upload = ingest(whole.encode())
    assert upload.submissions.filter(duplicate=True).count() == len(games)
    assert set(Record.objects.values_list("identity", flat=True)) == before


def test_csv_quotes_formulas_and_goes_on_without_a_header(games: list[str]) -> None:
    ingest(text(30).replace('"Aya"', '"=cmd()"').encode())
    rows = list(
        csv.DictReader(io.StringIO(get_body("sort=oldest", "records.csv").removeprefix("\ufeff")))
    )
    assert [row["key"] for row in rows] == [line["key"] for line in get_lines("sort=oldest")]
    assert rows[-1]["player1"] == "'=cmd()"
    assert rows[0]["sheet"] == "false" and rows[0]["player3"] == ""
    following = get_body(f"sort=oldest&cursor={rows[0]['cursor']}", "records.csv")
    assert following.startswith(rows[1]["cursor"])


def test_blocks_are_linked(games: list[str]) -> None:
    client, address, whole = Client(), "/api/v1/records.kafu?page_size=3", ""
    blocks = 0
    while address:
        response: Any = client.get(address)
        whole += response.getvalue().decode()
        links = re.findall('<([^>]+)>; rel="next"', response.get("Link", ""))
        address = links[0] if links else ""
        blocks += 1
    assert (blocks, whole) == (3, get_body())


def test_export_is_filtered(games: list[str]) -> None:
    ingest(with_wrong_score(40).encode())
    assert [line["status"] for line in get_lines("status=mismatch")] == ["mismatch"]
    assert get_body("player=Nobody") == ""
    assert get_lines("player=Nobody") == []
    assert get_body("player=Nobody", "records.csv").count("\n") == 1


def test_game_withdrawn_during_the_export_is_left_out(games: list[str]) -> None:
    response: Any = Client().get("/api/v1/records.ndjson?sort=oldest")
    Record.objects.filter(text=games[-1]).update(visibility=Visibility.WITHDRAWN)
    assert [json.loads(line)["text"] for line in response.getvalue().splitlines()] == games[:-1]


@pytest.mark.parametrize(
    "path",
    [
        "records.ndjson?sort=oldest",
        "records/changes.ndjson?changed_since=2000-01-01T00:00Z",
        "records/export.ndjson?keys={keys}",
    ],
)
def test_game_hidden_while_a_slow_reader_waits_is_not_sent(
    games: list[str], monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(queries, "TEXTS", 50)
    monkeypatch.setattr(queries, "MAX_AGE_SECONDS", 0.0)
    monkeypatch.setattr(export_forms, "_PIECE", 1)  # A piece for each game.
    keys = ",".join(Record.objects.order_by("pk").values_list("key", flat=True))
    response: Any = Client().get(f"/api/v1/{path.format(keys=keys)}")
    pieces = iter(response)
    lines = [json.loads(next(pieces)) for _ in range(2)]
    Record.objects.filter(text__in=games[2:-1]).update(visibility=Visibility.WITHDRAWN)
    lines += [json.loads(line) for line in b"".join(pieces).splitlines()]
    assert [line["text"] for line in lines if "text" in line] == [*games[:2], games[-1]]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        (".kafu?format=csv", "format"),
        (".kafu?cursor=x", "cursor"),
        (".kafu?cursor=WyJiIiwxXQ", "cursor"),  # ["b",1]
        (".ndjson?sort=played&cursor=WyJhIiwxXQ", "cursor"),  # ["a",1]
        (".kafu?page_size=10001", "page_size"),
        (".kafu?page_size=0", "page_size"),
        ("?page_size=201", "page_size"),
        (".kafu?keys=a", "keys"),
        (".csv?from=2026-02&to=2026-01", "to"),
    ],
)
def test_invalid_query_is_refused(api: Api, query: str, name: str) -> None:
    body = problem(api.get(f"records{query}"), "invalid-parameter", 400)
    assert [error["name"] for error in body["errors"]] == [name]


def test_export_by_keys_keeps_their_order_and_names_missing_ones(
    games: list[str], api: Api
) -> None:
    keys = [line["key"] for line in get_lines()]
    requested = ",".join([keys[4], "nosuchgame0", keys[0], keys[4]])
    response: Any = Client().get(f"/api/v1/records/export.ndjson?keys={requested}")
    exported = [json.loads(line)["key"] for line in response.getvalue().splitlines()]
    assert exported == [keys[4], keys[0]]
    assert response["Missing-Keys"] == "nosuchgame0"
    assert response["Content-Disposition"] == 'attachment; filename="games.ndjson"'
    for wrong in ("", ",", "a/b", "花", ",".join(["a"] * 301)):
        problem(api.get("records/export.ndjson", {"keys": wrong}), "invalid-parameter", 400)
    problem(api.get("records/export.ndjson", {"keys": ",".join(["a"] * 300)}), "not-found", 404)


def test_owner_exports_games_as_they_were_uploaded(db: None) -> None:
    owner, other_user = user("owner"), user("other")
    first = text(11).replace('[Rules "koikoi"]', '[Rules "koikoi"]\n[Event "Mine"]')
    second = text(11).replace('[Rules "koikoi"]', '[Rules "koikoi"]\n[Event "Theirs"]')
    sent(second, owner=other_user, visibility=Visibility.PRIVATE)
    sent(first, owner=owner, visibility=Visibility.PRIVATE)
    sent(text(12), owner=owner, visibility=Visibility.UNLISTED)
    sent(text(13), owner=other_user)
    for account, event in ((owner, "Mine"), (other_user, "Theirs")):
        headers = token(account, "read")
        lines = get_lines("ruleset=koikoi", "me/games.ndjson", **headers)
        assert len(lines) == 2
        assert [line["event"] for line in lines if line["event"]] == [event]
        key = Record.objects.get(visibility=Visibility.PRIVATE).key
        (line,) = get_lines(f"keys={key}", "records/export.ndjson", **headers)
        assert f'[Event "{event}"]' in line["text"]


def test_downloads_are_limited_in_all_and_for_each_sender(
    games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sender may have two downloads, all senders four; a refused request takes no place."""
    path = "/api/v1/records.kafu"
    clients = [Client(REMOTE_ADDR=f"192.0.2.{number}") for number in range(3)]
    responses: list[Any] = [client.get(path) for client in clients for _ in range(3)]
    assert [response.status_code for response in responses] == [200, 200, 429] * 2 + [503] * 3
    assert [response["Retry-After"] for response in (responses[2], responses[6])] == ["10", "5"]
    assert "At most 2 files can be downloaded at once" in responses[2].json()["detail"]
    under_way = [response for response in responses if response.status_code == 200]
    under_way.pop().close()  # the reader went away
    under_way.append(clients[2].get(path))
    assert under_way[0].getvalue()  # read to the end
    under_way.append(clients[2].get(path))
    monkeypatch.setattr(export, "write_games", broken)
    for response in under_way:
        response.close()
    failing: Any = Client().get(path)
    with pytest.raises(OSError):
        failing.getvalue()
    assert not limits.GATES["download"].count, "there is as much room as before"


def test_slow_reader_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time waiting for the reader counts, time making the chunks does not."""
    now = iter(range(0, 10_000, 10))
    clock = SimpleNamespace(monotonic=lambda: float(next(now)))
    monkeypatch.setattr(downloads, "time", clock)
    slow = downloads.Download(iter([b"x"] * 100), Account("somebody"))
    with pytest.raises(downloads.TooSlow):
        list(slow)
    fast = downloads.Download(iter([bytes(1 << 20)] * 100), Account("somebody"))
    assert len(list(fast)) == 100
    assert not limits.GATES["download"].count


def broken(*_args: Any, **_kwargs: Any) -> Any:
    """Fail after the first chunk, like an unavailable database."""
    yield b"x"
    raise OSError


def test_query_count_grows_only_with_blocks(games: list[str]) -> None:
    with CaptureQueriesContext(connection) as seven:
        get_lines()
    ingest(joined(*(text(seed) for seed in range(50, 57))))
    with CaptureQueriesContext(connection) as fourteen:
        get_lines()
    # Two more blocks of places; texts, seats and players of three or four more.
    assert len(fourteen) - len(seven) <= 2 + 3 * 4

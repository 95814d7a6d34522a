"""Answers given again from memory: as those made anew, never out of date, and counted like them."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from lengths import part
from people.accounts import closing
from records.base.zstd import zstd
from records.models import Player, Record, Visibility
from records.operations import reverify
from records.privacy import revisions
from records.serving import cache
from records.serving.memory import MEMORY
from records.store.ownership import change_visibility, take_down
from records.store.pseudonyms import give, take_back
from tests.people.world import sent, session, token, user
from tests.records.makers import text, with_wrong_score, work_all

pytestmark = pytest.mark.django_db

#: Names of addresses, those of one game with its key.
OF_A_GAME = ("game", "replay", "moves", "frame", "embed", "sheet", "api:record")
OF_A_GAME_TOO = ("api:record-replay", "api:record-kafu", "api:record-sheet")
ACCEPTED = ("", "gzip", "zstd", "br, gzip;q=0.5, zstd;q=0.1")
OF_ALL = ("home", "games", "players", "statistics-home", "rules", "api:records")


@pytest.fixture
def owner(db: None) -> Any:
    """Who sends."""
    return user("owner")


@pytest.fixture
def record(owner: Any) -> Record:
    """A public game."""
    sent(text(1), owner=owner)
    return Record.objects.get()


def addresses(record: Record) -> list[str]:
    """Addresses of kept answers."""
    found = [reverse(name, args=[record.key]) for name in (*OF_A_GAME, *OF_A_GAME_TOO)]
    found += [reverse(name) for name in OF_ALL]
    return [*found, "/statistics/koikoi/", "/games/?ruleset=koikoi", "/api/v1/kafu.schema.json"]


def is_remembered(path: str) -> bool:
    """Whether an anonymous request is answered without files, and without asking the database for
    more than the version.
    """
    with (
        CaptureQueriesContext(connection) as asked,
        patch.object(cache, "once", wraps=cache.once) as once,
    ):
        response = Client().get(path)
    assert response.status_code == 200, path
    return not once.called and len(asked) <= 1


def test_it_is_as_it_was_when_made(record: Record) -> None:
    """Same bytes and same headers, but those that name the request."""
    for path in addresses(record):
        made, again = Client().get(path), Client().get(path)
        assert is_remembered(path), path
        assert made.content == again.content, path
        own = ("X-Request-ID", "RateLimit")
        before, after = (
            {name: value for name, value in one.items() if name not in own} for one in (made, again)
        )
        assert before == after, path
        assert made["ETag"].startswith('"') and made["Cache-Control"] == "no-cache", path
        assert {"Accept-Encoding", "Accept-Language", "Cookie"} <= set(made["Vary"].split(", "))


@pytest.mark.parametrize("accepted", ACCEPTED)
def test_each_coding_has_its_own_etag_and_each_is_known(record: Record, accepted: str) -> None:
    """Of the addresses each coding takes another part; in `make test-long` all."""
    coding = {"": "", "zstd": "zstd"}.get(accepted, "gzip")
    unpacked: dict[str, Callable[[bytes], bytes]]
    unpacked = {"": bytes, "gzip": gzip.decompress, "zstd": zstd.decompress}
    for path in part(addresses(record)[ACCEPTED.index(accepted) :]):
        plain = Client().get(path)
        for _ in range(2):
            response = Client().get(path, headers={"Accept-Encoding": accepted})
            assert response.get("Content-Encoding", "") == coding, path
            assert unpacked[coding](response.content) == plain.content, path
            assert int(response["Content-Length"]) == len(response.content)
            assert (response["ETag"] == plain["ETag"]) == (not coding)
        for tag in (response["ETag"], plain["ETag"], f"W/{plain['ETag']}", f'"x", {plain["ETag"]}'):
            known = Client().get(path, headers={"If-None-Match": tag, "Accept-Encoding": accepted})
            assert (known.status_code, known.content) == (304, b""), path
            assert known["Vary"] == plain["Vary"] and known["Cache-Control"] == "no-cache"
        other = Client().get(path, headers={"If-None-Match": '"other"'})
        assert other.status_code == 200
        assert Client().get(path, headers={"If-Match": '"other"'}).status_code == 412


def test_304_touches_neither_game_nor_replay(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the memory is new and the files are lost."""
    paths = [reverse(name, args=[record.key]) for name in ("replay", "game", "api:record")]
    tags = {path: Client().get(path)["ETag"] for path in paths}
    MEMORY.clear()

    def never(*_given: Any, **_more: Any) -> Any:
        raise AssertionError("not for a 304")

    monkeypatch.setattr("records.serving.cache.get", never)
    monkeypatch.setattr("records.search.games.record", never)
    for path, tag in tags.items():
        assert Client().get(path, headers={"If-None-Match": tag}).status_code == 304


def test_head_has_the_same_headers(record: Record) -> None:
    for path in addresses(record):
        for _ in range(2):
            head, whole = Client().head(path), Client().get(path)
            assert (head.status_code, head.content) == (200, b""), path
            for name in ("ETag", "Content-Length", "Content-Type", "Vary"):
                assert head[name] == whole[name], path


def test_each_language_has_its_own(record: Record) -> None:
    path = reverse("game", args=[record.key])
    for _ in range(2):
        for lang, word in (("en", "Moves in words"), ("ja", "棋譜")):
            response = Client().get(path, headers={"Accept-Language": lang})
            assert response["Content-Language"] == lang
            assert (word in response.content.decode()) == (lang == "en") or lang == "ja"
    client = Client()
    client.cookies["django_language"] = "ja"
    assert client.get(path)["Content-Language"] == "ja"
    replay = reverse("replay", args=[record.key])
    said = [Client().get(replay, {"lang": lang}).content for lang in ("en", "ja", "en")]
    assert said[0] == said[2] != said[1]


def test_the_format_that_is_accepted(record: Record) -> None:
    path = reverse("api:record", args=[record.key])
    for _ in range(2):
        for kind in ("application/json", "text/x-kafu"):
            response = Client().get(path, headers={"Accept": kind})
            assert response["Content-Type"].startswith(kind)
            assert "Accept" in response["Vary"].split(", ")


def test_cookies_that_change_a_page(record: Record) -> None:
    path = reverse("game", args=[record.key])
    client = Client()
    client.cookies["spoilers"] = "hide"
    for _ in range(2):
        assert 'class="no-spoilers"' in client.get(path).content.decode()
        assert 'class="no-spoilers"' not in Client().get(path).content.decode()


def test_who_is_logged_in_sees_their_own_menu(record: Record, owner: Any) -> None:
    path = reverse("game", args=[record.key])
    for _ in range(2):
        assert "Your game" in session(owner).get(path).content.decode()
        assert "Your game" not in Client().get(path).content.decode()


def test_a_token_is_checked_each_time(record: Record, owner: Any) -> None:
    path = reverse("api:record", args=[record.key])
    assert Client().get(path).status_code == 200 and is_remembered(path)
    known = Client().get(path, headers=token(owner, "read"))
    assert known.status_code == 200 and known.content == Client().get(path).content
    assert Client().get(path, headers={"Authorization": "Bearer hana_no"}).status_code == 401


HIDING: dict[str, Callable[[Any, Record], object]] = {
    "private": lambda owner, one: change_visibility(
        owner=owner.pk, records=[one.pk], visibility=Visibility.PRIVATE
    ),
    "withdrawn": lambda owner, one: change_visibility(
        owner=owner.pk, records=[one.pk], visibility=Visibility.WITHDRAWN
    ),
    "taken down": lambda _owner, one: take_down([one.pk]),
    "account closed": lambda owner, _one: leave(owner),
}


def leave(owner: Any) -> None:
    """Close their account, with its games."""
    closing.close(owner, withdraw=True)
    work_all()


@pytest.mark.parametrize("how", HIDING)
def test_what_is_hidden_is_gone_at_once(owner: Any, record: Record, how: str) -> None:
    """Its own addresses; and no list has it."""
    own = [reverse(name, args=[record.key]) for name in (*OF_A_GAME, *OF_A_GAME_TOO)]
    lists = [reverse(name) for name in ("games", "api:records", "home")]
    tags = {path: Client().get(path)["ETag"] for path in (*own, *lists)}
    assert all(map(is_remembered, tags))
    HIDING[how](owner, record)
    for path in own:
        # The data of the player is 404 all the same: pages of other sites read it.
        again = Client().get(path, headers={"If-None-Match": tags[path]})
        assert again.status_code in (404, 410), path
        assert Client().get(path).status_code == again.status_code, path
    for path in lists:
        response = Client().get(path, headers={"If-None-Match": tags[path]})
        assert response.status_code == 200 and record.key not in response.content.decode(), path


def test_an_unlisted_game_is_in_no_index(owner: Any) -> None:
    sent(text(1), owner=owner, visibility=Visibility.UNLISTED)
    key = Record.objects.get().key
    for name in ("game", "replay", "api:record"):
        for _ in range(2):
            assert Client().get(reverse(name, args=[key]))["X-Robots-Tag"] == "noindex"
    change_visibility(
        owner=owner.pk, records=[Record.objects.get().pk], visibility=Visibility.PUBLIC
    )
    assert "X-Robots-Tag" not in Client().get(reverse("game", args=[key]))


def test_another_name_is_shown_at_once(record: Record) -> None:
    """In games in which they did not play too."""
    sent(text(3).replace('"Aya"', '"Hanako Yamada"'))
    sent(text(4).replace('[Rules "koikoi"]', '[Rules "koikoi"]\n[Event "For Hanako Yamada"]'))
    player = Player.objects.get(name="Hanako Yamada")
    paths = [*dict.fromkeys(path for one in Record.objects.all() for path in addresses(one))]
    named = [path for path in paths if "Hanako" in Client().get(path).content.decode()]
    assert len(named) > 10
    give(player, "Wisteria")
    for path in paths:
        for _ in range(2):
            assert "Hanako" not in Client().get(path).content.decode(), path
    take_back(Player.objects.get(name="Wisteria"))
    again = [path for path in paths if "Hanako" in Client().get(path).content.decode()]
    assert again == named


def test_a_new_game_is_in_the_lists_and_leaves_others_alone(record: Record) -> None:
    page = reverse("game", args=[record.key])
    etag = Client().get(page)["ETag"]
    before = Client().get("/games/").content
    sent(text(2))
    assert Client().get("/games/").content != before
    assert Client().get(page, headers={"If-None-Match": etag}).status_code == 304
    assert Client().get(page)["ETag"] == etag
    assert is_remembered(page)


def test_a_better_text_is_shown_at_once() -> None:
    sent(with_wrong_score(1))
    paths = addresses(Record.objects.get())
    before = {path: Client().get(path).content for path in paths}
    sent(text(1))
    assert Record.objects.get().status == "verified"
    changed = [path for path in paths if Client().get(path).content != before[path]]
    assert {reverse(name, args=[Record.objects.get().key]) for name in ("game", "api:record")} <= {
        *changed
    }


def test_judged_anew_it_is_made_anew(record: Record) -> None:
    path = reverse("api:record", args=[record.key])
    etag = Client().get(path)["ETag"]
    reverify.forget_all()
    assert sum(1 for _ in reverify.reverify()) == 1
    assert Client().get(path, headers={"If-None-Match": etag}).status_code == 200


def test_another_release_makes_its_own(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    path = reverse("replay", args=[record.key])
    etag = Client().get(path)["ETag"]
    MEMORY.clear()  # as a new process begins
    monkeypatch.setattr("records.serving.cache.release", lambda: "another")
    response = Client().get(path, headers={"If-None-Match": etag})
    assert response.status_code == 200 and response["ETag"] != etag


def test_another_host_is_refused(record: Record) -> None:
    path = reverse("game", args=[record.key])
    assert Client().get(path).status_code == 200
    assert Client().get(path, headers={"Host": "elsewhere.example"}).status_code == 400


def test_each_is_counted_against_the_limits(record: Record, settings: Any) -> None:
    settings.RATES = settings.RATES | {"read": (3, 60)}
    path = reverse("api:record", args=[record.key])
    found = [Client().get(path) for _ in range(4)]
    assert [one.status_code for one in found] == [200, 200, 200, 429]
    assert [one["RateLimit"].split(";")[1] for one in found] == ["r=2", "r=1", "r=0", "r=0"]
    elsewhere = Client(REMOTE_ADDR="192.0.2.7").get(path)
    assert elsewhere.status_code == 200 and elsewhere["RateLimit"].startswith('"read";r=2')


def test_page_in_memory_is_served_without_budget(record: Record, settings: Any) -> None:
    path = reverse("game", args=[record.key])
    assert Client().get(path).status_code == 200
    settings.RATES = settings.RATES | {"work": (0, 60)}
    assert is_remembered(path)
    assert Client().get(reverse("statistics-home")).status_code == 429


def test_it_has_an_id_and_its_time_is_measured(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = reverse("game", args=[record.key])
    seen: list[tuple[Any, ...]] = []
    monkeypatch.setattr("hanaarchive.metrics.observe", lambda *given: seen.append(given[:3]))
    answers = [Client().get(path) for _ in range(2)]
    assert seen == [("/games/<slug:key>/", "GET", 200)] * 2
    assert answers[0]["X-Request-ID"] != answers[1]["X-Request-ID"]


def test_what_others_may_frame_stays_so(record: Record) -> None:
    for name, ancestors in (("embed", "*"), ("game", "'none'")):
        for _ in range(2):
            response = Client().get(reverse(name, args=[record.key]))
            assert response["Content-Security-Policy"].endswith(f"frame-ancestors {ancestors}")


def test_the_memory_is_bounded(record: Record, settings: Any) -> None:
    settings.MEMORY_BYTES = 60_000
    paths = [f"/games/?deals_min={number}" for number in range(30)]
    for path in paths:
        Client().get(path)
        assert MEMORY.bytes <= 60_000
    assert is_remembered(paths[-1]) and not is_remembered(paths[0])
    settings.MEMORY_BYTES = 0
    Client().get("/games/?deals_min=99")
    assert MEMORY.bytes == 0


def test_without_a_database_pages_that_need_none_are_there(
    monkeypatch: pytest.MonkeyPatch, db: None
) -> None:
    def away() -> int:
        raise OperationalError("away")

    assert Client().get("/games/").status_code == 200
    monkeypatch.setattr(revisions, "current", away)
    for _ in range(2):
        assert Client().get("/rules/koikoi/").status_code == 200
        assert Client().get("/games/").status_code == 503

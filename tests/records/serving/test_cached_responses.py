"""Cached responses: equal to new ones, never out of date, and counted by rate limits."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from django.core.cache import caches
from django.db import OperationalError
from django.test import Client
from django.urls import reverse

from lengths import part
from people.accounts import lifecycle
from records.ingest.ownership import change_visibility, take_down
from records.models import Player, Record, Visibility
from records.operations import reverify
from records.privacy import revisions
from records.services.pseudonyms import remove_pseudonym, set_pseudonym
from records.serving import cached_responses
from tests.people.world import sent, session, token, user
from tests.records.makers import text, with_wrong_score, work_all

pytestmark = [pytest.mark.django_db, pytest.mark.long]

#: Names of addresses of a single game, with its key.
GAME_NAMES = (
    *("game", "replay", "moves", "frame", "embed", "sheet", "api:record"),
    *("api:record-replay", "api:record-kafu", "api:record-sheet"),
)
#: Names of addresses without a key.
LIST_NAMES = ("home", "games", "players", "statistics-home", "rules", "api:records")
ACCEPTED = ("gzip", "br, gzip;q=0.5", "gzip;q=0, br", "")


@pytest.fixture(scope="module")
def owner(rows_for_all: None) -> Any:
    """Return the sender of the game."""
    return user("owner")


@pytest.fixture(scope="module")
def record(owner: Any) -> Record:
    """Return a public game."""
    sent(text(1), owner=owner)
    return Record.objects.get()


def game_paths(record: Record) -> list[str]:
    """Return the addresses of one game."""
    return [reverse(name, args=[record.key]) for name in GAME_NAMES]


def cached_paths(record: Record) -> list[str]:
    """Return addresses with cached responses."""
    lists = [reverse(name) for name in LIST_NAMES]
    further_paths = ["/statistics/koikoi/", "/games/?ruleset=koikoi", "/api/v1/kafu.schema.json"]
    return [*game_paths(record), *lists, *further_paths]


def is_cached(path: str) -> bool:
    """Return whether an anonymous request is served without making a response."""
    with patch.object(cached_responses, "_pack", wraps=cached_responses._pack) as pack:
        response = Client().get(path)
    assert response.status_code == 200, path
    return not pack.called


def test_cached_response_has_bytes_and_headers_of_new_one(record: Record) -> None:
    """Compare all headers except those that identify the request."""
    for path in part(cached_paths(record)):
        new, cached = Client().get(path), Client().get(path)
        assert is_cached(path), path
        assert new.content == cached.content, path
        of_request = ("X-Request-ID", "RateLimit", "RateLimit-Policy")
        new_headers, cached_headers = (
            {name: value for name, value in response.items() if name not in of_request}
            for response in (new, cached)
        )
        assert new_headers == cached_headers, path
        assert new["ETag"].startswith('"') and new["Cache-Control"] == "no-cache", path
        assert {"Accept-Encoding", "Accept-Language", "Cookie"} <= set(new["Vary"].split(", "))


@pytest.mark.parametrize("accepted", part(ACCEPTED, one_of=2))
def test_each_coding_has_its_etag_and_all_etags_are_recognised(
    record: Record, accepted: str
) -> None:
    """Test each coding at different addresses; in `make test-long` at all."""
    coding = "gzip" if "gzip" in accepted and "q=0," not in accepted else ""
    unpack: dict[str, Callable[[bytes], bytes]] = {"": bytes, "gzip": gzip.decompress}
    for path in part(cached_paths(record)[ACCEPTED.index(accepted) :], one_of=6):
        plain = Client().get(path)
        for _ in range(2):
            response = Client().get(path, headers={"Accept-Encoding": accepted})
            assert response.get("Content-Encoding", "") == coding, path
            assert unpack[coding](response.content) == plain.content, path
            assert int(response["Content-Length"]) == len(response.content)
            assert (response["ETag"] == plain["ETag"]) == (not coding)
        for tag in (response["ETag"], plain["ETag"], f"W/{plain['ETag']}", f'"x", {plain["ETag"]}'):
            headers = {"If-None-Match": tag, "Accept-Encoding": accepted}
            unchanged = Client().get(path, headers=headers)
            assert (unchanged.status_code, unchanged.content) == (304, b""), path
            assert unchanged["Vary"] == plain["Vary"]
            assert unchanged["Cache-Control"] == "no-cache"
        assert Client().get(path, headers={"If-None-Match": '"other"'}).status_code == 200
        assert Client().get(path, headers={"If-Match": '"other"'}).status_code == 412


def test_304_reads_neither_game_nor_replay(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    """Test also after a loss of the cached response."""
    paths = [reverse(name, args=[record.key]) for name in ("replay", "game", "api:record")]
    tags = {path: Client().get(path)["ETag"] for path in paths}
    caches["responses"].clear()

    def refuse(*_arguments: Any, **_options: Any) -> Any:
        raise AssertionError("not for a 304")

    monkeypatch.setattr("records.search.games.find", refuse)
    for path, tag in tags.items():
        assert Client().get(path, headers={"If-None-Match": tag}).status_code == 304


def test_head_has_headers_of_get(record: Record) -> None:
    for path in part(cached_paths(record)):
        for _ in range(2):
            head, get = Client().head(path), Client().get(path)
            assert (head.status_code, head.content) == (200, b""), path
            for name in ("ETag", "Content-Length", "Content-Type", "Vary"):
                assert head[name] == get[name], path


def test_each_language_accepted_format_and_cookie_of_a_page_has_its_response(
    record: Record,
) -> None:
    path, of_api = (reverse(name, args=[record.key]) for name in ("game", "api:record"))
    without_results = Client()
    without_results.cookies["spoilers"] = "hide"
    for _ in range(2):
        for language in ("en", "ja"):
            response = Client().get(path, headers={"Accept-Language": language})
            assert response["Content-Language"] == language
            assert ("Moves in words" in response.content.decode()) == (language == "en")
            assert 'class="no-spoilers"' not in response.content.decode()
        for kind in ("application/json", "text/x-kafu"):
            response = Client().get(of_api, headers={"Accept": kind})
            assert response["Content-Type"].startswith(kind)
            assert "Accept" in response["Vary"].split(", ")
        assert 'class="no-spoilers"' in without_results.get(path).content.decode()
    client = Client()
    client.cookies["django_language"] = "ja"
    assert client.get(path)["Content-Language"] == "ja"
    replay = reverse("replay", args=[record.key])
    replays = [Client().get(replay, {"lang": lang}).content for lang in ("en", "ja", "en")]
    assert replays[0] == replays[2] != replays[1]


def test_user_who_is_logged_in_sees_their_menu(record: Record, owner: Any) -> None:
    path = reverse("game", args=[record.key])
    menu = f'href="{reverse("my_game", args=[record.key])}"'
    for _ in range(2):
        assert menu in session(owner).get(path).content.decode()
        assert menu not in Client().get(path).content.decode()


def test_token_is_checked_at_each_request(record: Record, owner: Any) -> None:
    path = reverse("api:record", args=[record.key])
    assert Client().get(path).status_code == 200 and is_cached(path)
    response = Client().get(path, headers=token(owner, "read"))
    assert response.status_code == 200 and response.content == Client().get(path).content
    assert Client().get(path, headers={"Authorization": "Bearer hana_no"}).status_code == 401


def close_account(owner: Any) -> None:
    """Close an account and withdraw its games."""
    lifecycle.close(owner, withdraw=True)
    work_all()


HIDING: dict[str, Callable[[Any, Record], object]] = {
    "private": lambda owner, record: change_visibility(
        owner=owner.pk, records=[record.pk], visibility=Visibility.PRIVATE
    ),
    "withdrawn": lambda owner, record: change_visibility(
        owner=owner.pk, records=[record.pk], visibility=Visibility.WITHDRAWN
    ),
    "taken down": lambda _owner, record: take_down([record.pk]),
    "account closed": lambda owner, _record: close_account(owner),
}


@pytest.mark.parametrize("how", part(list(HIDING), one_of=len(HIDING)))
def test_hidden_game_is_gone_immediately(owner: Any, record: Record, how: str) -> None:
    """Check addresses and lists; each way of hiding takes different addresses of the game."""
    paths = part(game_paths(record)[list(HIDING).index(how) :])
    lists = [reverse(name) for name in ("games", "api:records", "home")]
    tags = {path: Client().get(path)["ETag"] for path in (*paths, *lists)}
    assert all(map(is_cached, tags))
    HIDING[how](user_again(owner), record)
    for path in paths:
        # The data of the player is 404 even with an ETag, because pages of other sites read the
        # data.
        response = Client().get(path, headers={"If-None-Match": tags[path]})
        assert response.status_code in (404, 410), path
        assert Client().get(path).status_code == response.status_code, path
    for path in lists:
        response = Client().get(path, headers={"If-None-Match": tags[path]})
        assert response.status_code == 200 and record.key not in response.content.decode(), path


def user_again(owner: Any) -> Any:
    """Load a user again: closing an account changes the object, which outlives the test."""
    return type(owner).objects.get(pk=owner.pk)


def test_pseudonym_is_shown_immediately(record: Record) -> None:
    """Test also the event of a game in which the player has no seat."""
    sent(text(3).replace('"Aya"', '"Hanako Yamada"'))
    event = '[Rules "koikoi"]\n[Event "For Hanako Yamada"]'
    sent(text(4).replace('[Rules "koikoi"]', event))
    played, mentioned = Record.objects.order_by("pk")[1:]
    player = Player.objects.get(name="Hanako Yamada")
    paths = [*part(cached_paths(played), one_of=2), reverse("game", args=[mentioned.key])]
    naming = [path for path in paths if "Hanako" in Client().get(path).content.decode()]
    assert len(naming) > 5 and paths[-1] in naming
    set_pseudonym(player, "Wisteria")
    for path in naming:
        assert "Hanako" not in Client().get(path).content.decode(), path
    remove_pseudonym(Player.objects.get(name="Wisteria"))
    assert all("Hanako" in Client().get(path).content.decode() for path in naming)


def test_new_game_changes_lists_and_no_other_game(record: Record) -> None:
    path = reverse("game", args=[record.key])
    etag = Client().get(path)["ETag"]
    before = Client().get("/games/").content
    sent(text(2))
    assert Client().get("/games/").content != before
    assert Client().get(path, headers={"If-None-Match": etag}).status_code == 304
    assert Client().get(path)["ETag"] == etag
    assert is_cached(path)


@pytest.mark.long_only  # a game judged again has a new response
def test_better_text_of_a_game_is_shown_immediately() -> None:
    sent(with_wrong_score(2))
    record = Record.objects.latest("pk")
    paths = [reverse(name, args=[record.key]) for name in ("game", "api:record")]
    before = [Client().get(path).content for path in paths]
    sent(text(2))
    record.refresh_from_db()
    assert record.status == "verified"
    for path, content in zip(paths, before, strict=True):
        assert Client().get(path).content != content, path


def test_game_that_is_judged_again_has_a_new_response(record: Record) -> None:
    path = reverse("api:record", args=[record.key])
    etag = Client().get(path)["ETag"]
    reverify.forget_all()
    assert sum(1 for _ in reverify.reverify()) == 1
    assert Client().get(path, headers={"If-None-Match": etag}).status_code == 200


def test_another_release_has_a_new_response(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = reverse("replay", args=[record.key])
    etag = Client().get(path)["ETag"]
    monkeypatch.setattr(cached_responses, "release", lambda: "another")
    response = Client().get(path, headers={"If-None-Match": etag})
    assert response.status_code == 200 and response["ETag"] != etag


def test_unknown_host_is_refused(record: Record) -> None:
    path = reverse("game", args=[record.key])
    assert Client().get(path).status_code == 200
    assert Client().get(path, headers={"Host": "elsewhere.example"}).status_code == 400


def test_cached_responses_count_against_rate_limits(record: Record, settings: Any) -> None:
    settings.RATES = settings.RATES | {"read": (3, 60)}
    path = reverse("api:record", args=[record.key])
    responses = [Client().get(path) for _ in range(4)]
    assert [response.status_code for response in responses] == [200, 200, 200, 429]
    remaining = [response["RateLimit"].split(";")[1] for response in responses]
    assert remaining == ["r=2", "r=1", "r=0", "r=0"]
    elsewhere = Client(REMOTE_ADDR="192.0.2.7").get(path)
    assert elsewhere.status_code == 200 and elsewhere["RateLimit"].startswith('"read";r=2')


def test_cached_page_is_served_without_budget(record: Record, settings: Any) -> None:
    path = reverse("game", args=[record.key])
    assert Client().get(path).status_code == 200
    settings.RATES = settings.RATES | {"work": (0, 60)}
    assert is_cached(path)
    assert Client().get(reverse("statistics-home")).status_code == 429


def test_cached_response_has_a_request_id_and_is_measured(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = reverse("game", args=[record.key])
    observed: list[tuple[Any, ...]] = []
    monkeypatch.setattr(
        "hanaarchive.metrics.observe", lambda *arguments: observed.append(arguments[:3])
    )
    responses = [Client().get(path) for _ in range(2)]
    assert observed == [("/games/<slug:key>/", "GET", 200)] * 2
    assert responses[0]["X-Request-ID"] != responses[1]["X-Request-ID"]


def test_cached_page_may_be_framed_as_before(record: Record) -> None:
    for name, ancestors in (("embed", "*"), ("game", "'none'")):
        for _ in range(2):
            response = Client().get(reverse(name, args=[record.key]))
            assert response["Content-Security-Policy"].endswith(f"frame-ancestors {ancestors}")


def test_page_without_rows_is_served_while_the_database_is_away(
    monkeypatch: pytest.MonkeyPatch, db: None
) -> None:
    def fail() -> int:
        raise OperationalError("away")

    assert Client().get("/games/").status_code == 200
    monkeypatch.setattr(revisions, "current", fail)
    for _ in range(2):
        assert Client().get("/rules/koikoi/").status_code == 200
        assert Client().get("/games/").status_code == 503


def test_long_response_is_not_cached(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached_responses, "MOST_BYTES", 100)
    path = reverse("game", args=[record.key])
    first = Client().get(path)
    assert not is_cached(path)
    assert Client().get(path).content == first.content

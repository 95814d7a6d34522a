"""Exhaustion is not cheap: long answers are cached, few at a time, and charged to the sender."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from records.models import Player, Record, Visibility
from records.pages.game import page as game_view
from records.pages.game.pictures import picture as picture_view
from records.pages.statistics import page as statistics_view
from records.serving import cost
from records.serving.slots import Busy
from records.store.pseudonyms import give
from tests.conftest import SECOND
from tests.people.world import sent, session, token, user
from tests.records.makers import ingest, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def record() -> Record:
    """A game, of some."""
    ingest(*(text(seed).encode() for seed in range(3)))
    return Record.objects.order_by("pk")[0]


def long_ones(record: Record) -> list[str]:
    """Addresses whose answers take a while to make."""
    return [
        reverse("home"),
        reverse("games"),
        reverse("game", args=[record.key]),
        reverse("replay", args=[record.key]),
        reverse("moves", args=[record.key]),
        reverse("frame", args=[record.key]),
        reverse("embed", args=[record.key]),
        reverse("sheet", args=[record.key]),
        reverse("picture", args=[record.key, "1.3"]),
        reverse("player", args=[Player.objects.all()[0].key]),
        reverse("players"),
        reverse("statistics-home"),
        reverse("statistics", args=["koikoi"]),
        reverse("cards"),
        reverse("rules"),
        reverse("rulebook", args=["koikoi"]),
        reverse("odds", args=["hachihachi"]),
        reverse("api:schema"),
        reverse("api:record-replay", args=[record.key]),
        f"{reverse('api:statistics-seats')}?ruleset=koikoi",
    ]


@contextmanager
def nothing_made(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No long answer can be made in here."""

    def full() -> Any:
        raise Busy

    with monkeypatch.context() as patch:
        for module in ("records.serving.cache", "records.pages.caching"):
            patch.setattr(f"{module}.computing", full)
        yield


def test_long_answers_are_made_once(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked for again, by whomever, they are there though none can be made; 304 for who has one."""
    for path in long_ones(record):
        first = Client().get(path, headers={"Accept-Encoding": "gzip"})
        assert first.status_code == 200 and first["ETag"], path
        with nothing_made(monkeypatch):
            plain = Client().get(path)
            again = Client().get(path, headers={"Accept-Encoding": "gzip"})
            known = Client().get(path, headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, body(again)) == (200, body(first)), path
        assert (known.status_code, known.content) == (304, b""), path
        assert known["ETag"] == first["ETag"], path
        assert plain.status_code == 200 and "Content-Encoding" not in plain, path
        assert len(plain.content) == int(plain["Content-Length"]), path


def body(answer: Any) -> bytes:
    """What an answer says, however it came."""
    is_packed = answer.get("Content-Encoding") == "gzip"
    return gzip.decompress(answer.content) if is_packed else bytes(answer.content)


def test_one_too_many_is_told_when_to_come_again(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And cheap pages are answered all the while."""
    with nothing_made(monkeypatch):
        for path in long_ones(record):
            answer = Client().get(path)
            assert (answer.status_code, answer["Retry-After"]) == (503, "5"), path
            is_api = path.startswith("/api/")
            expected = "application/problem+json" if is_api else "text/html; charset=utf-8"
            assert answer["Content-Type"] == expected, path
            if is_api:
                assert answer.json()["code"] == "busy"
        for path in ("/upload/", "/check/", "/robots.txt", "/health/live", "/api/v1/names"):
            assert Client().get(path).status_code == 200, path


def test_who_is_logged_in_waits_in_the_same_line(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = session(user("who-asks"))
    path = reverse("game", args=[record.key])
    assert "who-asks" in browser.get(path).content.decode()
    with nothing_made(monkeypatch):
        assert browser.get(path).status_code == 503
    assert "who-asks" not in Client().get(path).content.decode()


@pytest.mark.parametrize(
    ("view", "name", "arguments"),
    [
        (game_view, "replay_of", ["game"]),
        (picture_view, "draw", ["picture", "1.3"]),
        (statistics_view, "_answers", ["statistics"]),
    ],
)
def test_what_changed_is_made_again(
    record: Record,
    monkeypatch: pytest.MonkeyPatch,
    view: Any,
    name: str,
    arguments: list[str],
) -> None:
    made: list[str] = []
    real: Callable[..., Any] = getattr(view, name)

    def counted(*given: Any, **more: Any) -> Any:
        made.append(name)
        return real(*given, **more)

    monkeypatch.setattr(view, name, counted)
    address, *rest = arguments
    path = reverse(address, args=["koikoi"] if address == "statistics" else [record.key, *rest])
    ask = [
        (lambda: Client().get(path), 1),
        (lambda: Client().get(path), 1),
        (lambda: Client().get(path, headers={"Accept-Language": "ja"}), 2),
        (lambda: give(Player.objects.get(seats__record=record, seats__number=1), "Pine"), 2),
        (lambda: Client().get(path), 3),
        (lambda: Client().get(path), 3),
    ]
    for act, count in ask:
        act()
        assert len(made) == count


def test_private_games_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = user("owner")
    sent(text(1), owner=owner, visibility=Visibility.PRIVATE)
    key = Record.objects.get().key
    browser = session(owner)
    for name in ("game", "replay", "moves", "frame", "embed", "sheet"):
        path = reverse(name, args=[key])
        answer = browser.get(path)
        assert answer.status_code == 200 and "no-store" in answer["Cache-Control"], name
        assert "ETag" not in answer, name
        assert Client().get(path).status_code == 404, name


def test_work_is_charged_to_who_makes_it(record: Record, settings: Any) -> None:
    """Over all addresses together, until the minute is over; nobody else notices."""
    settings.COST_MS = 1
    greedy, other = (Client(REMOTE_ADDR=f"192.0.2.{number}") for number in (1, 2))
    statuses = [greedy.get(path).status_code for path in long_ones(record)]
    assert statuses[0] == 200 and statuses[-1] == 429
    late = greedy.get("/games/")
    assert (late.status_code, late["Retry-After"]) == (429, str(60 - SECOND % 60))
    assert "seconds" in late.content.decode()
    problem = greedy.get("/api/v1/records")
    assert (problem.status_code, problem.json()["code"]) == (429, "too-many-requests")
    assert other.get("/games/").status_code == 200


def test_an_account_is_charged_wherever_it_is(record: Record, settings: Any) -> None:
    """By its tokens too, from any address."""
    settings.COST_MS = 1
    headers = token(user("aya"), "read")
    statuses = [
        Client(REMOTE_ADDR=f"192.0.2.{number}").get("/api/v1/records", headers=headers).status_code
        for number in range(30)
    ]
    assert statuses[0] == 200 and statuses[-1] == 429


def test_a_new_minute_starts_again(
    record: Record, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.COST_MS = 1
    for path in long_ones(record):
        last = Client().get(path)
    assert last.status_code == 429
    monkeypatch.setattr(cost, "now", lambda: float(SECOND + 60))
    assert Client().get("/games/").status_code == 200


def test_long_files_are_charged_as_they_go(record: Record, settings: Any) -> None:
    settings.COST_MS = 10**6
    client = Client(REMOTE_ADDR="192.0.2.3")
    answer: Any = client.get("/api/v1/records?format=kafu")
    before = _known("address:192.0.2.3")
    assert answer.getvalue()
    assert _known("address:192.0.2.3") > before


def _known(sender: str) -> float:
    window = cost._window
    return window.shared.get(sender, 0.0) + window.unshared.get(sender, 0.0)


def test_robots_are_asked_to_leave_searches_alone() -> None:
    said = Client().get("/robots.txt").content.decode()
    assert "Disallow: /api/\n" in said and "Disallow: /games/?" in said
    assert said.endswith("\n\nSitemap: http://testserver/sitemap.xml\n")

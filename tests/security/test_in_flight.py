"""One sender cannot occupy the site with expensive requests: they are counted at their start."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from records.models import Record, Upload
from records.pages.learn.lessons import LESSONS
from records.pages.uploads import page as report_page
from records.serving.gates import Gate
from records.serving.limits import GATES, GROUPS
from records.shapes.positions import MAX_ACTIONS
from tests.people.world import token, user
from tests.records.makers import illegal, ingest, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

GREEDY, OTHER = "192.0.2.1", "192.0.2.2"
CHEAP = ("/upload/", "/check/", "/robots.txt", "/health/live", "/api/v1/names")


@pytest.fixture(scope="module")
def record(rows_for_all: None) -> Record:
    """Return a game of koi-koi in the archive."""
    ingest(text(1).encode())
    return Record.objects.get()


def expensive_requests(record: Record) -> dict[str, Callable[[Client], Any]]:
    """Return a request of every expensive kind, by name."""
    upload = Upload.objects.get()
    game = record.text

    def post_json(name: str, data: Any) -> Callable[[Client], Any]:
        return lambda client: client.post(reverse(name), data, content_type="application/json")

    def get(name: str, *arguments: str, query: str = "") -> Callable[[Client], Any]:
        return lambda client: client.get(reverse(name, args=arguments) + query)

    sheet = {"ruleset": "koikoi", "players": ["A", "B"]}
    return {
        "positions": post_json("api:positions", {"kafu": game, "at": "1.0"}),
        "sheets": post_json("api:sheets", sheet),
        "first month": post_json(
            "first-month", {"ruleset": "koikoi", "seed": LESSONS["koikoi"].seeds[0], "actions": []}
        ),
        "verify": lambda client: client.post(
            reverse("api:verify"), game.encode(), content_type="text/x-kafu"
        ),
        "preview": lambda client: client.post(reverse("preview"), {"text": game}),
        "check": lambda client: client.post(reverse("check"), {"text": game}),
        "check of a stored game": get("check", query=f"?record={record.key}"),
        "report": get("report", upload.key),
        "statistics": get("api:statistics-seats", query="?ruleset=koikoi"),
        "insights": get("api:statistics-insights", query="?ruleset=koikoi&metric=score"),
        "situations": get("api:record-situations", record.key),
        "history": get("api:record-history", record.key),
        "pages of statistics": get("statistics", "koikoi"),
        "page of insights": get("insights"),
        "page of situations": get("situations", record.key),
        "picture": get("picture", record.key, "1.3"),
    }


@pytest.fixture
def occupied(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep three requests of `GREEDY` in flight in a process with free places."""
    gate = Gate(computing=8, places=8)
    for room in ("work", "compute"):
        monkeypatch.setitem(GATES, room, gate)
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(gate.enter(f"address:{GREEDY}", 3))
        yield


def is_refused(response: Any) -> bool:
    """Return whether a response is 429 with Retry-After, below /api/ as problem details."""
    if response.status_code != 429 or int(response["Retry-After"]) < 1:
        return False
    return not response.request["PATH_INFO"].startswith("/api/") or (
        response.json()["code"] == "too-many-requests"
    )


def test_fourth_expensive_request_in_flight_of_a_sender_is_429(
    record: Record, occupied: None
) -> None:
    greedy, other_client = (Client(REMOTE_ADDR=address) for address in (GREEDY, OTHER))
    for name, request in expensive_requests(record).items():
        assert is_refused(request(greedy)), name
        assert request(other_client).status_code == 200, name
    for path in CHEAP:
        assert greedy.get(path).status_code == 200, path


def test_account_is_one_sender_from_every_address(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = user("aya")
    headers = token(owner, "read")
    gate = Gate(computing=8, places=8)
    monkeypatch.setitem(GATES, "work", gate)
    path = f"{reverse('api:statistics-seats')}?ruleset=koikoi"
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(gate.enter(f"user:{owner.pk}", 3))
        assert is_refused(Client(REMOTE_ADDR=OTHER).get(path, headers=headers))
        assert Client(REMOTE_ADDR=OTHER).get(path).status_code == 200


def test_spent_budget_refuses_expensive_requests_before_they_compute(
    record: Record, settings: Any
) -> None:
    settings.RATES = settings.RATES | {"work": (1, 60)}
    greedy = Client(REMOTE_ADDR=GREEDY)
    for name, request in expensive_requests(record).items():
        assert is_refused(request(greedy)), name
    export = greedy.get("/api/v1/records.kafu")
    assert is_refused(export)
    for path in CHEAP:
        assert greedy.get(path).status_code == 200, path


def test_budget_of_one_sender_does_not_spend_that_of_another(record: Record, settings: Any) -> None:
    weight = GROUPS["positions"].weight
    settings.RATES = settings.RATES | {"work": (weight, 60)}
    request = expensive_requests(record)["positions"]
    greedy, other_client = (Client(REMOTE_ADDR=address) for address in (GREEDY, OTHER))
    assert request(greedy).status_code == 200
    assert is_refused(request(greedy))
    assert request(other_client).status_code == 200


def test_full_process_is_503_with_retry_after(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(computing=1, places=1)
    for room in ("work", "compute"):
        monkeypatch.setitem(GATES, room, gate)
    with gate.enter("address:192.0.2.3", 1):
        for name, request in expensive_requests(record).items():
            response = request(Client(REMOTE_ADDR=OTHER))
            assert response.status_code == 503, name
            assert int(response["Retry-After"]) > 0, name


def test_page_without_a_place_is_loaded_again_by_the_browser(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(computing=1, places=1)
    for room in ("work", "compute"):
        monkeypatch.setitem(GATES, room, gate)
    with gate.enter("address:192.0.2.3", 1):
        response = Client().get(reverse("statistics-home"))
    wait = response["Retry-After"]
    assert f'<meta http-equiv="refresh" content="{wait}">' in response.content.decode()


@pytest.mark.parametrize(
    "turns",
    [
        ["F" + "/B" * 49] * 200,
        ["F/B"] * (MAX_ACTIONS // 2 + 1),
        ["=koikoi"] * (MAX_ACTIONS + 1),
    ],
)
def test_more_actions_than_a_deal_has_are_refused_however_they_are_joined(
    record: Record, turns: list[str]
) -> None:
    body = {"kafu": record.text, "at": "1.0", "do": turns}
    response = Client().post(
        reverse("api:positions"), json.dumps(body), content_type="application/json"
    )
    assert response.status_code == 400
    assert response.json()["code"] == "invalid-parameter"
    assert str(MAX_ACTIONS) in response.json()["detail"]


def test_report_of_large_illegal_games_replays_few_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every fault is still named, quoted and correctable."""
    replayed = []
    real = report_page.position_of_text

    def count_call(*arguments: Any) -> Any:
        replayed.append(1)
        return real(*arguments)

    monkeypatch.setattr(report_page, "position_of_text", count_call)
    filler = "{" + "large " * 20_000 + "}\n"
    upload = ingest("\n".join(illegal(seed) + filler for seed in range(1, 11)).encode())
    page = Client().get(reverse("report", args=[upload.key])).content.decode()
    assert page.count('<article class="faulty">') == 10
    assert page.count("Correct it<") == 10
    assert len(replayed) == 3

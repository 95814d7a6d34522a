"""The list of games."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from records.models import Record
from records.views import games as view
from tests.records import makers

pytestmark = pytest.mark.django_db


def keys(client: Client, address: str) -> list[str]:
    """The games that a list shows, in its order."""
    return [record.key for record in client.get(address).context["page"].records]


def test_newest_first_by_status_ruleset_and_player(client: Client) -> None:
    makers.ingest(
        makers.joined(makers.text(1), makers.with_wrong_score(2), makers.illegal(3)),
        makers.UNSUPPORTED.encode(),
    )
    everything = list(Record.objects.order_by("-id").values_list("key", flat=True))
    assert keys(client, "/games/") == everything
    assert len(keys(client, "/games/?status=illegal")) == 1
    assert len(keys(client, "/games/?ruleset=koikoi")) == 3
    assert len(keys(client, "/games/?ruleset=koikoi&status=verified")) == 1
    name = Record.objects.get(status="unsupported").players[1]
    assert len(keys(client, f"/games/?player={name}")) == 1


def test_a_list_without_games_says_what_to_do(client: Client) -> None:
    assert "There are none yet." in client.get("/games/").content.decode()
    page = client.get("/games/?player=nobody&status=nonsense").content.decode()
    assert "No game is like that." in page


def test_pages_go_there_and_back(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "PAGE", 2)
    makers.ingest(makers.joined(*(makers.text(seed) for seed in range(1, 6))))
    everything = list(Record.objects.order_by("-id").values_list("key", flat=True))
    seen: list[str] = []
    address = "/games/?ruleset=koikoi"
    trail = []
    while address:
        trail.append(address)
        seen += keys(client, address)
        page = client.get(address).content.decode()
        found = re.search(r'href="(\?[^"]+)" rel="next"', page)
        address = f"/games/{found[1]}".replace("&amp;", "&") if found else ""
    assert seen == everything
    back = re.search(r'href="(\?[^"]+)" rel="prev"', client.get(trail[-1]).content.decode())
    assert back is not None
    assert keys(client, f"/games/{back[1]}".replace("&amp;", "&")) == everything[2:4]
    assert 'rel="prev"' not in client.get("/games/").content.decode()


def test_a_key_that_no_game_has_begins_at_the_start(client: Client) -> None:
    makers.ingest(makers.joined(makers.text(1)))
    assert len(keys(client, "/games/?older=nothing")) == 1


def test_the_questions_do_not_grow_with_the_games(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    makers.ingest(makers.joined(*(makers.text(seed) for seed in range(1, 6))))
    with django_assert_max_num_queries(3):
        client.get("/games/")


def test_a_nul_asks_the_database_nothing(client: Client) -> None:
    makers.ingest(makers.joined(makers.text(1)))
    response = client.get("/games/?ruleset=koi%00koi&status=%00&player=%00&older=%00x")
    assert response.context["asked"] == {"ruleset": "koikoi", "status": "", "player": ""}
    assert len(response.context["page"].records) == 1

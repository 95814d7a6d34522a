"""The list of games."""

import re

import pytest
from django.core.cache import caches
from django.test import Client

from records.models import Record
from records.pages.lists import games as view
from records.pages.rulebook.book import yaku_cards
from records.search import selection
from tests.markup import join_lines
from tests.records import makers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]
DRAWN = yaku_cards("koikoi", "koikoi")


def list_keys(client: Client, address: str) -> list[str]:
    """Return the keys of the games of a list, in its order."""
    return [record.key for record in client.get(address).context["page"].records]


@pytest.mark.usefixtures("without_sheets")
def test_newest_games_come_first_and_filters_choose(client: Client) -> None:
    makers.ingest(
        makers.joined(makers.text(1), makers.with_wrong_score(2), makers.illegal(3)),
        makers.UNSUPPORTED.encode(),
    )
    everything = list(Record.objects.order_by("-id").values_list("key", flat=True))
    illegal = Record.objects.get(status="illegal").key
    assert list_keys(client, "/games/?status=all") == everything
    verified = Record.objects.get(status="verified").key
    others = [key for key in everything if key not in (illegal, verified)]
    assert list_keys(client, "/games/") == [verified, *others], "verified games come first"
    assert "Illegal games are left out." in client.get("/games/").content.decode()
    assert illegal not in client.get("/").content.decode()
    assert len(list_keys(client, "/games/?status=illegal")) == 1
    assert len(list_keys(client, "/games/?ruleset=koikoi")) == 2
    assert len(list_keys(client, "/games/?ruleset=koikoi&status=verified")) == 1
    name = Record.objects.get(status="unsupported").players[1]
    assert len(list_keys(client, f"/games/?player={name}")) == 1


def test_empty_list_explains_itself(client: Client) -> None:
    assert "There are none yet." in client.get("/games/").content.decode()
    page = client.get("/games/?player=no%3Cb%3Ebody").content.decode()
    assert "No games match." in page
    assert "No player is called “<bdi>no&lt;b&gt;body</bdi>”" in page
    assert 'href="/players/?q=no%3Cb%3Ebody"' in page


def test_count_of_games_has_a_lower_bound_in_a_long_list(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    makers.ingest(makers.joined(*(makers.text(seed) for seed in range(1, 4))))
    assert "3 games" in client.get("/games/").content.decode()
    monkeypatch.setattr(caches["responses"], "get", lambda key: None)
    monkeypatch.setattr(selection, "WINDOW", 2)
    monkeypatch.setattr(view, "PAGE", 1)
    assert "At least 2 games" in client.get("/games/").content.decode()


def test_links_of_pages_keep_the_filters(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "PAGE", 2)
    makers.ingest(makers.joined(*(makers.text(seed) for seed in range(1, 6))))
    everything = list(Record.objects.order_by("pk").values_list("key", flat=True))
    listed_keys: list[str] = []
    address = "/games/?sort=oldest&player=Aya&player=Ben&status="
    trail = []
    while address:
        trail.append(address)
        listed_keys += list_keys(client, address)
        page = client.get(address).content.decode()
        onward = re.search(r'href="(\?[^"]+)" rel="next"', page)
        address = f"/games/{onward[1]}".replace("&amp;", "&") if onward else ""
    assert listed_keys == everything
    assert trail[1].startswith("/games/?player=Aya&player=Ben&sort=oldest&after=")
    back = re.search(r'href="(\?[^"]+)" rel="prev"', client.get(trail[-1]).content.decode())
    assert back is not None
    assert list_keys(client, f"/games/{back[1]}".replace("&amp;", "&")) == everything[2:4]
    assert 'rel="prev"' not in client.get("/games/").content.decode()


def test_events_are_suggested_by_a_part(client: Client) -> None:
    games = [
        makers.text(seed).replace("[Player1", f'[Event "{event}"]\n[Player1')
        for seed, event in enumerate(("Spring Cup", "spring cup", "Spring fair", "Autumn"), start=1)
    ]
    makers.ingest(makers.joined(*games))
    response = client.get("/events/suggest?q=SPRING")
    assert "max-age=60" in response["Cache-Control"]
    results = response.json()["results"]
    assert [(event["value"].lower(), event["games"]) for event in results] == [
        ("spring cup", 2),
        ("spring fair", 1),
    ]
    assert client.get("/events/suggest?q=%25").json() == {"results": []}
    assert len(client.get("/events/suggest").json()["results"]) == 3
    assert client.get("/events/suggest?q=%00autumn").json()["results"][0]["value"] == "Autumn"


def test_row_has_winner_yaku_and_dates(client: Client) -> None:
    text = makers.text(1).replace('[Rules "koikoi"]', '[Rules "koikoi"]\n[Date "2026-03-04"]')
    makers.ingest(text.encode())
    record = Record.objects.prefetch_related("seats").get()
    page = join_lines(client.get("/games/").content.decode())
    winner = next(seat for seat in record.seats.all() if seat.rank == 1)
    assert re.search(rf"<bdi>{winner.name}</bdi></a> <span class=\"winner", page)
    assert page.count('class="winner') == sum(seat.rank == 1 for seat in record.seats.all())
    drawn = re.search(r'<td class="drawn spoiler">(.*?)</td>', page, re.DOTALL)
    yaku_ids = {word.partition("*")[0] for seat in record.seats.all() for word in seat.yaku.split()}
    letters = "".join(re.findall(r'data-card="(\w)"', drawn[1] if drawn else ""))
    assert letters in {DRAWN[id] for id in yaku_ids if id in DRAWN}
    assert "4 March 2026" in page

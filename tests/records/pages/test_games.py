"""The list of games."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from records.models import Record
from records.pages.dates import day
from records.pages.lists import games as view
from records.pages.rulebook.book import yaku_cards
from records.search import selection
from records.serving import cache
from records.serving.memory import MEMORY
from tests.records import makers

pytestmark = pytest.mark.django_db
DRAWN = yaku_cards("koikoi", "koikoi")


def keys(client: Client, address: str) -> list[str]:
    """The games that a list shows, in its order."""
    return [record.key for record in client.get(address).context["page"].records]


@pytest.mark.usefixtures("without_sheets")
def test_newest_first_by_status_ruleset_and_player(client: Client) -> None:
    makers.ingest(
        makers.joined(makers.text(1), makers.with_wrong_score(2), makers.illegal(3)),
        makers.UNSUPPORTED.encode(),
    )
    everything = list(Record.objects.order_by("-id").values_list("key", flat=True))
    illegal = Record.objects.get(status="illegal").key
    assert keys(client, "/games/?status=all") == everything
    assert keys(client, "/games/") == [key for key in everything if key != illegal]
    assert "Illegal games are left out." in client.get("/games/").content.decode()
    assert illegal not in client.get("/").content.decode()
    assert len(keys(client, "/games/?status=illegal")) == 1
    assert len(keys(client, "/games/?ruleset=koikoi")) == 2
    assert len(keys(client, "/games/?ruleset=koikoi&status=verified")) == 1
    name = Record.objects.get(status="unsupported").players[1]
    assert len(keys(client, f"/games/?player={name}")) == 1


def test_a_list_without_games_says_what_to_do(client: Client) -> None:
    assert "There are none yet." in client.get("/games/").content.decode()
    page = client.get("/games/?player=no%3Cb%3Ebody").content.decode()
    assert "No games match." in page
    assert "No player is called “<bdi>no&lt;b&gt;body</bdi>”" in page
    assert 'href="/players/?q=no%3Cb%3Ebody"' in page


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("ruleset=poker", "hachihachi, koikoi, hachihachi-bga"),
        ("profile=house", "koikoi-ai"),
        ("status=malformed", "verified, consistent"),
        ("yaku=points", "goko"),
        ("grade=huge", "small, large, absolute"),
        ("form=film", "moves, sheet"),
        ("sort=best", "newest, oldest, played, longest, score"),
        ("from=2026-13", "2026-01-31, 2026-01 or 2026"),
        ("to=yesterday", "2026-01-31, 2026-01 or 2026"),
        ("from=2026-02&to=2026-01", "2026-02-01 is after 2026-01-31"),
        ("deals_min=9&deals_max=3", "9 is above 3"),
        ("deals_min=-1", "from 0 to"),
        ("turns_max=%D9%A3", "expected a whole number"),
        ("turns_max=" + "9" * 5000, "expected a whole number"),
        ("score_min=1.5", "expected a whole number"),
        ("player=%00", "expected at most"),
        ("event=" + "x" * 5000, "expected at most"),
        ("&".join(["player=Aya"] * 8), "at most 7 players"),
    ],
)
def test_what_cannot_be_is_reported_and_left_out(client: Client, query: str, told: str) -> None:
    makers.ingest(makers.joined(makers.text(1)))
    response = client.get(f"/games/?{query}")
    assert response.status_code == 200
    assert told in response.content.decode()
    assert len(response.context["page"].records) == 1
    problem = client.get(f"/api/v1/records?{query}")
    assert problem.status_code == 400
    assert told in problem.json()["detail"]


def test_the_form_keeps_the_query(client: Client) -> None:
    makers.ingest(makers.joined(makers.text(1)))
    page = client.get(
        "/games/?ruleset=koikoi&player=Aya&player=Ben&yaku=kasu&from=2020&deals_min=3&event=x"
        "&sort=score&grade=&nonsense=1"
    ).content.decode()
    for told in (
        '<option value="koikoi" selected>',
        '<option value="kasu" selected>',
        '<option value="score" selected>',
        'value="2020-01-01"',
        'name="deals_min" value="3"',
        'name="event" value="x"',
        'value="Aya"',
        'value="Ben"',
        '<details class="more-fields" open>',
    ):
        assert told in page
    assert page.count(" selected>") == 3


def test_the_number_of_games_is_exact_up_to_a_bound(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    makers.ingest(makers.joined(*(makers.text(seed) for seed in range(1, 4))))
    assert "3 games" in client.get("/games/").content.decode()
    monkeypatch.setattr(cache, "get", lambda key: None)
    monkeypatch.setattr(MEMORY, "get", lambda key: None)
    monkeypatch.setattr(selection, "COUNTED", 2)
    monkeypatch.setattr(view, "COUNTED", 2)
    assert "More than 2 games" in client.get("/games/").content.decode()


def test_pages_have_links_that_keep_the_filters(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view, "PAGE", 2)
    makers.ingest(makers.joined(*(makers.text(seed) for seed in range(1, 6))))
    everything = list(Record.objects.order_by("pk").values_list("key", flat=True))
    seen: list[str] = []
    address = "/games/?sort=oldest&player=Aya&player=Ben&status="
    trail = []
    while address:
        trail.append(address)
        seen += keys(client, address)
        page = client.get(address).content.decode()
        found = re.search(r'href="(\?[^"]+)" rel="next"', page)
        address = f"/games/{found[1]}".replace("&amp;", "&") if found else ""
    assert seen == everything
    assert trail[1].startswith("/games/?player=Aya&player=Ben&sort=oldest&after=")
    back = re.search(r'href="(\?[^"]+)" rel="prev"', client.get(trail[-1]).content.decode())
    assert back is not None
    assert keys(client, f"/games/{back[1]}".replace("&amp;", "&")) == everything[2:4]
    assert 'rel="prev"' not in client.get("/games/").content.decode()


@pytest.mark.parametrize("place", ["after=nothing", "before=%00", "after=%27", "before="])
def test_a_key_that_no_game_has_begins_at_the_start(client: Client, place: str) -> None:
    makers.ingest(makers.joined(makers.text(1)))
    assert len(keys(client, f"/games/?{place}")) == 1


@pytest.mark.parametrize("query", ["", "?player=Aya&player=Ben&sort=score&yaku=kasu"])
def test_the_questions_do_not_grow_with_the_games(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries, query: str
) -> None:
    makers.ingest(makers.joined(*(makers.text(seed) for seed in range(1, 6))))
    with django_assert_max_num_queries(7):
        client.get(f"/games/{query}")


def test_results_are_for_who_wants_them(client: Client) -> None:
    makers.ingest(makers.joined(makers.text(1)))
    page = client.get("/games/").content.decode()
    assert page.count('<td class="sums spoiler">') == 1
    assert '<th scope="col" class="spoiler">' in page


def test_events_are_suggested(client: Client) -> None:
    named = [
        makers.text(seed).replace("[Player1", f'[Event "{event}"]\n[Player1')
        for seed, event in enumerate(("Spring Cup", "spring cup", "Spring fair", "Autumn"), start=1)
    ]
    makers.ingest(makers.joined(*named))
    response = client.get("/events/suggest?q=SPRING")
    assert "max-age=60" in response["Cache-Control"]
    found = [(one["value"].lower(), one["games"]) for one in response.json()["results"]]
    assert found == [("spring cup", 2), ("spring fair", 1)]
    assert client.get("/events/suggest?q=%25").json() == {"results": []}
    assert len(client.get("/events/suggest").json()["results"]) == 3
    assert client.get("/events/suggest?q=%00autumn").json()["results"][0]["value"] == "Autumn"


def test_a_row_has_the_winner_a_yaku_and_both_dates(client: Client) -> None:
    text = makers.text(1).replace('[Rules "koikoi"]', '[Rules "koikoi"]\n[Date "2026-03-04"]')
    makers.ingest(text.encode())
    record = Record.objects.prefetch_related("seats").get()
    page = client.get("/games/").content.decode()
    winner = next(seat for seat in record.seats.all() if seat.rank == 1)
    assert re.search(rf"<bdi>{winner.name}</bdi></a><span class=\"winner", page)
    assert page.count('class="winner') == sum(seat.rank == 1 for seat in record.seats.all())
    drawn = re.search(r'<td class="drawn spoiler">(.*?)</td>', page, re.DOTALL)
    made = {word.partition("*")[0] for seat in record.seats.all() for word in seat.yaku.split()}
    letters = "".join(re.findall(r'data-card="(\w)"', drawn[1] if drawn else ""))
    assert letters in {DRAWN[id] for id in made if id in DRAWN}
    assert "4 March 2026" in page
    assert day(record.created) in page
    assert day(record.created) not in client.get("/games/?sort=longest").content.decode()

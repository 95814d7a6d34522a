"""The pages of statistics, as text."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from lengths import part
from records.facts.database import QueryTimeout
from records.models import Player, Record
from records.statistics.registry import FIGURES
from records.statistics.selection import Selection
from tests.markup import join_lines
from tests.records import makers
from tests.records.statistics.memory_facts import MemoryFacts, hold

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each page anew: a cached response has no context to look into."""
    monkeypatch.setattr(caches["responses"], "get", lambda key: None)


@pytest.fixture(scope="module")
def games(rows_for_all: None) -> None:
    """Two years of koi-koi."""
    makers.ingest(*(makers.text(seed, months="12").encode() for seed in (1, 2)))


def get_text(client: Client, address: str, language: str = "en") -> str:
    """Return the text of a page."""
    response = client.get(address, headers={"Accept-Language": language})
    assert response.status_code == 200
    return strip_tags(response.content.decode())


def strip_tags(page: str) -> str:
    """Return a page without its tags."""
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def list_figures(client: Client, address: str) -> list[str]:
    """Return the ids of the figures of a page."""
    return [figure["answer"].id for figure in client.get(address).context["answers"]]


def test_first_page_tells_the_counts(client: Client, games: None) -> None:
    page = get_text(client, "/statistics/")
    assert "What happened in 2 public games" in page and "2 games ·" in page
    assert "The dealer won" in page and "Players played on (koi-koi) in " in page
    assert "赤短" in get_text(client, "/statistics/koikoi/", "ja")


def test_list_of_figures_links_to_pages_and_resources(client: Client, games: None) -> None:
    figures = client.get("/statistics/").context["figures"]
    assert [figure["title"] for figure in figures] == [
        definition.title for definition in FIGURES.values()
    ]
    pages: dict[str, str] = {}
    for figure in part(figures, one_of=6):
        address, _hash, anchor = figure["page"].partition("#")
        if address not in pages:
            pages[address] = client.get(address).content.decode()
        assert f'id="{anchor}"' in pages[address]
        assert client.get(figure["api"]).status_code == 200
    # The page is about a ruleset with games, among the rulesets with this figure.
    assert [figure["page"] for figure in figures if figure["title"] == "Opening plays"] == [
        "/statistics/koikoi/#openings"
    ]


def test_page_has_all_figures_of_its_ruleset(client: Client, games: None) -> None:
    response = client.get("/statistics/koikoi/")
    figures = [figure["answer"].id for figure in response.context["answers"]]
    assert [id for id in figures if id not in ("players", "ratings")] == [
        *("yaku", "hands", "seats", "scores", "ends", "decisions", "losses", "cards"),
        "openings",
    ]
    assert "hatto" in list_figures(client, "/statistics/hachihachi/")
    html = join_lines(response.content.decode())
    assert '<p class="up"><a href="/statistics/">' in html and '<p class="note">As of <time' in html
    contents = re.search(r'<nav class="contents".*?</nav>', html)
    assert contents
    assert re.findall(r'href="#(\w+)"', contents[0]) == figures
    # How names are suggested is tested in a browser with the form of the games (test_browse.py).
    assert re.search(r'<input id="player"[^>]* data-suggest="/players/suggest"', html)
    assert re.search(r'<script [^>]*src="/static/records/statistics.js"', html)
    assert client.get("/statistics/poker/").status_code == 404


def test_invalid_filters_are_reported_and_ignored(client: Client, games: None) -> None:
    """Which values are valid is in tests/records/statistics/test_questions.py."""
    query = "from=2026-13&decisions.by=moon&scores.of=%3Cscript%3E&players.games_min=0"
    page = get_text(client, f"/statistics/koikoi/?{query}")
    for message in (
        "2026-01 or 2026",
        "yaku, left, opp, none",
        "deal, game",
        "Minimum games: “0”: expected a whole number",
    ):
        assert message in page, message
    assert "These filters were ignored." in page and "2 games ·" in page


def test_page_of_a_player_compares_them_with_all(client: Client, games: None) -> None:
    name = Record.objects.order_by("id")[0].players[0]
    address = f"/statistics/koikoi/?player={name}"
    answers = client.get(address).context["answers"]
    assert [figure["answer"].id for figure in answers[:3]] == ["strengths", "form", "compare"]
    assert answers[2]["answer"].n == answers[3]["answer"].n > 0
    page = client.get(f"{address}&decisions.by=left").content.decode()
    assert f'<input type="hidden" name="player" value="{name}">' in page
    assert f'href="/statistics/hachihachi/?player={name}"' in page
    of_seat = client.get(f"{address}&seat=1")
    assert "compare" not in [figure["answer"].id for figure in of_seat.context["answers"]]
    text = strip_tags(of_seat.content.decode())
    left_out = text.partition("Not counted with these filters:")[2]
    assert "Compared with all players" in left_out and "Form by month" in left_out


def test_list_of_players_is_sorted_paged_and_filtered(client: Client, games: None) -> None:
    address = "/statistics/koikoi/?players.games_min=1"
    response = client.get(address)
    (players,) = (
        figure for figure in response.context["answers"] if figure["answer"].id == "players"
    )
    assert players["answer"].rows[0]["player"] and players["forms"][1][1].count("games_min=1") == 1
    assert [field["name"] for field in players["own"]] == ["players.games_min"]
    assert "?players.games_min=1&amp;players.sort=won#players" in response.content.decode()
    name = players["answer"].rows[0]["player"]
    assert f'<a href="/statistics/koikoi/?player={name}">' in response.content.decode()
    page = client.get(f"{address}&players.page_size=1").content.decode()
    onward = re.search(r'href="(\?[^"]*players.cursor=[^"]*)#players" rel="next"', page)
    assert onward is not None
    (after,) = (
        figure
        for figure in client.get(f"/statistics/koikoi/{unescape(onward[1])}").context["answers"]
        if figure["answer"].id == "players"
    )
    assert after["answer"].rows[0] == players["answer"].rows[1]
    narrow = client.get("/statistics/koikoi/?seat=1").context["answers"]
    (few,) = (figure["answer"] for figure in narrow if figure["answer"].id == "players")
    assert few.filters["seat"] == "1" and len(few.rows) < len(players["answer"].rows)


@pytest.mark.long_only  # statistics/test_versus.py compares; links are tested below
def test_two_players_are_compared_with_each_other(client: Client, games: None) -> None:
    player, opponent = Record.objects.order_by("id")[0].players
    address = f"/statistics/koikoi/?player={player}&opponent={opponent}"
    figures = list_figures(client, address)
    assert "versus" in figures and "rating" not in figures


@pytest.mark.long_only  # statistics/test_questions.py refuses the player
def test_player_who_opted_out_has_no_figures(client: Client, games: None) -> None:
    name = Record.objects.order_by("id")[0].players[0]
    Player.objects.filter(name=name).update(statistics=False)
    address = f"/statistics/koikoi/?player={name}"
    assert f"{name} is left out of statistics by name." in get_text(client, address)
    assert not list_figures(client, address)
    player = Player.objects.get(name=name)
    page = client.get(f"/players/{player.key}/")
    assert "compared" not in page.context
    assert not any(
        word in page.content.decode() for word in ("Average place", "Yaku made", "ahead")
    )
    # The games are public, and hence also the player's name and number of games; no figure is
    # listed.
    (row,) = re.findall(
        rf"<tr>(?:(?!</tr>).)*{name}.*?</tr>", client.get("/players/").content.decode(), re.S
    )
    assert re.sub(r"<[^>]*>", " ", row).split() == [name, str(player.games)]
    (suggestion,) = client.get(f"/players/suggest?q={name}").json()["results"]
    assert suggestion == {"value": name, "games": player.games}
    for id in ("players", "ratings"):
        table = client.get(f"/api/v1/statistics/{id}?ruleset=koikoi&games_min=1").json()
        assert name not in [row["player"] for row in table["rows"]]


def test_page_of_a_player_in_the_archive_links_to_figures(client: Client, games: None) -> None:
    record = Record.objects.order_by("id")[0]
    player = Player.objects.get(name=record.players[0])
    page = client.get(f"/players/{player.key}/")
    assert "Months won as dealer" in page.content.decode()
    compared = page.context["compared"]
    assert compared["all"] == f"/statistics/koikoi/?player={player.name}"
    assert [figure["answer"].id for figure in compared["answers"]] == ["bests", "compare"]
    against = f"/statistics/koikoi/?player={player.name}&amp;opponent={record.players[1]}#versus"
    assert f'href="{against}"' in page.content.decode()


def test_bests_link_to_their_step(client: Client, games: None) -> None:
    (board,) = client.get("/statistics/bests/?ruleset=koikoi").context["boards"]
    bests = board["kinds"][0]
    answers = client.get("/api/v1/statistics/bests?ruleset=koikoi").json()["rows"]
    rows = [row for row in answers if row["kind"] == bests["kind"] == "top"]
    assert len(rows) == len(bests["rows"])
    best = max(score for record in Record.objects.all() for score in list_scores(record))
    assert rows[0]["score"] == best
    deal, _dot, _step = str(rows[0]["at"]).partition(".")
    record = Record.objects.get(key=rows[0]["game"])
    assert max(record.verdict["deals"][int(deal) - 1]["score"]) == best
    href = bests["rows"][0]["game"]["href"]
    assert href == f"/games/{record.key}/?at={rows[0]['at']}"
    assert client.get(href).status_code == 200
    # A player who opted out is in no list of the best.
    Player.objects.filter(name=rows[0]["player"]).update(statistics=False)
    koikoi_rows = client.get("/api/v1/statistics/bests?ruleset=koikoi").json()["rows"]
    assert koikoi_rows and rows[0]["player"] not in [row["player"] for row in koikoi_rows]


def test_first_page_of_bests_has_three_of_each_kind(client: Client, games: None) -> None:
    """It links to the whole lists; rulesets without games are left out."""
    page = client.get("/statistics/bests/")
    assert {board["ruleset"] for board in page.context["boards"]} == set(
        Record.objects.values_list("ruleset", flat=True)
    )
    for board in page.context["boards"]:
        assert all(len(kind["rows"]) <= 3 for kind in board["kinds"])
        whole = f"/statistics/bests/?ruleset={board['ruleset']}"
        assert f'href="{whole}"' in page.content.decode()
        (full,) = client.get(whole).context["boards"]
        assert len(full["kinds"][0]["rows"]) > 3
    assert "No games of this ruleset" in get_text(client, "/statistics/bests/?ruleset=ten-five-one")
    assert client.get("/statistics/bests/?ruleset=poker").status_code == 404


def list_scores(record: Record) -> list[int]:
    """Return all scores of a game's deals."""
    return [score for deal in record.verdict["deals"] for score in deal["score"]]


@pytest.mark.long_only  # test_sentences.py has the limit
def test_overview_has_no_percentage_of_fewer_than_ten_cases(client: Client) -> None:
    facts = MemoryFacts()
    facts.insert("games", "SELECT 1 AS game, 9 AS deals, false AS analysed")
    facts.insert("seats", "SELECT 1 AS seat, unnest([1, 2]) AS place, true AS scored FROM range(9)")
    choice = "SELECT 1 AS seat, ['tan'] AS held, true AS won"
    facts.insert("choices", f'{choice}, true AS "on"')
    with hold(facts):
        text = get_text(client, "/statistics/")
        assert "Players played on (koi-koi) in the only choice." in text
        facts.insert("choices", f'{choice}, false AS "on" FROM range(2)')
        text = get_text(client, "/statistics/")
        assert "Players played on (koi-koi) in 1 of 3 choices." in text
        assert "The dealer won" not in text and "33.3" not in text
        facts.insert("choices", f'{choice}, false AS "on" FROM range(7)')
        text = get_text(client, "/statistics/")
        assert "Players played on (koi-koi) in 1 of 10 choices (10.0%)." in text
        assert "then won the month" not in text


def test_page_reads_its_snapshot_once(client: Client, games: None) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/statistics/koikoi/").status_code == 200
    assert sum('"records_factpart"."ruleset"' in query["sql"] for query in queries) == 1


@pytest.mark.parametrize("address", ["/statistics/koikoi/", "/api/v1/statistics/ends"])
def test_query_that_takes_too_long_is_refused_with_retry_after(
    client: Client, games: None, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    def interrupt(*_: object, **values: object) -> None:
        raise QueryTimeout

    monkeypatch.setattr(Selection, "execute", interrupt)
    response = client.get(address, {"ruleset": "koikoi"})
    assert (response.status_code, response["Retry-After"]) == (503, "60")
    assert "ask about fewer games" in response.content.decode()

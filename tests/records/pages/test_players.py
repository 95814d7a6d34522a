"""The list of players, the page of a player, and suggestions of names."""

from __future__ import annotations

import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from random import Random
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from kafu.judging.verify import Verification, verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import LONG
from records.models import Player, Record, Seat
from records.models.facts import Family, family_of
from records.pages.lists import players as view
from records.pages.statistics.answers import answer_context
from records.search import players as queries
from records.search.players import Career, career
from records.statistics.registry import FIGURES
from tests.markup import join_lines
from tests.records import makers

pytestmark = pytest.mark.django_db

NAMES = ("Aya", "花子", "Ben <b>", "Chie", "\u0627Evil", "Emi")


def make_texts() -> list[str]:
    """Return twelve games of all rulesets, some of them unfinished."""
    texts = []
    for number in range(12):
        rules = ("koikoi", "hachihachi", "hanaawase", "ten-five-one")[number % 4]
        game = simulate(rules, seed=number)
        game.players = tuple(
            NAMES[(number + seat) % len(NAMES)] for seat in range(len(game.players))
        )
        if number % 7 == 3:
            game.months = game.months[:2]
            game.tags["Termination"] = "unfinished"
            game.result = game.final = None
        texts.append(write(game))
    return texts


@pytest.fixture(scope="module")
def texts(rows_for_all: None) -> list[str]:
    """Return the texts of stored games. Tests with other games use other names."""
    texts = make_texts()
    makers.ingest(makers.joined(*texts))
    return texts


@cache
def verify_text(text: str) -> Verification:
    """Return the verification of a text with its facts."""
    return verify(read(text), facts=True)


def compute_naively(texts: list[str], name: str) -> dict[str, Any]:
    """Return results of a player by a plain computation."""
    rulesets: dict[str, list[Any]] = defaultdict(list)
    against: dict[str, dict[str, list[int]]] = defaultdict(
        lambda: defaultdict(lambda: [0, 0, 0, 0])
    )
    yaku_by_ruleset: dict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        verification = verify_text(text)
        game, verdict = verification.game, verification.verdict
        assert game is not None
        if name not in game.players:
            continue
        seat_of_player = game.players.index(name)
        rulesets[game.rules].append(verdict.final)
        for seat, opponent in enumerate(game.players):
            if opponent != name:
                row = against[game.rules][opponent]
                row[0] += 1
                if verdict.final:
                    own_score, opponent_score = verdict.final[seat_of_player], verdict.final[seat]
                    row[1] += own_score > opponent_score
                    row[2] += own_score < opponent_score
                    row[3] += own_score == opponent_score
        for line in (line for deal in verdict.deals for line in deal.ledger if not line.void):
            labels = line.label.split("+")
            gain = max(line.amounts)
            is_paid_alone = line.amounts[seat_of_player] == gain and line.amounts.count(gain) == 1
            if is_paid_alone and family_of(labels[0]) is not Family.OTHER:
                yaku_by_ruleset[game.rules].update(labels)
    results = {}
    for rules, finals in rulesets.items():
        ended = [(final[seat], final) for final, seat in list_finals(texts, name, rules)]
        places = [1 + sum(points > own_score for points in final) for own_score, final in ended]
        results[rules] = (
            len(finals),
            len(ended),
            places.count(1),
            sum(places) / len(places) if places else None,
            sum(own_score for own_score, _ in ended) / len(ended) if ended else None,
        )
    return {"results": results, "against": against, "made": yaku_by_ruleset}


def list_finals(texts: list[str], name: str, rules: str) -> list[tuple[Any, int]]:
    """Return the final points of games of a ruleset, each with the seat of a player."""
    finals = []
    for text in texts:
        verification = verify_text(text)
        game = verification.game
        assert game is not None
        if game.rules == rules and name in game.players and verification.verdict.final:
            finals.append((verification.verdict.final, game.players.index(name)))
    return finals


def test_career_equals_a_plain_computation(texts: list[str]) -> None:
    for name in NAMES:
        expected = compute_naively(texts, name)
        played = {rules: games for rules, (games, *_) in expected["results"].items()}
        most = min(played, key=lambda rules: (-played[rules], rules))
        for rules in (*played, "bakahana"):
            actual = career(Player.objects.get(name=name), rules)
            assert actual.ruleset == (rules if rules in played else most)
            check_career(actual, expected)


def check_career(actual: Career, expected: dict[str, Any]) -> None:
    """Check a career against a plain computation."""
    assert actual.games == sum(row[0] for row in expected["results"].values())
    assert {
        rules: (row.games, row.ended, row.wins, row.place, row.mean)
        for rules, row in actual.rulesets
    } == expected["results"]
    assert {
        opponent.name: [row.games, row.ahead, row.behind, row.level]
        for opponent, row in actual.opponents
    } == expected["against"][actual.ruleset]
    assert dict(actual.yaku) == expected["made"][actual.ruleset]
    assert [often for _, often in actual.yaku] == sorted(dict(actual.yaku).values())[::-1]


def test_player_against_themselves_has_no_opponent() -> None:
    text = makers.text(1).replace('"Ben"', '"Solo"').replace('"Aya"', '"Solo"')
    makers.ingest(text.encode())
    alone = career(Player.objects.get(name="Solo"))
    assert (alone.games, alone.opponents, alone.opponent_count) == (1, [], 0)


@pytest.mark.usefixtures("texts")
def test_page_of_a_player_has_games_opponents_and_yaku(client: Client) -> None:
    player = Player.objects.get(name="Ben <b>")
    response = client.get(f"/players/{player.key}/")
    page = join_lines(response.content.decode())
    assert "<bdi>Ben &lt;b&gt;</bdi>" in page and "Ben <b>" not in page
    assert "<bdi>\u0627Evil</bdi>" in page
    listed = response.context["page"].records
    chosen = response.context["career"].ruleset
    assert len(response.context["rulesets"]) > 1
    games_of_ruleset = Record.objects.filter(seats__player=player, ruleset=chosen).order_by("-pk")
    assert listed == list(games_of_ruleset)
    assert 'id="compare"' in page and 'id="strengths"' not in page, "there are too few players"
    assert f'?player=Ben+%3Cb%3E&amp;ruleset={chosen}">Filter these games' in page
    link = re.search(r'href="(/games/\?player=Ben[^"]+player=[^"]+)"', page)
    assert link is not None
    games = client.get(link[1].replace("&amp;", "&")).context["page"].records
    assert games and all("Ben <b>" in record.players for record in games)
    yaku = re.search(r'href="(/games/\?player=Ben[^"]+yaku=[^"]+)"', page)
    assert yaku is not None
    assert client.get(yaku[1].replace("&amp;", "&")).context["page"].records


@pytest.mark.usefixtures("texts")
def test_page_of_a_player_says_that_unfinished_games_count_for_nobody(client: Client) -> None:
    address = f"/players/{Player.objects.get(name='Aya').key}/"
    is_told = {}
    for rules, results in career(Player.objects.get(name="Aya")).rulesets:
        if not LONG and (results.games > results.ended) in is_told:
            continue
        page = client.get(f"{address}?ruleset={rules}").content.decode()
        is_told[results.games > results.ended] = "Games without an end are neither" in page
    assert is_told == {True: True, False: False}


@pytest.mark.long_only  # test_games.py has pages of a list
def test_games_of_a_player_are_paged(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "GAMES", 3)
    texts = (makers.text(seed).replace('"Aya"', '"Pia"') for seed in range(1, 6))
    makers.ingest(makers.joined(*texts))
    address = f"/players/{Player.objects.get(name='Pia').key}/"
    first = client.get(address)
    onward = re.search(r'href="(\?after=[^"]+)" rel="next"', first.content.decode())
    assert onward is not None
    second = client.get(address + onward[1])
    assert (len(first.context["page"].records), len(second.context["page"].records)) == (3, 2)


def test_page_of_a_player_with_many_opponents_and_years_stays_light(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    makers.ingest(makers.text(1).replace('"Aya"', '"Old"').encode())
    add_seats(Record.objects.get(seats__player__name="Old"), 2 * queries.OPPONENTS)
    monkeypatch.setattr(view, "_answers", lambda *_question: list_long_answers())
    page = client.get(f"/players/{Player.objects.get(name='Old').key}/").content
    text = page.decode()
    opponents = text.split('id="opponents"')[1].split("</section>")[0]
    assert opponents.count('<th scope="row">') == queries.OPPONENTS
    # About 90 kB of a page's 120 kB are typefaces, style sheets and scripts.
    assert len(gzip.compress(page)) < 20_000


def add_seats(record: Record, count: int) -> None:
    """Add seats of new players to a game, which no game could have."""
    people = Player.objects.bulk_create(
        Player(key=f"opponent{number}", origin=f"{number}", name=f"Opponent {number}", games=1)
        for number in range(count)
    )
    Seat.objects.bulk_create(
        Seat(record=record, number=number, player=player, name=player.name)
        for number, player in enumerate(people, start=3)
    )


def list_long_answers() -> Iterator[dict[str, Any]]:
    """Yield the answers of a player who played every day for thirty years."""
    noise = Random(1)
    months = [f"{year}-{month:02}" for year in range(1996, 2026) for month in range(1, 13)]
    for id, value in (("form", "rate"), ("rating", "rating")):
        columns = ("games", "first", "n", "won", value, f"{value}_low", f"{value}_high", "score")
        rows = [
            {"month": month, "rated": 99, "provisional": False}
            | {name: noise.random() for name in columns}
            for month in months
        ]
        yield answer_with(id, rows)
    last = date(2025, 12, 31).toordinal()
    days = [date.fromordinal(last - number) for number in range(371)]
    yield answer_with(
        "calendar",
        [
            {"day": str(day), "weekday": day.isoweekday() % 7 + 1, "games": noise.randint(1, 99)}
            for day in days
        ],
    )


def answer_with(id: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the context of an answer with other rows."""
    figure = FIGURES[id]
    answer = figure.answer(figure.question(ruleset="koikoi", player="Old"))
    return answer_context(replace(answer, rows=rows, drawn=rows, n=len(rows)))


@pytest.mark.usefixtures("texts")
def test_queries_do_not_grow_with_the_games(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    address = f"/players/{Player.objects.get(name='Aya').key}/"
    # For each of the seven figures of a ruleset: identity, versions of sums, then the sums.
    # Pseudonyms and the archive's version are queried once.
    with django_assert_max_num_queries(14 + 7 * 5):
        client.get(address)
    # The page, and two queries for the form of all its players.
    with django_assert_max_num_queries(4):
        client.get("/players/?q=a")


def test_unknown_player_is_404(client: Client) -> None:
    for key in ("nobody", "1" * 22):
        assert client.get(f"/players/{key}/").status_code == 404


@pytest.mark.usefixtures("texts")
def test_players_are_ordered_by_games_and_searched_by_name(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view, "PAGE", 2)
    expected = list(Player.objects.order_by("-games", "-pk"))
    listed_players = []
    address = "/players/"
    while address:
        response = client.get(address)
        listed_players += response.context["page"].players
        onward = re.search(r'href="(\?[^"]+)" rel="next"', response.content.decode())
        address = f"/players/{onward[1]}" if onward else ""
    assert listed_players == expected
    back = client.get(f"/players/?before={expected[-1].key}").context["page"]
    assert back.players == expected[-3:-1]
    assert [player.name for player in client.get("/players/?q=ＡY").context["page"].players] == [
        "Aya"
    ]
    assert "No player's name contains this." in client.get("/players/?q=%25").content.decode()
    assert client.get("/players/?q=%00&after=%00").status_code == 200


def test_list_has_the_newest_places_of_each_player(
    client: Client, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "PLACES", 2)
    for player, form in client.get("/players/").context["rows"]:
        seats = Seat.objects.filter(player=player, rank__isnull=False).order_by("record_id")
        newest = list(seats.values_list("rank", "record__date"))[-2:]
        assert form.places == [rank for rank, _date in newest]
        assert (form.wins, form.date) == (form.places.count(1), newest[-1][1])


@pytest.mark.usefixtures("texts")
def test_names_are_suggested_by_a_part(client: Client) -> None:
    response = client.get("/players/suggest?q=E")
    assert "max-age=60" in response["Cache-Control"]
    names = [suggestion["value"] for suggestion in response.json()["results"]]
    # First prefix matches; then Ben, Chie and the reversed name.
    assert names[0] == "Emi" and set(names[1:]) == {"Ben <b>", "Chie", "\u0627Evil"}
    assert client.get("/players/suggest?q=花").json()["results"][0]["value"] == "花子"
    assert client.get("/players/suggest?q=_").json() == {"results": []}
    assert len(client.get("/players/suggest").json()["results"]) == len(NAMES)
    assert client.get("/players/suggest?q=" + "x" * 5000).json() == {"results": []}

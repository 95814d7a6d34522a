"""Insights follow every change of games, and explain invalid queries."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import part
from records.models import Player, Record
from records.services.analyses import store_report
from records.statistics.intervals import wilson
from tests.records.idle import do_idle_jobs
from tests.records.makers import ingest

pytestmark = pytest.mark.django_db


def short(seed: int, event: str = "", players: tuple[str, str] = ("Aoi", "Botan")) -> str:
    """Return a game of koi-koi of six months."""
    game = simulate("koikoi", seed=seed, options={"months": "6"})
    game.players = players
    if event:
        game.tags["Event"] = event
    return write(game)


def ask(status: int = 200, **query: str) -> Any:
    """Return the response to a query about koi-koi."""
    query = {"ruleset": "koikoi", **query}
    response = Client().get("/api/v1/statistics/insights", query)
    assert response.status_code == status, response.content
    return response.json()


def test_player_without_statistics_is_in_no_row() -> None:
    """The deals of the player still count."""
    ingest(short(1).encode(), short(2, players=("Aoi", "Chidori")).encode())
    assert [row["by"] for row in ask(by="opponent")["rows"]] == ["Aoi", "Botan", "Chidori"]
    Player.objects.filter(name="Botan").update(statistics=False)
    body = ask(by="opponent", page_size="10")
    assert [row["by"] for row in body["rows"]] == ["Aoi", "Chidori"]
    assert body["n"] == 24
    ask(403, player="Botan")
    ask(404, player="Nobody")


def test_pages_have_each_row_once() -> None:
    ingest(short(1).encode(), short(2).encode())
    whole = ask(by="month", by2="dealer")
    assert whole["next"] is None
    assert len(whole["rows"]) == 12
    first = ask(by="month", by2="dealer", page_size="5")
    second = Client().get(first["next"]).json()
    third = Client().get(second["next"]).json()
    assert first["rows"] + second["rows"] + third["rows"] == whole["rows"]
    assert third["next"] is None
    many = ask(by="month", by2="dealer", n_min="3")
    assert many["rows"] == []
    assert many["n"] == 24
    by_value = [ask(by="month", by2="dealer", sort=sort)["rows"] for sort in ("low", "high")]
    for rows, sign in zip(by_value, (1, -1), strict=True):
        assert [row["value"] for row in rows] == sorted(
            (row["value"] for row in whole["rows"]), key=lambda value: sign * value
        )


@pytest.mark.parametrize(
    ("query", "name", "words"),
    [
        ({"metric": "fortune"}, "metric", "score, win_rate"),
        ({"by": "weather"}, "by", "seat, dealer"),
        ({"by": "held"}, "by", "“held” is not known of win_rate; expected ruleset, house"),
        ({"metric": "yaku_rate", "by": "yaku"}, "by", "expected ruleset, house"),
        ({"by2": "seat"}, "by2", "expected by too"),
        ({"by": "seat", "by2": "seat"}, "by2", "another dimension"),
        ({"yaku": "akatan"}, "yaku", "metric=yaku_rate"),
        ({"metric": "yaku_rate", "yaku": "x"}, "yaku", "goko"),
        ({"by": "option"}, "rule", "expected with by=option, and only with it"),
        ({"by": "seat", "rule": "months"}, "rule", "expected with by=option, and only with it"),
        ({"by": "option", "rule": "profile"}, "rule", "expected months"),
        ({"ruleset": "", "by": "option", "rule": "months"}, "rule", "unknown value"),
        ({"by": "payer"}, "by", "“payer” is not known of win_rate"),
        ({"ruleset": "", "metric": "score"}, "ruleset", "or by=ruleset"),
        ({"ruleset": "ten-five-one", "metric": "gain"}, "ruleset", "expected one of"),
        ({"ruleset": "", "by": "ruleset", "option": "months=6"}, "option", "a ruleset too"),
        ({"page_size": "1001"}, "page_size", "1 to 1000"),
        ({"cursor": "x"}, "cursor", "returned"),
        ({"weather": "fair"}, "weather", "metric, by, by2, yaku"),
    ],
)
def test_invalid_query_is_explained(query: dict[str, str], name: str, words: str) -> None:
    """The response is a problem with the parameter."""
    body = ask(400, **query)
    error = next(error for error in body["errors"] if error["name"] == name)
    assert words in error["message"]


@pytest.mark.parametrize("metric", ["score", "win_rate", "luck"])
def test_rows_that_the_rules_decide_are_refused(metric: str) -> None:
    """The problem says why, and names dimensions that distinguish seats."""
    for by in part(("month", "grade", "house", "date", "year", "hour", "event")):
        (error,) = ask(400, ruleset="hachihachi", metric=metric, by=by)["errors"]
        assert error["name"] == "by"
        assert f"By the rules {metric} is the same in every row" in error["message"]
        assert "(seat, dealer, place, standing, hand" in error["message"]
    for more in ({"by2": "dealer"}, {"seat": "1"}, {"metric": "own_choices"}):
        ask(200, ruleset="hachihachi", **{"metric": metric, "by": by, **more})


def test_scores_by_month_are_refused_in_houses_whose_loser_pays() -> None:
    ask(200, metric="score", by="month")
    for house in ({"profile": "koikoi-ai"}, {"option": "pays=yes"}):
        ask(400, metric="score", by="month", **house)
        ask(200, metric="win_rate", by="month", **house)  # Some months have no winner.


def test_luck_by_month_is_refused_in_every_house() -> None:
    ask(400, metric="luck", by="month")
    ask(200, metric="luck", by="month", by2="seat")


def test_balances_by_month_are_refused_and_are_opposite_for_two_seats() -> None:
    ask(400, metric="balance", by="month")
    ingest(short(1).encode())
    rows = ask(metric="balance", by="seat", by2="payer")["rows"]
    assert [(row["by"], row["by2"], row["n"]) for row in rows] == [("1", "2", 6), ("2", "1", 6)]
    assert rows[0]["value"] == -rows[1]["value"] != 0


def test_months_of_a_game_are_one_case_of_the_chance_to_win() -> None:
    ingest(short(1).encode(), short(2).encode(), short(3).encode())
    rows = ask(metric="game_rate", by="seat")["rows"]
    wins = [Record.objects.filter(seats__number=seat, seats__rank=1).count() for seat in (1, 2)]
    assert sorted(wins) == [1, 2]
    for row, count in zip(rows, wins, strict=True):
        _share, low, high = wilson(count, 3)
        assert low is not None and high is not None
        assert (row["n"], row["count"]) == (18, 6 * count)
        assert row["value_low"] < low and high < row["value_high"], "18 months are 3 games"


def test_standings_are_bands_in_the_unit_of_the_ruleset() -> None:
    ingest(short(1).encode())
    rows = ask(metric="game_rate", by="standing")["rows"]
    names = {row["by"]: row["name"] for row in rows}
    assert names["0"] == "level" and len(names) > 2
    assert (
        names.items()
        <= {
            **{"0": "level", "1": "1–5 mon ahead", "-1": "1–5 mon behind", "6": "6–10 mon ahead"},
            **{"-6": "6–10 mon behind", "11": "11–20 mon ahead", "-11": "11–20 mon behind"},
            **{"21": "21–40 mon ahead", "-21": "21–40 mon behind"},
            **{"41": ">40 mon ahead", "-41": ">40 mon behind"},
        }.items()
    )


def test_rows_of_an_option_include_the_default_of_each_house() -> None:
    game = simulate("koikoi", seed=1, options={"profile": "koikoi-ai"})
    ingest(short(1).encode(), write(game).encode())
    body = ask(metric="play_on_rate", by="option", rule="months")
    assert {row["by"]: row["name"] for row in body["rows"]} == {"6": "6 months", "8": "8 months"}
    (title,) = (column["title"] for column in body["columns"] if column["id"] == "by")
    assert title == "Length"


def test_row_of_all_that_the_rules_decide_has_a_note() -> None:
    note = "The rules alone decide this value: it adds up to the same in each month."
    assert note in ask(ruleset="hachihachi", metric="score")["notes"]
    assert note not in ask(metric="score")["notes"]


@pytest.mark.long_only  # tests/records/pages/test_insights.py requests the file
def test_response_is_given_as_csv() -> None:
    ingest(short(1).encode(), short(2).encode())
    query = "ruleset=koikoi&metric=score&by=seat&by2=dealer"
    csv = Client().get(f"/api/v1/statistics/insights.csv?{query}")
    assert csv.content.decode("utf-8-sig").splitlines()[0] == (
        "by,by2,name,name2,n,value,value_low,value_high"
    )
    assert csv.headers["Content-Disposition"] == 'attachment; filename="koikoi-insights.csv"'
    address = f"/api/v1/statistics/insights?{query}"
    again = Client().get(address, headers={"If-None-Match": Client().get(address)["ETag"]})
    assert again.status_code == 304


def test_analysis_made_later_counts_once() -> None:
    ingest(short(1).encode())
    assert ask(metric="loss")["n"] == 0
    places = [(1, 1, "hand", "A", 0.5, ""), (1, 1, "say", "koikoi", 1.25, "")]
    places.append((2, 2, "hand", "B", 0.0, "hand"))
    names = ("deal", "seat", "kind", "played", "loss", "reason")
    more = {"costly": False, "options": []}
    choices = [{**dict(zip(names, place, strict=True)), **more} for place in places]
    amounts = {"value": [1.5, -1.5], "error": [1.0, 1.0]}
    parts = dict.fromkeys(("deal", "stock", "own", "others"), amounts)
    deals = [{"deal": 1, "parts": parts}, {"deal": 2, "parts": None}]
    report = {"rules": "koikoi", "choices": choices, "deals": deals}
    store_report(Record.objects.get(), 1, report)
    assert "Games that came or changed just now are not counted yet." in ask()["notes"]
    do_idle_jobs("facts")
    rows = ask(metric="loss", by="kind")["rows"]
    assert [(row["by"], row["n"], row["value"]) for row in rows] == [
        ("hand", 1, 0.5),
        ("say", 1, 1.25),
    ]
    (row,) = ask(metric="loss", by="direction")["rows"]
    assert (row["by"], row["n"], row["value"]) == ("bold", 1, 1.25)
    rows = ask(metric="luck", by="player")["rows"]
    assert {row["by"]: row["value"] for row in rows} == {"Aoi": 3.0, "Botan": -3.0}
    Player.objects.filter(name="Botan").update(statistics=False)
    rows = ask(metric="luck", by="player", page_size="10")["rows"]
    assert [row["by"] for row in rows] == ["Aoi"]
    assert ask()["n"] == 12


@pytest.mark.long_only  # test_insight_queries.py divides by ruleset
def test_each_of_several_rulesets_has_a_row() -> None:
    """A deal counts once for its length."""
    ingest(short(1).encode(), write(simulate("hanaawase", seed=1)).encode())
    body = ask(ruleset="", metric="length", by="ruleset")
    assert {row["by"] for row in body["rows"]} == {"koikoi", "hanaawase"}
    assert body["n"] == body["deals_played"]
    assert ask(metric="length")["n"] == 6
    assert ask(metric="length", by="dealer")["n"] == 12

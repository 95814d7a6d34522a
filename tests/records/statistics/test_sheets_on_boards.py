"""Score sheets are marked in lists of scores, and left out of them by default."""

from __future__ import annotations

import pytest
from django.test import Client

from records.models import Rating, Record
from records.statistics import ratings
from tests.records import makers

pytestmark = pytest.mark.django_db

#: A month that cards cannot win with more points, and that cannot be replayed.
SHEET = """[Kafu "1"]
[Rules "koikoi"]
[Options "months=1"]
[Player1 "Aya"]
[Player2 "Ben"]
[Date "2026-02-03"]
[Sheet "1"]

month 1 dealer 1
pay month 1 +360 2 0
"""
BESTS = "/api/v1/statistics/bests?ruleset=koikoi"


@pytest.fixture(scope="module")
def sheet(rows_for_all: None) -> str:
    """Store a game with moves, and a sheet of higher scores; return the sheet's key."""
    makers.ingest(makers.joined(makers.text(1), SHEET))
    while ratings.step("koikoi"):
        pass
    return Record.objects.get(sheet=True).key


def test_sheet_is_listed_by_score_only_if_form_asks_for_it(client: Client, sheet: str) -> None:
    records = "/api/v1/records?sort=score"
    assert [row["sheet"] for row in client.get(records).json()["results"]] == [False]
    rows = client.get(f"{records}&form=all").json()["results"]
    assert [(row["key"] == sheet, row["sheet"]) for row in rows] == [(True, True), (False, False)]
    page = client.get("/games/?sort=score").content.decode()
    assert sheet not in page
    assert "Score sheets are left out." in page and "sort=score&amp;form=all" in page
    page = client.get("/games/?sort=score&form=all").content.decode()
    assert sheet in page and ">score sheet<" in page
    page = client.get("/games/?form=all", headers={"Accept-Language": "ja"}).content.decode()
    assert "得点表" in page
    assert sheet in client.get("/games/").content.decode()


@pytest.mark.long_only  # the list by score is filtered alike
def test_sheet_is_among_the_bests_only_if_form_asks_for_it(client: Client, sheet: str) -> None:
    by_form = {
        form: client.get(f"{BESTS}&form={form}" if form else BESTS).json()["rows"]
        for form in ("", "moves", "sheet", "all")
    }
    assert by_form[""] == by_form["moves"] and not any(row["sheet"] for row in by_form[""])
    assert [row["game"] for row in by_form["sheet"]] == [sheet]
    best = by_form["all"][0]
    assert (best["game"], best["score"], best["sheet"]) == (sheet, 360, True)
    assert client.get(f"{BESTS}&form=cards").status_code == 400


def test_page_of_bests_marks_sheets(client: Client, sheet: str) -> None:
    address = "/statistics/bests/?ruleset=koikoi"
    assert sheet not in client.get(address).content.decode()
    page = client.get(f"{address}&form=all").content.decode()
    assert sheet in page and ">score sheet<" in page
    assert client.get(f"{address}&form=cards").status_code == 404


def test_streak_is_of_games_with_moves(client: Client, sheet: str) -> None:
    rows = client.get(f"{BESTS}&form=all").json()["rows"]
    assert Rating.objects.filter(player__name="Aya", longest=0).exists()
    assert "streak" not in [row["kind"] for row in rows]

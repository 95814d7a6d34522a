"""The page on which a query of insights is built, as text; test_scenarios.py has a browser."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from records.statistics.dimensions import DIMENSIONS
from records.statistics.metrics import METRICS
from tests.markup import join_lines
from tests.records.makers import do_idle, ingest, text

ADDRESS = "/statistics/insights/"


def get_page(query: str = "", lang: str = "en") -> str:
    """Return the text of the page."""
    client = Client(headers={"Accept-Language": lang})
    response = client.get(f"{ADDRESS}?{query}" if query else ADDRESS)
    assert response.status_code == 200
    return unescape(join_lines(response.content.decode()))


@pytest.fixture(scope="module")
def copied_game(rows_for_all: None) -> None:
    """Store a year of koi-koi and copy its facts."""
    ingest(text(1, months="12").encode())
    do_idle()


@pytest.mark.django_db
@pytest.mark.usefixtures("copied_game")
def test_form_without_scripts_offers_every_choice() -> None:
    """The address of the page is the query."""
    page = get_page()
    assert '<form class="ask" method="get" action="/statistics/insights/"' in page
    assert re.findall("<label>([^<]+)<select", page)[:4] == [
        *("Ruleset", "Figure", "Divided by", "and also by"),
    ]
    for value in (*METRICS, *DIMENSIONS):
        assert f'<option value="{value}"' in page
    assert "Months won by seat and dealer · Koi-koi" in page
    page = get_page("ruleset=koikoi&metric=score&by=month&player=&n_min=")
    assert "Mean score of a month by month of the year · Koi-koi" in page
    assert page.count('<th scope="row">') == 12
    assert '<option value="month" selected>' in page
    yaku_page = get_page("ruleset=koikoi&metric=yaku_rate&yaku=akatan&by=seat")
    assert "Months with a yaku by seat · Koi-koi · akatan (red poem ribbons)" in yaku_page
    csv = re.search(r'href="([^"]*\.csv\?[^"]*)"', page)
    assert csv
    assert Client().get(csv[1]).content.decode("utf-8-sig").startswith("by,name,n,value")


@pytest.mark.django_db
def test_invalid_query_is_explained_and_stays_in_the_form() -> None:
    page = get_page("ruleset=koikoi&metric=score&by=held&by2=seat")
    assert "“Mean score of a month” can be divided by each of these once: Ruleset, House" in page
    assert '<option value="held" selected>' in page
    assert "<table" not in page
    assert "「月ごとの得点の平均」を分けられるのは" in get_page("metric=score&by=held", "ja")
    assert "or divide by ruleset." in get_page("metric=score&by=seat")
    page = get_page("ruleset=hachihachi&metric=win_rate&by=month")
    assert "by the rules “Months won” is the same in every row" in page
    assert "Divide it by one of these too: Seat, Dealer, Place" in page
    assert "can only be chosen for “Months with a yaku”" in get_page(
        "ruleset=koikoi&metric=win_rate&yaku=akatan"
    )
    assert "No player is called “Nobody”" in get_page("ruleset=koikoi&player=Nobody")


@pytest.mark.django_db
@pytest.mark.usefixtures("copied_game")
def test_rows_by_a_house_option_need_the_option() -> None:
    query = "ruleset=koikoi&metric=win_rate&by=option&by2=dealer"
    page = get_page(f"{query}&rule=months")
    assert "Months won by length and dealer · Koi-koi" in page
    assert '<option value="months" selected>' in page
    assert page.count('<th scope="row">') == 2 and "12 months" in page
    for wrong in (query, "ruleset=koikoi&metric=win_rate&rule=months"):
        assert "choose an option to divide by “House option”, and none otherwise." in get_page(
            wrong
        )
    assert 'name="rule"' not in get_page("ruleset=hanaawase&metric=score&by=seat")


@pytest.mark.django_db
@pytest.mark.usefixtures("copied_game")
def test_standings_are_told_in_words() -> None:
    query = "ruleset=koikoi&metric=game_rate&by=standing"
    assert re.search(r"\d–\d+ mon ahead", get_page(query))
    page = get_page(query, "ja")
    assert "最後に勝つ率（点差別）" in page and re.search(r"\d–\d+文リード", page)


@pytest.mark.django_db
@pytest.mark.usefixtures("copied_game")
def test_more_rows_follow_on_the_next_page() -> None:
    page = get_page("ruleset=koikoi&by=month&by2=dealer&page_size=20")
    following = re.search(r'<a href="(\?[^"]*)" rel="next">', page)
    assert following
    last = get_page(following[1][1:])
    assert page.count('<th scope="row">') == 20
    assert last.count('<th scope="row">') == 4
    assert 'rel="next"' not in last

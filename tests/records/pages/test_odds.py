"""The page of the odds."""

import re

import pytest
from django.test import Client

from tests.markup import join_lines


def get_text(client: Client, ruleset: str, language: str = "en") -> str:
    """Return the text of the page."""
    response = client.get(f"/odds/{ruleset}/", headers={"Accept-Language": language})
    assert response.status_code == 200
    text = re.sub(r"<[^>]*>", " ", response.content.decode()).replace("\N{NO-BREAK SPACE}", " ")
    return " ".join(text.split())


def test_odds_of_hachihachi_have_figures_of_every_hand(client: Client) -> None:
    page = get_text(client, "hachihachi")
    assert "karasu 4 kan Sum" in page
    assert "54,461,388 74.0% about 3 of 4 4,384,404 6.0% 1 in 17" in page
    assert "shisō (four and three) 40 kan 500 0.00068% 1 in 147,258 – 9 " in page
    assert "koba (small field) 5.7206 49.7% about 1 of 2 – –" in page
    assert "in 4.4% of the years: 1 in 23." in page


def test_pages_of_odds_link_to_each_other(client: Client) -> None:
    page = join_lines(client.get("/odds/koikoi/").content.decode())
    assert '<a href="/odds/koikoi/" aria-current="page">' in page
    assert '<a href="/odds/hachihachi/">' in page


def test_odds_of_ten_five_one_name_the_house_and_the_place(client: Client) -> None:
    page = get_text(client, "ten-five-one")
    house, every = page.split("Every yaku that a house may play")
    doni, other_seats = house.split("The hand of any other seat")
    assert "House: " in doni and "The hand of dōni (胴二)" in doni
    assert "sanbon (three of a month) 10 points 6,473,808" in doni
    assert "nasake (ribbons in the hand) 10 points 20,482,176" in doni
    assert "6,473,808" in other_seats and "nasake" not in other_seats and "kuttsuki" not in house
    assert "kuttsuki" in every


@pytest.mark.parametrize("ruleset", ["hachihachi", "koikoi", "hanaawase"])
def test_odds_of_a_ruleset_of_one_table_name_the_house(client: Client, ruleset: str) -> None:
    page = get_text(client, ruleset)
    assert "House: " in page and "Every yaku that a house" not in page


def test_odds_of_an_unknown_ruleset_are_404(client: Client) -> None:
    assert client.get("/odds/nothing/").status_code == 404


@pytest.mark.django_db
def test_foot_of_every_page_links_to_the_odds(client: Client) -> None:
    assert '<a href="/odds/hachihachi/">' in join_lines(client.get("/").content.decode())

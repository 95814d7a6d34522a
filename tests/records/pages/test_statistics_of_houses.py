"""The pages of statistics of an archive without games, and of one with games of several houses."""

from __future__ import annotations

import pytest
from django.test import Client

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.models import Record
from records.statistics.registry import FIGURES
from tests.records import makers
from tests.records.pages.test_statistics import nothing_kept, text, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures(nothing_kept.__name__)]


def test_of_an_empty_archive(client: Client) -> None:
    assert text(client, "/statistics/").count("No games of this ruleset are counted yet.") == 5
    for ruleset in FIGURES["yaku"].rulesets:
        page = client.get(f"/statistics/{ruleset}/").content.decode()
        assert "<hana-chart" not in page
        page = words(page)
        assert "Nothing was counted (n = 0)." in page and "0 games · 0 deals" in page


def test_one_house_at_a_time(client: Client) -> None:
    """Of several houses that with the most games is counted, and the others lead there."""
    houses = (None, None, {"profile": "koikoi-ai"})
    texts = [
        write(simulate("koikoi", seed=seed, options=house))
        for seed, house in enumerate(houses, start=1)
    ]
    makers.ingest(makers.joined(*texts))
    page = text(client, "/statistics/koikoi/")
    assert "2 games ·" in page and "All house rules" in page
    found = client.get("/statistics/koikoi/").context
    assert {one["answer"].filters.get("profile") for one in found["answers"]} == {"koikoi", None}
    everybody = client.get(f"/statistics/koikoi/{found['all_houses']}")
    assert everybody.context["counted"].games == 3 and not everybody.context["all_houses"]
    assert "1 game ·" in text(client, "/statistics/koikoi/?profile=koikoi-ai")
    name = Record.objects.get(profile="koikoi-ai").players[0]
    of_player = client.get(f"/statistics/koikoi/?player={name}").context
    assert of_player["house"] == ""
    # One that has ratings and lists of players, which are of all houses.
    assert not found["absent"]

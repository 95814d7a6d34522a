"""The pages of statistics of an archive without games, and of one with games of several houses."""

from __future__ import annotations

import pytest
from django.test import Client

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.models import Record
from tests.records import makers
from tests.records.pages.test_statistics import get_text, nothing_cached

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures(nothing_cached.__name__)]


def test_house_with_most_games_is_counted_and_others_are_linked(client: Client) -> None:
    """Ratings and lists of players are of all houses."""
    houses = (None, None, {"profile": "koikoi-ai"})
    texts = [
        write(simulate("koikoi", seed=seed, options=house))
        for seed, house in enumerate(houses, start=1)
    ]
    makers.ingest(makers.joined(*texts))
    page = get_text(client, "/statistics/koikoi/")
    assert "2 games ·" in page and "All house rules" in page
    context = client.get("/statistics/koikoi/").context
    assert {figure["answer"].filters.get("profile") for figure in context["answers"]} == {
        "koikoi",
        None,
    }
    everybody = client.get(f"/statistics/koikoi/{context['all_houses']}")
    assert everybody.context["counted"].games == 3 and not everybody.context["all_houses"]
    assert "1 game ·" in get_text(client, "/statistics/koikoi/?profile=koikoi-ai")
    name = Record.objects.get(profile="koikoi-ai").players[0]
    of_player = client.get(f"/statistics/koikoi/?player={name}").context
    assert of_player["house"] == ""
    assert not context["absent"]

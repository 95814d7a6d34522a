"""The pages of statistics of an archive without games, and of one with games of several houses."""

from __future__ import annotations

import pytest
from django.test import Client

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.models import Record
from tests.records import makers
from tests.records.pages.test_statistics import nothing_cached, strip_tags

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures(nothing_cached.__name__)]


def test_house_with_most_games_is_counted_and_others_are_linked(client: Client) -> None:
    """Ratings and lists of players are of all houses."""
    houses: tuple[dict[str, str], ...] = ({}, {}, {"profile": "koikoi-ai"})
    texts = [
        write(simulate("koikoi", seed=seed, options={"months": "2", **house}))
        for seed, house in enumerate(houses, start=1)
    ]
    makers.ingest(makers.joined(*texts))
    response = client.get("/statistics/koikoi/")
    page, context = strip_tags(response.content.decode()), response.context
    assert "2 games ·" in page and "All house rules" in page
    assert {figure["answer"].filters.get("profile") for figure in context["answers"]} == {
        "koikoi",
        None,
    }
    everybody = client.get(f"/statistics/koikoi/{context['all_houses']}")
    assert everybody.context["counted"].games == 3 and not everybody.context["all_houses"]
    name = Record.objects.get(profile="koikoi-ai").players[0]
    of_player = client.get(f"/statistics/koikoi/?player={name}").context
    assert of_player["house"] == ""
    assert not context["absent"]

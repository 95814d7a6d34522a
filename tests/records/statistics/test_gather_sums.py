"""What a question gathers from sums and games that a test makes itself."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import part
from records.base.keys import player_key
from records.base.sums import TABLE, Tally
from records.models import Player
from records.models.statistics import UNKNOWN
from records.statistics.gather import gather
from records.statistics.questions import Question
from records.totals.scopes import GameScopes
from records.totals.sums_of_games import Totals, apply
from tests.people.world import sent

pytestmark = pytest.mark.django_db


def test_what_an_option_is_where_it_is_left_out_depends_on_the_house() -> None:
    """koikoi-ai plays eight months, without rain, and has no ōtori at all."""
    houses: tuple[dict[str, str], ...] = (
        {},
        {"profile": "koikoi-ai"},
        {"months": "8"},
        {"otori": "20"},
    )
    for number, options in enumerate(houses):
        sent(write(simulate("koikoi", seed=number, options=options)))

    def games(**options: str) -> int:
        return gather(Question("koikoi", options=options)).games

    assert games(months="8") == 2 and games(months="12") == 2
    assert games(rain="no") == 1 and games(rain="yes") == 3
    assert (games(otori="0"), games(otori="18"), games(otori="20")) == (1, 2, 1)
    assert games(months="8", rain="yes") == 1
    ai = Question("koikoi", profile="koikoi-ai", options={"months": "12"})
    assert gather(ai).games == 0


@pytest.mark.parametrize("whose", ["everybody", "a player", "an event"])
def test_years_and_months_make_up_any_time(whose: str) -> None:
    """Each month has as many games as its place in the list: no other months come to its sum."""
    months = [100 * year + month for year in range(2023, 2027) for month in range(1, 13)]
    player = Player.objects.create(key=player_key("Aya"), name="Aya").pk
    totals = Totals()
    # And games of which only the year is known, which is in question with any month of it.
    for number, month in enumerate([UNKNOWN, *months, 202400, 202500]):
        one: Tally = {TABLE: {"games": {"all": [2**number, 1, 1]}}}
        totals.count(GameScopes("koikoi", "koikoi", "", month, "nara", {player: [1]}), one)
    apply(totals.changes())
    everybody = Question(
        player="Aya" if whose == "a player" else "", event="nara" if whose == "an event" else ""
    )
    spans = [*itertools.combinations_with_replacement([0, *months[3:40]], 2)]
    for first, last in part(spans, one_of=4):
        within = [2**n for n, month in enumerate(months, 1) if (first or 1) <= month <= last]
        for n, year in ((49, 2024), (50, 2025)):
            within += [2**n] if first // 100 <= year <= last // 100 else []
        asked = replace(everybody, month_from=first, month_to=last)
        if last:
            assert gather(asked).games == sum(within)
    late = [2**n for n, month in enumerate(months, 1) if month >= 202512] + [2**50]
    assert gather(replace(everybody, month_from=202512)).games == sum(late)

"""Options omitted in games."""

from __future__ import annotations

import pytest

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.statistics.gather import gather
from records.statistics.questions import Question
from tests.people.world import sent

pytestmark = pytest.mark.django_db


def test_option_that_is_left_out_has_the_default_of_its_house() -> None:
    """Koi-koi-ai plays eight months, without rain, and has no option ōtori."""
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

"""A game is replayed once for all pages that show it."""

import pytest
from django.core.cache import caches

from kafu.judging.replay import stored_replay
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.rules.rulesets import Unsupported
from kafu.simulation.simulate import simulate
from lengths import part
from records.services import replays
from records.services.replays import replay_of_text
from tests.records.opendata.games import SHEET


@pytest.mark.parametrize("rules", part(sorted(RULES)))
def test_cached_replay_equals_that_of_the_engine(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = simulate(rules, seed=5)
    text = write(game)
    first = replay_of_text(text)
    assert first == stored_replay(game)
    monkeypatch.setattr(replays, "stored_replay", None)
    assert replay_of_text(text) == first


def test_replay_depends_on_the_text() -> None:
    first, second = (write(simulate("koikoi", seed=seed)) for seed in (6, 7))
    assert replay_of_text(first)["deals"] != replay_of_text(second)["deals"]


def test_lost_replay_is_made_again() -> None:
    text = write(simulate("koikoi", seed=8))
    before = replay_of_text(text)
    caches["responses"].clear()
    assert replay_of_text(text) == before


def test_text_that_cannot_be_replayed_is_refused() -> None:
    with pytest.raises(Unsupported):
        replay_of_text(SHEET)
    with pytest.raises(ValueError):
        replay_of_text("no game")

"""Edited records: what is read and played for a tap."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from kafu.judging.playthrough import Playthrough
from kafu.judging.verify import verify
from kafu.notation.reading.reader import TolerantReader, read
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.services.editing import edit_only_game, verdict_of
from records.shapes.positions import Edited, Edits

#: A step with a card from a hand before it, in the last deal.
DEAL, STEP = 3, 4


@pytest.fixture
def text() -> str:
    """Return a game whose last deal is written up to a step."""
    game = write(simulate("koikoi", seed=5, options={"months": "3"}))
    edited = edit_only_game(game.encode(), Edits(at=f"{DEAL}.{STEP}", take_back=True))
    assert edited is not None and edited.status == "unfinished"
    return edited.kafu


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that collects the texts that are read."""
    texts: list[str] = []
    read_text = TolerantReader.read

    def record(self: TolerantReader, text: str) -> Any:
        texts.append(text)
        return read_text(self, text)

    monkeypatch.setattr(TolerantReader, "read", record)
    return texts


@pytest.fixture
def plays(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """Return a counter of the deals that are played, by number."""
    numbers: Counter[int] = Counter()
    play_month = Playthrough._play_month

    def count(self: Playthrough, *args: Any, **options: Any) -> Any:
        numbers[self.number] += 1
        return play_month(self, *args, **options)

    monkeypatch.setattr(Playthrough, "_play_month", count)
    return numbers


def tap(text: str, *actions: str) -> Edited:
    """Return the response to actions at the end of a record."""
    edited = edit_only_game(text.encode(), Edits(do=actions))
    assert edited is not None
    return edited


def test_tap_reads_the_text_once_and_plays_unchanged_deals_once(
    text: str, reads: list[str], plays: Counter[int]
) -> None:
    """The deal of the tap is played for its steps before the tap, and again after it."""
    card = next(move.do for move in tap(text).legal)
    reads.clear()
    plays.clear()
    half = tap(text, card)
    assert half.open == card and len(reads) == 1
    assert plays == {1: 1, 2: 1, DEAL: 4}


def test_verdict_after_a_tap_is_the_verdict_on_the_new_text(text: str) -> None:
    """The verdict comes from the play, with an open turn and without."""
    card = next(move.do for move in tap(text).legal)
    half = tap(text, card)
    draw = next(move.do for move in half.legal if move.kind == "stock")
    for edited in (half, tap(text, card, draw), tap(text, card, draw, "=agari")):
        verdict = verdict_of(verify(read(edited.kafu)))
        assert {name: getattr(edited, name) for name in verdict} == verdict

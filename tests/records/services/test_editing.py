"""Edited records: what is read and played for a tap."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from kafu.cards import letters
from kafu.judging.verify import verify
from kafu.notation.reading.reader import TolerantReader, read
from kafu.notation.writer import write
from kafu.rules.koikoi.ending import KoikoiState
from kafu.rules.koikoi.machine import Koikoi
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
def plays(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[int, str]]:
    """Return a counter of the hand cards that the rules play, by deal."""
    cards_by_deal: Counter[tuple[int, str]] = Counter()
    hand_card = Koikoi.hand_card

    def count(self: Koikoi, state: KoikoiState, card: int, take: int) -> None:
        cards_by_deal[state.deals, letters(card)] += 1
        hand_card(self, state, card, take)

    monkeypatch.setattr(Koikoi, "hand_card", count)
    return cards_by_deal


def tap(text: str, *actions: str) -> Edited:
    """Return the response to actions at the end of a record."""
    edited = edit_only_game(text.encode(), Edits(do=actions))
    assert edited is not None
    return edited


def test_tap_reads_the_text_once_and_plays_every_card_once(
    text: str, reads: list[str], plays: Counter[tuple[int, str]]
) -> None:
    """The steps before the tap serve for the table, the new record and its verdict."""
    card = next(move.do for move in tap(text).legal)
    reads.clear()
    plays.clear()
    half = tap(text, card)
    assert half.open == card and len(reads) == 1
    assert {(1, "q"), (DEAL, card[0])} <= plays.keys()
    assert set(plays.values()) == {1}


def test_change_in_the_middle_does_not_play_the_cards_before_it_again(
    text: str, plays: Counter[tuple[int, str]]
) -> None:
    played = tap(text, next(move.do for move in tap(text).legal))
    address = f"{DEAL}.2"
    edited = edit_only_game(played.kafu.encode(), Edits(at=address))
    assert edited is not None
    card = next(move.do for move in edited.legal)
    plays.clear()
    edit_only_game(played.kafu.encode(), Edits(at=address, do=(card,)))
    first = next(step.card for step in edited.steps if step.kind == "hand")
    assert plays[DEAL, first] == 1


def test_verdict_after_a_tap_is_the_verdict_on_the_new_text(text: str) -> None:
    """The verdict comes from the play, with an open turn and without."""
    card = next(move.do for move in tap(text).legal)
    half = tap(text, card)
    draw = next(move.do for move in half.legal if move.kind == "stock")
    for edited in (half, tap(text, card, draw), tap(text, card, draw, "=agari")):
        verdict = verdict_of(verify(read(edited.kafu)))
        assert {name: getattr(edited, name) for name in verdict} == verdict

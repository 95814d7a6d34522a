"""Arithmetic of the benches, on a few games. No test measures speed."""

from __future__ import annotations

from pathlib import Path

import pytest

import kafu
from bench import corpus, ingest, verify


def test_cards_placed_are_those_of_hands_and_draw_pile() -> None:
    game = kafu.simulate("koikoi", seed=1, options={"months": "1"})
    text = kafu.write(game)
    turns = [line for line in text.splitlines() if line[:1].isdigit()]
    tokens = [token for line in turns for token in line.split()[1:] if not token.startswith("=")]
    assert verify.count_cards(game) == sum(1 + ("/" in token) for token in tokens)


def test_ratio_is_the_median_of_rounds_with_different_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts: list[str] = []
    speeds = iter([50.0, 200.0, 40.0, 200.0, 50.0, 100.0])

    def measure(subject: str, games: list[verify.Played]) -> float:
        texts.extend(text for text, _ in games)
        return next(speeds)

    monkeypatch.setattr(verify, "measure", measure)
    monkeypatch.setattr(verify, "play_chess", lambda seed: (f"chess {seed}", 80))
    assert verify.compare("koikoi", 2, 3) == ["koikoi", "200", "50", "4"]
    assert len(set(texts)) == 12


def test_new_process_verifies_games() -> None:
    assert verify.measure("koikoi", [verify.play_cards("koikoi", 1)]) > 0


def test_uploads_have_different_games(tmp_path: Path) -> None:
    paths = ingest.write_uploads([2, 2], tmp_path)
    games = [kafu.identity(game) + game.players[0] for path in paths for game in kafu.games(path)]
    assert len(set(games)) == 4


def test_table_is_aligned() -> None:
    rows = [["a", corpus.number(1234.5)], ["table", corpus.number(0.512)]]
    assert corpus.table(["Table", "s"], rows).splitlines() == [
        "| Table |     s |",
        "| ----- | ----: |",
        "| a     | 1,234 |",
        "| table | 0.512 |",
    ]

"""Facts are written where games are judged, and follow every change of a game."""

from __future__ import annotations

import pytest

from kafu.notation.writer import write
from kafu.rules.rulesets import RULESETS
from kafu.simulation.simulate import simulate
from records.facts.refresh import find_due
from records.facts.snapshot import current_snapshot
from records.facts.tables import TABLES
from records.models import FactPart, Record, Visibility
from tests.records.makers import ingest

pytestmark = pytest.mark.django_db


def count(table: str) -> int:
    """Return the number of rows of a table that count now."""
    snapshot = current_snapshot()
    with snapshot.open_cursor() as cursor:
        row = cursor.execute(f"SELECT count(*) FROM {snapshot.source(table)}").fetchone()
    assert row is not None
    return int(row[0])


def test_public_games_have_facts_when_they_are_stored() -> None:
    games = [simulate(ruleset, seed=seed) for ruleset in RULESETS for seed in (1, 2)]
    ingest("\n\n".join(map(write, games)).encode())
    assert Record.objects.count() == len(games)
    assert not find_due().exists()
    assert count("games") == len(games)
    assert count("deals") == sum(record.deals_played for record in Record.objects.all())
    assert FactPart.objects.count() == len(RULESETS)
    for name in TABLES:
        if name not in ("losses", "situations"):
            assert count(name), name


def test_hidden_game_is_left_out_immediately() -> None:
    ingest(write(simulate("koikoi", seed=1)).encode())
    Record.objects.update(visibility=Visibility.PRIVATE)
    assert count("games") == 0
    Record.objects.update(visibility=Visibility.PUBLIC)
    assert count("games") == 1

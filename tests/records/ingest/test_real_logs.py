"""Real logs of other programs, if available: uploaded, and exported as games."""

from collections import Counter
from pathlib import Path

import pytest

from lengths import LONG, part
from records.models import Record
from shared import shared
from tests.records.makers import ingest, text

LOGS = shared("data/koikoi-ai")
TEXTS = shared("data/open-hanafuda-ai")

pytestmark = [
    *(pytest.mark.django_db, pytest.mark.long),
    pytest.mark.usefixtures("without_facts"),
]


@pytest.mark.parametrize("folder", [LOGS] if LOGS.is_dir() else [])
def test_koikoi_ai_logs_become_verified_games(folder: Path) -> None:
    files = [path.read_bytes() for path in part(sorted(folder.glob("*.json")), one_of=40)]
    progress = ingest(*files).progress()
    assert progress["state"] == "done"
    assert progress["chunks"]["dead_lettered"] == 0
    statuses = Counter(Record.objects.values_list("status", flat=True))
    assert sum(statuses.values()) == len(files)
    assert statuses["unfinished"] <= 1
    assert statuses == {"verified": 120, "unfinished": 1} or not LONG
    assert set(Record.objects.values_list("ruleset", "profile")) == {("koikoi", "koikoi-ai")}
    assert not Record.objects.filter(source="").exists()
    assert ingest(*files).progress()["games"]["duplicates"] == len(files)
    assert Record.objects.count() == len(files)


@pytest.mark.parametrize("folder", [TEXTS] if TEXTS.is_dir() else [])
def test_open_hanafuda_ai_logs_become_verified_games(folder: Path) -> None:
    """Upload a file per log, and all in one file with an unharmed Kafu game."""
    files = [path.read_bytes() for path in part(sorted(folder.glob("*.log")), one_of=6)]
    assert ingest(text(1).encode(), *files).progress()["state"] == "done"
    records = Record.objects.filter(profile="koikoi-nintendo")
    assert Counter(records.values_list("status", flat=True)) == {"verified": len(files)}
    assert set(records.values_list("ruleset", "source")) == {("koikoi", "open-hanafuda-ai log")}
    assert Record.objects.get(profile="koikoi").status == "verified"
    again = ingest(b"".join([*files[:3], text(2).encode(), *files[3:]])).progress()
    assert again["games"]["duplicates"] == len(files)
    assert Record.objects.count() == len(files) + 2

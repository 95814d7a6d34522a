"""Logs that nobody here wrote, where they are beside the project: in by upload, out as games."""

from collections import Counter
from pathlib import Path

import pytest

from records.models import Record
from tests.records.makers import ingest

LOGS = Path(__file__).resolve().parents[3] / "shared" / "data" / "koikoi-ai"

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("folder", [LOGS] if LOGS.is_dir() else [])
def test_koikoi_ai_logs_become_verified_games(folder: Path) -> None:
    files = [path.read_bytes() for path in sorted(folder.glob("*.json"))]
    up = ingest(*files)
    progress = up.progress()
    assert progress["state"] == "done"
    assert progress["chunks"]["aside"] == 0
    statuses = Counter(Record.objects.values_list("status", flat=True))
    assert statuses == {"verified": 120, "unfinished": 1}
    assert set(Record.objects.values_list("ruleset", "profile")) == {("koikoi", "koikoi-ai")}
    assert not Record.objects.filter(source="").exists()
    assert ingest(*files).progress()["games"]["duplicates"] == 121
    assert Record.objects.count() == 121

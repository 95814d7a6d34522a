"""The sample games of a new archive, and their analyses."""

import gzip
from collections import Counter

import msgspec
import pytest
from django.core.management import call_command

from kafu.rules.rulesets import RULESETS
from records.management.commands.samples import ANALYSES
from records.models import Analysis, Record, Upload
from records.operations.samples import TABLES, YEARS
from records.services.analyses import ENGINE

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.mark.long_only  # the site of the browser tests loads them
def test_samples_are_loaded_once() -> None:
    call_command("samples")
    call_command("samples")
    upload = Upload.objects.get()
    assert upload.progress()["state"] == "done"
    statuses = Counter(Record.objects.values_list("status", flat=True))
    assert statuses == {
        "verified": YEARS + len(TABLES),
        "mismatch": 1,
        "illegal": 1,
        "unfinished": 1,
    }
    assert not upload.submissions.exclude(warnings=[]).exists()
    analysed = Analysis.objects.filter(made__isnull=False).values("record")
    assert not Record.objects.filter(status="verified").exclude(pk__in=analysed).exists()


def test_stored_analyses_are_of_this_engine() -> None:
    """After a change of the engine, `make sample-analyses` computes them again."""
    paths = list(ANALYSES.glob("*.json.gz"))
    assert len(paths) == YEARS + len(TABLES)
    stored = [msgspec.json.decode(gzip.decompress(path.read_bytes())) for path in paths]
    assert {analysis["engine"] for analysis in stored} == {ENGINE}
    assert {analysis["found"]["rules"] for analysis in stored} == set(RULESETS)

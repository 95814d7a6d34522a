from collections import Counter

import pytest
from django.core.management import call_command

from records.models import Record, Upload
from records.operations.samples import TABLES, YEARS

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

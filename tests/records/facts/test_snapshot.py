"""New facts count from fixed moments on; hidden games are left out immediately."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import LazySettings
from django.utils import timezone

from records.facts.database import QueryTimeout, close_database
from records.facts.snapshot import read_snapshot
from records.models import FactPart, Record, Visibility
from records.privacy import revisions
from tests.records.facts.naive import count
from tests.records.makers import ingest, text

pytestmark = pytest.mark.django_db

#: A moment at which new facts begin to count.
MOMENT = datetime(2026, 11, 26, 12, 0, 30, tzinfo=UTC)


def test_new_facts_count_from_the_next_moment_on(
    monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    settings.FACTS_SECONDS = 30
    ingest(text(1).encode())
    FactPart.objects.update(created=MOMENT - timedelta(seconds=1))
    monkeypatch.setattr(timezone, "now", lambda: MOMENT - timedelta(milliseconds=1))
    version = revisions.current()
    assert count("games") == 0
    monkeypatch.setattr(timezone, "now", lambda: MOMENT)
    assert count("games") == 1
    assert revisions.current() > version, "cached responses are made again"
    Record.objects.update(visibility=Visibility.PRIVATE)
    revisions.advance()
    assert count("games") == 0


def test_query_that_needs_too_much_memory_may_be_sent_again(settings: LazySettings) -> None:
    settings.FACTS_MEMORY_MB = 32
    close_database()
    try:
        with pytest.raises(QueryTimeout, match="32 MB"), read_snapshot(0).open_cursor() as cursor:
            cursor.execute("SELECT list(range) FROM range(20_000_000)")
    finally:
        close_database()

"""New facts count from fixed moments on; hidden games are left out immediately."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from lengths import examples
from records.base import clock
from records.facts import current
from records.facts.current import SnapshotReader, find_newest, read_snapshot
from records.facts.database import QueryTimeout, close_database
from records.facts.parts import begin_part, find_live
from records.models import FactPart, Record, StaleFacts, Visibility
from records.privacy import revisions
from tests.records.facts.naive import count
from tests.records.makers import ingest, text

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def reader_without_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the rows of earlier tests, whose primary keys come again."""
    monkeypatch.setattr(current._Last, "reader", SnapshotReader())


#: A moment at which new facts begin to count.
MOMENT = datetime(2026, 11, 26, 12, 0, 30, tzinfo=UTC)


def test_new_facts_count_from_the_next_moment_on(
    monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    ingest(text(1).encode())
    settings.FACTS_SECONDS = 30
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


# Incremental reading ------------------------------------------------------------------------------


def add_part(pk: int, ruleset: str = "koikoi") -> FactPart:
    """List a part without files, by an explicit primary key."""
    part = begin_part(ruleset)
    part.pk, part.games, part.first_game, part.last_game = pk, 1, 1, 9
    part.save(force_insert=True)
    return part


def change(step: Any) -> None:
    """Make one change of the parts or the games that count."""
    number, newest = step[1], find_newest()
    live = list(find_live())
    match step[0]:
        case "add":
            add_part(newest + 2, ("koikoi", "hachihachi")[number % 2])
        case "commit late" if newest and not FactPart.objects.filter(pk=newest - 1).exists():
            add_part(newest - 1)
        case "merge" if live:
            merged = add_part(newest + 2)
            pks = [part.pk for part in live[number % len(live) :]]
            FactPart.objects.filter(pk__in=pks).update(merged_into=merged.pk, dropped=clock.now())
        case "lose" if live:
            FactPart.objects.filter(pk=live[number % len(live)].pk).update(dropped=clock.now())
        case "remove":
            FactPart.objects.exclude(dropped=None).delete()
            StaleFacts.objects.exclude(dropped=None).delete()
        case "replace":
            game = Record.objects.earliest("pk").pk
            replaced_by = newest + number % 3 - 1 if number % 2 else None
            values = {"game": game, "revision": number, "replaced_by": replaced_by}
            StaleFacts.objects.bulk_create([StaleFacts(**values)], ignore_conflicts=True)
        case "drop rows":
            StaleFacts.objects.filter(revision__lt=number).update(dropped=clock.now())
        case "hide":
            hidden = Visibility.PRIVATE if number % 2 else Visibility.PUBLIC
            Record.objects.update(visibility=hidden, facts=number)


steps = st.tuples(
    st.sampled_from(
        ("add", "commit late", "merge", "lose", "remove", "replace", "drop rows", "hide")
    ),
    st.integers(0, 9),
)


class AnyHistory(TestCase):
    """Properties of any history of parts and stale rows."""

    @settings(max_examples=examples(20))
    @given(st.lists(st.tuples(steps, st.booleans()), min_size=4, max_size=24))
    def test_incremental_snapshots_equal_whole_ones(self, history: list[Any]) -> None:
        Record.objects.create(identity="1", key="1", ruleset="koikoi", facts=-1, verdict={})
        reader = SnapshotReader()
        for step, is_read in history:
            change(step)
            if is_read:
                for newest in (find_newest(), find_newest() - 1):
                    assert reader.read(newest) == read_snapshot(newest)


def test_second_reading_selects_new_rows_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for pk in range(1, 6):
        add_part(pk)
    reader = SnapshotReader()
    assert len(reader.read(5).parts) == 5
    firsts: list[int] = []
    read_parts = current._read_parts

    def note(first: int) -> Iterator[Any]:
        firsts.append(first)
        return read_parts(first)

    monkeypatch.setattr(current, "_read_parts", note)
    reader.read(5)
    assert firsts == []
    add_part(6)
    assert len(reader.read(6).parts) == 6
    assert firsts == [6]

"""Merged parts have the same rows, without stale rows."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.files.storage import Storage

from lengths import part
from records.base import clock
from records.facts import compaction, refresh
from records.facts.current import read_snapshot
from records.facts.parts import find_live, get_storage
from records.models import FactPart, Record, StaleFacts, Visibility
from tests.records.facts.naive import assert_right, count, find_differences
from tests.records.idle import do_idle_jobs

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.fixture
def storage(request: pytest.FixtureRequest, settings: LazySettings, tmp_path: Path) -> Storage:
    """Return the storage of facts: a directory, or a bucket with local copies."""
    if request.param == "bucket":
        request.getfixturevalue("in_bucket")
        settings.FACTS_CACHE_DIR = tmp_path
    return get_storage()


#: Run a test with both storages, in short with one of them.
IN_STORAGES = pytest.mark.parametrize("storage", part(["directory", "bucket"]), indirect=True)


@pytest.fixture
def crowded(three_parts: list[FactPart], monkeypatch: pytest.MonkeyPatch) -> list[Record]:
    """Return three games in three parts, enough for a merge."""
    monkeypatch.setattr(compaction, "FAN", 3)
    return list(Record.objects.order_by("pk"))


def later(monkeypatch: pytest.MonkeyPatch, **passed: float) -> None:
    """Let some time pass."""
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + timedelta(**passed))


def stored_files() -> set[str]:
    """Return the names of the files of parts."""
    return {f"{folder}/{file}" for folder, files in compaction.list_folders() for file in files}


def games_in_files() -> set[int]:
    """Return the games with rows in live parts, whether they count or not."""
    rows = {(record.pk, n) for record in Record.objects.all() for n in range(9)}
    located = compaction.locate(find_live(), rows)
    return {game for described in located.values() for game, _revision in described}


def test_crowded_parts_become_one_with_the_same_rows(crowded: list[Record]) -> None:
    newest = FactPart.objects.latest("pk").pk
    before = read_snapshot(newest)
    do_idle_jobs("merge-facts")
    (part,) = find_live()
    assert (part.games, part.first_game, part.last_game) == (3, crowded[0].pk, crowded[2].pk)
    assert FactPart.objects.filter(merged_into=part.pk).count() == 3
    assert_right()
    assert read_snapshot(newest) == before  # before the merged part is published


def test_parts_of_earlier_releases_are_merged_with_new_ones(crowded: list[Record]) -> None:
    part = find_live()[0]
    folder = Path(get_storage().path(part.name))
    FactPart.objects.filter(pk=part.pk).update(name="koikoi/0123456789abcdef01234567")
    folder.rename(folder.parents[1] / "0123456789abcdef01234567")
    assert set(find_live().values_list("name", flat=True)) == {
        folder for folder, _files in compaction.list_folders()
    }
    assert count("games") == 3
    do_idle_jobs("merge-facts")
    assert find_live().get().games == 3
    assert_right()


def test_replaced_rows_are_not_merged(crowded: list[Record]) -> None:
    refresh.outdate(Record.objects.filter(pk=crowded[0].pk))
    do_idle_jobs("facts", "merge-facts")
    (part,) = find_live()
    assert part.games == 3
    assert StaleFacts.objects.exclude(dropped=None).count() == 1
    assert_right()


def test_withdrawn_game_is_gone_after_minutes_and_hidden_one_after_an_hour(
    crowded: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    withdrawn, hidden, _shown = crowded
    Record.objects.filter(pk=withdrawn.pk).update(visibility=Visibility.WITHDRAWN)
    Record.objects.filter(pk=hidden.pk).update(visibility=Visibility.PRIVATE)
    monkeypatch.setattr(compaction, "FAN", 99)
    do_idle_jobs("merge-facts")
    assert games_in_files() == {record.pk for record in crowded}
    later(monkeypatch, minutes=6)
    do_idle_jobs("merge-facts")
    assert games_in_files() == {record.pk for record in crowded} - {withdrawn.pk}
    later(monkeypatch, hours=1)
    do_idle_jobs("merge-facts")
    assert games_in_files() == {crowded[2].pk}
    assert_right()
    Record.objects.update(visibility=Visibility.PUBLIC)
    assert_right()
    assert count("games") == 3


def test_part_with_few_stale_rows_is_rewritten_after_a_day(
    crowded: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "FAN", 99)
    monkeypatch.setattr(compaction, "MANY_STALE", 2)
    Record.objects.filter(pk=crowded[0].pk).update(visibility=Visibility.PRIVATE)
    later(monkeypatch, hours=2)
    do_idle_jobs("merge-facts")
    assert len(games_in_files()) == 3
    later(monkeypatch, days=1)
    do_idle_jobs("merge-facts")
    assert games_in_files() == {record.pk for record in crowded[1:]}


def test_games_without_rows_are_left_out_no_longer(crowded: list[Record]) -> None:
    StaleFacts.objects.create(game=crowded[0].pk, revision=77)
    compaction.find_unclean()
    assert not StaleFacts.objects.filter(dropped=None).exists()


def test_sources_that_changed_meanwhile_are_not_replaced(crowded: list[Record]) -> None:
    sources = list(find_live())
    merged, dropped = compaction.write_merged(sources)
    FactPart.objects.filter(pk=sources[0].pk).update(dropped=clock.now())
    compaction.replace_sources(sources, merged, dropped)
    assert find_live().count() == 2


@IN_STORAGES
def test_files_of_merged_parts_are_removed_when_no_query_reads_them(
    storage: Storage, crowded: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    do_idle_jobs("merge-facts")
    files = stored_files()
    assert compaction.remove_dropped() == 0
    later(monkeypatch, hours=1)
    assert compaction.remove_dropped() == 3
    (part,) = FactPart.objects.all()
    assert stored_files() < files
    assert {file.rpartition("/")[0] for file in stored_files()} == {part.name}
    assert_right()


@IN_STORAGES
def test_files_that_were_never_listed_are_removed_after_an_hour(
    storage: Storage, crowded: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = stored_files()
    compaction.write_merged(list(find_live()))
    assert compaction.remove_strays() == 0
    monkeypatch.setattr(compaction, "STRAY_AGE", timedelta(seconds=-60))
    assert any("belongs to no part" in text for text in find_differences())
    assert compaction.remove_strays() > 0
    assert stored_files() == listed
    assert find_differences() == []

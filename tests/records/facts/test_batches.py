"""Facts of small uploads are written together, whatever process is killed; large chunks differ."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import LazySettings

from records.base import clock
from records.facts import compaction, refresh
from records.facts.parts import find_live, make_batches, write_parts
from records.facts.refresh import find_due, judge_games, replace_facts
from records.ingest import judging
from records.jobs.ledger import claim, end_leases
from records.models import FactPart, Job, Record
from tests.records.facts.naive import assert_right, count
from tests.records.idle import do_idle_jobs
from tests.records.makers import ingest, joined, text

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.fixture(autouse=True)
def pause(settings: LazySettings) -> None:
    """Let new facts count after a pause, as in production."""
    settings.FACTS_SECONDS = 30


def assert_all_count(settings: LazySettings, games: int) -> None:
    """Write the due facts and check them, without a pause."""
    settings.FACTS_SECONDS = 0
    assert_right()
    assert count("games") == games


def dated(seed: int, date: str) -> str:
    """Return a game of a date."""
    return text(seed, months="1").replace("[Player1", f'[Date "{date}"]\n[Player1', 1)


def test_small_uploads_share_a_part_of_their_year(settings: LazySettings) -> None:
    dates = ["2026-02-03", "2026-02-??", "2026-11-30", "2025-12-31", "????-??-??"]
    for seed, date in enumerate([*dates, *dates], start=1):
        ingest(dated(seed, date).encode())
    assert Record.objects.count() == 10
    assert not FactPart.objects.exists()
    do_idle_jobs("facts")
    assert {(part.name.rpartition("/")[0], part.games) for part in find_live()} == {
        ("koikoi/2026", 6),
        ("koikoi/mixed", 4),  # two of 2025 and two without a year: less than a quarter each
    }
    refresh.outdate(Record.objects.filter(date_from__year=2025))
    assert_all_count(settings, 10)


def test_large_chunk_writes_its_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "FACTS_GAMES", 2)
    ingest(joined(text(1, months="1"), text(2, months="1")))
    assert not find_due().exists()
    assert find_live().get().games == 2


def test_process_killed_between_writing_and_listing_loses_no_game(
    monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    ingest(text(1, months="1").encode())
    refresh.schedule()

    def die(*arguments: Any) -> None:
        raise SystemExit

    job = claim(Job.objects.get(kind=refresh.FACTS).pk)
    assert job is not None
    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(refresh, "replace_facts", die)
        refresh.run(job)
    ((folder, files),) = compaction.list_folders()
    assert files and not FactPart.objects.exists()
    Job.objects.filter(pk=job.pk).update(lease_until=job.created)
    end_leases(clock.now())
    assert_all_count(settings, 1)
    assert find_live().get().name != folder


def test_games_written_by_two_processes_count_once(settings: LazySettings) -> None:
    ingest(text(1, months="1").encode(), text(2, months="1").encode())
    pks = list(Record.objects.values_list("pk", flat=True))
    writers = [list(judge_games(pks)) for _ in range(2)]
    for games, parts in [(games, write_parts(make_batches(games))) for games in writers]:
        replace_facts(games, parts)
    assert find_live().count() == 2
    assert_all_count(settings, 2)

"""The metrics for Prometheus."""

from __future__ import annotations

import re
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client import Histogram
from prometheus_client.parser import text_string_to_metric_families

from hanaarchive import metrics
from hanaarchive.metrics import CachedFigures
from records.base.bucket import Bucket
from records.jobs.processes import HeartbeatWriter
from records.models import Job, Upload
from records.operations import health, monitoring
from tests.records.makers import MALFORMED, ingest, joined, text
from tests.services import BucketServer

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def new_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each test measure anew, without cached figures of earlier tests."""
    sources = [
        CachedFigures(monitoring.measure_work, 60),
        CachedFigures(monitoring.measure_archive, 60),
        CachedFigures(monitoring.count_games, 60),
    ]
    monkeypatch.setattr(metrics, "SOURCES", sources)


def scrape() -> dict[str, float]:
    """Return the samples by name and labels, as a scraper reads them."""
    exposition = Client().get("/metrics").content.decode()
    samples = [s for f in text_string_to_metric_families(exposition) for s in f.samples]
    return {" ".join((s.name, *s.labels.values())): s.value for s in samples}


def test_empty_archive_has_all_metrics() -> None:
    samples = scrape()
    assert samples["hana_database_up"] == samples["hana_storage_up"] == 1
    for name in ("hana_games", "hana_jobs chunk waiting", "hana_uploads open",
                 "hana_processes worker", "hana_jobs_oldest_seconds file bulk",
                 "hana_jobs dump failed", "hana_verdicts_total illegal"):  # fmt: skip
        assert samples[name] == 0, name


def test_stored_games_and_verdicts_are_counted_with_few_queries() -> None:
    ingest(joined(text(1), text(2), MALFORMED, text(1)))
    HeartbeatWriter("worker").write()
    with CaptureQueriesContext(connection) as queries:
        samples = scrape()
    assert len(queries) <= 14
    assert not [q for q in queries if "records_submission" in q["sql"]], "has a row a game"
    with CaptureQueriesContext(connection) as queries:
        scrape()
    assert len(queries) == 0
    assert samples["hana_games"] == 2
    assert samples["hana_facts_parts"] == 1
    assert samples["hana_facts_bytes"] > 0
    assert samples["hana_facts_due"] == samples["hana_facts_left_out"] == 0
    assert samples["hana_facts_damaged"] == 0
    assert samples["hana_verdicts_total verified"] == 3
    assert samples["hana_verdicts_total malformed"] == 1
    assert samples["hana_duplicates_total"] == 1
    assert samples["hana_chunks_done_total"] == samples["hana_jobs chunk done"] == 1
    assert samples["hana_uploads done"] == 1
    assert samples["hana_processes worker"] == 1


def test_jobs_are_counted_and_age_of_queue_is_that_of_oldest_due_job() -> None:
    now = timezone.now()
    upload = Upload.objects.create(via="api", bulk=True)
    for age, state in ((50, "waiting"), (90, "done"), (70, "leased")):
        since = now - timedelta(seconds=age)
        until = now + timedelta(seconds=40)
        Job.objects.create(kind="file", upload=upload, state=state, due_at=since, lease_until=until)
    given_up = Upload.objects.create(via="api")
    Job.objects.create(kind="chunk", upload=given_up, state="dead-letter")
    Job.objects.create(
        kind="ratings", subject="koikoi", state="failed", due_at=now - timedelta(seconds=7)
    )
    samples = scrape()
    assert 50 <= samples["hana_jobs_oldest_seconds file bulk"] < 69
    assert samples["hana_jobs_oldest_seconds file interactive"] == 0
    assert 7 <= samples["hana_jobs_oldest_seconds ratings interactive"] < 26
    assert samples["hana_jobs ratings failed"] == samples["hana_jobs file leased"] == 1
    assert samples["hana_uploads open"] == 1 and samples["hana_uploads done"] == 0
    assert samples["hana_uploads dead-letter"] == samples["hana_jobs chunk dead-letter"] == 1


def test_requests_are_counted_by_pattern_not_by_address() -> None:
    names = "GET /games/<slug:key>/ 404", "GET none 404", "other /api/v1/records 405"

    def count(samples: dict[str, float]) -> list[float]:
        return [samples.get(f"hana_request_seconds_count {name}", 0) for name in names]

    before = count(scrape())
    for path in ("/games/one/", "/games/two/", "/nothing/1", "/nothing/2"):
        Client().get(path)
    Client().generic("BREW", "/api/v1/records")
    samples = scrape()
    assert count(samples) == [before[0] + 2, before[1] + 2, before[2] + 1]
    assert not [name for name in samples if re.search("BREW|nothing|/one", name)]


def test_full_disk_fails_no_request(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Processes share their request times through files."""

    def refuse(_histogram: Histogram, _seconds: float) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Histogram, "observe", refuse)
    assert Client().get("/robots.txt").status_code == 200
    assert "a request is not counted: [Errno 28]" in caplog.text


def test_file_of_a_process_that_could_write_nothing_is_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A process that begins to count on a full disk leaves an empty file."""
    (tmp_path / "histogram_1.db").touch()
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    assert scrape()["hana_database_up"] == 1


def test_slow_figures_are_queried_for_a_share_of_the_time_only() -> None:
    seconds = iter((0.01,))

    def measure() -> list[monitoring.Measurement]:
        time.sleep(next(seconds))
        return []

    figures = CachedFigures(measure, seconds=0, share=0.0001)  # again after 100 s
    assert figures() == figures() == []


def test_unavailable_database_is_reported_with_request_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail() -> list[monitoring.Measurement]:
        raise OperationalError

    monkeypatch.setattr(metrics, "SOURCES", [CachedFigures(fail, 60)])
    Client().get("/nothing")
    samples = scrape()
    assert samples["hana_database_up"] == 0 and "hana_games" not in samples
    assert samples["hana_request_seconds_count GET none 404"] >= 1


def test_bucket_that_does_not_answer_is_reported(
    in_bucket: BucketServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert scrape()["hana_storage_up"] == 1
    monkeypatch.setattr(Bucket, "is_available", lambda bucket: False)
    assert scrape()["hana_storage_up"] == 0
    assert health.parts()["storage"] == "away"

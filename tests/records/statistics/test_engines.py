"""Statistics by ClickHouse: equal to those by DuckDB, and away without harm.

The engine is chdb's, behind a server of the tests (`tests.clickhouse`), which reads the parts from
the S3 server of the tests. `make test` compares a sample of queries, `make test-statistics` all
figures of `test_golden_figures` and 300 random insights.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import urlencode

import pytest
from django.conf import LazySettings
from django.conf import settings as django_settings
from django.core.cache import cache, caches
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.test import Client

from hanaarchive.environment import parse_bucket, parse_statistics
from kafu.comparing.situations import Match
from kafu.notation.vocabulary import RULES
from lengths import LONG
from records.base.transient import RETRY_AFTER
from records.facts import cluster
from records.facts.current import current_snapshot
from records.facts.database import QueryTimeout
from records.facts.snapshot import SUSPECT, Snapshot
from records.models import FactPart, Player, Rating, Record, Visibility
from records.serving.readers import ReaderGone, read_by
from records.statistics import ratings
from records.statistics.registry import FIGURES
from records.statistics.situations import (
    PlacePage,
    SituationCounts,
    compare_text,
    query_situation,
)
from tests import services
from tests.people.world import sent
from tests.records.idle import do_idle_jobs
from tests.records.statistics.naive.losses import analysed
from tests.records.statistics.test_golden_figures import queries, round_numbers
from tests.records.statistics.test_insight_queries import draw_query
from tests.records.statistics.test_second_computation import PEOPLE, simulate_texts

pytestmark = pytest.mark.django_db

RULESETS: Final = [*RULES] if LONG else ["koikoi"]
GAMES: Final = 7 if LONG else 2
INSIGHTS: Final = 300
FILTERS: Final[tuple[dict[str, str], ...]] = (
    *({}, {"player": PEOPLE[0]}, {"seat": "1"}, {"last": "5"}, {"from": "2025-03"}),
    {"player": PEOPLE[0], "opponent": PEOPLE[1]},
)


@pytest.fixture(scope="module")
def bucket_for_all(rows_for_all: None, bucket_server: services.BucketServer) -> str:
    """Store games of every ruleset, a few hidden after they were counted; return their bucket."""
    for rules in RULESETS:
        sent("\n".join(simulate_texts(rules, GAMES)))
    for record in Record.objects.order_by("pk"):
        analysed(record, len(record.players), Random(record.identity))
    Player.objects.filter(name=PEOPLE[7]).update(statistics=False)
    do_idle_jobs("ratings", "facts")
    hidden = Record.objects.order_by("-pk").values_list("pk", flat=True)[::9]
    Record.objects.filter(pk__in=[*hidden]).update(visibility=Visibility.PRIVATE)
    url = bucket_server.create()
    options = parse_bucket(url)
    assert options is not None
    folder = Path(django_settings.VAR_DIR) / "facts"
    for part in FactPart.objects.filter(dropped=None):
        for path in (folder / part.name).iterdir():
            key = f"{options['location']}facts/{path.relative_to(folder)}"
            bucket_server.client().upload_file(str(path), options["bucket_name"], key)
    return url


@pytest.fixture(scope="module")
def server_for_all(bucket_for_all: str) -> Iterator[services.ClickHouseServer]:
    with services.clickhouse_server(bucket_for_all) as server:
        yield server


@pytest.fixture
def clickhouse(
    bucket_for_all: str,
    server_for_all: services.ClickHouseServer,
    db: None,
    settings: LazySettings,
) -> services.ClickHouseServer:
    """Compute statistics by ClickHouse, over facts in a bucket."""
    options = parse_bucket(bucket_for_all)
    assert options is not None
    location = f"{options['location']}facts/"
    facts = {"BACKEND": "records.base.bucket.Bucket", "OPTIONS": options | {"location": location}}
    settings.STORAGES = django_settings.STORAGES | {"facts": facts}
    settings.STATISTICS = parse_statistics(server_for_all.url, has_bucket=True)
    settings.FACTS_QUERY_SECONDS = 60
    return server_for_all


def list_queries() -> Iterator[str]:
    """Yield queries of all figures and of random insights, in `make test` a few of each."""
    for number, (id, figure) in enumerate(FIGURES.items()):
        for rules in {*RULESETS} & {*figure.rulesets}:
            possible = [filters for filters in FILTERS if {*filters} <= {*figure.filters}]
            for filters in possible if LONG else [possible[number % len(possible)]]:
                yield f"{id}?{urlencode({'ruleset': rules, **filters})}"
    yield from (f"decisions?ruleset=koikoi&by={by}" for by in ("yaku,left,opp", "none"))
    yield "insights?ruleset=koikoi&metric=balance&by=payer&by2=place"
    insights = [draw_query(Random(f"question {number}")) for number in range(INSIGHTS)]
    insights = [query for query in insights if query["ruleset"] in RULESETS]
    yield from (f"insights?{urlencode(query)}" for query in insights[: None if LONG else 5])
    if LONG:
        yield from queries()


def respond(address: str) -> tuple[int, Any]:
    """Return the status and the body of a response, computed anew, without the request's number."""
    caches["responses"].clear()
    response = Client().get(f"/api/v1/statistics/{address}")
    body = response.json()
    body.pop("request_id", None)
    return response.status_code, round_numbers(body)


def test_both_engines_give_equal_responses(
    clickhouse: services.ClickHouseServer, settings: LazySettings
) -> None:
    by_clickhouse = {query: respond(query) for query in list_queries()}
    settings.STATISTICS = None
    for query, response in by_clickhouse.items():
        assert response == respond(query), query
    assert {status for status, _body in by_clickhouse.values()} <= {200, 400, 403, 404}


def test_ratings_are_computed_equally(
    clickhouse: services.ClickHouseServer, settings: LazySettings
) -> None:
    """The digests of months have the same counts and sums, before a hash of the engine."""

    def count_months() -> dict[tuple[str, int], list[str]]:
        return {
            (rules, month): digest.split()[:2]
            for rules in RULESETS
            for month, digest in ratings.read_digests(current_snapshot(), rules).items()
        }

    by_clickhouse = count_months()
    assert Rating.objects.exists()
    assert not list(ratings.differences())
    settings.STATISTICS = None
    assert by_clickhouse == count_months()


def test_situations_are_counted_equally(
    clickhouse: services.ClickHouseServer, settings: LazySettings
) -> None:
    record = Record.objects.filter(ruleset="koikoi", visibility=Visibility.PUBLIC).first()
    assert record is not None
    compared = compare_text(record.text)[0]

    def query() -> tuple[SituationCounts, PlacePage, PlacePage]:
        query = query_situation(compared, record.ruleset, Match.EXACT)
        first = query.list_places(1)
        return query.count(), first, query.list_places(1, mark=first.places[0].order)

    by_clickhouse = query()
    settings.STATISTICS = None
    assert by_clickhouse == query()
    assert by_clickhouse[0].cases


def test_sums_beyond_64_bits_are_exact(
    clickhouse: services.ClickHouseServer, settings: LazySettings
) -> None:
    def add_up() -> Any:
        snapshot = current_snapshot()
        sql = f"SELECT count(*), sum(game * $large * $large) FROM {snapshot.source('games')}"
        with snapshot.open_cursor() as cursor:
            return cursor.execute(sql, {"large": 10**9}).fetchall()

    ((count, total),) = add_up()
    settings.STATISTICS = None
    with current_snapshot().open_cursor() as cursor:
        source = current_snapshot().source("games")
        games = [game for (game,) in cursor.execute(f"SELECT game FROM {source}").fetchall()]
    assert (count, total) == (len(games), sum(games) * 10**18)


QUERY: Final = "ends?ruleset=koikoi"


@pytest.mark.long_only  # The next test expects the same of a port without a server.
def test_killed_server_comes_back(clickhouse: services.ClickHouseServer) -> None:
    assert respond(QUERY)[0] == 200
    clickhouse.kill()
    assert respond(QUERY)[0] == 503
    clickhouse.start()
    assert respond(QUERY)[0] == 200


def test_server_out_of_reach_takes_statistics_alone_away(
    clickhouse: services.ClickHouseServer,
    settings: LazySettings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Pages say so and are not cached; statistics come back by themselves."""
    client, key = Client(), Player.objects.get(name=PEOPLE[0]).key
    address = f"/api/v1/statistics/{QUERY}"
    reachable = cluster.get_address()
    settings.STATISTICS = reachable | {"port": 9}
    cluster.forget_client()
    caches["responses"].clear()
    response = client.get(address)
    (warning,) = [line.message for line in caplog.records if line.levelname == "WARNING"]
    assert warning.startswith("statistics are away:") and warning.endswith("Connection refused")
    assert response.status_code == 503
    assert response["Retry-After"] == str(RETRY_AFTER)
    assert response["Content-Type"] == "application/problem+json"
    assert "Statistics are unavailable" in response.json()["detail"]
    page = client.get("/statistics/koikoi/")
    assert page.status_code == 503
    assert page["Retry-After"] == str(RETRY_AFTER)
    assert "Statistics are unavailable" in page.content.decode()
    player = client.get(f"/players/{key}/")
    assert player.status_code == 200
    assert "Statistics are unavailable" in player.content.decode()
    assert client.get("/games/").status_code == 200
    settings.STATISTICS = reachable
    cluster.forget_client()  # instead of a pause
    assert client.get(address).status_code == 200
    assert "Statistics are unavailable" not in client.get(f"/players/{key}/").content.decode()


def test_silent_server_occupies_one_request_only(
    clickhouse: services.ClickHouseServer,
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Other requests of statistics fail immediately, so that pages have places to compute."""
    monkeypatch.setattr(cluster, "_PATIENCE_SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.STATISTICS = cluster.get_address() | {"port": silent.getsockname()[1]}
        cluster.forget_client()
        assert respond(QUERY)[0] == 503
        silent.accept()[0].close()
        silent.setblocking(False)
        assert respond(QUERY)[0] == 503
        with pytest.raises(BlockingIOError):
            silent.accept()
    cluster.forget_client()


def test_missing_part_is_no_smaller_sum(
    clickhouse: services.ClickHouseServer,
    bucket_for_all: str,
    bucket_server: services.BucketServer,
) -> None:
    options = parse_bucket(bucket_for_all)
    assert options is not None
    part = FactPart.objects.filter(dropped=None, ruleset="koikoi").first()
    assert part is not None
    place = {
        "Bucket": options["bucket_name"],
        "Key": f"{options['location']}facts/{part.name}/deals.parquet",
    }
    content = bucket_server.client().get_object(**place)["Body"].read()
    bucket_server.client().delete_object(**place)
    cache.delete(SUSPECT)
    assert respond(QUERY)[0] == 503
    assert respond("seats?ruleset=koikoi")[0] == 200
    assert cache.get(SUSPECT), "the sweep looks for missing files"
    bucket_server.client().put_object(**place, Body=content)
    assert respond(QUERY)[0] == 200


def count_product(snapshot: Snapshot) -> str:
    """Return a statement that takes hours."""
    seats = snapshot.source("seats")
    return f"SELECT count(*) FROM {', '.join(f'{seats} AS {name}' for name in 'abcdefghij')}"


def test_query_with_too_much_memory_or_time_is_given_up(
    clickhouse: services.ClickHouseServer, settings: LazySettings
) -> None:
    snapshot = current_snapshot()
    with snapshot.open_cursor(1) as cursor, pytest.raises(QueryTimeout):
        cursor.execute(count_product(snapshot))
    settings.STATISTICS = cluster.get_address() | {"memory_mb": 1}
    with snapshot.open_cursor() as cursor, pytest.raises(QueryTimeout, match="memory"):
        cursor.execute(f"SELECT players, count(*) FROM {snapshot.source('seats')} GROUP BY ALL")


def test_request_ends_when_its_reader_goes(clickhouse: services.ClickHouseServer) -> None:
    """The engine of the tests goes on until its limit: it cannot end a query."""
    assert respond(QUERY)[0] == 200  # The left-out games are stored.
    looks = iter([False, False])  # The reader goes after the request has begun.
    snapshot, reader = current_snapshot(), read_by(lambda: next(looks, True))
    with pytest.raises(ReaderGone), reader, snapshot.open_cursor(2) as cursor:
        cursor.execute(count_product(snapshot))
    assert respond(QUERY)[0] == 200


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, ""),
        ({"password": "secret"}, "the user or the password is wrong"),
        ({"port": 9}, "nothing responds at 127.0.0.1:9"),
        ({"cluster": "archive"}, "the cluster does not exist"),
        ({"collection": "other"}, "the named collection does not exist"),
    ],
)
def test_check_names_what_is_wrong(
    clickhouse: services.ClickHouseServer,
    settings: LazySettings,
    change: dict[str, Any],
    expected: str,
) -> None:
    settings.STATISTICS = cluster.get_address() | change
    cluster.forget_client()
    try:
        if not expected:
            call_command("check")
            return
        with pytest.raises(SystemCheckError, match=expected):
            call_command("check")
    finally:
        cluster.forget_client()


def test_engine_of_an_older_version_is_refused(
    clickhouse: services.ClickHouseServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "OLDEST", (99, 1))
    with pytest.raises(SystemCheckError, match=r"statistics need 99\.1"):
        call_command("check")
    assert respond(QUERY)[0] == 503

"""Other engines read a publication, and give our results to ten questions.

PyIceberg and ClickHouse read the Iceberg tables, Polars and a cluster of Spark (two workers with an
executor each) the parts of the manifest. `make test-scale` runs this file alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import chdb
import duckdb
import polars
import pyspark
import pytest
from django.db.models import Count
from pyiceberg.table import StaticTable
from pyspark.sql import SparkSession

from records.facts.current import current_snapshot
from records.models import Player, Record, Visibility
from records.opendata.publication.manifest import metadata_paths
from tests.records.makers import ingest, joined, text
from tests.records.opendata.conftest import public  # noqa: F401
from tests.records.opendata.games import fill
from tests.records.opendata.published import find_parts, publish, read_manifest

pytestmark = pytest.mark.django_db
DOCUMENTATION = Path("docs/opendata.md").resolve()
Rows = list[tuple[Any, ...]]

#: Questions in the SQL that all engines know, over the same names of tables and columns.
QUESTIONS: Final = (
    "SELECT ruleset, status, count(*), sum(deals), sum(turns) FROM games"
    " WHERE deals IS NOT NULL GROUP BY ruleset, status",
    "SELECT g.ruleset, s.seat, count(*), sum(s.score), sum(s.margin), sum(s.others)"
    " FROM seats s JOIN games g ON s.game = g.game WHERE s.scored GROUP BY g.ruleset, s.seat",
    "SELECT g.ruleset, y.yaku, y.kind, count(*), sum(y.amount) FROM yaku y"
    " JOIN games g ON y.game = g.game WHERE NOT y.void GROUP BY g.ruleset, y.yaku, y.kind",
    "SELECT dealer, ending, count(*), count(winner), sum(CASE WHEN winner = dealer THEN 1 ELSE 0"
    " END) FROM deals GROUP BY dealer, ending",
    "SELECT payment, count(*), sum(amount) FROM payments WHERE NOT void GROUP BY payment",
    "SELECT player, count(*), sum(final), min(rank) FROM results WHERE ended GROUP BY player",
    "SELECT g.played, c.month, count(*), min(c.turns), max(c.laid) FROM deals c"
    " JOIN games g ON c.game = g.game GROUP BY g.played, c.month",
    "SELECT word, opponent, count(*), sum(stop), sum(margin) FROM choices GROUP BY word, opponent",
    "SELECT seat, completed, min(turn), max(turn), count(*) FROM completions"
    " GROUP BY seat, completed",
    "SELECT count(*), count(DISTINCT s.key), sum(s.score), sum(l.loss), sum(u.deal_luck)"
    " FROM situations s LEFT JOIN (SELECT game, sum(loss) AS loss FROM losses GROUP BY game) l"
    " ON s.game = l.game LEFT JOIN (SELECT game, sum(deal_luck) AS deal_luck FROM luck"
    " GROUP BY game) u ON s.game = u.game",
)
#: The number of the question about players.
BY_PLAYER: Final = 5
TABLES: Final = (
    *("games", "results", "deals", "seats", "completions", "yaku", "payments", "choices"),
    *("losses", "luck", "situations"),
)


def sort_rows(rows: Sequence[Sequence[Any]]) -> Rows:
    """Return rows in an order, with numbers of all types as ``int``."""
    converted = [
        tuple(value if value is None or isinstance(value, str) else int(value) for value in row)
        for row in rows
    ]
    return sorted(converted, key=repr)


def ask_ourselves() -> list[Rows]:
    """Return our results, with the published names of players."""
    snapshot = current_snapshot()
    results = []
    with snapshot.open_cursor(60) as cursor:
        for table in TABLES:
            cursor.execute(f"CREATE TEMP VIEW {table} AS FROM {snapshot.source(table)}")
        for question in QUESTIONS:
            results.append(cursor.execute(question).fetchall())
    names = dict(Player.objects.filter(statistics=True).values_list("pk", "name"))
    results[BY_PLAYER] = [(names.get(row[0], "player-"), *row[1:]) for row in results[BY_PLAYER]]
    return [sort_rows(rows) for rows in results]


def ask(run: Callable[[str], Sequence[Sequence[Any]]]) -> list[Rows]:
    """Return the results of an engine."""
    results = [[tuple(row) for row in run(question)] for question in QUESTIONS]
    results[BY_PLAYER] = [(shorten_name(row[0]), *row[1:]) for row in results[BY_PLAYER]]
    return [sort_rows(rows) for rows in results]


def shorten_name(name: str) -> str:
    """Return a published name as the archive stores it: without the digest of hidden names."""
    return "player-" if name.startswith("player-") else " ".join(name.split())


def ask_pyiceberg(place: Path) -> list[Rows]:
    """Read the Iceberg tables by PyIceberg and PyArrow, and let DuckDB compute."""
    with duckdb.connect() as connection:
        for table in TABLES:
            static = StaticTable.from_metadata(str(place / table))
            connection.register(table, static.scan().to_arrow())
        return ask(lambda question: connection.execute(question).fetchall())


def ask_clickhouse(place: Path) -> list[Rows]:
    """Read the Iceberg tables by ClickHouse."""
    views = [f"{table} AS (SELECT * FROM icebergLocal('{place / table}'))" for table in TABLES]

    def run(question: str) -> Rows:
        query = f"WITH {', '.join(views)} {question} SETTINGS join_use_nulls = 1"
        return [tuple(row.values()) for row in chdb.query(query, "ArrowTable").to_pylist()]

    return ask(run)


def ask_polars(place: Path) -> list[Rows]:
    """Read the Iceberg tables by Polars."""
    number = read_manifest(place)["number"]
    frames = {
        table: polars.scan_iceberg(str(place / metadata_paths(table, number)[0]))
        for table in TABLES
    }
    with polars.SQLContext(frames) as context:
        return ask(lambda question: context.execute(question).collect().rows())


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    """Yield a session of a cluster of Spark with two workers."""
    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config(
        "spark.ui.enabled", False
    )
    # Few tasks a question: the default has two hundred, for large tables.
    session = builder.config("spark.sql.shuffle.partitions", 4).getOrCreate()
    yield session
    session.stop()


def ask_spark(spark: SparkSession, place: Path) -> list[Rows]:
    """Read the parts of the manifest by Spark."""
    for table, paths in find_parts(place).items():
        spark.read.parquet(*paths).createOrReplaceTempView(table)
    return ask(lambda question: spark.sql(question).collect())


@pytest.fixture
def place(public: Path, monkeypatch: pytest.MonkeyPatch) -> Path:  # noqa: F811
    """Return the directory of publications of an archive with games of all rulesets."""
    # ClickHouse reads files below the working directory only.
    public.mkdir()
    monkeypatch.chdir(public)
    fill()
    ingest(joined(*(text(seed) for seed in range(100, 140))))
    return public


def test_engines_give_our_results_also_after_a_game_is_hidden(
    place: Path, spark: SparkSession
) -> None:
    publish()
    assert len(read_manifest(place)["blocks"]) > 8
    before = ask_ourselves()
    assert all(before)
    assert compare(place, spark) == []
    for game in Record.objects.filter(text__in=[text(seed) for seed in (1, 101, 139)]):
        Record.objects.filter(pk=game.pk).update(visibility=Visibility.WITHDRAWN)
    publish()
    assert ask_ourselves() != before
    assert compare(place, spark) == []


def compare(place: Path, spark: SparkSession) -> list[tuple[str, int]]:
    """Return engines and numbers of questions with a result that differs from ours."""
    expected = ask_ourselves()
    results = {
        "PyIceberg": ask_pyiceberg(place),
        "ClickHouse": ask_clickhouse(place),
        "Polars": ask_polars(place),
        "Spark": ask_spark(spark, place),
    }
    return [
        (engine, number)
        for engine, rows in results.items()
        for number, ours in enumerate(expected)
        if rows[number] != ours
    ]


def test_lines_of_the_documentation_count_games(place: Path, spark: SparkSession) -> None:
    publish()
    blocks = DOCUMENTATION.read_text(encoding="utf-8").split("```")[1::2]
    lines = [block for block in blocks if block.startswith("python") and "/srv/facts" in block]
    names: dict[str, Any] = {"spark": spark}
    counts = []
    for block in lines:
        code = block.removeprefix("python").replace("/srv/facts", str(place))
        exec(code.replace("/v7.", "/v1."), names)
        counts.append(names["counts"])
    read = [
        [tuple(row.values()) for row in counts[0].to_pylist()],
        counts[1].rows(),
        [tuple(row.values()) for row in counts[2].to_pylist()],
        [tuple(row) for row in counts[3].collect()],
    ]
    public_games = Record.objects.filter(visibility=Visibility.PUBLIC).order_by()
    expected = sort_rows(list(public_games.values_list("ruleset").annotate(Count("pk"))))
    assert [sort_rows(rows) for rows in read] == [expected] * 4

"""ClickHouse as the engine of statistics: the facts stay in the bucket, and a cluster reads them.

A statement about facts goes to the cluster, whose result becomes rows or a temporary table of
DuckDB in this process. Statements about such tables alone stay here. No state remains at the
cluster: every request is complete, so any of its machines can serve any request.

A result travels as Parquet, which has its end at its end: a result that was cut off is unreadable,
never a partial sum.
"""

from __future__ import annotations

import logging
import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any, Final

import clickhouse_connect
import duckdb
from clickhouse_connect.driver.client import Client
from clickhouse_connect.driver.exceptions import ClickHouseError
from clickhouse_connect.driver.external import ExternalData
from django.conf import settings
from sqlglot import exp, parse_one

from records.base.transient import RETRY_AFTER
from records.facts.cluster_requests import Request, use_these_connections
from records.facts.database import QueryTimeout, StatisticsAway, interruption
from records.facts.dialect import translate, type_of, write_structure
from records.facts.tables import PREFIX

logger = logging.getLogger(__name__)
#: The oldest version of ClickHouse that the statements are tested with.
OLDEST: Final = (26, 9)
#: Seconds to connect, and seconds beyond the time limit until a silent cluster is given up. A new
#: client sends a few statements, without a time limit.
_CONNECT_SECONDS: Final = 3
_PATIENCE_SECONDS: Final = 5
#: ClickHouse's codes of errors of a query that takes too long, or needs too much memory.
_TOO_COSTLY: Final = (159, 160, 241)
#: ClickHouse's codes of errors of a missing file, and of files that are no Parquet or incomplete.
_OF_FILES: Final = (499, 33, 117, 636)
#: Settings of every statement.
SETTINGS: Final[Mapping[str, Any]] = {
    # Reads only, also for a user that may write.
    "readonly": 2,
    # The query ends with the connection.
    "cancel_http_readonly_queries_on_client_close": 1,
    # Errors have a status of HTTP, and no result begins before its end is known.
    "wait_end_of_query": 1,
    # Names and NULL as in DuckDB.
    "prefer_column_name_to_alias": 1,
    "join_use_nulls": 1,
    "joined_subquery_requires_alias": 0,
    # Rows that a statement uses several times are read once.
    "enable_materialized_cte": 1,
    # Nothing is left out silently. `s3Cluster` always continues without machines that it cannot
    # reach, and gives their files to the others; every other error ends the query.
    "skip_unavailable_shards": 0,
    "skip_unavailable_shards_mode": "unavailable",
    "s3_ignore_file_doesnt_exist": 0,
    "s3_throw_on_zero_files_match": 1,
    **dict.fromkeys(
        (
            *("read_overflow_mode", "read_overflow_mode_leaf", "group_by_overflow_mode"),
            *("sort_overflow_mode", "result_overflow_mode", "timeout_overflow_mode"),
            *("timeout_overflow_mode_leaf", "set_overflow_mode", "join_overflow_mode"),
            *("transfer_overflow_mode", "distinct_overflow_mode"),
        ),
        "throw",
    ),
    # The names of all parts are in the statement.
    "max_query_size": 64 << 20,
    "glob_expansion_max_elements": 1_000_000,
}
_LOCK: Final = Lock()
_CLIENTS: Final[dict[int, Client]] = {}


class _Silence:
    """A pause after the cluster did not respond, in which nothing connects.

    Requests that wait for a silent cluster would occupy the places of other pages.
    """

    #: The end of the pause (monotonic).
    until = -math.inf


def is_supported(version: str | None) -> bool:
    """Return whether a version of ClickHouse is `OLDEST` or newer."""
    numbers = tuple(int(number) for number in (version or "0").split(".")[:2])
    return numbers >= OLDEST


def get_address() -> dict[str, Any]:
    """Return the connection of HANA_STATISTICS_URL, which must be set."""
    address = settings.STATISTICS
    assert address is not None, "only a cluster's snapshot comes here"
    return address


def get_client() -> Client:
    """Return the client of the process, connected on first use.

    Raises ClickHouseError, and `StatisticsAway` in a pause after the cluster did not respond.
    """
    with _LOCK:
        if os.getpid() not in _CLIENTS:
            if time.monotonic() < _Silence.until:
                raise StatisticsAway("the cluster has not responded")
            _CLIENTS.clear()
            try:
                # A forked process must not use the connections of its parent.
                _CLIENTS[os.getpid()] = _connect()
            except ClickHouseError:
                _Silence.until = time.monotonic() + RETRY_AFTER
                raise
        return _CLIENTS[os.getpid()]


def forget_client(until: float = -math.inf) -> None:
    """Close the connections of the process, and connect no more until a time (monotonic)."""
    with _LOCK:
        for client in _CLIENTS.values():
            client.close()
        _CLIENTS.clear()
        _Silence.until = until


def _connect() -> Client:
    address = get_address()
    client = clickhouse_connect.get_client(
        host=address["host"],
        port=address["port"],
        interface=address["interface"],
        username=address["username"],
        password=address["password"],
        connect_timeout=_CONNECT_SECONDS,
        send_receive_timeout=_PATIENCE_SECONDS,
        compress=False,
        autogenerate_session_id=False,
        form_encode_query_params=True,
        query_retries=0,
        show_clickhouse_errors="scrub",
        dedicated_pool=True,
    )
    use_these_connections(client, settings.FACTS_QUERY_SECONDS + _PATIENCE_SECONDS)
    return client


def describe_files(names: Sequence[str], columns: Mapping[str, str]) -> str:
    """Return a table function of the rows of files in the storage of facts."""
    structure = write_structure(columns)
    if not names:
        return f"null({_quote(structure)})"
    address = get_address()
    function = "s3("
    if address["cluster"]:
        function = f"s3Cluster({_quote(address['cluster'])}, "
    listed = f"{{{','.join(names)}}}" if len(names) > 1 else names[0]
    return (
        f"{function}{address['collection']}, filename = {_quote(listed)},"
        f" format = 'Parquet', structure = {_quote(structure)})"
    )


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


class ClusterCursor:
    """A cursor like DuckDB's over a snapshot whose facts a cluster reads.

    ``find_files`` returns the files and columns of the facts with a name in a statement, None for
    another table.
    """

    def __init__(
        self,
        local: duckdb.DuckDBPyConnection,
        find_files: Callable[[str], tuple[Sequence[str], Mapping[str, str]] | None],
        seconds: float,
    ) -> None:
        """Take a cursor of this process for small tables, and the seconds for all statements."""
        self._local = local
        self._find_files = find_files
        self._end = time.monotonic() + seconds
        self._rows: list[tuple[Any, ...]] = []

    def register(self, name: str, columns: Mapping[str, Any]) -> None:
        """Make columns a table of this process."""
        self._local.register(name, columns)

    def unregister(self, name: str) -> None:
        """Forget a registered table."""
        self._local.unregister(name)

    def execute(self, sql: str, values: Mapping[str, Any] | None = None) -> ClusterCursor:
        """Run a statement: a SELECT, or one that stores the rows of a SELECT in a table.

        Raises `StatisticsAway`, `QueryTimeout` and `ReaderGone`.
        """
        statement = parse_one(sql, read="duckdb")
        is_stored = isinstance(statement, (exp.Create, exp.Insert))
        select = statement.expression if is_stored else statement
        names = _list_tables(select)
        facts = {name: source for name in names if (source := self._find_files(name))}
        if not facts:
            self._rows = self._local.execute(sql, values).fetchall()
            return self
        tables = {name: self._describe(f"FROM {name}") for name in names if name not in facts}
        schema = {name: columns for name, (_files, columns) in facts.items()} | tables
        translated = translate(
            select.sql("duckdb"),
            tuple((name, type_of(value)) for name, value in (values or {}).items()),
            tuple((name, tuple(columns.items())) for name, columns in schema.items()),
        )
        for name, source in facts.items():
            translated = translated.replace(f'"{name}"', describe_files(*source))
        with TemporaryDirectory(prefix=PREFIX) as folder:
            sent = self._export(tables, Path(folder))
            path = Path(folder) / "result.parquet"
            path.write_bytes(self._fetch(translated, dict(values or {}), sent))
            rows = self._select_result(path)
            if is_stored:
                select.replace(parse_one(rows, read="duckdb"))
                rows = statement.sql("duckdb")
            self._rows = self._local.execute(rows).fetchall()
        return self

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return the rows of the last statement."""
        return self._rows

    def _describe(self, source: str) -> dict[str, str]:
        """Return the columns of a table or a SELECT in this process, with types for Parquet."""
        rows = self._local.execute(f"DESCRIBE {source}").fetchall()
        return {name: type.replace("HUGEINT", "DECIMAL(38,0)") for name, type, *_ in rows}

    def _export(self, tables: Mapping[str, Mapping[str, str]], folder: Path) -> ExternalData | None:
        """Return tables of this process as external tables of a request."""
        sent = ExternalData()
        for name, columns in tables.items():
            path = folder / f"{name}.parquet"
            rows = f"SELECT {_cast(columns)} FROM {name}"
            self._local.execute(f"COPY ({rows}) TO '{path}' (FORMAT parquet)")
            structure = write_structure(columns)
            sent.add_file(file_path=str(path), fmt="Parquet", structure=structure)
        return sent if tables else None

    def _fetch(self, sql: str, values: dict[str, Any], sent: ExternalData | None) -> bytes:
        """Return the result of a SELECT as Parquet, with the errors of `execute`."""
        seconds = self._end - time.monotonic()
        if seconds <= 0:
            raise QueryTimeout("the statements took too long")
        memory = get_address()["memory_mb"] << 20
        bounds = {
            "max_execution_time": seconds,
            "max_memory_usage": memory,
            "max_bytes_before_external_group_by": memory // 2,
        }
        request, began = Request(), time.monotonic()
        try:
            client = get_client()
            if not is_supported(client.server_version):
                raise StatisticsAway(f"ClickHouse {client.server_version} is too old")
            with interruption(request.end, ClickHouseError), request.sending():
                return client.raw_query(
                    sql, values, settings={**SETTINGS, **bounds}, fmt="Parquet", external_data=sent
                )
        except ClickHouseError as error:
            code = getattr(error, "code", None)
            if code in _TOO_COSTLY:
                raise QueryTimeout(str(error)) from error
            now = time.monotonic()
            if code is None and now - began > _CONNECT_SECONDS:
                forget_client(until=now + RETRY_AFTER)
            cause: BaseException = error
            while cause.__cause__ is not None:
                cause = cause.__cause__
            logger.warning("statistics are away: %s", cause)
            raise StatisticsAway(str(cause), is_of_file=code in _OF_FILES) from error

    def _select_result(self, path: Path) -> str:
        """Return a SELECT of a result with DuckDB's types of whole numbers."""
        source = f"read_parquet('{path}')"
        types = self._describe(f"SELECT * FROM {source}")
        for name, type in types.items():
            if type.startswith(("U", "DECIMAL")):
                types[name] = "BIGINT" if type.startswith("U") else "HUGEINT"
        return f"SELECT {_cast(types)} FROM {source}"


def _cast(columns: Mapping[str, str]) -> str:
    """Return SQL for columns with types."""
    return ", ".join(f'"{name}"::{type} AS "{name}"' for name, type in columns.items())


def _list_tables(select: exp.Expr) -> list[str]:
    """Return the names of the tables of a SELECT, without those that it defines."""
    defined = {table.alias for table in select.find_all(exp.CTE)}
    names = dict.fromkeys(table.name for table in select.find_all(exp.Table) if table.name)
    return [name for name in names if name not in defined]

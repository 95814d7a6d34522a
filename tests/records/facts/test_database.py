"""Queries of DuckDB that are interrupted."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from records.facts.database import QueryTimeout, open_cursor
from records.serving.readers import ReaderGone, read_by


def run_endless_query(is_gone: Callable[[], bool], seconds: float) -> None:
    """Run a query for a reader."""
    with read_by(is_gone), open_cursor(seconds) as cursor:
        cursor.execute(f"SELECT count(*) FROM range({10**12})")


def test_reader_who_goes_ends_no_query_of_other_readers() -> None:
    looks = iter([False])  # The reader goes after the query has begun.
    with ThreadPoolExecutor() as pool:
        gone = pool.submit(run_endless_query, lambda: next(looks, True), 60)
        other = pool.submit(run_endless_query, lambda: False, 1)
        with pytest.raises(ReaderGone):
            gone.result()
        with pytest.raises(QueryTimeout, match="more than 1 seconds"):
            other.result()


def test_reader_who_has_gone_gets_no_query() -> None:
    with pytest.raises(ReaderGone), read_by(lambda: True), open_cursor():
        raise AssertionError("a query begins")

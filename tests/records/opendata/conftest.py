"""A dump of a small archive."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from django.conf import LazySettings
from django.utils import timezone

from records.models import Dump
from records.opendata import making, parquet
from records.opendata.months import month_of
from tests.records.opendata.games import fill


@pytest.fixture
def dumps(tmp_path: Path, settings: LazySettings) -> Path:
    """Where dumps go."""
    settings.DUMPS_DIR = tmp_path / "dumps"
    return settings.DUMPS_DIR


@pytest.fixture
def dump(db: None, dumps: Path) -> Dump:
    """All public games of `fill`, in more than one part."""
    fill()
    rows, parquet.PART_ROWS = parquet.PART_ROWS, 2_000  # type: ignore[misc]
    try:
        return making.make(month_of(timezone.now()))
    finally:
        parquet.PART_ROWS = rows  # type: ignore[misc]


@pytest.fixture
def directory(dump: Dump, dumps: Path) -> Path:
    """The files of the dump."""
    return dumps / dump.directory


@pytest.fixture
def tables(directory: Path) -> duckdb.DuckDBPyConnection:
    """The tables of the dump, to be asked."""
    return parquet.connect(directory)

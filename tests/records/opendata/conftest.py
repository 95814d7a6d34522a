"""A dump of a small archive."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from django.conf import LazySettings
from django.test import override_settings
from django.utils import timezone

from records.models import Dump
from records.opendata import dump_job, listing, notebook
from records.opendata.publication import states
from records.opendata.schedule import month_of
from tests.records.makers import stored_in
from tests.records.opendata.games import fill


@pytest.fixture
def dumps(tmp_path: Path, settings: LazySettings) -> Path:
    """Return the directory of the test's dumps."""
    place = tmp_path / "dumps"
    place.mkdir()
    settings.STORAGES = stored_in(place, "dumps")
    return place


@pytest.fixture(scope="module")
def dump_for_all(rows_for_all: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Dump, Path]:
    """Return a dump and its directory, shared by a module."""
    fill()
    place = tmp_path_factory.mktemp("dumps")
    with (
        override_settings(STORAGES=stored_in(place, "dumps")),
        pytest.MonkeyPatch.context() as patched,
    ):
        patched.setattr(listing, "BATCH", 4)
        return dump_job.make(month_of(timezone.now())), place


@pytest.fixture
def dump(dump_for_all: tuple[Dump, Path], db: None, dumps: Path) -> Dump:
    """Return the dump of all public games of `fill`, with a copy of its files."""
    shared_dump, place = dump_for_all
    shutil.copytree(place, dumps, dirs_exist_ok=True)
    return shared_dump


@pytest.fixture
def directory(dump: Dump, dumps: Path) -> Path:
    """Return the directory with the files of the dump."""
    return dumps / dump.directory


@pytest.fixture
def tables(directory: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a connection that finds the tables of the dump."""
    with notebook.open_tables(directory) as connection:
        yield connection


@pytest.fixture
def public(tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the directory of publications, in blocks of four games."""
    place = tmp_path / "public"
    settings.STORAGES = settings.STORAGES | {"public": stored_in(place, "dumps")["dumps"]}
    settings.PUBLIC_ADDRESS = str(place)
    monkeypatch.setattr(states, "BLOCK", 4)
    return place

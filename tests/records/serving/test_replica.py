"""Reads of cached responses from a replica of the database."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import caches
from django.db import connection, connections
from django.test import Client

from records.models import Record, Seat
from records.serving import replica
from records.serving.replica import REPLICA, Router
from tests.records.makers import ingest, joined, text

pytestmark = pytest.mark.django_db

ADDRESSES = ("/games/", "/api/v1/records", "/players/")
#: The name that the replica alone has for every player.
MARK = "Replicated"


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Return a function that makes a replica of the present rows, with other names."""
    path = tmp_path / "replica.sqlite3"
    monkeypatch.setattr(replica._Failure, "at", -float("inf"))
    monkeypatch.setitem(connections.databases, REPLICA, connection.settings_dict | {"NAME": path})

    def make() -> None:
        source: Any = connection.connection
        path.write_bytes(source.serialize())
        with closing(sqlite3.connect(path)) as database:
            database.execute("UPDATE records_seat SET name = ?", [MARK])
            database.execute("UPDATE records_player SET name = ?", [MARK])
            database.commit()
        connect()

    def connect() -> None:
        """Connect here: Django's tests refuse a connection that a request opens."""
        connections[REPLICA].close()
        connections[REPLICA].connect()

    connect()
    yield make
    connections[REPLICA].close()
    del connections[REPLICA]


def marked(client: Client | None = None) -> set[str]:
    """Return the addresses whose uncached response comes from the replica."""
    caches["responses"].clear()
    client = client or Client()
    return {path for path in ADDRESSES if MARK in client.get(path).content.decode()}


def test_responses_are_read_from_a_replica_that_has_every_change(copy: Callable[[], None]) -> None:
    ingest(joined(text(1)))
    copy()
    assert marked() == set(ADDRESSES)


def test_late_replica_is_not_read(copy: Callable[[], None]) -> None:
    ingest(joined(text(1)))
    copy()
    ingest(joined(text(2)))
    assert marked() == set()
    copy()
    assert marked() == set(ADDRESSES)


def test_users_read_the_database(copy: Callable[[], None], client: Client, aya: User) -> None:
    ingest(joined(text(1)))
    copy()
    client.force_login(aya)
    assert marked(client) == {"/api/v1/records"}, "the list of the API is the same for everybody"


def test_replica_that_fails_is_not_read_for_a_while(
    copy: Callable[[], None], caplog: pytest.LogCaptureFixture
) -> None:
    ingest(joined(text(1)))
    assert marked() == set(), "the replica has no tables"
    assert caplog.text.count("the replica is not read") == 1
    copy()
    assert marked() == set()


def test_accounts_and_writes_use_the_database(copy: Callable[[], None]) -> None:
    router = Router()

    def choose() -> list[str]:
        return [router.db_for_read(Seat), router.db_for_read(User), router.db_for_write(Seat)]

    assert replica.read(lambda: True, choose) == [REPLICA, "default", "default"]
    assert replica.read(lambda: False, choose) == ["default"] * 3


def test_objects_of_a_rebuilt_copy_have_seats_of_the_copy() -> None:
    rebuilt, replicated = Record(), Record()
    rebuilt._state.db, replicated._state.db = "rebuilt", REPLICA
    assert Router().db_for_read(Seat, instance=rebuilt) == "rebuilt"
    assert Router().db_for_read(Seat, instance=replicated) == "default"

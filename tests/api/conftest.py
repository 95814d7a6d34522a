"""Fixtures for tests of the API."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.utils import translation

from records.models import Record
from tests.api.contract import Api
from tests.api.server import LIMIT, Server
from tests.conftest import Hana, bare_env
from tests.records.makers import ingest, text


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Start each test in English."""
    with translation.override("en"):
        yield


@pytest.fixture
def api() -> Api:
    """Return a caller whose responses are checked against the OpenAPI document."""
    return Api()


@pytest.fixture
def record(db: None) -> Record:
    """Store a verified game of koi-koi and return it."""
    ingest(text(1).encode())
    return Record.objects.get()


@pytest.fixture(scope="package")
def server(new_var: Callable[[], Path]) -> Iterator[Server]:
    """Start a web server for all tests of the folder, which must not depend on stored data."""
    env = bare_env(HANA_ENV="development", HANA_VAR=str(new_var()), HANA_UPLOAD_LIMIT=str(LIMIT))
    runner = Hana()
    process, port = runner.web(env)
    yield Server(process.pid, port)
    runner.end()

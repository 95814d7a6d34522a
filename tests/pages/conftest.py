"""A whole archive as processes, for the tests in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.conftest import Hana, bare_env


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`manage.py serve` with its samples: its address, without a slash at the end."""
    runner = Hana()
    var = tmp_path_factory.mktemp("site")
    process = runner.start(
        "serve", "--port=0", env=bare_env(HANA_ENV="development", HANA_VAR=str(var))
    )
    assert process.stdout is not None
    address = next(
        (found[0] for line in process.stdout if (found := re.search(r"http://\S+", line))), ""
    )
    assert address, "serve ended before it printed its address"
    yield address.rstrip("/")
    runner.end()

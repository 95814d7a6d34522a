"""The archive in production mode, as processes."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.conftest import Environment, Hana
from tests.services import free_port, wait_until

#: A key long and varied enough for Django, for tests only.
KEY = "Zm9yIHRoaXMgdGVzdCBvbmx5LCBhbmQgbG9uZyBlbm91Z2ggZm9yIERqYW5nbw"
HOST = "archive.example"
TOKEN = "for-this-test-only"
#: Maximum seconds for the start of processes; a limit for failures, not a measure.
PATIENCE = 120
#: The headers of a reverse proxy about a visitor by HTTPS.
BY_PROXY = {"Host": HOST, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}


@dataclass
class Answer:
    """A response."""

    status: int
    headers: Any
    body: bytes

    def json(self) -> Any:
        """Return the body, parsed."""
        return json.loads(self.body)


def ask(
    url: str, *, data: bytes | None = None, method: str | None = None, **headers: str
) -> Answer:
    """Make one request, not following redirects; names of headers have ``_`` for ``-``."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, data=data, headers=names, method=method)
    opener = urllib.request.build_opener(_Stay)
    try:
        with opener.open(request, timeout=30) as response:
            return Answer(response.status, response.headers, response.read())
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, error.headers, error.read())


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any) -> None:
        """Show the redirect itself."""


def by_proxy(url: str, *, data: bytes | None = None, **headers: str) -> Answer:
    """Make one request in the form in which the reverse proxy forwards it."""
    return ask(url, data=data, **{k.replace("-", "_"): v for k, v in BY_PROXY.items()}, **headers)


@pytest.fixture
def production_env(hana_env: Callable[..., Environment]) -> Environment:
    """Return the environment of compose.yaml: PostgreSQL, Redis, behind one proxy."""
    return hana_env(
        postgres=True,
        redis=True,
        HANA_ENV="production",
        SECRET_KEY=KEY,
        ALLOWED_HOSTS=HOST,
        HANA_PROXIES="1",
        HANA_METRICS_TOKEN=TOKEN,
        HANA_ANONYMOUS_UPLOAD="1",
        HANA_WORKERS="1",
    )


def start_web(hana: Hana, env: Environment) -> tuple[Any, str]:
    """Start the web server as in production. Return the process and its address."""
    port = free_port()
    process = hana.start("web", f"--port={port}", env=env)
    url = f"http://127.0.0.1:{port}"
    wait_until(lambda: responds(f"{url}/health/live"), "the web server answers", PATIENCE)
    return process, url


def responds(url: str) -> bool:
    """Return whether a server responds at an address."""
    try:
        return ask(url).status < 600
    except OSError:
        return False

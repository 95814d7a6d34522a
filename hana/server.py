"""Requests to the archive's server, with retries."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import requests

from hana import __version__
from hana.login import Login
from hana.state import Failed

API: Final = "/api/v1/"
#: Timeouts in seconds for the connection, and for the next byte of a response.
TIMEOUT: Final = (5, 120)
#: Timeouts of the first request.
FIRST_TIMEOUT: Final = (5, 5)
#: Maximum number of attempts without a result.
MAX_ATTEMPTS: Final = 8
#: Maximum number of attempts until the first response. The address may be wrong.
MAX_FIRST_ATTEMPTS: Final = 2
#: Length in seconds from which pauses are announced on a terminal.
ANNOUNCED_PAUSE: Final = 3.0
FIRST_PAUSE: Final = 0.5
MAX_PAUSE: Final = 60.0
#: Longest accepted Retry-After in seconds. A longer one means an exhausted daily quota.
MAX_RETRY_AFTER: Final = 3600.0
#: Statuses that may be temporary.
RETRIED_STATUSES: Final = (408, 423, 425, 429, 500, 502, 503, 504, 507)


class Refused(Failed):
    """An error response, with its ``status`` and ``code``."""

    def __init__(self, response: requests.Response) -> None:
        problem = _problem(response)
        self.status = response.status_code
        self.code: str = problem.get("code", "")
        self.retry_after = parse_seconds(response.headers.get("Retry-After", ""))
        super().__init__(f"{self.status}: {problem.get('detail') or response.reason}")


class Server:
    """An archive at an address: ``Server("https://hana.example", token).get("records")``.

    The address may have a path: ``https://example.org/hana``.
    """

    def __init__(self, address: str, token: str | None = None, *, lang: str = "") -> None:
        """Send ``token`` with every request, else the token of the user's log-in.

        Raise :class:`Failed` for an invalid address.
        """
        parts = urlsplit(address if "//" in address else f"https://{address}")
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise Failed(f"{address}: expected an address such as https://hana.example")
        self.prefix = parts.path.rstrip("/").removesuffix(API.rstrip("/"))
        self.address = f"{parts.scheme}://{parts.netloc}{self.prefix}"
        self.root = f"{parts.scheme}://{parts.netloc}"
        #: Whether the server has responded. Later failures are probably temporary.
        self.has_responded = False
        self.session = requests.Session()
        self.session.headers["User-Agent"] = f"hana/{__version__}"
        self.token = token
        self.login = Login(self.address)
        if lang:
            self.session.headers["Accept-Language"] = lang

    def url(self, path: str) -> str:
        """Return an address on this server, also for a link to another host in a response.

        The token must not be sent to other hosts.
        """
        split = urlsplit(path)
        local = split.path + (f"?{split.query}" if split.query else "")
        if local.startswith("/") and not local.startswith(f"{self.prefix}/"):
            local = self.prefix + local
        return urljoin(f"{self.root}{self.prefix}{API}", local)

    def send_once(
        self,
        method: str,
        path: str,
        *,
        data: bytes | None = None,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> requests.Response:
        """Send a request without retries.

        Raise :class:`Refused` for a status of 400 or more, or exceptions of requests. Redirects
        raise :class:`Failed`, because following one would change the method of an upload.
        """
        if token := self.token or self.login.token():
            self.session.headers["Authorization"] = f"Bearer {token}"
        response = self.session.request(
            method,
            self.url(path),
            data=data,
            params=params,
            headers=headers,
            timeout=TIMEOUT,
            allow_redirects=False,
        )
        if response.status_code >= 400:
            raise Refused(response)
        if response.is_redirect:
            raise Failed(f"{self.address} sends us on to {response.headers['Location'][:200]}")
        return response

    def send(self, method: str, path: str, **options: Any) -> requests.Response:
        """Send an idempotent request, with retries.

        Raise :class:`Failed` after the last attempt; early, if the server has never responded.
        """
        self._connect()
        retries = Retries(self)
        while True:
            try:
                return self.send_once(method, path, **options)
            except (Refused, requests.RequestException) as error:
                retries.wait(error)

    def _connect(self) -> None:
        """Check quickly that the server responds, before the first request, which may be long."""
        retries = Retries(self)
        while not self.has_responded:
            try:
                self.session.head(self.url(""), timeout=FIRST_TIMEOUT, allow_redirects=False)
                self.has_responded = True
            except requests.RequestException as error:
                retries.wait(error)

    def get(self, path: str, **options: Any) -> requests.Response:
        """Send a GET request, with retries."""
        return self.send("GET", path, **options)


class Retries:
    """A counter of attempts that waits between them, longer each time or for Retry-After."""

    def __init__(self, server: Server) -> None:
        """Count attempts of requests to a server."""
        self.server = server
        self.reset()

    def reset(self) -> None:
        """Start counting again, after an attempt with a result."""
        self.attempts = 0

    def wait(self, error: Refused | requests.RequestException) -> None:
        """Wait after an error. Raise :class:`Failed` after the last attempt."""
        if isinstance(error, Refused) and (
            error.status not in RETRIED_STATUSES or error.retry_after > MAX_RETRY_AFTER
        ):
            raise error
        self.attempts += 1
        if self.attempts >= (MAX_ATTEMPTS if self.server.has_responded else MAX_FIRST_ATTEMPTS):
            if isinstance(error, Refused):
                raise error
            raise Failed(f"{self.server.address} cannot be reached: {_plain(error)}") from error
        pause = min(MAX_PAUSE, FIRST_PAUSE * 2**self.attempts) * random.uniform(0.5, 1)
        pause = max(pause, error.retry_after if isinstance(error, Refused) else 0.0)
        if pause >= ANNOUNCED_PAUSE and sys.stderr.isatty():
            reason = error if isinstance(error, Refused) else _plain(error)
            print(f"hana: {reason}; trying again in {pause:.0f} s", file=sys.stderr)
        time.sleep(pause)


def parse_seconds(written: str) -> float:
    """Return Retry-After in seconds, 0 for a date, which depends on the clock."""
    return float(written) if written.isascii() and written.isdigit() else 0.0


def _problem(response: requests.Response) -> dict[str, Any]:
    try:
        problem = response.json()
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}


def _plain(error: requests.RequestException) -> str:
    cause = getattr(error.args[0] if error.args else error, "reason", error)
    return str(cause).rpartition(": ")[2] or type(error).__name__

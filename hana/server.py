"""The archive's server: requests, retried while that makes sense."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import requests

from hana import __version__
from hana.errors import Failed

API: Final = "/api/v1/"
#: Seconds to connect, and to wait for the next byte of an answer.
TIMEOUT: Final = (5, 120)
#: The same before its first answer, to a question that takes no time.
FIRST_TIMEOUT: Final = (5, 5)
#: Maximum number of tries without a result, and the pauses between, in seconds.
TRIES: Final = 8
#: The same for a server that has not answered once: its address may be wrong.
FIRST_TRIES: Final = 2
#: Pauses of so many seconds are announced on a terminal.
ANNOUNCED: Final = 3.0
FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 60.0
#: Longest Retry-After that we wait; for a longer one (a quota is used up for the day) fail at once.
LONGEST_WAIT: Final = 3600.0
#: Statuses that another try may change: busy, or restarting.
AGAIN: Final = (408, 423, 425, 429, 500, 502, 503, 504, 507)


class Refused(Failed):
    """An error answer, with its ``status`` and ``code``."""

    def __init__(self, response: requests.Response) -> None:
        problem = _problem(response)
        self.status = response.status_code
        self.code: str = problem.get("code", "")
        self.retry_after = _seconds(response.headers.get("Retry-After", ""))
        super().__init__(f"{self.status}: {problem.get('detail') or response.reason}")


class Server:
    """An archive by its address: ``Server("https://hana.example", token).get("names")``.

    The address may have a path below which the archive is served: ``https://example.org/hana``.
    """

    def __init__(self, address: str, token: str = "", *, lang: str = "") -> None:
        """``token`` is sent with every request. Raises :class:`Failed` for an invalid address."""
        parts = urlsplit(address if "//" in address else f"https://{address}")
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise Failed(f"{address}: expected an address such as https://hana.example")
        self.prefix = parts.path.rstrip("/").removesuffix(API.rstrip("/"))
        self.address = f"{parts.scheme}://{parts.netloc}{self.prefix}"
        self.root = f"{parts.scheme}://{parts.netloc}"
        #: Whether it has answered: from then on a failure is a passing one.
        self.answered = False
        self.session = requests.Session()
        self.session.headers["User-Agent"] = f"hana/{__version__}"
        if token:
            self.session.headers["Authorization"] = f"Bearer {token}"
        if lang:
            self.session.headers["Accept-Language"] = lang

    def url(self, path: str) -> str:
        """An address on this server. Links in answers are resolved here too, whatever host they
        name: the token is for this server alone.
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
        """One try. Raises :class:`Refused` for a status of 400 and above, and what requests raises.

        Redirects are not followed: an upload would arrive as something else.
        """
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

    def ask(self, method: str, path: str, **given: Any) -> requests.Response:
        """The same, with retries. Only for idempotent requests.

        Raises :class:`Failed` after the last try; if the server never answers, within seconds.
        """
        self._greet()
        retries = Retries(self)
        while True:
            try:
                return self.send_once(method, path, **given)
            except (Refused, requests.RequestException) as error:
                retries.wait(error)

    def _greet(self) -> None:
        """Before the first request, which may take long: see that somebody answers at all."""
        retries = Retries(self)
        while not self.answered:
            try:
                self.session.head(self.url(""), timeout=FIRST_TIMEOUT, allow_redirects=False)
                self.answered = True
            except requests.RequestException as error:
                retries.wait(error)

    def get(self, path: str, **given: Any) -> requests.Response:
        """GET, with retries."""
        return self.ask("GET", path, **given)


class Retries:
    """Counts tries and waits between them: longer each time, or as long as the server says."""

    def __init__(self, server: Server) -> None:
        """For requests to this server."""
        self.server = server
        self.reset()

    def reset(self) -> None:
        """The last try had a result."""
        self.tries = 0

    def wait(self, error: Refused | requests.RequestException) -> None:
        """After an error, wait for the next try. Raises :class:`Failed` after the last."""
        if isinstance(error, Refused) and (
            error.status not in AGAIN or error.retry_after > LONGEST_WAIT
        ):
            raise error
        self.tries += 1
        if self.tries >= (TRIES if self.server.answered else FIRST_TRIES):
            if isinstance(error, Refused):
                raise error
            raise Failed(f"{self.server.address} cannot be reached: {_plain(error)}") from error
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2**self.tries) * random.uniform(0.5, 1)
        pause = max(pause, error.retry_after if isinstance(error, Refused) else 0.0)
        if pause >= ANNOUNCED and sys.stderr.isatty():
            why = error if isinstance(error, Refused) else _plain(error)
            print(f"hana: {why}; trying again in {pause:.0f} s", file=sys.stderr)
        time.sleep(pause)


def _seconds(written: str) -> float:
    """Retry-After in seconds; 0 for a date, which depends on the clock."""
    return float(written) if written.isascii() and written.isdigit() else 0.0


def _problem(response: requests.Response) -> dict[str, Any]:
    try:
        found = response.json()
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _plain(error: requests.RequestException) -> str:
    cause = getattr(error.args[0] if error.args else error, "reason", error)
    return str(cause).rpartition(": ")[2] or type(error).__name__

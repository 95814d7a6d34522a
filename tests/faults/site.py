"""The archive as in production: web, workers and sweep, each restarted after its end."""

from __future__ import annotations

import http.client
import json
import os
import secrets
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tests import forking
from tests.conftest import Environment, Hana
from tests.faults.books import Books, Sent
from tests.services import Postgres, RedisServer, free_port

PATIENCE = 180.0
ROLES = ("web", "worker 1", "worker 2", "sweep")
#: Small chunks, for many targets of faults, and short leases.
SETTINGS = {
    "DJANGO_SETTINGS_MODULE": "tests.faults.settings",
    "HANA_CHUNK_GAMES": "4",
    "HANA_LEASE_SECONDS": "6",
    "HANA_WORKERS": "1",
}
#: Statuses of requests during faults; clients try again.
AGAIN = (409, 423, 429, 500, 502, 503, 507)


class Site:
    """The processes of a site by role, such as "web", "worker 1" and "sweep"."""

    def __init__(
        self,
        env: Environment,
        log: Path,
        *,
        postgres: Postgres | None = None,
        redis: RedisServer | None = None,
    ) -> None:
        self.env = env
        self.log = log
        self.postgres = postgres
        self.redis = redis
        self.port = free_port()
        self.books = Books(env)
        self.ledger = self.books.ledger
        self.running: dict[str, subprocess.Popen[str]] = {}

    def command(self, role: str) -> Sequence[str]:
        """Return the command of a role."""
        commands = {
            "web": ["manage.py", "web", f"--port={self.port}"],
            "worker": ["manage.py", "worker"],
            "sweep": ["manage.py", "sweep", "--every=2", "--max-wait=0.5"],
        }
        return commands[role.split()[0]]

    def start(self, *roles: str) -> None:
        """Start processes, which `tend` restarts from now on."""
        for role in roles:
            with self.log.open("ab") as log:
                self.running[role] = forking.start(
                    self.command(role), env=self.env, stdout=log, stderr=log
                )

    def tend(self) -> None:
        """Restart ended processes."""
        for role, process in list(self.running.items()):
            if process.poll() is not None:
                self.start(role)

    def signal(self, role: str, number: int) -> None:
        """Send a signal to a role's process and its descendants."""
        os.killpg(self.running[role].pid, number)

    def kill(self, role: str) -> None:
        """Send SIGKILL; the role is down until `tend` or `start`."""
        self.signal(role, signal.SIGKILL)
        self.running[role].wait()

    def end(self) -> None:
        """End everything, at once: the books are checked, or will not be."""
        for role, process in self.running.items():
            if process.poll() is None:
                self.kill(role)

    def wait(
        self, condition: Callable[[], object], *, seconds: float = PATIENCE, tick: float = 0.2
    ) -> None:
        """Wait until a condition is true, tending meanwhile. A database may be away for a while.

        The condition is evaluated every ``tick`` seconds: a query costs a new connection.
        """
        deadline = time.monotonic() + seconds
        while True:
            try:
                if condition():
                    return
            except OSError as error:
                message: object = error
            except Exception as error:  # errors of either database
                if type(error).__name__ not in ("OperationalError", "DatabaseError"):
                    raise
                message = error
            else:
                message = "not yet"
            assert time.monotonic() < deadline, f"{message}\n{self.log.read_text()[-6000:]}"
            self.tend()
            time.sleep(tick)

    def settle(self, hana: Hana) -> None:
        """Wait until all is worked off, and check the books."""
        self.wait(self.books.is_settled, tick=0.5)
        self.books.check(hana)

    def connect(self) -> http.client.HTTPConnection:
        """Return a connection to the web server."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)

    def get(self, path: str) -> tuple[int, bytes]:
        """Return status and body of a response."""
        connection = self.connect()
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def stored(self) -> Iterator[Path]:
        """Return the paths of the stored bytes of uploads."""
        return (Path(self.env["HANA_VAR"]) / "uploads").glob("*/*")

    def answers(self) -> bool:
        """Return whether the web server responds."""
        try:
            return self.get("/health/live")[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    def headers(self, name: str, key: str) -> dict[str, str]:
        """Return the headers of an upload of one file."""
        kind = "application/zip" if name.endswith(".zip") else "text/x-kafu"
        return {
            "Content-Type": kind,
            "Content-Disposition": f'attachment; filename="{name}"',
            "Idempotency-Key": key,
        }

    def post(self, data: bytes, name: str, key: str) -> tuple[int, dict[str, Any]]:
        """Send an upload once. Raises OSError and HTTPException without a response."""
        connection = self.connect()
        try:
            connection.request("POST", "/api/v1/uploads", data, self.headers(name, key))
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def upload(
        self, data: bytes, name: str = "games.kafu", key: str = "", *, tending: bool = True
    ) -> str:
        """Send an upload until it is acknowledged, as a client does, and record it in the books."""
        key = key or secrets.token_hex(8)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                status, response = self.post(data, name, key)
            except (OSError, http.client.HTTPException, ValueError) as error:
                status, response = 503, {"detail": repr(error)}
            if status == 202:
                self.books.sent.append(Sent(response["key"], data))
                return str(response["key"])
            assert status in AGAIN, response
            assert time.monotonic() < deadline, f"{response}\n{self.log.read_text()[-6000:]}"
            if tending:
                self.tend()
            time.sleep(0.1)

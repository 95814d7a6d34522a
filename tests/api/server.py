"""A real web server over an archive of its own."""

from __future__ import annotations

import http.client
import socket
import subprocess
from dataclasses import dataclass

from tests.test_supervisor import descendants

#: Bytes that an upload may have there.
LIMIT = 64 << 20


@dataclass(frozen=True)
class Server:
    """Gunicorn as `manage.py serve` runs it: no worker beside, one process that answers."""

    pid: int
    port: int

    def connect(self) -> http.client.HTTPConnection:
        """A new connection."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def memory(self) -> int:
        """Bytes in memory of the processes that answer."""
        pids = ",".join(map(str, descendants(self.pid)))
        listed = subprocess.run(["ps", "-o", "rss=", "-p", pids], capture_output=True, text=True)
        return sum(map(int, listed.stdout.split())) * 1024


def listens(port: int) -> bool:
    """Whether somebody answers there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0

"""A real web server with an archive of its own."""

from __future__ import annotations

import http.client
import resource
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path

#: Bytes that an upload may have there.
LIMIT = 64 << 20


@dataclass(frozen=True)
class Server:
    """One process of the web server, without a worker beside it."""

    pid: int
    port: int

    def connect(self) -> http.client.HTTPConnection:
        """A new connection."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def memory(self) -> int:
        """Bytes that the process has in memory."""
        told = Path(f"/proc/{self.pid}/statm")
        if told.exists():
            return int(told.read_text().split()[1]) * resource.getpagesize()
        listed = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(self.pid)], capture_output=True, text=True, check=True
        )
        return int(listed.stdout) * 1024


def listens(port: int) -> bool:
    """Whether somebody answers there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0

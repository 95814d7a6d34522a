"""A real web server with a new archive."""

from __future__ import annotations

import http.client
import resource
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path

#: Most bytes of an upload on this server.
LIMIT = 32 << 20


@dataclass(frozen=True)
class Server:
    """A process of the web server, without a worker."""

    pid: int
    port: int

    def connect(self) -> http.client.HTTPConnection:
        """Open a connection."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def memory(self) -> int:
        """Return the memory of the process in bytes."""
        statm = Path(f"/proc/{self.pid}/statm")
        if statm.exists():
            return int(statm.read_text().split()[1]) * resource.getpagesize()
        listed = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(self.pid)], capture_output=True, text=True, check=True
        )
        return int(listed.stdout) * 1024


def listens(port: int) -> bool:
    """Tell whether a process listens on the port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0

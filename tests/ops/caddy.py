"""Caddy with deploy/proxy/Caddyfile before a web server, on free ports of the local machine."""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT
from tests.ops.conftest import Answer
from tests.services import free_port, missing, scratch, wait_until

HOST = "localhost"


@dataclass(frozen=True)
class Proxy:
    """A running Caddy."""

    pid: int
    port: int
    plain: int  # the port of HTTP
    tls: ssl.SSLContext
    log: Path

    def ask(
        self, method: str, path: str, body: bytes | Iterator[bytes] | None = None, **headers: str
    ) -> Answer:
        """Make one request by HTTPS; names of headers have ``_`` for ``-``."""
        line = http.client.HTTPSConnection(HOST, self.port, timeout=60, context=self.tls)
        with closing(line):
            names_and_values = {name.replace("_", "-"): value for name, value in headers.items()}
            line.request(method, path, body, names_and_values)
            response = line.getresponse()
            return Answer(response.status, response.headers, response.read())


def caddyfile(web: int, port: int, plain: int, directory: Path, instead: Mapping[str, str]) -> str:
    """Return our Caddyfile adapted to the local machine, with local certificates and ports.

    ``instead`` maps texts that occur once to their replacements.
    """
    text = (ROOT / "deploy/proxy/Caddyfile").read_text()
    here = (
        f"admin off\n\tskip_install_trust\n\thttp_port {plain}\n\thttps_port {port}\n"
        f"\tstorage file_system {directory}\n\tservers {{"
    )
    changes = {"servers {": here, "port 8000": f"port {web}"}
    for old, new in {**changes, **instead}.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@contextmanager
def caddy(web: int, instead: Mapping[str, str]) -> Iterator[Proxy]:
    """Run Caddy before the server on a port; see `caddyfile`."""
    program = shutil.which("caddy", path=f"{os.environ['PATH']}:/opt/homebrew/bin")
    if program is None:
        missing("caddy")
        return
    port, plain = free_port(), free_port()
    with scratch() as directory:
        config = directory / "Caddyfile"
        config.write_text(caddyfile(web, port, plain, directory, instead))
        command = [program, "run", "--config", str(config), "--adapter", "caddyfile"]
        env = {
            "HANA_SITE": HOST,
            "HANA_WEB": "127.0.0.1",
            "HOME": str(directory),
            "PATH": "/usr/bin:/bin",
        }
        with (directory / "said").open("w+") as output:
            process = subprocess.Popen(command, env=env, stdout=output, stderr=output)
            try:
                authority = directory / "pki" / "authorities" / "local" / "root.crt"
                wait_until(
                    lambda: process.poll() is not None or has_certificate(port, authority),
                    "caddy answers",
                    120,
                )
                assert process.poll() is None, (directory / "said").read_text()
                tls = ssl.create_default_context(cafile=str(authority))
                yield Proxy(process.pid, port, plain, tls, directory / "said")
            finally:
                process.terminate()
                process.wait(20)


def has_certificate(port: int, authority: Path) -> bool:
    """Return whether a port serves HTTPS with a certificate of an authority."""
    try:
        tls = ssl.create_default_context(cafile=str(authority))
        with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
            tls.wrap_socket(line, server_hostname=HOST).close()
    except OSError:  # also if the file does not exist yet, or is incomplete
        return False
    return True

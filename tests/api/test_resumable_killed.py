"""Uploads in parts, and keys, on a real server that is killed: nothing that was confirmed is
lost.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import signal
import socket
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.conftest import Environment, Hana
from tests.records.work.ledger import Ledger
from tests.services import wait_until

MIB = 1 << 20
DATA = bytes(range(256)) * (24 * MIB // 256)
ROOT = "/api/v1/uploads/resumable"
TUS = {"Tus-Resumable": "1.0.0"}
OCTETS = "application/offset+octet-stream"


class Web:
    """A web process, to be killed and started again."""

    def __init__(self, hana: Hana, env: Environment) -> None:
        self.hana, self.env = hana, env
        self.process, self.port = hana.web(env)

    def kill(self) -> None:
        """SIGKILL, and start it anew, on another port."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process, self.port = self.hana.web(self.env)

    def ask(
        self, method: str, path: str, data: bytes | None = None, **headers: str
    ) -> tuple[int, Any]:
        """Status and headers of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        given = TUS | {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, data, given)
        response = connection.getresponse()
        response.read()
        connection.close()
        return response.status, response.headers

    def create(self) -> str:
        """A new upload in parts: its path."""
        status, headers = self.ask("POST", ROOT, b"", Upload_Length=str(len(DATA)))
        assert status == 201
        return urlsplit(headers["Location"]).path

    def offset(self, path: str) -> int:
        """What HEAD tells."""
        status, headers = self.ask("HEAD", path)
        assert status == 200
        return int(headers["Upload-Offset"])

    def has(self, path: str, offset: int) -> bool:
        """Whether so many bytes are safe."""
        return self.offset(path) >= offset

    def patch(self, path: str, offset: int, data: bytes) -> tuple[int, Any]:
        """Add a part."""
        return self.ask("PATCH", path, data, Upload_Offset=str(offset), Content_Type=OCTETS)

    def begin_patch(self, path: str, offset: int, sent: int) -> socket.socket:
        """The head of a part with all that is missing, and some of its bytes."""
        lines = [f"PATCH {path} HTTP/1.1", "Host: localhost", "Tus-Resumable: 1.0.0"]
        lines += [f"Content-Type: {OCTETS}", f"Upload-Offset: {offset}"]
        lines += [f"Content-Length: {len(DATA) - offset}", "", ""]
        sender = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        sender.sendall("\r\n".join(lines).encode() + DATA[offset : offset + sent])
        return sender


@pytest.fixture
def web(hana: Hana, hana_env: Callable[..., Environment]) -> Web:
    """A server over an archive of its own."""
    return Web(hana, hana_env())


def test_killed_in_the_middle_of_parts(web: Web) -> None:
    path, offset = web.create(), 0
    for sent in (6 * MIB, 9 * MIB):
        with web.begin_patch(path, offset, sent):
            pass  # the sender breaks off; what came is passed on
        wait_until(partial(web.has, path, offset + 4 * MIB), "some of it is safe")
        promised = web.offset(path)
        with web.begin_patch(path, promised, sent):
            web.kill()
        now = web.offset(path)
        assert promised <= now <= promised + sent
        offset = now
    status, headers = web.patch(path, offset, DATA[offset:])
    assert status == 204
    assert web.ask("HEAD", path)[1]["Upload-Result"] == headers["Upload-Result"]
    ((sha256, size),) = Ledger(web.env).ask("SELECT sha256, size FROM records_uploadfile")
    assert (sha256, size) == (hashlib.sha256(DATA).hexdigest(), len(DATA))


def test_two_parts_at_once(web: Web) -> None:
    """The first that is there counts; the other is told where to go on."""
    path = web.create()
    with web.begin_patch(path, 0, 5 * MIB):
        assert web.patch(path, 0, DATA[:MIB])[0] == 204
    assert web.offset(path) == MIB
    assert web.patch(path, 0, DATA[:MIB])[0] == 409
    assert web.patch(path, MIB, DATA[MIB:])[0] == 204


def test_killed_in_the_middle_of_a_request_with_a_key(web: Web) -> None:
    head = ["POST /api/v1/uploads HTTP/1.1", "Host: localhost", "Content-Type: text/x-kafu"]
    head += ["Idempotency-Key: k", f"Content-Length: {len(DATA)}", "", ""]
    with socket.create_connection(("127.0.0.1", web.port), timeout=60) as sender:
        sender.sendall("\r\n".join(head).encode() + DATA[: 3 * MIB])
        web.kill()
    headers = {"Idempotency_Key": "k", "Content_Type": "text/x-kafu"}
    answers = [web.ask("POST", "/api/v1/uploads", DATA, **headers) for _ in range(2)]
    assert [status for status, _headers in answers] == [202, 202]
    assert answers[0][1]["Location"] == answers[1][1]["Location"]
    assert Ledger(web.env).number("SELECT count(*) FROM records_upload") == 1

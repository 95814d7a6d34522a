"""Resumable uploads and idempotency keys on a real server that is killed.

No confirmed byte is lost.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from lengths import part
from tests.conftest import Environment, Hana, bare_env
from tests.records.jobs.ledger import Ledger
from tests.services import BucketServer

MIB = 1 << 20
DATA = bytes(range(256)) * (12 * MIB // 256)
ROOT = "/api/v1/uploads/resumable"
TUS = {"Tus-Resumable": "1.0.0"}
OCTETS = "application/offset+octet-stream"

UPLOADS = "SELECT count(*) FROM records_upload"


class Web:
    """A web process for killing and restarting."""

    def __init__(self, hana: Hana, env: Environment) -> None:
        self.hana, self.env = hana, env
        self.process, self.port = hana.web(env)

    def kill(self) -> None:
        """Kill the process and start another process on another port."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process, self.port = self.hana.web(self.env)

    def request(
        self, method: str, path: str, data: bytes | None = None, **headers: str
    ) -> tuple[int, Any]:
        """Send a request; return status and headers of the response."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        all_headers = TUS | {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, data, all_headers)
        response = connection.getresponse()
        response.read()
        connection.close()
        return response.status, response.headers

    def create(self) -> str:
        """Begin an upload in parts; return its path."""
        status, headers = self.request("POST", ROOT, b"", Upload_Length=str(len(DATA)))
        assert status == 201
        return urlsplit(headers["Location"]).path

    def get_offset(self, path: str) -> int:
        """Return the offset by HEAD."""
        status, headers = self.request("HEAD", path)
        assert status == 200
        return int(headers["Upload-Offset"])

    def patch(self, path: str, offset: int, data: bytes) -> tuple[int, Any]:
        """Send a part."""
        return self.request("PATCH", path, data, Upload_Offset=str(offset), Content_Type=OCTETS)

    def begin_patch(self, path: str, offset: int, sent: int) -> socket.socket:
        """Announce all missing bytes as one part, and send only some bytes."""
        lines = [f"PATCH {path} HTTP/1.1", "Host: localhost", "Tus-Resumable: 1.0.0"]
        lines += [f"Content-Type: {OCTETS}", f"Upload-Offset: {offset}"]
        lines += [f"Content-Length: {len(DATA) - offset}", "", ""]
        sender = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        sender.sendall("\r\n".join(lines).encode() + DATA[offset : offset + sent])
        return sender

    def begin_upload(self, key: str) -> socket.socket:
        """Announce an upload with an idempotency key, and send a part of it."""
        lines = ["POST /api/v1/uploads HTTP/1.1", "Host: localhost", "Content-Type: text/x-kafu"]
        lines += [f"Idempotency-Key: {key}", f"Content-Length: {len(DATA)}", "", ""]
        sender = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        sender.sendall("\r\n".join(lines).encode() + DATA[: 3 * MIB])
        return sender


@pytest.fixture(scope="module", params=part(["directory", "bucket"]))
def web(request: pytest.FixtureRequest, new_var: Callable[[], Path]) -> Iterator[Web]:
    """Start a server with a new archive for all tests of the module."""
    env = bare_env(HANA_ENV="development", HANA_VAR=str(new_var()))
    if request.param == "bucket":
        server: BucketServer = request.getfixturevalue("bucket_server")
        env["HANA_STORAGE_URL"] = server.create()
    runner = Hana()
    yield Web(runner, env)
    runner.end()


def test_confirmed_parts_survive_a_kill_and_an_idempotency_key_is_free(web: Web) -> None:
    uploads_before = Ledger(web.env).number(UPLOADS)
    path = web.create()
    promised = 4 * MIB
    assert web.patch(path, 0, DATA[:promised])[0] == 204
    with web.begin_patch(path, promised, MIB):
        pass  # the connection breaks: nothing of the part is stored
    assert web.get_offset(path) == promised
    with web.begin_patch(path, promised, 4 * MIB), web.begin_upload("k"):
        web.kill()
    offset = web.get_offset(path)
    assert offset == promised
    status, response = web.patch(path, offset, DATA[offset:])
    assert status == 204
    assert web.request("HEAD", path)[1]["Upload-Result"] == response["Upload-Result"]
    key = response["Upload-Result"].rstrip("/").rpartition("/")[2]
    ((sha256, size),) = Ledger(web.env).ask(
        "SELECT sha256, size FROM records_uploadfile f JOIN records_upload u ON u.id = f.upload_id"
        f" WHERE u.key = '{key}'"
    )
    assert (sha256, size) == (hashlib.sha256(DATA).hexdigest(), len(DATA))
    headers = {"Idempotency_Key": "k", "Content_Type": "text/x-kafu"}
    responses = [web.request("POST", "/api/v1/uploads", b"#", **headers) for _ in range(2)]
    assert [status for status, _headers in responses] == [202, 202]
    assert responses[0][1]["Location"] == responses[1][1]["Location"]
    assert Ledger(web.env).number(UPLOADS) == uploads_before + 2


@pytest.mark.long_only  # `test_slower_of_two_parts_at_an_offset_is_refused` has no processes
def test_second_part_at_the_same_offset_is_refused(web: Web) -> None:
    path = web.create()
    with web.begin_patch(path, 0, 5 * MIB):
        assert web.patch(path, 0, DATA[:MIB])[0] == 204
    assert web.get_offset(path) == MIB
    assert web.patch(path, 0, DATA[:MIB])[0] == 409
    assert web.patch(path, MIB, DATA[MIB:])[0] == 204

"""Hostile request bodies take the web server little memory, at every address."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import pytest
from django.urls import resolve, reverse

from lengths import LONG
from lengths import part as part_of
from records.serving.limits import GROUPS, limit_of
from tests.api.server import Server
from tests.conftest import Environment, Hana
from tests.security.addresses import ArchiveKeys, addresses, patterns

pytestmark = pytest.mark.long

MIB: Final = 1 << 20
#: Maximum memory of a request in addition to the idle process.
MAX_BYTES: Final = 64 * MIB
FORM: Final = "application/x-www-form-urlencoded"
PARTS: Final = "multipart/form-data; boundary=b"
TUS: Final = "application/offset+octet-stream"


@dataclass(frozen=True)
class Body:
    """A hostile body: ``head``, ``piece`` repeated, ``tail``; never whole in our memory."""

    media: str
    piece: bytes
    head: bytes = b""
    tail: bytes = b""

    def of(self, size: int) -> tuple[int, Iterator[bytes]]:
        """Return the length of the body, at most ``size`` bytes, and an iterator of its bytes."""
        count = max(0, (size - len(self.head) - len(self.tail)) // len(self.piece))
        each = max(1, (64 << 10) // len(self.piece))

        def pieces() -> Iterator[bytes]:
            yield self.head
            for _ in range(count // each):
                yield self.piece * each
            yield self.piece * (count % each) + self.tail

        return len(self.head) + count * len(self.piece) + len(self.tail), pieces()


def part(name: str, filename: str = "") -> bytes:
    """Return the head of a part of a form."""
    suffix = f'; filename="{filename}"' if filename else ""
    head = f'--b\r\nContent-Disposition: form-data; name="{name}"{suffix}\r\n\r\n'
    return head.encode()


END: Final = b"\r\n--b--\r\n"
BODIES: Final = {
    "escapes": Body(FORM, b"%41", b"a="),
    "text": Body(FORM, b"%41", b"text="),
    "fields": Body(FORM, b"a=&"),
    "names": Body(FORM, b"%ff=%00&"),
    "a field": Body(PARTS, b"A", part("text"), END),
    "a name": Body(PARTS, b"A", part("x")[:-6], b'"\r\n\r\nx' + END),
    "a file": Body(PARTS, b"A", part("files", "a"), END),
    "files": Body(PARTS, part("file", "a") + b"x\r\n", b"", b"--b--\r\n"),
    "objects": Body("application/json", b"{},", b"[", b"{}]"),
    "depth": Body("application/json", b"["),
    "keys": Body("application/json", b'"":{', b"{"),
    "a string": Body("application/json", b"\\u0041", b'{"visibility":"', b'"}'),
    "a number": Body("application/json", b"9", b'{"visibility":', b"}"),
    "tags": Body("text/x-kafu", b"[", b'[Kafu "1"]\n'),
    "games": Body("text/x-kafu", b'[Kafu "1"]\n\n'),
    "braces": Body("text/x-kafu", b"{a} ", b'[Kafu "1"]\n[Rules "koikoi"]\n\n'),
    "a part": Body(TUS, b"A"),
}


@pytest.fixture(scope="module")
def archive(
    hostile_var: Callable[[], tuple[Environment, dict[str, Any]]],
) -> tuple[Environment, dict[str, Any]]:
    """Return an archive without rate limits, and keys and secrets of its owner, a superuser."""
    env, secrets = hostile_var()
    rates = ",".join(f"{name}=1000000/60" for name, group in GROUPS.items() if group.requests)
    return env | {"HANA_RATES": rates}, secrets


@pytest.fixture(scope="module")
def secrets(archive: tuple[Environment, dict[str, Any]]) -> dict[str, Any]:
    """Return the keys of the archive, and a session and a token of its owner."""
    return archive[1]


@pytest.fixture(scope="module")
def server(archive: tuple[Environment, dict[str, Any]]) -> Iterator[Server]:
    """Run one web process over the archive, with its pages loaded.

    The page of a player loads the modules of statistics, which take 59 MiB once.
    """
    env, secrets = archive
    player = f"/players/{secrets['players'][0]}/"
    runner = Hana()
    process, port = runner.web(env)
    server = Server(process.pid, port)
    for path in ("/", "/upload/", "/check/", player, "/api/v1/records", "/admin/"):
        send(server, "GET", path, {"Cookie": f"sessionid={secrets['session']}"})
    yield server
    runner.end()


def send(
    server: Server,
    method: str,
    path: str,
    headers: dict[str, str],
    pieces: Iterable[bytes] = (),
) -> int:
    """Send a request. Return the status, or 0 if the server closes the connection first."""
    connection = server.connect()
    try:
        connection.putrequest(method, path)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        try:
            for piece in pieces:
                connection.send(piece)
        except OSError:
            return 0
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()


class PeakMemory:
    """A context that measures the peak memory of the server."""

    def __init__(self, server: Server) -> None:
        self.server, self.over = server, threading.Event()
        self.bytes = 0
        self.thread = threading.Thread(target=self._sample)

    def _sample(self) -> None:
        while not self.over.is_set():
            self.bytes = max(self.bytes, self.server.memory())
            time.sleep(0.002)

    def __enter__(self) -> PeakMemory:
        self.thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.over.set()
        self.thread.join()


def paths(secrets: dict[str, Any]) -> list[str]:
    """Return every address, filled in, once for each pattern."""
    keys = ArchiveKeys(
        **{name: secrets[name] for name in ("records", "uploads", "partials", "collections")},
        **{name: secrets[name] for name in ("clubs", "seasons", "members")},
        players=secrets["players"][:1],
        tokens=secrets["tokens"],
        applications=secrets["applications"],
        drafts=secrets["drafts"],
        studies=secrets["studies"],
    )
    path_by_name = {address.name: address.path for address in addresses(keys)}
    path_by_name["admin"] = reverse("admin:records_record_changelist")
    names = {name for name, _pattern, _parameters in patterns() if ":" not in name}
    assert path_by_name.keys() >= names
    return sorted(set(path_by_name.values()))


def measure(
    server: Server, method: str, path: str, headers: dict[str, str], body: Body, size: int
) -> int:
    """Return the memory in bytes that a request takes."""
    length, pieces = body.of(size)
    before = server.memory()
    with PeakMemory(server) as peak:
        status = send(
            server,
            method,
            path,
            headers | {"Content-Type": body.media, "Content-Length": str(length)},
            pieces,
        )
    assert status < 500, (method, path, status)
    return peak.bytes - before


def headers_of_owner(secrets: dict[str, Any], path: str) -> dict[str, str]:
    """Return headers with the token at the API, with the session elsewhere."""
    if path.startswith("/api/"):
        token = f"Bearer {secrets['token']}"
        return {"Authorization": token, "Tus-Resumable": "1.0.0", "Upload-Offset": "0"}
    cookie = f"sessionid={secrets['session']}; csrftoken={'a' * 32}"
    return {"Cookie": cookie, "X-CSRFToken": "a" * 32}


def test_body_of_any_kind_takes_little_memory(server: Server, secrets: dict[str, Any]) -> None:
    """Send the largest permitted bodies to every sixth address, as the owner.

    Each address gets one kind of bodies, the next address the next kind. In `make test-long` every
    address gets all kinds.
    """
    greedy: list[str] = []
    for number, path in enumerate(part_of(paths(secrets), one_of=6)):
        limit = limit_of(resolve(path.partition("?")[0]).func).bytes
        for kind, (name, body) in enumerate(BODIES.items()):
            for method in ("POST", "PATCH") if path.startswith("/api/") else ("POST",):
                if not LONG and (number + kind) % len(BODIES):
                    continue
                size = min(limit, 64 * MIB)
                headers = headers_of_owner(secrets, path)
                memory = measure(server, method, path, headers, body, size)
                if memory > MAX_BYTES:
                    greedy.append(f"{method} {path} {name}: {memory / MIB:.0f} MiB")
    assert not greedy


def test_body_over_the_limit_takes_little_memory(server: Server, secrets: dict[str, Any]) -> None:
    """Send escapes in a form, without a session: an earlier parser took eighty times their size."""
    greedy: list[str] = []
    for path in part_of(paths(secrets), one_of=60):
        memory = measure(server, "POST", path, {}, BODIES["escapes"], 8 * MIB)
        if memory > MAX_BYTES:
            greedy.append(f"{path}: {memory / MIB:.0f} MiB")
    assert not greedy


@pytest.mark.long_only  # the test above sends such bodies one after another
def test_eight_bodies_at_the_same_moment_take_little_memory(server: Server) -> None:
    """Send to the addresses with the largest memory use."""
    for path in ("/language/", "/check/", "/api/v1/verify", "/upload/"):
        length, _pieces = BODIES["text"].of(16 * MIB)
        before = server.memory()
        with PeakMemory(server) as peak, ThreadPoolExecutor(8) as pool:
            headers = {"Content-Type": FORM, "Content-Length": str(length)}
            for _ in range(8):
                pool.submit(send, server, "POST", path, headers, BODIES["text"].of(16 * MIB)[1])
        assert peak.bytes - before < MAX_BYTES, path

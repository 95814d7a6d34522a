"""No request makes the web server hold much: every address that takes a body, with hostile ones."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings
from django.urls import reverse

from lengths import LONG
from lengths import part as part_of
from records.serving.body_limits import limit_of
from tests.api.server import Server
from tests.conftest import Environment, Hana, bare_env
from tests.security.addresses import Known, addresses, patterns

pytestmark = pytest.mark.long

MIB: Final = 1 << 20
#: What a request may take beyond what the process has at rest.
MOST: Final = 64 * MIB
FORM: Final = "application/x-www-form-urlencoded"
PARTS: Final = "multipart/form-data; boundary=b"
TUS: Final = "application/offset+octet-stream"
MAKE: Final = """
import json
from django.contrib.auth import SESSION_KEY, BACKEND_SESSION_KEY, HASH_SESSION_KEY
from django.contrib.auth import get_user_model
from django.contrib.sessions.backends.db import SessionStore
from people import tokens
from django.utils.timezone import now
from people.models import SCOPES, Collection, Draft
from records.models import Player, Record, Upload
from records.intake.resumable import begin
from records.studies import keeping
from tests.security import hostile
user = get_user_model().objects.create_superuser("aya", password="x")
token, text = tokens.make(owner=user, name="t", scopes=SCOPES)
hostile.ingest(user.pk)
session = SessionStore()
session[SESSION_KEY] = user.pk
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session[HASH_SESSION_KEY] = user.get_session_auth_hash()
session.create()
print("MADE" + json.dumps({
    "token": text,
    "session": session.session_key,
    "records": [one.key for one in Record.objects.all()[:1]],
    "uploads": [one.key for one in Upload.objects.all()],
    "players": [one.key for one in Player.objects.all()[:1]],
    "partials": [begin(sender="x", name="x", metadata="", length=600 << 20).key],
    "collections": [Collection.objects.create(owner=user, name="c").key],
    "tokens": [token.key],
    "drafts": [Draft.objects.create(owner=user, key="d", changed=now(), state="{}").key],
    "studies": [keeping.create(user.pk, {"title": "s"}, ()).key],
}))
"""


@dataclass(frozen=True)
class Body:
    """A hostile body: ``head``, so many times ``piece``, ``tail``; never whole in our memory."""

    media: str
    piece: bytes
    head: bytes = b""
    tail: bytes = b""

    def of(self, size: int) -> tuple[int, Iterator[bytes]]:
        """Its length, at most ``size`` bytes, and its bytes."""
        count = max(0, (size - len(self.head) - len(self.tail)) // len(self.piece))
        each = max(1, (64 << 10) // len(self.piece))

        def pieces() -> Iterator[bytes]:
            yield self.head
            for _ in range(count // each):
                yield self.piece * each
            yield self.piece * (count % each) + self.tail

        return len(self.head) + count * len(self.piece) + len(self.tail), pieces()


def part(name: str, filename: str = "") -> bytes:
    """The head of a part of a form."""
    named = f'; filename="{filename}"' if filename else ""
    head = f'--b\r\nContent-Disposition: form-data; name="{name}"{named}\r\n\r\n'
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
def env(new_var: Callable[[], Path]) -> Environment:
    """An archive without bounds on how often."""
    rates = ",".join(f"{name}=1000000/60" for name in settings.RATES)
    return bare_env(HANA_ENV="development", HANA_VAR=str(new_var()), HANA_RATES=rates)


@pytest.fixture(scope="module")
def made(env: Environment) -> dict[str, Any]:
    """Keys of what is in it, and of its owner, a superuser."""
    said = Hana()("shell", "--command", MAKE, env=env).stdout
    found: dict[str, Any] = json.loads(said.partition("MADE")[2].splitlines()[0])
    return found


@pytest.fixture(scope="module")
def server(env: Environment, made: dict[str, Any]) -> Iterator[Server]:
    """One web process over it, warm."""
    runner = Hana()
    process, port = runner.web(env)
    found = Server(process.pid, port)
    for path in ("/", "/upload/", "/check/", "/api/v1/records", "/admin/"):
        send(found, "GET", path, {"Cookie": f"sessionid={made['session']}"})
    yield found
    runner.end()


def send(
    server: Server,
    method: str,
    path: str,
    headers: dict[str, str],
    pieces: Iterable[bytes] = (),
) -> int:
    """One request; its status, 0 where the server has enough before the end."""
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


class Watch:
    """The most memory that the server has meanwhile."""

    def __init__(self, server: Server) -> None:
        self.server, self.over = server, threading.Event()
        self.most = 0
        self.thread = threading.Thread(target=self._look)

    def _look(self) -> None:
        while not self.over.is_set():
            self.most = max(self.most, self.server.memory())
            time.sleep(0.002)

    def __enter__(self) -> Watch:
        self.thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.over.set()
        self.thread.join()


def paths(made: dict[str, Any]) -> list[str]:
    """Every address, filled in, once for each pattern."""
    known = Known(
        **{name: made[name] for name in ("records", "uploads", "players", "partials")},
        collections=made["collections"],
        tokens=made["tokens"],
        drafts=made["drafts"],
        studies=made["studies"],
    )
    found = {one.name: one.path for one in addresses(known)}
    found |= {"admin": reverse("admin:records_record_changelist")}
    assert found.keys() >= {name for name, _pattern, _wanted in patterns() if ":" not in name}
    return sorted(set(found.values()))


def taken(
    server: Server, method: str, path: str, headers: dict[str, str], body: Body, size: int
) -> tuple[int, int]:
    """Bytes of memory that a request takes, and its status."""
    length, pieces = body.of(size)
    before = server.memory()
    with Watch(server) as watch:
        status = send(
            server,
            method,
            path,
            headers | {"Content-Type": body.media, "Content-Length": str(length)},
            pieces,
        )
    assert status < 500, (method, path, status)
    return watch.most - before, status


def of(made: dict[str, Any], path: str) -> dict[str, str]:
    """Headers of the owner: with the token at the API, with the session elsewhere."""
    if path.startswith("/api/"):
        token = f"Bearer {made['token']}"
        return {"Authorization": token, "Tus-Resumable": "1.0.0", "Upload-Offset": "0"}
    cookie = f"sessionid={made['session']}; csrftoken={'a' * 32}"
    return {"Cookie": cookie, "X-CSRFToken": "a" * 32}


def test_no_body_takes_much(server: Server, made: dict[str, Any]) -> None:
    """At every address, as its owner: bodies of every kind, as large as may be there.

    A quarter of the kinds will do, at each address others, and an eighth where the method is
    refused whatever the body; in `make test-long` all are tried.
    """
    greedy: list[str] = []
    refused: set[tuple[str, str]] = set()
    for number, path in enumerate(paths(made)):
        for kind, (name, body) in enumerate(BODIES.items()):
            for method in ("POST", "PATCH") if path.startswith("/api/") else ("POST",):
                if not LONG and (number + kind) % (8 if (method, path) in refused else 4):
                    continue
                size = min(limit_of(path).bytes, 64 * MIB)
                found, status = taken(server, method, path, of(made, path), body, size)
                if status == 405:
                    refused.add((method, path))
                if found > MOST:
                    greedy.append(f"{method} {path} {name}: {found / MIB:.0f} MiB")
    assert not greedy


def test_what_is_too_large_takes_nothing(server: Server, made: dict[str, Any]) -> None:
    """60 MB of escapes in a form, by anybody: they took 5 GB once."""
    greedy: list[str] = []
    for path in part_of(paths(made)):
        found, _status = taken(server, "POST", path, {}, BODIES["escapes"], 60 * MIB)
        if found > MOST:
            greedy.append(f"{path}: {found / MIB:.0f} MiB")
    assert not greedy


def test_many_at_once_take_no_more(server: Server, made: dict[str, Any]) -> None:
    """Eight at once, at addresses that take most."""
    for path in part_of(("/language/", "/check/", "/api/v1/verify", "/upload/"), one_of=2):
        length, _pieces = BODIES["text"].of(60 * MIB)
        before = server.memory()
        with Watch(server) as watch, ThreadPoolExecutor(8) as pool:
            headers = {"Content-Type": FORM, "Content-Length": str(length)}
            for _ in range(8):
                pool.submit(send, server, "POST", path, headers, BODIES["text"].of(60 * MIB)[1])
        assert watch.most - before < MOST, path

"""Requests that are too much, or no requests: an answer all the same, and never a 500."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import ExitStack, closing
from urllib.parse import urlencode

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from records.models import Player, Record
from tests.api.server import Server
from tests.conftest import Environment, Hana
from tests.records.makers import ingest, text
from tests.security.addresses import patterns

FORM = "multipart/form-data; boundary=b"
#: Parameters that some address reads.
PARAMETERS = (
    *("q", "page", "cursor", "page_size", "sort", "player", "event", "ruleset", "profile", "yaku"),
    *("grade", "status", "form", "from", "to", "deals_min", "score_max", "at", "url", "next"),
    *("upload", "file", "game", "record", "show", "errors", "format", "maxwidth", "collection"),
    "lang",
)  # fmt: skip
#: Those of forms.
FIELDS = (
    "visibility",
    "note",
    "name",
    "pseudonym",
    "words",
    "kind",
    "username",
    "password",
    "text",
)
VALUES = ("\0", "9" * 400, "-1", "🎴" * 300, "'\"; DROP TABLE x--%s%n{}", "٣")


def part(head: str, body: str = "x") -> bytes:
    """A form of one part."""
    return f"--b\r\n{head}\r\n\r\n{body}\r\n--b--\r\n".encode()


@pytest.mark.parametrize("path", ["/api/v1/uploads", "/upload/", "/check/", "/account/login/"])
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"--b",
        b"--b\r\n",
        b"--b--",
        part('Content-Disposition: form-data; name="text"', "x" * 5000),
        part(f'Content-Disposition: form-data; name="{"n" * 70_000}"'),
        part("Content-Disposition: form-data; name=files; filename*=utf-16''%ff"),
        part('Content-Disposition: form-data; name="files"; filename="../../\0x\r\nX: y"'),
        part("\r\n".join(f"X-{n}: {n}" for n in range(5000))),
        part('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64', "%"),
        part('Content-Disposition: form-data; name="f"; filename="f"\r\nContent-Length: -5'),
        part(f"Content-Disposition: form-data; name=f; {'a=b; ' * 20_000}"),
        b"".join(b'--b\r\nContent-Disposition: form-data; name="f%d"\r\n\r\n\r\n' % n
                 for n in range(1100)) + b"--b--\r\n",
        b"".join(b'--b\r\nContent-Disposition: form-data; name="files"; filename="f"\r\n\r\n\r\n'
                 for _ in range(1100)) + b"--b--\r\n",
    ],
)  # fmt: skip
def test_forms_that_are_none(db: None, path: str, body: bytes) -> None:
    for kind in (FORM, "multipart/form-data", "multipart/form-data; boundary=" + "b" * 300):
        assert Client().post(path, body, content_type=kind).status_code < 500


def test_more_fields_than_any_form_has(db: None) -> None:
    body = urlencode([(f"f{n}", "x") for n in range(1100)])
    for path in ("/check/", "/upload/", "/language/", "/account/login/"):
        answer = Client().post(path, body, content_type="application/x-www-form-urlencoded")
        assert answer.status_code == 400, path


def ask_for_anything() -> list[str]:
    """Every address with parameters of any kind, as anybody and as somebody: what went wrong."""
    user = get_user_model().objects.create_user("aya")
    upload = ingest(text(1).encode())
    somebody = Client(raise_request_exception=False)
    somebody.force_login(user)
    paths = {
        f"/{one.pattern}" for name, one, wanted in patterns() if not wanted and ":" not in name
    }
    paths |= {"/api/v1/records", "/api/v1/me/games", f"/api/v1/uploads/{upload.key}/games"}
    paths |= {f"/uploads/{upload.key}/", f"/games/{Record.objects.all()[0].key}/"}
    paths |= {f"/players/{Player.objects.all()[0].key}/"}
    wrong = []
    for client in (Client(raise_request_exception=False), somebody):
        for path in sorted(paths):
            for value in VALUES:
                answer = client.get(path, dict.fromkeys(PARAMETERS, value))
                if answer.status_code >= 500 and (path, answer.status_code) != ("/oembed", 501):
                    wrong.append(f"GET {path} {value[:20]!r}")
        for path in ("me/change/", "me/games/x/", "me/names/", "account/login/", "check/"):
            for value in VALUES:
                answer = client.post(f"/{path}", dict.fromkeys((*PARAMETERS, *FIELDS), value))
                if answer.status_code >= 500:
                    wrong.append(f"POST /{path} {value[:20]!r}")
    return wrong


def test_parameters_of_any_kind(hana: Hana, hana_env: Callable[..., Environment]) -> None:
    """On PostgreSQL, which does not take what SQLite takes."""
    code = "from tests.security import test_limits\nprint('WRONG', test_limits.ask_for_anything())"
    hosts = "testserver,localhost"
    env = hana_env(
        postgres=True,
        ALLOWED_HOSTS=hosts,
        HANA_RATES="login=100000/60,verify=100000/60,read=100000/60",
    )
    assert "WRONG []" in hana("shell", "--command", code, env=env).stdout


def test_half_a_request_does_not_stop_the_others(server: Server) -> None:
    """Each holds a thread as long as it likes: many are the proxy's to end (deploy/Caddyfile)."""
    with ExitStack() as stack:
        for half in (b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: "):
            line = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            line.sendall(half)
        connection = stack.enter_context(closing(server.connect()))
        connection.request("GET", "/health/live")
        assert connection.getresponse().status == 200


@pytest.mark.parametrize(
    "lines",
    [
        [b"GET /" + b"a" * 9000 + b" HTTP/1.1", b"Host: localhost"],
        [b"GET / HTTP/1.1", b"Host: localhost", *(b"X-%d: y" % n for n in range(200))],
        [b"GET / HTTP/1.1", b"Host: localhost", b"X: " + b"y" * 20_000],
        [b"GET / HTTP/1.1", b"Host: a\tb"],
        [b"GET / HTTP/1.1", b"Host: localhost", b"Content-Length: 5", b"Content-Length: 6"],
        [b"POST /check/ HTTP/1.1", b"Host: localhost", b"Content-Length: 5",
         b"Transfer-Encoding: chunked"],
        [b"POST /check/ HTTP/1.1", b"Host: localhost", b"Content-Length: x"],
        [b"\x16\x03\x01\x02"],
    ],
)  # fmt: skip
def test_requests_that_are_too_much_are_refused(server: Server, lines: list[bytes]) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(b"\r\n".join(lines) + b"\r\n\r\n")
        answer = line.recv(100)
    assert b" 4" in answer[:15] or not answer, answer

"""Requests that are too large: an answer all the same, never a 500. Invalid HTTP: tests/ops."""

from __future__ import annotations

import os
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from records.models import Player, Record
from tests.conftest import Environment, Hana
from tests.records.makers import ingest, text
from tests.security.addresses import patterns

#: In a process of its own, where the tests' folders are not on the path.
LONG = "LONG" in os.environ
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
    *("username", "login", "password", "email", "code", "text"),
)
#: Addresses that take a form.
POSTED = (
    *("me/change/", "me/games/x/", "me/names/", "check/", "account/login/"),
    *("account/signup/", "account/password/reset/", "account/email/"),
    *("account/reauthenticate/", "account/2fa/authenticate/"),
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
    """Every address with parameters of any kind, as anybody and as somebody: what went wrong.

    Each value is tried by one of the two, by turns from address to address; in `make test-long` by
    both.
    """
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
    for turn, client in enumerate((Client(raise_request_exception=False), somebody)):
        for number, path in enumerate(sorted(paths)):
            for value in VALUES if LONG else VALUES[(turn + number) % 2 :: 2]:
                answer = client.get(path, dict.fromkeys(PARAMETERS, value))
                if answer.status_code >= 500 and (path, answer.status_code) != ("/oembed", 501):
                    wrong.append(f"GET {path} {value[:20]!r}")
        for number, path in enumerate(POSTED):
            for value in VALUES if LONG else VALUES[(turn + number) % 2 :: 2]:
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
        HANA_RATES="login=100000/60,account=100000/60,verify=100000/60,read=100000/60",
    )
    assert "WRONG []" in hana("shell", "--command", code, env=env).stdout

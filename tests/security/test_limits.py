"""Malformed and oversized forms get a response below 500. The web server handles invalid HTTP."""

from __future__ import annotations

from typing import Any

from django.test import Client

from lengths import LONG
from records.serving.limits import GROUPS

FORM = "multipart/form-data; boundary=b"


def part(head: str, body: str = "x") -> bytes:
    """Return a form of one part."""
    return f"--b\r\n{head}\r\n\r\n{body}\r\n--b--\r\n".encode()


BODIES = (
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
)  # fmt: skip


def test_malformed_form_is_no_server_error(db: None, settings: Any) -> None:
    """Test the API's parser, and Django's parser before views with files and without.

    Only `make test-long` sends all bodies to Django's parser.
    """
    settings.RATES = dict.fromkeys(GROUPS, (10**9, 60))
    for path in ("/api/v1/uploads", "/upload/", "/account/login/"):
        forms = [(FORM, body) for body in BODIES]
        for boundary in ("", "; boundary=" + "b" * 300):
            forms += ((f"multipart/form-data{boundary}", body) for body in BODIES[1::6])
        is_selected = LONG or path.startswith("/api/")
        for kind, body in forms if is_selected else forms[::3]:
            response = Client().post(path, body, content_type=kind)
            assert response.status_code < 500, (path, kind[:40], body[:60])

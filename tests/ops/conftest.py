"""The archive in production mode, as processes."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

#: A key long and varied enough for Django, for tests only.
KEY = "Zm9yIHRoaXMgdGVzdCBvbmx5LCBhbmQgbG9uZyBlbm91Z2ggZm9yIERqYW5nbw"
HOST = "archive.example"
TOKEN = "for-this-test-only"
#: Maximum seconds for the start of processes; a limit for failures, not a measure.
PATIENCE = 120


@dataclass
class Answer:
    """A response."""

    status: int
    headers: Any
    body: bytes

    def json(self) -> Any:
        """Return the body, parsed."""
        return json.loads(self.body)


def ask(
    url: str, *, data: bytes | None = None, method: str | None = None, **headers: str
) -> Answer:
    """Make one request, not following redirects; names of headers have ``_`` for ``-``."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, data=data, headers=names, method=method)
    opener = urllib.request.build_opener(_Stay)
    try:
        with opener.open(request, timeout=30) as response:
            return Answer(response.status, response.headers, response.read())
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, error.headers, error.read())


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any) -> None:
        """Show the redirect itself."""


def responds(url: str) -> bool:
    """Return whether a server responds at an address."""
    try:
        return ask(url).status < 600
    except OSError:
        return False

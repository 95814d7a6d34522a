"""Hostile names, comments, tags and file names are escaped at every address."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client

from hanaarchive.http.security import PERMISSIONS, POLICY
from lengths import LONG
from records.models import Record
from records.pages.game.frame import ReplayPosition
from records.pages.game.pictures import draw
from records.pages.game.player_data import replay_of
from tests.security import hostile
from tests.security.addresses import Address, ArchiveKeys, addresses, body_of

#: Pages with hostile texts; and pages of the owner.
SHOWING = (
    "home",
    "games",
    "game",
    "moves",
    "players",
    "player",
    "report",
    "sheet",
    "check",
    "studies",
    "study",
)
PREVIEWS = (
    *("game-preview", "sheet-preview", "player-preview", "study-preview", "statistics-preview"),
    *("page-preview", "statistics-home-preview"),
)
OWN = ("my-studies", "study-add", "me", "my_game", "tokens", "my_names", "my_uploads")
#: Expensive addresses, requested only by `make test-long`. The tests of pictures and previews draw
#: hostile names.
EXPENSIVE = ("animation", "strip", "favicon", "picture", "api:docs", "api:schema", *PREVIEWS)
#: Addresses that other sites may frame.
FRAMED = {"embed"}
#: Headers of every response, and headers of none.
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": PERMISSIONS,
}
FORBIDDEN_HEADERS = ("Server", "X-Powered-By", "Access-Control-Allow-Credentials")
VOID = frozenset(("meta", "link", "input", "img", "br", "hr", "use", "path", "source", "wbr"))
#: Elements that isolate the text direction of their contents.
ISOLATED = frozenset(("bdi", "textarea", "title", "option", "pre"))
FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠](?!\d+(?:\.\d+)?$)")


class Page(HTMLParser):
    """A parser that collects the faults of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.faults: list[str] = []
        self.open: list[str] = []
        self.script = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        if tag == hostile.ELEMENT:
            self.faults.append(f"<{tag}>")
        for name, value in attrs:
            if name.startswith("on") or name in (hostile.ATTRIBUTE, "style", "srcdoc"):
                self.faults.append(f"<{tag} {name}={value!r}>")
            if name in ("href", "src", "action", "formaction", "data", "poster"):
                scheme = (value or "").strip().partition(":")[0].lower()
                if scheme in ("javascript", "vbscript") or (scheme == "data" and tag != "img"):
                    self.faults.append(f"<{tag} {name}={value!r}>")
        kinds = dict(attrs)
        if tag == "script" and "src" not in kinds and "json" not in (kinds.get("type") or ""):
            self.faults.append("inline script")
        self.script = tag if tag in ("script", "style") else ""

    def handle_endtag(self, tag: str) -> None:
        while tag in self.open and self.open.pop() != tag:
            pass  # HTML permits omitting the end of these elements.

    def handle_data(self, data: str) -> None:
        if "\u202e" in data and not ISOLATED.intersection(self.open):
            self.faults.append(f"reverses the text after it: {data[:80]!r} in {self.open[-3:]}")
        if self.script and data.strip():
            try:
                json.loads(data)
            except ValueError:
                self.faults.append(f"no JSON in a script: {data[:80]!r}")
        self.script = ""


def find_faults(address: Address, response: Any) -> Iterator[str]:
    """Yield the faults of a response."""
    if response.status_code >= 500:
        yield f"status {response.status_code}"
    for name, value in response.items():
        if "evil" in name.lower() or not value.isascii() or "\n" in value or "\r" in value:
            yield f"header {name}: {value!r}"
    body = body_of(response)
    yield from find_header_faults(address, response, body)
    kind = response.get("Content-Type", "").partition(";")[0]
    if kind == "text/html":
        page = Page()
        page.feed(body.decode())
        yield from page.faults
    elif kind.endswith("ndjson"):
        for line in body.splitlines():
            json.loads(line)
    elif kind.endswith("json"):
        json.loads(body)
    elif kind == "text/csv":
        for row in csv.reader(io.StringIO(body.decode("utf-8-sig"))):
            yield from (f"formula {cell!r}" for cell in row if FORMULA.match(cell))
    elif kind == "image/png":
        if not body.startswith(b"\x89PNG"):
            yield "no picture"
    elif kind == "image/gif":
        if not body.startswith(b"GIF89a"):
            yield "no animation"
    elif kind == "image/x-icon":
        if not body.startswith(b"\0\0\1\0"):
            yield "no icon"
    elif kind in ("application/xml", "application/atom+xml"):
        tags = (element.tag for element in ElementTree.fromstring(body).iter())
        names = {tag.rpartition("}")[2] for tag in tags}
        yield from (f"element {name!r}" for name in names if "evil" in name)
    elif body and kind not in ("text/x-kafu", "text/plain", "text/javascript", "application/yaml"):
        yield f"unexpected kind {kind!r}"


def find_header_faults(address: Address, response: Any, body: bytes) -> Iterator[str]:
    """Yield missing and unexpected headers of a response."""
    headers = response.headers
    expected, policy = dict(HEADERS), headers["Content-Security-Policy"]
    if address.name in FRAMED and "frame-ancestors *" in policy:
        expected.pop("X-Frame-Options")
    elif not policy.endswith("; frame-ancestors 'none'"):
        yield f"may be framed: {policy}"
    for name, value in expected.items():
        if headers.get(name) != value:
            yield f"{name}: {headers.get(name)}"
    if not policy.startswith(POLICY):
        yield f"another policy: {policy}"
    yield from (f"has {name}" for name in FORBIDDEN_HEADERS if name in headers)
    if headers.get("Access-Control-Allow-Origin", "*") != "*":
        yield "opened to one site"
    cached = headers.get("Cache-Control", "")
    for_all = "public" in cached or "Cookie" not in headers.get("Vary", "")
    if for_all and b"csrfmiddlewaretoken" in body:
        yield f"a form with a token is cached for others: {cached}"
    if address.path.startswith("/me/") and response.status_code == 200 and "no-store" not in cached:
        yield f"may be cached: {cached}"


def test_hostile_text_is_escaped_at_every_address(
    keys: ArchiveKeys, owner: Client, attempts: list[Any]
) -> None:
    """Check elements, headers and network connections, as a visitor and as the owner.

    Both request the first page of each name, other addresses alternately, and every 18th address
    with other keys and the same query. The owner, who sees everything, requests the API
    too. In `make test-long` both request all addresses and all pictures.
    """
    faults: dict[str, list[str]] = {}
    texts: dict[str, str] = {}
    for turn, (client, language) in enumerate(((Client(), "en"), (owner, "ja"))):
        counts: Counter[str] = Counter()
        requested: set[tuple[str, str]] = set()
        for address in addresses(keys):
            counts[address.name] += 1
            number = counts[address.name]
            kind = (address.name, address.path.partition("?")[2])
            is_left_out = number % 2 != turn or (kind in requested and number % 18)
            is_left_out = number > 1 and is_left_out
            is_left_out = is_left_out or (turn == 0 and address.path.startswith("/api/"))
            if (is_left_out or address.name in EXPENSIVE) and not LONG:
                continue
            requested.add(kind)
            response = client.get(address.path, headers={"Accept-Language": language})
            address_faults = list(find_faults(address, response))
            if address_faults:
                faults[f"{address.path} ({language})"] = address_faults[:3]
            if not response.streaming and response.status_code == 200:
                text = response.content.decode(errors="replace")
                texts[address.name] = texts.get(address.name, "") + text
    assert not faults
    assert not attempts
    # The requests reached hostile texts, because these pages contain the texts, escaped.
    for name in (*SHOWING, *OWN):
        assert "&lt;x-evil" in texts[name], name
    assert "{{7*7}}" in texts["game"]
    for name in ("api:records", "api:record", "replay", "kafu", "api:record-comments", "api:study"):
        assert "x-evil" in texts[name], name


def test_picture_contains_names_as_text(keys: ArchiveKeys) -> None:
    for record in Record.objects.filter(key__in=keys.records):
        replay = replay_of(record)
        if replay is None:
            continue
        pieces = draw(replay, ReplayPosition(1, 0)).letterings
        svg = f"<svg>{''.join(piece.svg for piece in pieces)}</svg>"
        tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter()}
        assert tags <= {"svg", "rect", "text", "circle"}
        assert "x-evil" in svg
        # The picture loads no further file.
        assert not re.search(r"(?:href|src)=|url\(", svg)


def test_redirect_to_another_site_is_refused(db: None) -> None:
    for target in ("https://evil.test/", "//evil.test/", "/\\evil.test", "javascript:alert(1)"):
        response = Client().post("/language/", {"language": "ja", "next": target})
        assert response["Location"] == "/"
    hosts = {"X-Forwarded-Host": "evil.test", "Host": "evil.test"}
    assert Client().get("/games/", headers=hosts).status_code == 400
    response = Client().get("/games/", headers={"X-Forwarded-Host": "evil.test"})
    assert b"evil.test" not in response.content


@pytest.mark.parametrize("name", ["Idempotency-Key", "Upload-Metadata", "X-Request-ID"])
def test_header_copied_from_a_request_is_one_short_line(db: None, name: str) -> None:
    for header in ("a\nX-Evil: 1", "a\r\nX-Evil: 1", "a\x00b", "é" * 30, "x" * 5000):
        headers = {name: header, "Tus-Resumable": "1.0.0", "Upload-Length": "5"}
        for path in ("/api/v1/uploads/resumable", "/api/v1/uploads"):
            response = Client().post(path, b"", content_type="text/x-kafu", headers=headers)
            assert response.status_code < 500
            assert not any(
                "\n" in value or len(value) > 3000 for value in response.headers.values()
            )


def test_path_of_a_request_is_one_line_of_the_log_without_unknown_words(
    db: None, settings: Any
) -> None:
    import logging.config

    for form in ("JSON", "LINES"):
        stream = io.StringIO()
        config = _logging(form == "JSON")
        logging.config.dictConfig(config)
        for handler in logging.getLogger().handlers:
            if hasattr(handler, "setStream"):
                handler.setStream(stream)
        try:
            Client().get("/nothing/%0aFAKE%20line%0d%1b[31mred")
        finally:
            logging.config.dictConfig(settings.LOGGING)
        lines = [line for line in stream.getvalue().splitlines() if "request" in line]
        assert len(lines) == 1, form
        assert "FAKE" not in stream.getvalue() and "\x1b" not in stream.getvalue(), form


def _logging(as_json: bool) -> dict[str, Any]:
    from hanaarchive.logs import logging_config

    return logging_config(json=as_json, level="INFO", routine_level="INFO")

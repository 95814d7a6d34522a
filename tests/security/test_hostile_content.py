"""Hostile names, comments, tags and file names are escaped at every address.

Browsers and proxies store nothing of a logged-in user.
"""

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
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from hanaarchive.http.security import PERMISSIONS, POLICY
from lengths import LONG
from records.models import Record
from records.pages.game.frame import ReplayPosition
from records.pages.game.pictures import draw
from records.pages.game.player_data import replay_of
from records.privacy.access import NO_STORE
from records.statistics.registry import FIGURES
from tests.security import hostile
from tests.security.addresses import Address, ArchiveKeys, addresses, body_of
from tests.security.conftest import USER

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
    *("page-preview", "statistics-home-preview", "poster-preview"),
)
OWN = (
    *("my-studies", "study-add", "me", "my_game", "tokens", "applications"),
    *("my_names", "my_uploads"),
)
#: Expensive addresses, requested only by `make test-long`. The tests of pictures and previews draw
#: hostile names.
EXPENSIVE = ("animation", "strip", "favicon", "picture", "api:docs", "api:schema", *PREVIEWS)
#: Pages with hostile texts that the visitor requests too.
PUBLIC = ("home", "games", "game", "player", "check")
#: Forms that change no row: the language of a visitor, a preview of a text, a month of a lesson.
#: Endpoints of applications, which read no cookie.
OPEN_FORMS = (
    *("language", "preview", "first-month"),
    *("oauth_token", "oauth_device", "oauth_revoke"),
)
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
#: A line of a calendar that the site writes, or the empty end.
CALENDAR = re.compile(r"([A-Z-]+(;[A-Z]+=[A-Za-z-]+)?:|$)")
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


def find_faults(address: Address, response: Any, body: bytes) -> Iterator[str]:
    """Yield the faults of a response."""
    if response.status_code >= 500:
        yield f"status {response.status_code}"
    for name, value in response.items():
        if "evil" in name.lower() or not value.isascii() or "\n" in value or "\r" in value:
            yield f"header {name}: {value!r}"
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
    elif kind == "text/calendar":
        properties = (line for line in body.decode().split("\r\n") if line[:1] != " ")
        yield from (f"property {line!r}" for line in properties if not CALENDAR.match(line))
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


def test_hostile_text_is_escaped_and_nothing_of_an_account_stored_at_every_address(
    keys: ArchiveKeys, owner: Client, attempts: list[Any]
) -> None:
    """Check elements, headers and network connections, as the owner and as a visitor.

    The owner, who sees everything, requests the first page of each name, and addresses with a
    query that the visitor does not request. The visitor requests a few pages too, and each address
    whose response to the owner may be stored: everybody must get the same response. One in six
    figures is requested; in `make test-long` both request all addresses and all pictures.
    """
    faults: dict[str, list[str]] = {}
    texts: dict[str, str] = {}
    counts: Counter[str] = Counter()
    requested: set[tuple[str, str]] = set()
    stored_names: set[str] = set()

    def request(client: Client, address: Address, language: str) -> Any:
        response = client.get(address.path, headers={"Accept-Language": language})
        # A streamed response is read once.
        content = response.status_code, response.get("Cache-Control"), body_of(response)
        address_faults = list(find_faults(address, response, content[-1]))
        if address_faults:
            faults[address.path] = address_faults[:3]
        if not response.streaming and response.status_code == 200:
            text = response.content.decode(errors="replace")
            texts[address.name] = texts.get(address.name, "") + text
        return content

    figures = [f"api:statistics-{id}" for id in FIGURES]
    left_out = {*EXPENSIVE, *figures} - set(figures[::6])
    for address in addresses(keys):
        counts[address.name] += 1
        number = counts[address.name]
        kind = (address.name, address.path.partition("?")[2])
        if not LONG and (address.name in left_out or (kind in requested and number % 18)):
            continue
        requested.add(kind)
        language = "ja" if number % 2 else "en"
        visitor = None
        is_visitors = LONG or (number == 1 and address.name in PUBLIC) or number % 2 == 0
        if is_visitors and (LONG or not address.path.startswith("/api/")):
            visitor = request(Client(), address, language)
        if number > 1 and visitor is not None and not LONG:
            continue
        owners = request(owner, address, language)
        if owners[1] == NO_STORE:
            continue
        stored_names.add(address.name)
        if owners != (visitor or request(Client(), address, language)):
            faults.setdefault(address.path, []).append(f"stored for the owner: {owners[1]}")
    assert not faults
    assert not attempts
    # Responses without any data of the visitor are stored.
    assert {"replay", "embed", "suggest-players", "api:records"} <= stored_names
    # The requests reached hostile texts, because these pages contain the texts, escaped.
    for name in (*SHOWING, *OWN):
        assert "&lt;x-evil" in texts[name], name
    assert "{{7*7}}" in texts["game"]
    for name in ("api:records", "api:record", "replay", "kafu", "api:record-comments", "api:study"):
        assert "x-evil" in texts[name], name


def test_form_without_the_token_is_refused(keys: ArchiveKeys, owner: Client) -> None:
    """Send each form once, in `make test-long` with every key of the archive."""
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(get_user_model().objects.get(username=USER))
    sent_forms: set[str] = set()
    for address in addresses(keys):
        is_form = not address.name.startswith(("api:", "removed-")) and "?" not in address.path
        if not is_form or address.name in OPEN_FORMS:
            continue
        if address.name in sent_forms and not LONG:
            continue
        sent_forms.add(address.name)
        response = strict.post(address.path, {"username": USER, "text": "x"})
        assert response.status_code in (403, 405), address
    # The API accepts sessions too, and requires the token with a session.
    record = keys.records[0]
    for method in ("post", "put", "patch", "delete"):
        response = getattr(strict, method)(
            f"/api/v1/records/{record}/ownership", {}, "application/json"
        )
        assert response.status_code in (401, 403, 405), method


def test_page_with_a_pending_message_is_not_stored(db: None) -> None:
    browser = Client()
    browser.cookies["messages"] = "of a visitor whose account was deleted"
    assert browser.get(reverse("home"))["Cache-Control"] == NO_STORE


def test_page_of_a_visitor_is_stored_until_the_archive_changes(keys: ArchiveKeys) -> None:
    for name in ("home", "games", "players", "statistics-home"):
        page = Client().get(reverse(name))
        assert page["Cache-Control"] == "no-cache" and "ETag" in page, name


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

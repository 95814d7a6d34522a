"""Keys of cached responses: made of the parameters that a page reads, and of nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

import pytest
from django.http import HttpRequest, QueryDict
from django.test import Client
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator

from lengths import LONG
from records.models import Player, Record
from records.serving import cached_responses
from records.serving.parameters import Parameters, reduce_query
from tests.records.makers import ingest, text
from tests.security.addresses import ArchiveKeys, addresses

pytestmark = pytest.mark.django_db

#: Names of the addresses whose responses take long: drawn ones and the description of the API. In
#: `make test`, the preview of a sheet stands for all pictures; the test of the order of parameters
#: has the description.
EXPENSIVE = {"animation", "strip"}
if not LONG:
    EXPENSIVE |= {"picture", "statistics-home-preview", "game-preview", "player-preview"}
    EXPENSIVE |= {"page-preview", "statistics-preview", "study-preview", "api:schema"}


@pytest.fixture(scope="module")
def paths(rows_for_all: None) -> list[str]:
    """Return an address of each kind of page of an archive, with each known query."""
    ingest(*(text(seed).encode() for seed in range(2)))
    keys = ArchiveKeys(
        records=[Record.objects.order_by("pk")[0].key], players=[Player.objects.all()[0].key]
    )
    # The API refuses unknown parameters, except in its description.
    pages = {
        (address.name, urlsplit(address.path).query): address.path
        for address in addresses(keys)
        if address.name not in EXPENSIVE
        and (":" not in address.name or address.name == "api:schema")
    }
    return list(pages.values())


def is_computed(path: str) -> bool:
    """Return whether a request makes a response that is then cached."""
    return get(path)[1]


def get(path: str, host: str = "testserver", **cookies: str) -> tuple[Any, bool]:
    """Return the response of an anonymous request, and whether it was made for the request."""
    client = Client()
    for name, value in cookies.items():
        client.cookies[name] = value
    with patch.object(cached_responses, "_pack", wraps=cached_responses._pack) as pack:
        response = client.get(path, headers={"Host": host})
    return response, bool(pack.called)


def test_order_and_form_of_parameters_do_not_change_the_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Building the document takes as long as a hundred other requests.
    monkeypatch.setattr(SchemaGenerator, "get_schema", lambda *_, **__: {})
    for first, *others in (
        ("/games/?ruleset=koikoi&form=moves", "/games/?form=moves&ruleset=+koikoi&event="),
        ("/kafu/?at=1.2", "/kafu/?at=01.0002", "/kafu/?at=9.9&at=1.2"),
        ("/kafu/deal/frame?lang=ja&at=1.1", "/kafu/deal/frame?at=1.1&lang=xx&lang=ja"),
        ("/cards/?marks=months&marks=kinds", "/cards/?marks=kinds,x,months"),
        (
            "/api/v1/records?ruleset=koikoi&page_size=5",
            "/api/v1/records?page_size=5&ruleset=koikoi",
        ),
        ("/api/v1/schema", "/api/v1/schema?version=2&x=1"),
    ):
        assert is_computed(first), first
        for other in others:
            assert not is_computed(other), other


def test_parameters_of_the_accept_header_do_not_change_the_key(rows_for_all: None) -> None:
    pages: list[tuple[object, ...]] = []
    for accepted in ("application/json", "application/json; indent=8", "application/json; x=9"):
        with patch.object(cached_responses, "_pack", wraps=cached_responses._pack) as pack:
            response = Client().get("/api/v1/records", headers={"Accept": accepted})
        pages.append((response.content, response["Content-Type"], pack.called or not pages))
    assert pages[1:] == [(*pages[0][:2], False)] * 2


def test_address_with_leading_zeros_is_no_address(paths: list[str]) -> None:
    key = Record.objects.order_by("pk")[0].key
    for path in ("/sitemap/00.xml", f"/games/{key}/01.1.png", f"/games/{key}/month-01.gif"):
        assert Client().get(path).status_code == 404


class RecordingQuery(QueryDict):
    """A query that records the names that a page reads."""

    def __init__(self, query: QueryDict) -> None:
        self.names: set[object] = set()
        super().__init__(query.urlencode())
        self.names.clear()

    def getlist(self, key: Any, default: Any = None) -> Any:
        self.names.add(key)
        return super().getlist(key, default)

    def get(self, key: Any, default: Any = None) -> Any:
        self.names.add(key)
        return super().get(key, default)

    def __getitem__(self, key: Any) -> Any:
        self.names.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.names.add(key)
        return super().__contains__(key)

    def dict(self) -> Any:
        return self

    def copy(self) -> Any:
        return QueryDict(self.urlencode(), mutable=True)


@pytest.fixture
def readings() -> Iterator[list[tuple[RecordingQuery, Parameters]]]:
    """Return the query of each cached page, with the names of its parameters."""
    pages: list[tuple[RecordingQuery, Parameters]] = []

    def record_query(request: HttpRequest, parameters: Parameters) -> None:
        reduce_query(request, parameters)
        query: Any = RecordingQuery(request.GET)
        request.GET = query
        pages.append((query, parameters))

    with patch.object(cached_responses, "reduce_query", record_query):
        yield pages


def test_cached_page_depends_on_its_declared_parameters_only(
    paths: list[str], readings: list[tuple[RecordingQuery, Parameters]]
) -> None:
    """An unknown parameter, a cookie and the host change neither the page nor its key."""
    cached_paths = []
    for path in paths:
        separator = "&" if "?" in path else "?"
        response, was_made = get(f"{path}{separator}x=stranger", host="testserver:7171")
        if not was_made:
            continue
        assert b"stranger" not in response.content and b":7171" not in response.content, path
        page, was_made_again = get(path)
        if was_made_again:
            assert is_computed(path), f"{path} has another key without the unknown parameter"
            continue
        cached_paths.append(path)
        assert page.content == response.content, path
        page, was_made = get(f"{path}{separator}%00=2&zzz=%3Cx", spoilers="xxxxxxx")
        assert not was_made and page.content == response.content, path
    assert len(cached_paths) > 40
    for query, parameters in readings:
        assert query.names <= parameters.keys(), query
    read = {name for query, _parameters in readings for name in query.names}
    assert {"at", "lang", "saved", "q", "before", "player", "match"} <= read


def test_page_shows_results_again_on_request(paths: list[str]) -> None:
    path = reverse("moves", args=[Record.objects.order_by("pk")[0].key])
    hidden = get(path, spoilers="hide")[0].content.decode()
    shown = get(f"{path}?results=shown", spoilers="hide")[0].content.decode()
    assert "no-spoilers" in hidden and "no-spoilers" not in shown

"""Cursors and page sizes."""

from __future__ import annotations

import json

import pytest
from django.utils.http import urlsafe_base64_encode

from api.paging import MAX_PAGE_SIZE
from tests.api.contract import Api, problem
from tests.records.makers import ingest, joined, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


def make_cursor(*parts: object) -> str:
    """Return a cursor of some parts."""
    return urlsafe_base64_encode(json.dumps(parts).encode())


@pytest.mark.parametrize(
    "size", ["0", "-1", "x", "", "1.5", "²", "201", "000000100999", "9" * 5000]
)
def test_invalid_page_size_is_refused(api: Api, size: str) -> None:
    body = problem(api.get("records", {"page_size": size}), "invalid-parameter", 400)
    assert body["errors"][0]["name"] == "page_size"
    assert str(MAX_PAGE_SIZE) in body["detail"]


@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "é",
        "?",
        "A" * 5000,
        make_cursor(),
        make_cursor("a"),
        make_cursor("c", 1),
        make_cursor("a", 1, 2),
        make_cursor("a", "1"),
        make_cursor("a", True),
        make_cursor("a", 1.5),
        make_cursor("a", None),
        make_cursor("a", 1 << 63),
        make_cursor(["a"], 1),
        urlsafe_base64_encode(b"5"),
        urlsafe_base64_encode(b"[" * 149),
        urlsafe_base64_encode(b"\xff"),
        urlsafe_base64_encode(b"null"),
    ],
)
def test_invalid_cursor_is_refused(api: Api, cursor: str) -> None:
    body = problem(api.get("records", {"cursor": cursor}), "invalid-parameter", 400)
    assert body["errors"][0]["name"] == "cursor"


def test_header_leads_to_the_pages_of_the_body(api: Api) -> None:
    ingest(joined(*map(text, (1, 2, 3))))
    first = api.get("records", {"page_size": "1"})
    body = first.json()
    assert first["Link"] == f'<{body["next"]}>; rel="next"'
    second = api.client.get(body["next"])
    body = second.json()
    assert second["Link"] == f'<{body["next"]}>; rel="next", <{body["previous"]}>; rel="prev"'
    assert "Link" not in api.get("records")


def test_cursor_outside_the_list_gives_an_empty_page(api: Api) -> None:
    for cursor in (make_cursor("a", -(1 << 62)), make_cursor("b", 1 << 62), ""):
        body = api.get("records", {"cursor": cursor}).json()
        assert body == {"next": None, "previous": None, "results": []}


def test_pages_are_the_same_forward_and_backward(api: Api) -> None:
    ingest(joined(*(text(seed) for seed in range(1, 5))))
    for size in (1, 2, 3, 4, 5):
        page = api.get("records", {"page_size": size}).json()
        forward = [page["results"]]
        while page["next"]:
            page = api.get(page["next"]).json()
            forward.append(page["results"])
        assert sum(map(len, forward)) == 4
        backward = [page["results"]]
        while page["previous"]:
            page = api.get(page["previous"]).json()
            backward.append(page["results"])
        assert backward == forward[::-1]

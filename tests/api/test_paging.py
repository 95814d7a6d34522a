"""Cursors and sizes of pages."""

from __future__ import annotations

import json

import pytest
from django.utils.http import urlsafe_base64_encode

from api.paging import MOST
from tests.api.contract import Api, problem
from tests.records.makers import ingest, joined, text

pytestmark = pytest.mark.django_db


def written(*cursor: object) -> str:
    """A cursor by hand."""
    return urlsafe_base64_encode(json.dumps(cursor).encode())


@pytest.mark.parametrize(
    "size", ["0", "-1", "x", "", "1.5", "²", "201", "000000100999", "9" * 5000]
)
def test_a_size_that_cannot_be(api: Api, size: str) -> None:
    body = problem(api.get("records", {"page_size": size}), "invalid-parameter", 400)
    assert body["errors"][0]["name"] == "page_size"
    assert str(MOST) in body["detail"]


@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "é",
        "?",
        "A" * 5000,
        written(),
        written("a"),
        written("c", 1),
        written("a", 1, 2),
        written("a", "1"),
        written("a", True),
        written("a", 1.5),
        written("a", None),
        written("a", 1 << 63),
        written(["a"], 1),
        urlsafe_base64_encode(b"5"),
        urlsafe_base64_encode(b"[" * 149),
        urlsafe_base64_encode(b"\xff"),
        urlsafe_base64_encode(b"null"),
    ],
)
def test_a_cursor_that_was_not_given(api: Api, cursor: str) -> None:
    body = problem(api.get("records", {"cursor": cursor}), "invalid-parameter", 400)
    assert body["errors"][0]["name"] == "cursor"


def test_a_place_where_nothing_is(api: Api) -> None:
    for cursor in (written("a", -(1 << 62)), written("b", 1 << 62), ""):
        body = api.get("records", {"cursor": cursor}).json()
        assert body == {"next": None, "previous": None, "results": []}


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_there_and_back(api: Api, size: int) -> None:
    ingest(joined(*(text(seed) for seed in range(1, 5))))
    page = api.get("records", {"page_size": size}).json()
    there = [page["results"]]
    while page["next"]:
        page = api.get(page["next"]).json()
        there.append(page["results"])
    assert sum(map(len, there)) == 4
    back = [page["results"]]
    while page["previous"]:
        page = api.get(page["previous"]).json()
        back.append(page["results"])
    assert back == there[::-1]

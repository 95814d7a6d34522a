"""Expensive pages are computed once and then served from the cache."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client
from django.urls import reverse

from lengths import LONG
from records.models import Player, Record
from records.serving.gates import Gate
from records.serving.limits import GATES
from tests.records.makers import ingest, text

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def record(rows_for_all: None) -> Record:
    """Return the first of three games."""
    ingest(*(text(seed).encode() for seed in range(3)))
    return Record.objects.order_by("pk")[0]


def expensive_addresses(record: Record) -> list[str]:
    """Return addresses whose pages are expensive to compute, of each kind.

    Only `make test-long` has the picture of a step (see `test_picture`) and the description of the
    API (see `test_cache_keys`).
    """
    drawn = [reverse("picture", args=[record.key, "1.3"]), reverse("api:schema")]
    return [
        reverse("home"),
        reverse("games"),
        reverse("game", args=[record.key]),
        reverse("replay", args=[record.key]),
        reverse("moves", args=[record.key]),
        reverse("player", args=[Player.objects.all()[0].key]),
        reverse("statistics", args=["koikoi"]),
        reverse("cards"),
        reverse("rulebook", args=["koikoi"]),
        *(drawn if LONG else []),
        reverse("api:record-replay", args=[record.key]),
        f"{reverse('api:statistics-seats')}?ruleset=koikoi",
    ]


@contextmanager
def full_process() -> Iterator[None]:
    """Occupy every place of the process for expensive requests."""
    gate = Gate(computing=1, places=1)
    with patch.dict(GATES, work=gate, compute=gate), gate.enter("another sender", 1):
        yield


def test_expensive_page_requested_again_is_served_from_the_cache(record: Record) -> None:
    """Request pages while nothing can be computed; expect 304 for a current page."""
    for path in expensive_addresses(record):
        first = Client().get(path, headers={"Accept-Encoding": "gzip"})
        assert first.status_code == 200 and first["ETag"], path
        with full_process():
            plain = Client().get(path)
            again = Client().get(path, headers={"Accept-Encoding": "gzip"})
            unchanged = Client().get(path, headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, body(again)) == (200, body(first)), path
        assert (unchanged.status_code, unchanged.content) == (304, b""), path
        assert unchanged["ETag"] == first["ETag"], path
        assert plain.status_code == 200 and "Content-Encoding" not in plain, path
        assert len(plain.content) == int(plain["Content-Length"]), path


def body(response: Any) -> bytes:
    """Return the body of a response, decompressed."""
    is_packed = response.get("Content-Encoding") == "gzip"
    return gzip.decompress(response.content) if is_packed else bytes(response.content)


def test_robots_txt_disallows_searches_and_the_api() -> None:
    robots = Client().get("/robots.txt").content.decode()
    assert "Disallow: /api/\n" in robots and "Disallow: /games/?" in robots
    assert robots.endswith("\n\nSitemap: http://testserver/sitemap.xml\n")

"""Compressed responses of the API: cached ones, new ones, and streams."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest
from django.test import Client

from lengths import LONG
from records.base.zstd import zstd
from records.models import Record, Upload
from tests.people.world import token, user
from tests.records.makers import MALFORMED, ingest, joined, text

pytestmark = pytest.mark.django_db

UNPACK: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.decompress, "zstd": zstd.decompress}

#: Codings, and whether the caller has a token; the first two suffice.
CASES = [("gzip", False), ("zstd", True), ("gzip", True), ("zstd", False)]


@pytest.fixture
def paths() -> list[str]:
    """Return addresses of responses of every kind: cached, new, lists and files."""
    ingest(joined(text(1), MALFORMED))
    key, upload = Record.objects.order_by("pk")[0].key, Upload.objects.get().key
    return [
        "/api/v1/records",
        f"/api/v1/records/{key}",
        f"/api/v1/records/{key}.kafu",
        *(f"/api/v1/records?format={form}" for form in ("ndjson", "kafu", "csv")),
        f"/api/v1/records/export?keys={key}",
        f"/api/v1/uploads/{upload}/games",
        *(f"/api/v1/uploads/{upload}/report{end}" for end in ("", ".csv", ".ndjson")),
        "/api/v1/statistics",
        "/api/v1/statistics/seats?ruleset=koikoi",
        "/api/v1/statistics/seats?ruleset=koikoi&format=csv",
        "/api/v1/names",
        "/api/v1/odds/koikoi",
        "/api/v1/schema",
        "/api/v1/schema?format=json",
        "/api/v1/kafu.schema.json",
    ]


def test_every_text_is_compressed(paths: list[str]) -> None:
    caller = token(user("caller"), "read")
    for path in paths:
        for coding, is_signed_in in CASES if LONG else CASES[:2]:
            headers = caller if is_signed_in else {}
            check_compression(path, coding, headers)


def check_compression(path: str, coding: str, headers: dict[str, str]) -> None:
    """Check that a response is shorter in this coding, the same when unpacked, and cacheable."""
    plain = Client().get(path, headers=headers)
    assert "Content-Encoding" not in plain, path
    packed = Client().get(path, headers=headers | {"Accept-Encoding": coding})
    assert packed["Content-Encoding"] == coding, path
    body, whole = packed.getvalue(), plain.getvalue()
    assert UNPACK[coding](body) == whole and len(body) < len(whole), path
    for response in (plain, packed):
        assert "Accept-Encoding" in response["Vary"].split(", "), path
    if "ETag" in packed:
        condition = {"Accept-Encoding": coding, "If-None-Match": packed["ETag"]}
        assert Client().get(path, headers=headers | condition).status_code == 304, path


def test_short_responses_and_errors_are_not_compressed(db: None) -> None:
    for path in ("/api/v1/quota", "/api/v1/records/nothing", "/api/v1/records?page_size=x"):
        response = Client().get(path, headers={"Accept-Encoding": "gzip, zstd"})
        assert "Content-Encoding" not in response, path


def test_abandoned_download_releases_its_place(paths: list[str]) -> None:
    """More readers go away than may download together."""
    path = next(path for path in paths if path.endswith("ndjson"))
    for _ in range(10):
        response = Client().get(path, headers={"Accept-Encoding": "gzip"})
        assert response.status_code == 200
        response.close()

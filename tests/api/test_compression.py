"""Answers of the API, compressed: those that are kept, those made anew, and streams."""

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

#: Codings, and whether the caller has a token. In small each once.
CASES = [("gzip", False), ("zstd", True), ("gzip", True), ("zstd", False)]


@pytest.fixture
def paths() -> list[str]:
    """Addresses of answers of every kind: kept, made anew, lists and files."""
    ingest(joined(text(1), text(2), MALFORMED))
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


@pytest.mark.parametrize(("coding", "signed_in"), CASES if LONG else CASES[:2])
def test_every_text_is_compressed(paths: list[str], coding: str, signed_in: bool) -> None:
    own = token(user("caller"), "read") if signed_in else {}
    for path in paths:
        plain = Client().get(path, headers=own)
        assert "Content-Encoding" not in plain, path
        packed = Client().get(path, headers=own | {"Accept-Encoding": coding})
        assert packed["Content-Encoding"] == coding, path
        body, whole = packed.getvalue(), plain.getvalue()
        assert UNPACK[coding](body) == whole and len(body) < len(whole), path
        for response in (plain, packed):
            assert "Accept-Encoding" in response["Vary"].split(", "), path
        if "ETag" in packed:
            known = {"Accept-Encoding": coding, "If-None-Match": packed["ETag"]}
            assert Client().get(path, headers=own | known).status_code == 304, path


def test_what_is_short_or_an_error_is_not(db: None) -> None:
    for path in ("/api/v1/quota", "/api/v1/records/nothing", "/api/v1/records?page_size=x"):
        response = Client().get(path, headers={"Accept-Encoding": "gzip, zstd"})
        assert "Content-Encoding" not in response, path


def test_a_download_that_is_left_is_closed(paths: list[str]) -> None:
    """It gives back its place: a hundred readers who go away take none of it."""
    path = next(path for path in paths if path.endswith("ndjson"))
    for _ in range(100):
        response = Client().get(path, headers={"Accept-Encoding": "gzip"})
        assert response.status_code == 200
        response.close()

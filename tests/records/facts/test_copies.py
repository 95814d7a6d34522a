"""Local copies of the files of a bucket."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.files.base import ContentFile

from records.facts import database, parts
from records.facts.parts import PartUnavailable, get_storage
from tests.services import BucketServer


def test_copies_of_a_bucket_are_bounded_and_complete(
    in_bucket: BucketServer, settings: LazySettings, tmp_path: Path
) -> None:
    settings.FACTS_CACHE_DIR = tmp_path
    settings.FACTS_CACHE_BYTES = 25
    settings.FACTS_QUERY_SECONDS = 0
    storage = get_storage()
    for name in ("a/x", "b/x", "c/x"):
        storage.save(name, ContentFile(name.encode() * 3))
    os.utime(database.get_copy(storage, "a/x"), (1, 1))
    assert Path(database.get_copy(storage, "b/x")).read_bytes() == b"b/xb/xb/x"
    database.get_copy(storage, "a/x")  # used later than b
    os.utime(tmp_path / "b-x", (1, 1))
    os.utime(tmp_path / "a-x", (2, 2))
    database.get_copy(storage, "c/x")
    assert {path.name for path in tmp_path.iterdir()} == {"a-x", "c-x"}
    with pytest.raises(PartUnavailable):
        parts.local_path("d", "games")

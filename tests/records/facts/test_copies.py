"""Copies of the files of a bucket on this machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile

from records.facts import copies
from tests.records.facts.bucket import Bucket


def test_copies_of_a_bucket_are_bounded_and_complete(settings: Any, tmp_path: Path) -> None:
    settings.FACTS_CACHE_DIR = tmp_path
    settings.FACTS_CACHE_BYTES = 25
    settings.FACTS_QUERY_SECONDS = 0
    storage = Bucket()
    for name in ("a/x", "b/x", "c/x"):
        storage.save(name, ContentFile(name.encode() * 3))
    os.utime(copies.get_copy(storage, "a/x"), (1, 1))
    assert Path(copies.get_copy(storage, "b/x")).read_bytes() == b"b/xb/xb/x"
    copies.get_copy(storage, "a/x")  # used later than b
    os.utime(tmp_path / "b-x", (1, 1))
    os.utime(tmp_path / "a-x", (2, 2))
    copies.get_copy(storage, "c/x")
    assert {path.name for path in tmp_path.iterdir()} == {"a-x", "c-x"}
    with pytest.raises(FileNotFoundError):
        copies.get_copy(storage, "d/x")

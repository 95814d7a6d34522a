"""The cache of responses in files: entries are whole or missing, and its size is bounded."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from records.base.release import release
from records.serving import cache


def get_path(key: str) -> Path:
    """Return the file of a cached response."""
    return Path(settings.CACHE_DIR) / key[-2:] / key


def test_stored_response_is_returned_by_its_key() -> None:
    key = cache.key("kind", "a", 1)
    assert cache.get(key) is None
    cache.put(key, b"body")
    assert cache.get(key) == b"body"
    assert cache.get(cache.key("kind", "a", 2)) is None
    assert cache.key("kind", "a", 1) == key != cache.key("other", "a", 1)


def test_another_release_has_other_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache.key("kind", "a")
    assert len(release()) == 16
    monkeypatch.setattr(cache, "release", lambda: "another")
    assert cache.key("kind", "a") != before


@pytest.mark.parametrize("cut", [0, 3, 15, 17, 19])
def test_damaged_file_counts_as_missing(cut: int) -> None:
    key = cache.key("kind", "a")
    cache.put(key, b"body")
    path = get_path(key)
    whole = path.read_bytes()
    path.write_bytes(whole[:cut])
    assert cache.get(key) is None
    path.write_bytes(whole[:-1] + b"x")
    assert cache.get(key) is None
    assert cache.once(key, lambda: b"anew", nullcontext()) == cache.get(key) == b"anew"


def test_full_disk_only_prevents_caching(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: Any, **_options: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache.tempfile, "NamedTemporaryFile", fail)
    key = cache.key("kind", "a")
    assert cache.once(key, lambda: b"made", nullcontext()) == b"made"
    assert cache.get(key) is None


def test_nothing_is_cached_when_space_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "SPARE_BYTES", 1 << 62)
    key = cache.key("kind", "a")
    cache.put(key, b"body")
    assert cache.get(key) is None


def test_oldest_files_are_removed_first(settings: Any) -> None:
    settings.CACHE_BYTES = 10_000
    keys = [cache.key("kind", number) for number in range(20)]
    for age, key in enumerate(keys):
        cache.put(key, bytes(1000))
        os.utime(get_path(key), (10**9 + age, 10**9 + age))
    assert cache.tidy() == 13
    assert [cache.get(key) is not None for key in keys] == [False] * 13 + [True] * 7
    assert cache.tidy() == 0

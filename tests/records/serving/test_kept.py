"""The cache of answers in files: entries are whole or missing, and its size is bounded."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from records.base.release import release
from records.serving import cache


def file_of(key: str) -> Path:
    """Where an answer lies."""
    return Path(settings.CACHE_DIR) / key[-2:] / key


def test_what_is_kept_is_found() -> None:
    key = cache.key("kind", "a", 1)
    assert cache.get(key) is None
    cache.put(key, b"body")
    assert cache.get(key) == b"body"
    assert cache.get(cache.key("kind", "a", 2)) is None
    assert cache.key("kind", "a", 1) == key != cache.key("other", "a", 1)


def test_another_release_makes_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache.key("kind", "a")
    assert len(release()) == 16
    monkeypatch.setattr(cache, "release", lambda: "another")
    assert cache.key("kind", "a") != before


@pytest.mark.parametrize("cut", [0, 3, 15, 17, 19])
def test_a_file_that_is_not_whole_counts_as_none(cut: int) -> None:
    key = cache.key("kind", "a")
    cache.put(key, b"body")
    path = file_of(key)
    whole = path.read_bytes()
    path.write_bytes(whole[:cut])
    assert cache.get(key) is None
    path.write_bytes(whole[:-1] + b"x")
    assert cache.get(key) is None
    assert cache.once(key, lambda: b"anew", nullcontext()) == cache.get(key) == b"anew"


def test_a_disk_that_is_full_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_given: Any, **_more: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache.tempfile, "NamedTemporaryFile", fail)
    key = cache.key("kind", "a")
    assert cache.once(key, lambda: b"made", nullcontext()) == b"made"
    assert cache.get(key) is None


def test_little_room_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "SPARE_BYTES", 1 << 62)
    key = cache.key("kind", "a")
    cache.put(key, b"body")
    assert cache.get(key) is None


def test_the_oldest_go_first(settings: Any) -> None:
    settings.CACHE_BYTES = 10_000
    keys = [cache.key("kind", number) for number in range(20)]
    for age, key in enumerate(keys):
        cache.put(key, bytes(1000))
        os.utime(file_of(key), (10**9 + age, 10**9 + age))
    assert cache.tidy() == 13
    assert [cache.get(key) is not None for key in keys] == [False] * 13 + [True] * 7
    assert cache.tidy() == 0

"""Responses in memory: the last used, within a bound of bytes."""

from __future__ import annotations

from typing import Any

import pytest

from records.serving.cached_responses import Kept, Packed
from records.serving.memory import Memory, Remembered, size_of


def make_entry(number: int, size: int = 1000) -> Remembered:
    """Return a response of about this many bytes."""
    packed = Packed(key=str(number), headers={}, forms={"": bytes(size)})
    return Remembered(kept=Kept(packed, 1), limit="", match=None, framed=False)


@pytest.fixture
def memory(settings: Any) -> Memory:
    """A memory with room for three of these responses."""
    settings.MEMORY_BYTES = 3 * size_of(("1",), make_entry(0))
    return Memory()


def test_least_recently_used_response_is_dropped_first(memory: Memory) -> None:
    for number in (1, 2, 3):
        memory.put((str(number),), make_entry(number))
    assert memory.get(("1",)) is not None
    memory.put(("4",), make_entry(4))
    assert [memory.get((key,)) is not None for key in "1234"] == [True, False, True, True]
    assert memory.bytes == 3 * size_of(("1",), make_entry(0))


def test_response_replaces_the_former_of_its_key(memory: Memory) -> None:
    for number in range(10):
        memory.put(("same",), make_entry(number))
    remembered = memory.get(("same",))
    assert remembered is not None and remembered.kept.packed.key == "9"
    assert memory.bytes == size_of(("same",), make_entry(9))


def test_response_that_is_too_large_is_not_stored(memory: Memory) -> None:
    memory.put(("1",), make_entry(1, size=10**6))
    assert memory.get(("1",)) is None and memory.bytes == 0


def test_long_keys_count_towards_the_bound(memory: Memory) -> None:
    """Senders write them: addresses, accepted forms, cookies."""
    for number in range(100):
        memory.put((str(number), None, "x" * 5000), make_entry(number))
    assert memory.bytes <= 3 * size_of(("1",), make_entry(0))
    assert memory.get(("99", None, "x" * 5000)) and not memory.get(("98", None, "x" * 5000))


def test_cleared_memory_is_empty(memory: Memory) -> None:
    memory.put(("1",), make_entry(1))
    memory.clear()
    assert memory.get(("1",)) is None and memory.bytes == 0

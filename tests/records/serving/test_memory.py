"""Answers in memory: the last used, within a bound of bytes."""

from __future__ import annotations

from typing import Any

import pytest

from records.serving.cached_responses import Kept, Packed
from records.serving.memory import Memory, Remembered, size_of


def entry(number: int, size: int = 1000) -> Remembered:
    """An answer of about that many bytes."""
    packed = Packed(key=str(number), headers={}, forms={"": bytes(size)})
    return Remembered(kept=Kept(packed, 1), limit="", match=None, framed=False)


@pytest.fixture
def memory(settings: Any) -> Memory:
    """Room for three such answers."""
    settings.MEMORY_BYTES = 3 * size_of(("1",), entry(0))
    return Memory()


def test_those_not_asked_for_go_first(memory: Memory) -> None:
    for number in (1, 2, 3):
        memory.put((str(number),), entry(number))
    assert memory.get(("1",)) is not None
    memory.put(("4",), entry(4))
    assert [memory.get((one,)) is not None for one in "1234"] == [True, False, True, True]
    assert memory.bytes == 3 * size_of(("1",), entry(0))


def test_another_answer_takes_the_place_of_the_first(memory: Memory) -> None:
    for number in range(10):
        memory.put(("same",), entry(number))
    found = memory.get(("same",))
    assert found is not None and found.kept.packed.key == "9"
    assert memory.bytes == size_of(("same",), entry(9))


def test_one_that_is_too_large_is_not_kept(memory: Memory) -> None:
    memory.put(("1",), entry(1, size=10**6))
    assert memory.get(("1",)) is None and memory.bytes == 0


def test_long_keys_count_too(memory: Memory) -> None:
    """Senders write them: addresses, what is accepted, cookies."""
    for number in range(100):
        memory.put((str(number), None, "x" * 5000), entry(number))
    assert memory.bytes <= 3 * size_of(("1",), entry(0))
    assert memory.get(("99", None, "x" * 5000)) and not memory.get(("98", None, "x" * 5000))


def test_nothing_is_left_of_what_is_cleared(memory: Memory) -> None:
    memory.put(("1",), entry(1))
    memory.clear()
    assert memory.get(("1",)) is None and memory.bytes == 0

"""Values of columns, packed with dictionaries of text that games have in common."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.base.packed_values import DIRECTORY, SUFFIX, TEXT, VERDICT, pack, unpack, zstd
from tests.records.makers import text

NAMES = (TEXT, VERDICT)


@given(st.binary(max_size=5000), st.sampled_from(NAMES))
def test_packed_value_is_unpacked_unchanged(value: bytes, name: str) -> None:
    packed = pack(value, name)
    assert unpack(packed) == value
    assert pack(value, name) == packed


def test_packed_game_is_half_its_size() -> None:
    game = text(1).encode()
    assert len(pack(game, TEXT)) < len(game) * 0.6
    assert len(pack(game, TEXT)) < len(zstd.compress(game)) * 0.9


def test_dictionaries_have_different_numbers() -> None:
    """A frame finds its dictionary by number, whatever the current dictionaries."""
    contents = [path.read_bytes() for path in DIRECTORY.glob(f"*{SUFFIX}")]
    numbers = [zstd.ZstdDict(content).dict_id for content in contents]
    assert 0 not in numbers and len(set(numbers)) == len(numbers)
    assert {f"{name}{SUFFIX}" for name in NAMES} <= {path.name for path in DIRECTORY.iterdir()}


def test_frame_of_an_unknown_dictionary_is_an_error() -> None:
    with pytest.raises(KeyError):
        unpack(zstd.compress(b"not of here"))


def test_values_packed_by_threads_at_the_same_time_are_unchanged() -> None:
    values = [text(seed % 3).encode() * (1 + seed % 5) for seed in range(200)]
    with ThreadPoolExecutor(8) as threads:
        packed = list(threads.map(pack, values, [TEXT] * len(values)))
    assert [unpack(value) for value in packed] == values

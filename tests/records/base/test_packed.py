"""Packed files return the original bytes at any offset."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from django.core.files.base import ContentFile
from hypothesis import given
from hypothesis import strategies as st

from kafu.archives import Limits, Meter
from kafu.archives.frames import Frames
from records.base import packed
from records.base.packed import Damaged, PackedDirectory, opened, pack, size_of

WHENCE = (os.SEEK_SET, os.SEEK_CUR, os.SEEK_END)


def cut(data: bytes, at: list[int]) -> Iterator[bytes]:
    """Yield the bytes in chunks that end at the given places."""
    places = [0, *sorted(min(place, len(data)) for place in at), len(data)]
    for first, last in pairwise(places):
        yield data[first:last]


@given(
    st.binary(max_size=300) | st.integers(0, 3000).map(lambda size: Random(size).randbytes(size)),
    st.lists(st.integers(0, 400), max_size=5),
    st.integers(1, 100),
    st.lists(
        st.tuples(st.sampled_from(WHENCE), st.integers(-400, 400), st.integers(-1, 500)),
        max_size=12,
    ),
)
def test_seek_and_read_equal_those_of_the_plain_file(
    data: bytes, at: list[int], segment: int, moves: list[tuple[int, int, int]]
) -> None:
    with TemporaryDirectory() as directory, pytest.MonkeyPatch.context() as patch:
        patch.setattr(packed, "SEGMENT", segment)
        path = Path(directory) / "file.zst"
        path.write_bytes(b"".join(pack(cut(data, at))))
        assert size_of(path) == len(data)
        with opened(path) as stream, io.BytesIO(data) as plain:
            assert stream.read() == plain.read()
            for whence, offset, count in moves:
                base = {os.SEEK_SET: 0, os.SEEK_CUR: plain.tell(), os.SEEK_END: len(data)}
                place = max(0, base[whence] + offset)
                assert stream.seek(place - base[whence], whence) == place
                plain.seek(place)
                assert stream.read(count) == plain.read(count)
                assert stream.tell() == plain.tell()


@pytest.mark.parametrize("size", [0, 1, packed.SEGMENT, 3 * packed.SEGMENT + 5])
def test_packed_file_is_readable_by_other_programs(size: int) -> None:
    data = Random(size).randbytes(size)
    written = b"".join(pack([data]))
    frames = Frames(io.BytesIO(written), "zstd", Meter(Limits()))
    assert b"".join(frames) == data


def test_read_of_a_part_reads_little_of_a_large_file(tmp_path: Path) -> None:
    path = tmp_path / "file.zst"
    data = Random(1).randbytes(20 * packed.SEGMENT)
    path.write_bytes(b"".join(pack([data])))
    read = 0

    class Watched(io.FileIO):
        def read(self, size: int | None = -1, /) -> bytes:
            nonlocal read
            chunk = super().read(size) or b""
            read += len(chunk)
            return chunk

    with io.BufferedReader(packed._Segments(Watched(path))) as stream:
        stream.seek(10 * packed.SEGMENT + 7)
        assert stream.read(100) == data[10 * packed.SEGMENT + 7 :][:100]
    assert read < 2 * packed.SEGMENT


def test_damaged_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "file.zst"
    whole = b"".join(pack([b"games " * 1000]))
    for place in (10, len(whole) - 1, len(whole) - 12, len(whole) - 8):
        broken = bytearray(whole)
        broken[place] ^= 0x55
        path.write_bytes(broken)
        with pytest.raises(Damaged), opened(path) as stream:
            stream.read()
    for length in (0, 5, len(whole) // 2):
        path.write_bytes(whole[:length])
        with pytest.raises(Damaged), opened(path) as stream:
            stream.read()


def test_storage_packs_files_by_their_name(tmp_path: Path) -> None:
    storage = PackedDirectory(location=tmp_path)
    data = b"\n" * 1_000_000
    name = storage.save("aa/x.zst", ContentFile(data))
    assert Path(storage.path(name)).stat().st_size < 1000
    assert storage.size(name) == len(data)
    with storage.open(name) as stream:
        stream.seek(999_999)
        assert (stream.read(), stream.read()) == (b"\n", b"")
    plain = storage.save("aa/old", ContentFile(data))
    assert Path(storage.path(plain)).stat().st_size == storage.size(plain) == len(data)
    with storage.open(plain) as stream:
        assert stream.read() == data

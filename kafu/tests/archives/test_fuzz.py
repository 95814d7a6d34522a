"""Archives with changed or missing bytes give only files and faults."""

from __future__ import annotations

import tarfile

from hypothesis import given, settings
from hypothesis import strategies as st

from archives.makers import gz, stored_zip, streamed_zip, tarred, zip64, zipped, zst
from archives.test_leaves import contents
from kafu.archives import Limits
from lengths import examples

FILES = {"a.kafu": b"first" * 50, "b/c.kafu": b"second" * 50, "d.gz": gz(b"third" * 50)}
SOUND = [
    zipped(FILES),
    stored_zip(FILES),
    zipped(FILES)[:-80],
    streamed_zip(FILES)[:-80],
    streamed_zip(FILES),
    zip64(FILES),
    gz(zipped(FILES)),
    tarred(FILES),
    tarred({**FILES, "d" * 300: b"4"}, tarfile.GNU_FORMAT),
    gz(b"one" * 99) + gz(b"two" * 99),
    zst(b"one" * 99) + zst(b"two" * 99),
]
LIMITS = Limits(members=50, member_bytes=1 << 20, total_bytes=2 << 20)


@st.composite
def spoiled(draw: st.DrawFn) -> bytes:
    """Draw a sound archive, then truncate it, change bytes, or repeat a part."""
    data = bytearray(draw(st.sampled_from(SOUND)))
    places = st.integers(0, len(data) - 1)
    for place, byte in draw(st.lists(st.tuples(places, st.integers(0, 255)), max_size=6)):
        data[place] = byte
    start, end = sorted((draw(places), draw(places)))
    match draw(st.sampled_from(["whole", "cut off", "twice", "without"])):
        case "cut off":
            del data[end:]
        case "twice":
            data[start:start] = data[start:end]
        case "without":
            del data[start:end]
    return bytes(data)


@settings(max_examples=examples(40))
@given(spoiled(), st.booleans())
def test_damaged_archive_has_contents_or_faults_within_the_limits(
    data: bytes, seekable: bool
) -> None:
    members = contents(data, "z", LIMITS, seekable=seekable)
    assert members
    sizes = [len(content) for content in members.values() if isinstance(content, bytes)]
    assert sum(sizes) <= 2 << 20


@settings(max_examples=examples(25))
@given(
    st.sampled_from([b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"]),
    st.binary(),
)
def test_any_bytes_with_the_mark_of_an_archive_never_raise(magic: bytes, rest: bytes) -> None:
    assert contents(magic + rest, "z", LIMITS)

"""Archives that cost more than their length: they are refused, and say which limit they exceed."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable
from itertools import count

import pytest

from archives.makers import gz, tar_header, tarred, zip_directory, zipped, zst
from archives.test_leaves import contents
from kafu.archives import Limits, Meter, bounds, members
from kafu.archives.bounds import SECONDS_A_BYTE

PARTS, COSTLY = "archive-too-many-parts", "archive-too-costly"
MANY = 201
SKIPPABLE = b"\x50\x2a\x4d\x18" + bytes(4)
LINK = tar_header(tarfile.SYMTYPE)
LONG_NAME = tar_header(tarfile.GNUTYPE_LONGNAME, 512) + b"n" * 512
PAX = tar_header(tarfile.XHDTYPE, 512) + b"512 a=".ljust(511, b"x") + b"\n"


@pytest.fixture
def slow_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[], float]:
    """Let each look at the CPU time see a hundredth of a second more."""
    ticks = count()

    def read_clock() -> float:
        return next(ticks) / 100

    monkeypatch.setattr(bounds, "thread_time", read_clock)
    return read_clock


@pytest.mark.parametrize(
    ("pack", "file"),
    [
        pytest.param(lambda: zst(b"") * MANY, "x", id="zstd frames"),
        pytest.param(lambda: zst(b"") + SKIPPABLE * MANY, "x", id="skippable zstd frames"),
        pytest.param(lambda: gz(b"") * MANY, "x", id="gzip members"),
        pytest.param(lambda: zip_directory(MANY, MANY), "x", id="zip entries"),
        pytest.param(lambda: zip_directory(MANY, 1), "x", id="zip entries, one stated"),
        pytest.param(lambda: gz(tar_header(tarfile.DIRTYPE) * MANY), "x", id="tar folders"),
        pytest.param(lambda: gz(LONG_NAME * MANY), "x", id="tar long names"),
        pytest.param(lambda: gz(PAX * MANY), "x", id="tar pax headers"),
        pytest.param(lambda: zipped({"a": zst(b"") * MANY}), "x › a", id="zstd frames in a zip"),
        pytest.param(lambda: gz(zip_directory(MANY, MANY)), "x › x", id="zip entries in gzip"),
    ],
)
def test_archive_of_too_many_parts_is_refused(pack: Callable[[], bytes], file: str) -> None:
    assert contents(pack(), limits=Limits(parts=MANY - 1)) == {file: PARTS}


def test_links_and_folders_of_a_tar_count_as_entries() -> None:
    data = tar_header(tarfile.DIRTYPE) + LINK + tar_header(tarfile.REGTYPE, name="b") + LINK
    assert contents(data, limits=Limits(parts=4)) == {"x › a": "archive-link", "x › b": b""}
    assert contents(data, limits=Limits(parts=2)) == {"x › a": "archive-link", "x": PARTS}


def test_archive_with_the_maximum_number_of_parts_is_read() -> None:
    limits = Limits(parts=3)
    files = {f"{number}{'n' * 100}": b"x" for number in range(3)}
    expected = {f"x › {name}": content for name, content in files.items()}
    assert contents(zipped(files), limits=limits) == expected
    for form in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        assert contents(tarred(files, form), limits=limits) == expected
    assert contents(gz(b"x") * 3, limits=limits) == {"x › x": b"xxx"}


@pytest.mark.parametrize(
    "pack",
    [
        pytest.param(lambda: gz(PAX + LINK) * 200, id="tar headers"),
        pytest.param(lambda: zst(b"") * 500, id="frames"),
        pytest.param(lambda: gz(b"x" * (32 << 20)), id="blocks"),
        pytest.param(lambda: zipped({str(number): b"" for number in range(200)}), id="entries"),
        pytest.param(
            lambda: zipped({str(n): gz(b"") * 9 for n in range(40)}), id="nested archives"
        ),
    ],
)
@pytest.mark.usefixtures("slow_clock")
def test_unpacking_ends_when_it_takes_too_long(pack: Callable[[], bytes]) -> None:
    data = pack()
    assert len(data) * SECONDS_A_BYTE < 0.1
    files = contents(data, limits=Limits(ratio=1 << 20))
    assert list(files.values())[-1] == COSTLY


@pytest.mark.usefixtures("slow_clock")
def test_seconds_of_unpacking_grow_with_the_bytes_of_the_file() -> None:
    frames = zst(b"") * 200
    assert COSTLY in contents(frames, limits=Limits(seconds=1)).values()
    padded = SKIPPABLE[:4] + (4 << 20).to_bytes(4, "little") + bytes(4 << 20)
    assert contents(padded + frames, limits=Limits(seconds=1)) == {"x › x": b""}


def test_time_of_the_caller_and_of_pauses_does_not_count(slow_clock: Callable[[], float]) -> None:
    """The pause is called although no file comes out."""
    pauses = []

    def pause() -> None:
        pauses.append(slow_clock())
        for _ in range(1000):
            slow_clock()

    meter = Meter(Limits(seconds=2), pause)
    (member,) = members(io.BytesIO(gz(b"") * 100), "gzip", meter)
    for _ in range(1000):
        slow_clock()
    assert list(member.chunks) == []
    assert len(pauses) > 10
    assert 100 / 100 < meter.seconds < 2

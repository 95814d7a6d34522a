"""Archives of all formats: each file is read or has one clear fault."""

from __future__ import annotations

import io
import struct
import sys
import tarfile
import tempfile
import tracemalloc
import zipfile
from collections.abc import Iterator
from random import Random

import pytest

from archives.makers import (
    encrypted,
    gz,
    overlapping,
    stored_zip,
    streamed_zip,
    tar_header,
    tarred,
    wide_window,
    with_link,
    zip64,
    zipped,
    zst,
)
from kafu.archives import Broken, Limits, Meter, archive_kind, leaves, members, shown_path
from kafu.archives.bounds import RATIO_FROM, as_stream
from kafu.archives.frames import MODULE
from kafu.archives.members import MOST_PASSED_OVER

GAMES = {"a.kafu": b"first", "2019/march.kafu": b"second" * 1000}
TRUNCATED, DAMAGED = "archive-truncated", "archive-damaged"


def contents(
    data: bytes, name: str = "x", limits: Limits | None = None, *, seekable: bool = True
) -> dict[str, bytes | str]:
    """Return the files of an archive by shown name: their bytes, or the code of the fault."""
    files: dict[str, bytes | str] = {}
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        for leaf in leaves(file if seekable else as_stream(iter([data])), name, limits):
            try:
                files[leaf.name] = leaf.stream.read() if leaf.fault is None else leaf.fault.code.id
            except Broken as broken:
                files[leaf.name] = broken.fault.code.id
    return files


def large(count: int) -> dict[str, bytes]:
    """Return files that do not shrink."""
    return {f"{number}.kafu": Random(number).randbytes(3000) for number in range(count)}


def test_file_that_is_not_an_archive_is_its_own_content() -> None:
    assert contents(b"[Kafu", "a.zip") == {"a.zip": b"[Kafu"}
    assert contents(b"") == {"x": b""}


@pytest.mark.parametrize("seekable", [True, False])
@pytest.mark.parametrize("make", [zipped, streamed_zip, zip64])
def test_files_of_a_zip_are_read_under_their_paths(make: object, seekable: bool) -> None:
    data = make(GAMES)  # type: ignore[operator]
    assert contents(data, "g.zip", seekable=seekable) == {
        "g.zip › a.kafu": b"first",
        "g.zip › 2019/march.kafu": b"second" * 1000,
    }


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.kafu.gz", gz(b"game")),
        ("a.kafu.GZ", gz(b"ga") + gz(b"") + gz(b"me")),
        ("a.kafu.gz", gz(b"game") + bytes(200_000)),
        ("a.kafu.zst", zst(b"game")),
        ("a.kafu.zst", zst(b"ga") + zst(b"me")),
        ("a.kafu.zst", b"\x50\x2a\x4d\x18\x02\0\0\0hi" + zst(b"game")),
    ],
)
def test_packed_file_is_unpacked_under_its_own_name(name: str, data: bytes) -> None:
    assert contents(data, name) == {f"{name} › a.kafu": b"game"}


def test_archive_in_an_archive_is_opened_and_deeper_ones_are_refused() -> None:
    inner = zipped({"b": b"B", "c.gz": gz(b"C")})
    outer = zipped({"i.zip": inner, "d.gz": gz(inner), "e.gz": gz(b"E"), "f": b"F"})
    assert contents(outer, "o") == {
        "o › i.zip › b": b"B",
        "o › i.zip › c.gz": "archive-too-deep",
        "o › d.gz › d": "archive-too-deep",
        "o › e.gz › e": b"E",
        "o › f": b"F",
    }


def test_format_is_recognised_by_the_first_bytes() -> None:
    assert contents(gz(b"game"), "a.kafu") == {"a.kafu › a.kafu": b"game"}
    assert archive_kind(b"PK\x03\x04") == "zip"
    assert archive_kind(b"BZh9") is None


def test_names_are_shown_and_never_followed() -> None:
    data = zipped({"../../etc/x": b"1", "/abs": b"2", "C:\\w\\y": b"3", "a\u202e\nb": b"4"})
    assert list(contents(data, "z")) == ["z › etc/x", "z › abs", "z › C:/w/y", "z › ab"]
    assert shown_path("../..") == "unnamed"


def test_file_without_a_name_is_called_unnamed() -> None:
    data = zipped({"QQ": b"1", "y": b"2"}).replace(b"QQ", b"\0\0")
    assert contents(data, "z").keys() == {"z › unnamed", "z › y"}


def test_zip_names_in_code_page_932_are_decoded() -> None:
    data = zipped({"xxxx.kafu": b"1"}).replace(b"xxxx", "花見".encode("cp932"))
    assert list(contents(data, "z")) == ["z › 花見.kafu"]


@pytest.mark.parametrize("make", [zipped, tarred])
def test_files_that_are_no_games_by_name_are_passed_over_and_named_once(make: object) -> None:
    other_files = (
        *("__MACOSX/._a", "__MACOSX/b", ".DS_Store", "a/.git/HEAD", "a/.git/objects/1"),
        *(
            "d/desktop.ini",
            "d/Thumbs.db",
            "README.md",
            "licence.txt",
            "Makefile",
            "x.py",
            "d/p.JPG",
        ),
    )
    files = {"d/": b"", **dict.fromkeys(other_files, b"x"), "d/a": b"1", "readme.kafu": b"2"}
    data = make(files)  # type: ignore[operator]
    assert contents(data, "z") == {"z › d/a": b"1", "z › readme.kafu": b"2"}
    with io.BytesIO(data) as stream:
        kind = archive_kind(data) or ""
        members_named = [
            member.name for member in members(stream, kind, Meter(Limits())) if member.passed_over
        ]
    assert members_named == [
        *("__MACOSX", ".DS_Store", "a/.git", "d/desktop.ini", "d/Thumbs.db", "README.md"),
        *("licence.txt", "Makefile", "x.py", "d/p.JPG"),
    ]


def test_names_of_files_passed_over_end_after_a_hundred() -> None:
    data = tarred({f"{number}.md": b"" for number in range(MOST_PASSED_OVER + 9)} | {"a": b"1"})
    skipped = list(members(io.BytesIO(data), "tar", Meter(Limits())))
    assert sum(member.passed_over for member in skipped) == MOST_PASSED_OVER
    assert skipped[-1].name == "a"


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize(
    ("name", "pack"), [("g.tar", bytes), ("g.tar.gz", gz), ("g.tgz", gz), ("g.tar.zst", zst)]
)
def test_tar_is_read_whether_it_is_packed_or_not(name: str, pack: object, form: int) -> None:
    data = pack(tarred({"d/": b"", **GAMES, "d/花見.kafu": b"", "e.gz": gz(b"E")}, form))  # type: ignore[operator]
    for seekable in (True, False):
        assert contents(data, name, seekable=seekable) == {
            f"{name} › a.kafu": b"first",
            f"{name} › 2019/march.kafu": b"second" * 1000,
            f"{name} › d/花見.kafu": b"",
            f"{name} › e.gz › e": b"E",
        }


def test_packed_tar_in_a_zip_is_opened() -> None:
    data = zipped({"b.tar.zst": zst(tarred({"c": b"C"}))})
    assert contents(data, "z") == {"z › b.tar.zst › c": b"C"}


@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_names_and_links_of_a_tar_are_never_followed(form: int) -> None:
    long = "d/" * 90 + "a.kafu"
    data = tarred({"../../etc/x": b"1", "/abs": b"2", "link@": b"", long: b"3"}, form)
    assert contents(data, "t") == {
        "t › etc/x": b"1",
        "t › abs": b"2",
        "t › link@": "archive-link",
        f"t › {long}": b"3",
    }


def test_tar_names_in_code_page_932_are_decoded() -> None:
    data = tarred({"x.kafu": b"1"}, tarfile.USTAR_FORMAT)
    header = bytearray(data[:512])
    header[:9] = "花見.kafu".encode("cp932")
    header[148:156] = b"%06o\0 " % sum(header[:148] + b" " * 8 + header[156:])
    assert list(contents(bytes(header) + data[512:], "t")) == ["t › 花見.kafu"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (tarred({"a": b"1" * 2000})[:1500], {"t": TRUNCATED}),
        (tarred({"a": b"1", "b": b"2"})[:1300], {"t › a": b"1", "t": TRUNCATED}),
        (
            gz(tarred({"a": b"1", **large(4)}))[:-9000],
            {"t › a": b"1", "t › 0.kafu": large(1)["0.kafu"], "t": TRUNCATED},
        ),
        (tarred({"a": b"1"})[:1024] + b"x" * 512, {"t › a": b"1", "t": DAMAGED}),
        (tar_header(tarfile.GNUTYPE_LONGNAME, 1 << 40), {"t": DAMAGED}),
        (tar_header(tarfile.XHDTYPE, 1 << 40), {"t": DAMAGED}),
        (tar_header(tarfile.XHDTYPE, 5) + b"9 a=b".ljust(512, b"\0"), {"t": DAMAGED}),
        (tar_header(tarfile.REGTYPE, 1 << 40), {"t › a": "archive-file-too-large", "t": TRUNCATED}),
        (tar_header(tarfile.CHRTYPE) + bytes(1024), {"t › a": "archive-link"}),
        (tarred({"d/": b"", "README": b""}), {"t": "archive-empty"}),
    ],
)
def test_damaged_tar_is_read_up_to_its_fault(data: bytes, expected: dict[str, bytes | str]) -> None:
    assert contents(data, "t") == expected


def test_tar_over_a_limit_is_read_up_to_the_limit() -> None:
    bomb = tarred({"a": b"1", "README.md": bytes(RATIO_FROM + 1), "c": b"3"})
    assert contents(gz(bomb), "t") == {"t › a": b"1", "t": "archive-ratio"}
    assert contents(bomb, "t", Limits(total_bytes=1 << 20)) == {
        "t › a": b"1",
        "t": "archive-too-large",
    }
    files = contents(tarred({str(number): b"x" for number in range(5)}), "t", Limits(members=2))
    assert files == {"t › 0": b"x", "t › 1": b"x", "t": "archive-too-many-files"}


def test_zstandard_without_its_module_is_refused_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = zst(b"game")
    monkeypatch.setitem(sys.modules, MODULE, None)
    assert contents(data, "a.zst") == {"a.zst › a": "archive-no-zstd"}


def test_link_in_a_zip_is_not_followed() -> None:
    assert contents(with_link("l.kafu", "/etc/passwd"), "z") == {
        "z › l.kafu": "archive-link",
        "z › after": b"sound",
    }


def test_encrypted_file_is_refused_and_harms_no_other() -> None:
    data = encrypted({"before": b"1", "secret": b"2", "behind": b"3"}, "secret")
    assert contents(data, "z") == {
        "z › before": b"1",
        "z › secret": "archive-encrypted",
        "z › behind": b"3",
    }


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unsupported_compression_method_is_refused(method: int) -> None:
    assert contents(zipped({"a": b"1" * 99}, method), "z") == {"z › a": "archive-method"}


def test_damaged_file_is_refused_and_harms_no_other() -> None:
    data = zipped({"a": b"before", "b": b"xyzzy", "c": b"behind"}, zipfile.ZIP_STORED)
    data = data.replace(b"xyzzy", b"xyzzz")
    assert contents(data, "z") == {"z › a": b"before", "z › b": DAMAGED, "z › c": b"behind"}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (zipped({}), "archive-empty"),
        (zipped({"d/": b""}), "archive-empty"),
        (b"PK\x03\x04", TRUNCATED),
        (zipped({"[Content_Types].xml": b"", "xl/a.xml": b""}), "archive-document"),
        (overlapping(5), "archive-overlap"),
        (overlapping(10_000), "archive-overlap"),
    ],
)
def test_unreadable_archive_has_one_fault(data: bytes, code: str) -> None:
    assert contents(data, "z") == {"z": code}


@pytest.mark.parametrize("seekable", [True, False])
@pytest.mark.parametrize("make", [zipped, streamed_zip, zip64, stored_zip])
def test_truncated_zip_is_refused(make: object, seekable: bool) -> None:
    """The directory is missing, and nothing is read by guessing."""
    whole = make(large(4))  # type: ignore[operator]
    for end in (whole.index(b"PK\x01\x02"), whole.index(b"2.kafu") + 999, len(whole) - 1):
        assert contents(whole[:end], "z", seekable=seekable) == {"z": TRUNCATED}


def test_impossible_offset_of_a_file_is_refused() -> None:
    """The directory states an offset larger than any disk."""
    data = bytearray(zipped({"a": b"1", "b": b"2"}))
    entry = data.index(b"PK\x01\x02")
    place = struct.pack("<2HQ", 1, 8, (1 << 63) - 5)
    data[entry + 42 : entry + 46] = b"\xff" * 4
    data[entry + 30 : entry + 32] = struct.pack("<H", len(place))
    data[entry + 47 : entry + 47] = place
    end = data.rindex(b"PK\x05\x06")
    (size,) = struct.unpack_from("<L", data, end + 12)
    struct.pack_into("<L", data, end + 12, size + len(place))
    files = contents(bytes(data), "z")
    assert files in ({"z › a": DAMAGED, "z › b": b"2"}, {"z": DAMAGED})


def test_zip_with_a_damaged_directory_is_refused() -> None:
    whole = bytearray(zipped(large(3)))
    whole[whole.index(b"PK\x01\x02")] = 0
    assert contents(bytes(whole), "z") == {"z": DAMAGED}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (gz(b"game")[:-3], TRUNCATED),
        (gz(b"game" * 99)[:-12], TRUNCATED),
        (gz(b"game")[:2], TRUNCATED),
        (gz(b"game") + b"and more than that", DAMAGED),
        (gz(b"game")[:-8] + b"\0" * 8, DAMAGED),
        (b"\x1f\x8b" + b"x" * 50, DAMAGED),
        (zst(b"game" * 99)[:-2], TRUNCATED),
        (zst(b"game") + b"x" * 50, DAMAGED),
        (b"\x28\xb5\x2f\xfd" + b"\xff" * 50, DAMAGED),
        (wide_window(b"x"), "archive-window"),
    ],
)
def test_packed_file_that_cannot_be_unpacked_has_one_fault(data: bytes, code: str) -> None:
    assert contents(data, "z") == {"z › z": code}


def test_packed_bomb_is_refused() -> None:
    for pack in (gz, zst):
        assert contents(pack(bytes(RATIO_FROM + 1)), "z") == {"z › z": "archive-ratio"}, pack


def test_bomb_in_a_zip_is_refused_and_harms_no_other() -> None:
    data = zipped({"a": b"1", "bomb": bytes(RATIO_FROM + 1), "c": b"3"})
    assert contents(data, "z") == {"z › a": b"1", "z › bomb": "archive-ratio", "z › c": b"3"}


def test_file_that_is_too_large_is_refused_and_harms_no_other() -> None:
    data = zipped({"a": b"1", "b": b"2" * 101, "c": b"3" * 100})
    files = contents(data, "z", Limits(member_bytes=100))
    assert files == {"z › a": b"1", "z › b": "archive-file-too-large", "z › c": b"3" * 100}


def test_files_exceeding_the_total_size_are_not_read() -> None:
    inner = zipped({"x": b"2" * 600})
    data = zipped({"a": b"1" * 100, "i": inner, "c": b"3" * 500, "d": b"4"})
    files = contents(data, "z", Limits(total_bytes=1000))
    assert files["z › a"] == b"1" * 100
    assert files["z › i › x"] == b"2" * 600
    assert "archive-too-large" in files.values()
    assert "z › d" not in files


def test_files_exceeding_the_maximum_number_are_not_read() -> None:
    data = zipped({str(number): b"x" for number in range(5)})
    files = contents(data, "z", Limits(members=3))
    assert files == {"z › 0": b"x", "z › 1": b"x", "z › 2": b"x", "z": "archive-too-many-files"}


@pytest.mark.parametrize("pack", [gz, zst])
def test_unpacking_holds_a_few_pieces_in_memory(pack: object) -> None:
    data = pack(bytes(12 << 20))  # type: ignore[operator]
    tracemalloc.start()
    count = 0
    for leaf in leaves(io.BytesIO(data), "z"):
        while piece := leaf.stream.read(1 << 16):
            count += len(piece)
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 12 << 20
    assert peak < 2 << 20


def test_stream_of_pieces_is_read_in_any_sizes() -> None:
    def pieces() -> Iterator[bytes]:
        yield from (b"ab", b"c", b"defg")

    stream = as_stream(pieces())
    assert [stream.read(size) for size in (1, 3, 0, 9, 1)] == [b"a", b"bcd", b"", b"efg", b""]
    assert as_stream(pieces()).read() == b"abcdefg"

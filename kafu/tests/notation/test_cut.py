"""Cutting streams into pieces: boundaries, places, encodings, binary data, and reading again."""

from __future__ import annotations

import io

import pytest

from kafu.notation.stream.cut import cut
from kafu.notation.stream.extent import Piece, piece_at
from kafu.notation.vocabulary import MAX_GAME_BYTES

KAFU = b'[Kafu "1"]\n[Rules "x"]\n'
LOG = b"Watch Start: P1=A CPU=B\n[Round Start]\n"


class Trickle(io.BytesIO):
    """A stream that returns a few bytes at a time, like a socket."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(7, size) if size and size > 0 else size)


def pieces(data: bytes) -> list[Piece]:
    """Return the pieces of a file, which tile it; each can be read again by its extent."""
    file_pieces = list(cut(io.BytesIO(data)))
    offset = 0
    for number, piece in enumerate(file_pieces, start=1):
        assert (piece.number, piece.offset) == (number, offset)
        offset += piece.length
    assert offset == len(data)
    assert [piece_at(io.BytesIO(data), piece) for piece in file_pieces] == file_pieces
    if len(data) < 5000:
        assert list(cut(Trickle(data))) == file_pieces
    return file_pieces


def shares(data: bytes) -> list[bytes]:
    return [data[piece.offset : piece.offset + piece.length] for piece in pieces(data)]


def test_stream_is_cut_where_a_game_begins() -> None:
    for parts in [
        [KAFU],
        [KAFU, KAFU, KAFU],
        [b"\n ; a\n\n{ b\n}" + KAFU, KAFU],
        [b"Hello\n\n; c\n" + KAFU, KAFU],
        [b"Hello\n" * 3000, KAFU],
        [b"{ open\n" + KAFU, KAFU],
        [b'[Rules "x"]\n', KAFU],
        [b"month 1 dealer 1\r", KAFU.replace(b"\n", b"\r")],
        [b"Hello\n```kafu\n" + KAFU + b"```\n```\n", KAFU + b"```\n"],
        [b"> > " + KAFU + b"\n", b">" + KAFU, b"\x1a" + KAFU + b"\x1a"],
        ["＞ ".encode() + KAFU, "＞".encode("cp932") + KAFU],
        [KAFU + b"{ open\n\n", KAFU],
        [KAFU + b"{of the first}\n", KAFU],
        [KAFU + b"\n", b"; of the second\n{and this}\n" + KAFU],
        [KAFU + b"1. A/B\n; not a head\n", KAFU],
        [KAFU.replace(b"\n", b"\r\n")] * 3,
        [KAFU.replace(b"\n", b"\r")] * 3,
        [b"\xef\xbb\xbf" + KAFU, b"\xef\xbb\xbf" + KAFU],
        [KAFU, b" \t" + KAFU, b"[Kafu]\n", b'[Kafu"', b"\n[Kafu["],
        ["　［Kafu　＂1＂］\n".encode(), "［Kafu＂".encode()],
        ["　［Kafu　".encode("cp932"), "\n[Kafu ".encode("cp932")],
        ["[Kafu\u2009\n".encode(), "\u00a0[Kafu\u00a0".encode()],
        [LOG],
        [b"\n\n" + LOG, LOG, LOG],
        [KAFU, LOG, KAFU, LOG],
        [b"junk\n", LOG.replace(b"\n", b"\r"), LOG],
        [b"\xef\xbb\xbf" + LOG, b"\xef\xbb\xbf" + LOG, KAFU],
        [b"; Watch Start: P1=\n" + KAFU + b"x Watch Start: P1=\n", LOG],
        [b'[Kafu "1"]\n[Kafuka "1"]\nx[Kafu "1"]\n{[Kafu "1"]}\n', KAFU],
    ]:
        if parts[-1].startswith(b"\n"):  # a line end belongs to the piece before
            parts = [*parts[:-2], parts[-2] + parts[-1][:1], parts[-1][1:]]
        assert shares(b"".join(parts)) == parts


def test_piece_has_the_line_at_which_it_begins() -> None:
    data = b"junk\r\n\r\r\n" + KAFU + KAFU.replace(b"\n", b"\r") + KAFU
    assert [piece.line for piece in pieces(data)] == [1, 6, 8]


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
def test_stream_in_utf_16_is_cut_and_decoded(codec: str) -> None:
    text = '[Kafu "1"]\n[Event "花𠮷札"]\n'
    cut_pieces = pieces((text * 3).encode(codec))
    assert [piece.text().removeprefix("\ufeff") for piece in cut_pieces] == [text] * 3
    assert [piece.line for piece in cut_pieces] == [1, 3, 5]
    assert all(piece.encoding.startswith("utf-16-") and piece.fault is None for piece in cut_pieces)


def test_broken_utf_16_spoils_its_own_piece_only() -> None:
    odd = pieces((KAFU.decode() * 2).encode("utf-16") + b"\x00")
    assert [piece.fault and piece.fault.code.id for piece in odd] == [None, "bad-encoding"]
    lone = KAFU.decode().encode("utf-16-le") + b"\x00\xd8\n\x00" + KAFU.decode().encode("utf-16-le")
    cut_pieces = pieces(b"\xff\xfe" + lone)
    assert [piece.fault and (piece.fault.code.id, piece.fault.line) for piece in cut_pieces] == [
        ("bad-encoding", 3),
        None,
    ]


def test_encoding_is_detected_for_each_piece() -> None:
    parts = [
        '[Kafu "1"]\n[Player1 "花子と太郎"]\n'.encode(),
        '[Kafu "1"]\n[Player1 "花子と太郎"]\n'.encode("cp932"),
        '[Kafu "1"]\n[Player1 "花子と\udcff太郎"]\n'.encode("utf-8", "surrogateescape"),
        KAFU,
    ]
    cut_pieces = pieces(b"".join(parts))
    assert [piece.encoding for piece in cut_pieces] == ["utf-8", "cp932", "utf-8", "utf-8"]
    assert cut_pieces[1].text() == parts[0].decode()
    fault = cut_pieces[2].fault
    assert fault is not None
    assert (fault.code.id, fault.line, fault.column) == ("bad-encoding", 6, 14)
    assert [piece.fault for index, piece in enumerate(cut_pieces) if index != 2] == [None] * 3


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"PK\x03\x04" + b"x" * 9000, "compressed"),
        (b"\x1f\x8b\x08\x00", "compressed"),
        (b"\x89PNG\r\n\x1a\n" + b"\x00\x00\x00\rIHDR" * 900, "picture"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "picture"),
        (b"\0\0\0\x18ftypheic\0\0\0\0", "picture"),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "picture"),
        (b'{\\rtf1\\ansi\\deff0 [Kafu "1"]\\par\n[Rules "koikoi"]\\par}', "document"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "document"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "document"),
        (bytes(range(256)) * 300, "binary"),
    ],
)
def test_data_that_is_no_text_is_one_fault(data: bytes, code: str) -> None:
    (piece,) = pieces(data)
    assert piece.fault is not None
    assert piece.fault.code.id == code
    assert len(piece.data) <= 4096
    assert piece.fault.message("ja")


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_piece_over_the_limit_is_refused_and_harms_no_other(line_end: bytes) -> None:
    long = KAFU + (b"A" * 98 + line_end) * (3 * MAX_GAME_BYTES // 100)
    cut_pieces = pieces(KAFU + long + KAFU)
    assert [piece.fault and piece.fault.code.id for piece in cut_pieces] == [
        None,
        "game-too-large",
        None,
    ]
    assert long.startswith(cut_pieces[1].data)
    assert len(cut_pieces[1].data) == 4096
    assert cut_pieces[2].line == 1 + (KAFU + long).count(b"\n")


def test_piece_in_utf_16_over_the_limit_is_refused_and_harms_no_other() -> None:
    text = KAFU.decode() + "花" * MAX_GAME_BYTES + "\n"
    cut_pieces = pieces((text + KAFU.decode()).encode("utf-16"))
    assert [piece.fault and piece.fault.code.id for piece in cut_pieces] == ["game-too-large", None]


def test_game_as_long_as_the_limit_is_whole() -> None:
    game = KAFU + b";" * (MAX_GAME_BYTES - len(KAFU) - 1) + b"\n"
    cut_pieces = pieces(game + KAFU)
    assert [piece.fault for piece in cut_pieces] == [None, None]
    assert cut_pieces[0].data == game


def test_boundary_at_any_place_of_a_block_is_found() -> None:
    for pad in range(65_500, 65_560, 7):
        first = b";" + b"x" * pad + b"\n" + KAFU
        assert shares(first + KAFU + KAFU) == [first, KAFU, KAFU]

"""Pieces of stored files: extents, packed and stored with the chunk.

`kafu.notation.stream.cut.cut` finds the extents once; the pieces are then read without another
search for boundaries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, groupby, pairwise, repeat
from typing import BinaryIO, Final, cast

import msgspec

from kafu.notation.stream.extent import Extent, Piece, piece_at
from records.models import Chunk, Submission


class _Packed(msgspec.Struct, array_like=True):
    """The extents of a chunk's pieces, relative to the chunk's own columns.

    ``lengths`` are numbers of bytes, ``lines`` the distances in lines from each piece to the next,
    and ``encodings`` run lengths of equal encodings.
    """

    form: str
    lengths: list[int]
    lines: list[int]
    encodings: list[tuple[int, str]]


_DECODER: Final = msgspec.msgpack.Decoder(_Packed)


def pack(extents: Sequence[Extent]) -> bytes:
    """Return the packed extents of consecutive pieces of a file, for `Chunk.extents`.

    A piece takes about 5 bytes. At least one piece is required.
    """
    lines = [following.line - extent.line for extent, following in pairwise(extents)]
    encodings = [
        (len(list(run)), encoding)
        for encoding, run in groupby(extent.encoding for extent in extents)
    ]
    lengths = [extent.length for extent in extents]
    return msgspec.msgpack.encode(_Packed(extents[0].form, lengths, lines, encodings))


def extents_of(chunk: Chunk) -> list[Extent]:
    """Return the extents of a chunk's pieces in its file."""
    packed = _DECODER.decode(chunk.extents)
    offsets = accumulate(packed.lengths, initial=chunk.offset)
    lines = accumulate(packed.lines, initial=chunk.first_line)
    encodings = chain.from_iterable(repeat(name, count) for count, name in packed.encodings)
    return [
        Extent(number, offset, length, line, packed.form, encoding)
        for number, (offset, length, line, encoding) in enumerate(
            zip(offsets, packed.lengths, lines, encodings, strict=False), start=chunk.first_game
        )
    ]


def pieces(chunk: Chunk) -> Iterator[Piece]:
    """Yield the pieces of a chunk from its stored file. Raise OSError."""
    with chunk.file.stored.open("rb") as stream:
        for extent in extents_of(chunk):
            yield piece_at(cast(BinaryIO, stream), extent)


def extent_of(submission: Submission) -> Extent:
    """Return the extent of a submission's piece in its file."""
    chunk = submission.chunk
    return extents_of(chunk)[submission.number - chunk.first_game]


def piece_of(submission: Submission) -> Piece:
    """Return a submission's piece from its stored file. Raise OSError."""
    with submission.file.stored.open("rb") as stream:
        return piece_at(cast(BinaryIO, stream), extent_of(submission))

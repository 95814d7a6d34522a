"""The pieces of stored files: where cutting found them, kept with their chunk, and read by that.

In: what `kafu.notation.stream.cut.cut` found, for :func:`pack`. Out: the same pieces, with no
search for their boundaries. Nothing of a game is known here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, groupby, pairwise, repeat
from typing import BinaryIO, Final, cast

import msgspec

from kafu.notation.stream.extent import Extent, Piece, piece_at
from records.models import Chunk, Submission


class _Packed(msgspec.Struct, array_like=True):
    """The extents of a chunk's pieces, as far as the chunk's own columns do not tell them.

    ``lengths`` are bytes a piece, ``lines`` how many lines each but the last goes on behind the one
    before it, ``encodings`` how many pieces in a row have which.
    """

    form: str
    lengths: list[int]
    lines: list[int]
    encodings: list[tuple[int, str]]


_DECODER: Final = msgspec.msgpack.Decoder(_Packed)


def pack(extents: Sequence[Extent]) -> bytes:
    """The extents of consecutive pieces of a file, one or more, for `Chunk.extents`: some 5 bytes
    a piece.
    """
    lines = [later.line - one.line for one, later in pairwise(extents)]
    encodings = [
        (sum(1 for _one in same), encoding)
        for encoding, same in groupby(extents, key=lambda one: one.encoding)
    ]
    lengths = [one.length for one in extents]
    return msgspec.msgpack.encode(_Packed(extents[0].form, lengths, lines, encodings))


def extents_of(chunk: Chunk) -> list[Extent]:
    """Where the pieces of a chunk stand in its file."""
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
    """The pieces of a chunk, read from its stored file. Raises OSError."""
    with chunk.file.stored.open("rb") as stream:
        for extent in extents_of(chunk):
            yield piece_at(cast(BinaryIO, stream), extent)


def extent_of(submission: Submission) -> Extent:
    """Where the piece stands that a submission was read from."""
    chunk = submission.chunk
    return extents_of(chunk)[submission.number - chunk.first_game]


def piece_of(submission: Submission) -> Piece:
    """The piece that a submission was read from. Raises OSError."""
    with submission.file.stored.open("rb") as stream:
        return piece_at(cast(BinaryIO, stream), extent_of(submission))

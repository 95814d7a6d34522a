"""From stored bytes to judged games: cut a file into chunks, read and replay one chunk."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, cast

from django.conf import settings
from django.db import transaction

from kafu.importers import read_piece
from kafu.judging.verify import Verification, verify
from kafu.notation import codes
from kafu.notation.faults import Code, Fault
from kafu.notation.reading.reader import Reading
from kafu.notation.stream.cut import Piece, cut
from kafu.rules.codes import CODES
from records.intake import quotas
from records.intake.jobs import add_chunks
from records.intake.stopping import leaves_chunks, leaves_files, stop
from records.intake.unpacking import kind_of, unpack
from records.models import Chunk, Job, Submission, Upload, UploadFile
from records.work.ledger import finish, hold


@dataclass(frozen=True, slots=True)
class Found:
    """One game of an upload: where it stands in its file, and its verdict."""

    number: int
    line: int
    offset: int
    length: int
    encoding: str
    verification: Verification


class ByteRange(io.RawIOBase):
    """Some bytes of an open file, read as if they were a file of their own."""

    def __init__(self, stream: BinaryIO, offset: int, length: int) -> None:
        stream.seek(offset)
        self.stream = stream
        self.left = length

    def readable(self) -> bool:
        """True: it is there to be read."""
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        """At most ``size`` bytes (all that are left when negative or None)."""
        wanted = self.left if size is None or size < 0 else min(size, self.left)
        data = self.stream.read(wanted)
        self.left -= len(data)
        return data

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        """Fill ``buffer``; returns the number of bytes, 0 at the end."""
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def plan(file: UploadFile, most: int | None = None) -> list[Chunk]:
    """The chunks of a file, not saved: each of at most CHUNK_GAMES games and about CHUNK_BYTES.

    What stands behind the first FILE_GAMES games is one chunk of one piece, which is not read. One
    of them ends after ``most`` games, where that is given.
    """
    chunks: list[Chunk] = []
    with file.stored.open("rb") as stream:
        for piece in cut(cast(BinaryIO, stream)):
            chunk = chunks[-1] if chunks else None
            is_end = most is not None and piece.number == most + 1
            if chunk is None or is_end or _is_beyond(piece.number) or not _fits(chunk, piece):
                chunk = Chunk(
                    upload=file.upload,
                    file=file,
                    offset=piece.offset,
                    length=0,
                    first_game=piece.number,
                    first_line=piece.line,
                    games=0,
                    encoding=piece.encoding,
                )
                chunks.append(chunk)
            chunk.length += piece.length
            chunk.games += 1
            if _is_beyond(piece.number):
                chunk.length = file.size - chunk.offset
                break
    return chunks


def _is_beyond(number: int) -> bool:
    return number > settings.FILE_GAMES


def _fits(chunk: Chunk, piece: Piece) -> bool:
    return (
        chunk.games < settings.CHUNK_GAMES and chunk.length + piece.length <= settings.CHUNK_BYTES
    )


def cut_file(job: Job) -> None:
    """Cut a leased file: its chunks and its ``done`` are written together, then workers are told.

    An archive is unpacked instead. Raises :class:`records.work.ledger.LeaseLost` where another
    worker has taken the file.
    """
    file = UploadFile.objects.select_related("upload", "parent__parent").get(pk=job.pk)
    spent = quotas.spent(file.upload)
    if spent is not None:
        stop(file.upload_id, spent.fault)
        chunks = []
    else:
        kind = kind_of(file)
        if kind is not None:
            unpack(file, kind, job)
            return
        chunks = plan(file, quotas.left(file.upload, quotas.GAMES))
    with transaction.atomic():
        held = hold(job)
        upload = Upload.objects.select_for_update(no_key=True).get(pk=file.upload_id)
        file.fault = leaves_files(upload)
        if file.fault is None:
            allowed = _allowed(file, upload, chunks)
            add_chunks(upload, allowed)
        file.save(update_fields=["fault"])
        finish(held)


def _allowed(file: UploadFile, upload: Upload, chunks: list[Chunk]) -> list[Chunk]:
    """The chunks that the sender's quota of games allows, which are charged to it.

    For the others the upload is stopped, and the file says where they begin.
    """
    count = quotas.take(upload, quotas.GAMES, [chunk.games for chunk in chunks])
    if count < len(chunks):
        fault = quotas.standing(upload.sender, upload.owner_id)[quotas.GAMES].fault
        file.fault = fault.at((chunks[count].first_line, 1)).to_stored()
        stop(upload.pk, fault)
    return chunks[:count]


def pieces(chunk: Chunk) -> Iterator[Piece]:
    """The pieces of a chunk, cut again from the stored bytes as they were cut at first."""
    with chunk.file.stored.open("rb") as stream:
        yield from cut(
            cast(BinaryIO, ByteRange(cast(BinaryIO, stream), chunk.offset, chunk.length)),
            encoding=chunk.encoding,
            number=chunk.first_game,
            line=chunk.first_line,
            offset=chunk.offset,
        )


def piece_of(submission: Submission) -> Piece:
    """The piece of a file that a submission was read from, as it was cut at first."""
    with submission.file.stored.open("rb") as stream:
        held = ByteRange(cast(BinaryIO, stream), submission.offset, submission.length)
        return next(
            cut(
                cast(BinaryIO, held),
                encoding=submission.encoding,
                number=submission.number,
                line=submission.line,
                offset=submission.offset,
            )
        )


def judge(chunk: Chunk) -> list[Found]:
    """Read and replay the games of a chunk. Nothing is written."""
    stopped = leaves_chunks(chunk.upload)
    if stopped is not None:  # while this chunk was claimed, or given back
        return [_unread(chunk, CODES[stopped["code"]], stopped["values"]["limit"])]
    if _is_beyond(chunk.first_game):
        return [_unread(chunk, codes.TOO_MANY_GAMES, settings.FILE_GAMES)]
    return [
        Found(
            number=piece.number,
            line=piece.line,
            offset=piece.offset,
            length=piece.length,
            encoding=piece.encoding,
            verification=verify(
                read_piece(piece), source=chunk.file.name, number=piece.number, line=piece.line
            ),
        )
        for piece in pieces(chunk)
    ]


def _unread(chunk: Chunk, code: Code, limit: int) -> Found:
    """A chunk that is not read, as one piece: the rest of a file that holds too many games."""
    line = chunk.first_line
    fault = Fault(code, line, 1, values={"limit": limit})
    return Found(
        number=chunk.first_game,
        line=line,
        offset=chunk.offset,
        length=chunk.length,
        encoding=chunk.encoding,
        verification=verify(
            Reading(None, fault), source=chunk.file.name, number=chunk.first_game, line=line
        ),
    )


def halve(chunk: Chunk) -> Chunk:
    """Cut a chunk of two games or more in two: shrinks it to its first half, returns the other.

    Neither is saved. This is how one game that ends every worker is told from those around it.
    """
    assert chunk.games > 1
    middle = chunk.games // 2
    first, length = None, 0
    for count, piece in enumerate(pieces(chunk)):
        if count == middle:
            first = piece
            break
        length += piece.length
    if first is None:
        raise ValueError(f"chunk {chunk.pk} no longer holds {chunk.games} games")
    other = Chunk(
        upload_id=chunk.upload_id,
        file_id=chunk.file_id,
        offset=first.offset,
        length=chunk.length - length,
        first_game=first.number,
        first_line=first.line,
        games=chunk.games - middle,
        encoding=first.encoding,
    )
    chunk.length, chunk.games = length, middle
    return other

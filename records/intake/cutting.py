"""Files become chunks: the games of a file are found, some hundred make a chunk of work.

In: a leased file. Out: its chunks, waiting for workers, each with the places of its games
(`Chunk.extents`), so that nobody looks for their boundaries again. An archive is unpacked instead
(`records.intake.unpacking`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, cast

from django.conf import settings
from django.db import transaction

from kafu.notation.stream.cut import cut
from kafu.notation.stream.extent import Extent, Piece
from records.intake import quotas
from records.intake.jobs import add_chunks
from records.intake.stopping import leaves_files, stop
from records.intake.unpacking import archive_kind_of, unpack
from records.jobs.ledger import finish, hold
from records.models import Chunk, Job, Upload, UploadFile
from records.models.jobs import CHUNK
from records.store.pieces import extents_of, pack


def cut_file(job: Job) -> None:
    """Cut a leased file: its chunks and its ``done`` are one transaction, and workers are notified.

    An archive is unpacked instead. Raises :class:`records.jobs.ledger.LeaseLost` where another
    worker has taken the file.
    """
    file = UploadFile.objects.select_related("upload", "parent__parent").get(pk=job.pk)
    used_up = quotas.used_up(file.upload)
    if used_up is not None:
        stop(file.upload_id, used_up.fault)
        chunks = []
    else:
        kind = archive_kind_of(file)
        if kind is not None:
            unpack(file, kind, job)
            return
        chunks = chunks_of(file, quotas.left(file.upload, quotas.GAMES))
    with transaction.atomic():
        held = hold(job)
        upload = Upload.objects.select_for_update(no_key=True).get(pk=file.upload_id)
        file.fault = leaves_files(upload)
        if file.fault is None:
            allowed = _allowed(file, upload, chunks)
            add_chunks(upload, allowed)
        file.save(update_fields=["fault"])
        finish(held)


def chunks_of(file: UploadFile, most: int | None = None) -> list[Chunk]:
    """The chunks of a file, not saved: each of at most CHUNK_GAMES games and about CHUNK_BYTES.

    What stands behind the first FILE_GAMES games is one chunk, which counts as one game and is not
    read. A chunk ends after ``most`` games, where that is given.
    """
    chunks = []
    with file.stored.open("rb") as stream:
        for extents in _grouped(cut(cast(BinaryIO, stream)), most):
            first, last = extents[0], extents[-1]
            end = last.offset + last.length
            if is_beyond(first.number):
                end = file.size
            chunks.append(
                Chunk(
                    upload=file.upload,
                    file=file,
                    offset=first.offset,
                    length=end - first.offset,
                    first_game=first.number,
                    first_line=first.line,
                    games=len(extents),
                    extents=pack(extents),
                )
            )
    return chunks


def _grouped(found: Iterator[Piece], most: int | None) -> Iterator[list[Extent]]:
    """The extents of pieces in groups that make a chunk each; of what is beyond FILE_GAMES the
    first.
    """
    group: list[Extent] = []
    size = 0
    for piece in found:
        is_full = len(group) == settings.CHUNK_GAMES or size + piece.length > settings.CHUNK_BYTES
        is_end = most is not None and piece.number == most + 1
        if group and (is_full or is_end or is_beyond(piece.number)):
            yield group
            group, size = [], 0
        group.append(piece.extent())
        size += piece.length
        if is_beyond(piece.number):
            break
    yield group


def is_beyond(number: int) -> bool:
    """Whether a game is one too many for a file."""
    return number > settings.FILE_GAMES


def _allowed(file: UploadFile, upload: Upload, chunks: list[Chunk]) -> list[Chunk]:
    """The chunks that the sender's quota of games allows, which are charged to it.

    For the others the upload is stopped, and the file says where they begin.
    """
    count = quotas.charge(upload, quotas.GAMES, [chunk.games for chunk in chunks])
    if count < len(chunks):
        fault = quotas.standing(upload.sender, upload.owner_id)[quotas.GAMES].fault
        file.fault = fault.at((chunks[count].first_line, 1)).to_stored()
        stop(upload.pk, fault)
    return chunks[:count]


def halve_job(job: Job) -> bool:
    """Cut a chunk in two whose job has used up its attempts; False where it is one game.

    Part of a transaction, with the job locked. Raises OSError where it cannot be cut.
    """
    chunk = Chunk.objects.select_related("file").get(pk=job.pk)
    if chunk.games <= 1:
        return False
    other = halve(chunk)
    other.job = Job.objects.create(
        kind=CHUNK, upload=job.upload, request_id=job.request_id, turn=job.turn
    )
    chunk.save()
    other.save(force_insert=True)
    return True


def halve(chunk: Chunk) -> Chunk:
    """Part a chunk of two games or more in two: shrinks it to its first half, returns the other.

    Neither is saved. So one game that ends every worker is found among those around it.
    Raises OSError where the stored file cannot be opened: then no game is to blame.
    """
    assert chunk.games > 1
    with chunk.file.stored.open("rb"):
        pass
    middle = chunk.games // 2
    extents = extents_of(chunk)
    first = extents[middle]
    other = Chunk(
        upload_id=chunk.upload_id,
        file_id=chunk.file_id,
        offset=first.offset,
        length=chunk.offset + chunk.length - first.offset,
        first_game=first.number,
        first_line=first.line,
        games=chunk.games - middle,
        extents=pack(extents[middle:]),
    )
    chunk.length -= other.length
    chunk.games = middle
    chunk.extents = pack(extents[:middle])
    return other

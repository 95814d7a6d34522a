"""Cutting of files into chunks of some hundred games, each a job.

A chunk stores the extents of the games (`Chunk.extents`), to search for boundaries only once.
Archives are unpacked instead (`records.ingest.unpacking`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import BinaryIO, cast

from django.conf import settings
from django.db import transaction

from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.stream.cut import cut
from kafu.notation.stream.extent import Extent, Piece
from records.ingest import quotas
from records.ingest.quotas import fault_of_skipped_files, stop
from records.ingest.receiving import add_chunks
from records.ingest.unpacking import archive_kind_of, unpack
from records.jobs.children import CPU_SECONDS, cpu_limit
from records.jobs.ledger import charge, finish, hold
from records.jobs.shares import SECOND_WEIGHT, Share
from records.models import Chunk, Job, Upload, UploadFile
from records.models.jobs import CHUNK
from records.texts.pieces import extents_of, pack


def cut_file(job: Job) -> None:
    """Cut a leased file into chunks, or unpack an archive. Other jobs run meanwhile.

    The rows are written in the transaction that ends the job. Raise
    :class:`records.jobs.ledger.LeaseLost` if another worker has the lease.
    """
    file = UploadFile.objects.select_related("upload", "parent__parent").get(pk=job.pk)
    used_up = quotas.used_up(file.upload)
    if used_up is not None:
        stop(file.upload_id, used_up.fault)
        chunks = []
    else:
        share = Share(job)
        most = quotas.left(file.upload, quotas.GAMES)
        with cpu_limit(job.pk, file.number):
            kind = archive_kind_of(file)
            chunks = chunks_of(file, most, share.let_others_run) if kind is None else []
        if kind is not None:
            unpack(file, kind, job, share)
            return
    with transaction.atomic():
        held = hold(job)
        upload = Upload.objects.select_for_update(no_key=True).get(pk=file.upload_id)
        file.fault = fault_of_skipped_files(upload)
        if file.fault is None:
            allowed = _allowed(file, upload, chunks)
            add_chunks(upload, allowed)
        file.save(update_fields=["fault"])
        finish(held)


def chunks_of(
    file: UploadFile, most: int | None = None, pause: Callable[[], object] = lambda: None
) -> list[Chunk]:
    """Return the chunks of a file, unsaved, each of at most CHUNK_GAMES games and CHUNK_BYTES.

    The text after the first FILE_GAMES games is an unread last chunk, and counts as a single game.
    With ``most``, a chunk ends after the game of this number. ``pause()`` is called between reads.
    """
    chunks = []
    with file.stored.open("rb") as stream:
        for extents in _grouped(cut(_with_pauses(cast(BinaryIO, stream), pause)), most):
            first, last = extents[0], extents[-1]
            end = last.offset + last.length
            if exceeds_limit(first.number):
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


def _with_pauses(stream: BinaryIO, pause: Callable[[], object]) -> BinaryIO:
    """Return a stream that calls ``pause()`` before each read."""

    def read(size: int = -1) -> bytes:
        pause()
        return stream.read(size)

    return cast(BinaryIO, SimpleNamespace(read=read))


def _grouped(pieces: Iterator[Piece], most: int | None) -> Iterator[list[Extent]]:
    """Group the extents of pieces by chunk. Of pieces exceeding FILE_GAMES, yield the first."""
    group: list[Extent] = []
    size = 0
    for piece in pieces:
        is_full = len(group) == settings.CHUNK_GAMES or size + piece.length > settings.CHUNK_BYTES
        is_end = most is not None and piece.number == most + 1
        if group and (is_full or is_end or exceeds_limit(piece.number)):
            yield group
            group, size = [], 0
        group.append(piece.extent())
        size += piece.length
        if exceeds_limit(piece.number):
            break
    yield group


def exceeds_limit(number: int) -> bool:
    """Return whether the number of a game exceeds the limit of games in a file."""
    return number > settings.FILE_GAMES


def _allowed(file: UploadFile, upload: Upload, chunks: list[Chunk]) -> list[Chunk]:
    """Charge chunks to the sender's quota of games, and return the chunks within the quota.

    If the quota is exceeded, stop the upload and store the place of the first chunk left out.
    """
    count = quotas.charge(upload, quotas.GAMES, [chunk.games for chunk in chunks])
    if count < len(chunks):
        fault = quotas.standing(upload.sender, upload.owner_id)[quotas.GAMES].fault
        file.fault = fault.at((chunks[count].first_line, 1)).to_stored()
        stop(upload.pk, fault)
    return chunks[:count]


def halve_job(job: Job) -> bool:
    """Split the chunk of a job without attempts left. Return False for a chunk of a single game.

    Repeated halving isolates a game that makes workers fail. Call in a transaction with the job
    locked. Raise OSError if the stored file cannot be opened, because then no game is the cause.
    """
    chunk = Chunk.objects.select_related("file").get(pk=job.pk)
    if chunk.games <= 1:
        return False
    with chunk.file.stored.open("rb"):
        pass
    split_off(chunk, chunk.games // 2, job)
    return True


def split_off(chunk: Chunk, count: int, job: Job) -> Chunk:
    """Shrink a chunk to its first ``count`` games. Return the saved chunk of the other games.

    The new chunk has a waiting job with a later turn. Call in a transaction with the job locked.
    """
    extents = extents_of(chunk)
    first = extents[count]
    remainder = Chunk(
        job=Job.objects.create(
            kind=CHUNK,
            upload=job.upload,
            request_id=job.request_id,
            turn=job.turn + count,
            weight=max(1, job.weight - count),
        ),
        upload=chunk.upload,
        file=chunk.file,
        offset=first.offset,
        length=chunk.offset + chunk.length - first.offset,
        first_game=first.number,
        first_line=first.line,
        games=chunk.games - count,
        extents=pack(extents[count:]),
    )
    chunk.length -= remainder.length
    chunk.games = count
    chunk.extents = pack(extents[:count])
    chunk.save()
    remainder.save(force_insert=True)
    return remainder


def refuse_file(pk: int, number: int) -> None:
    """Record that a file took too much CPU time to cut or unpack: nothing of it is read."""
    with transaction.atomic():
        job = Job.objects.select_for_update(no_key=True).filter(pk=pk, state__in=Job.OPEN).first()
        if job is None:
            return
        fault = Fault(codes.TOO_COSTLY, values={"seconds": CPU_SECONDS}).to_stored()
        UploadFile.objects.filter(pk=pk).update(fault=fault)
        finish(job)
        charge(job, CPU_SECONDS * SECOND_WEIGHT)

"""Rows of files and chunks, with their jobs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from records.base import clock
from records.jobs import enqueue
from records.models import Chunk, Job, Upload, UploadFile
from records.models.jobs import CHUNK, FILE

#: Number of bytes in a chunk that cost as much work as a typical game.
GAME_BYTES: Final = 4 << 10
#: Number of bytes in a file that are cut or unpacked in the time of a game.
FILE_BYTES: Final = 1 << 20
BATCH: Final = 500


def add_files(upload: Upload, files: Sequence[UploadFile]) -> None:
    """Insert files and their jobs, in a transaction. The jobs of files with a fault are done."""
    jobs = [Job(kind=FILE) for _file in files]
    for file, job in zip(files, jobs, strict=True):
        if file.fault is not None:
            job.state, job.done_at = Job.State.DONE, clock.now()
    enqueue.add(jobs, [1 + file.size // FILE_BYTES for file in files], upload)
    for file, job in zip(files, jobs, strict=True):
        file.job, file.upload = job, upload
    UploadFile.objects.bulk_create(files, batch_size=BATCH)


def add_chunks(upload: Upload, chunks: Sequence[Chunk]) -> None:
    """Insert chunks and their jobs, in the transaction that ends their file's job."""
    jobs = [Job(kind=CHUNK) for _chunk in chunks]
    costs = [max(1, chunk.games, chunk.length // GAME_BYTES) for chunk in chunks]
    enqueue.add(jobs, costs, upload)
    for chunk, job in zip(chunks, jobs, strict=True):
        chunk.job = job
    Chunk.objects.bulk_create(chunks, batch_size=BATCH)

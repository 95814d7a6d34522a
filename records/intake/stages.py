"""What is done for an upload's jobs: a file is cut, a chunk is read and stored, or halved."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from records.intake import judging
from records.models import Chunk, Job
from records.models.jobs import CHUNK
from records.store import storing


def cut(job: Job) -> None:
    """Cut a file into chunks, or unpack it. Raises :class:`records.work.ledger.LeaseLost`."""
    judging.cut_file(job)


def read(job: Job) -> None:
    """Judge the games of a chunk and store them. Raises :class:`records.work.ledger.LeaseLost`."""
    with _collected_later():
        # The replay is outside of the transaction, which stays short.
        found = judging.judge(Chunk.objects.select_related("file", "upload").get(pk=job.pk))
        storing.store(job, found)


@contextmanager
def _collected_later() -> Iterator[None]:
    """No garbage collection meanwhile.

    A chunk's games stay in memory until they are stored: hundreds of thousands of values, through
    all of which every collection would go again (a seventh of the time). What cycles there are,
    few, the first collection afterwards finds.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def halve(job: Job) -> bool:
    """Cut a chunk in two whose job has used up its attempts; False where it is one game.

    Part of a transaction, with the job locked. So one game that ends every worker is told from
    those around it. Raises OSError or ValueError where it cannot be cut.
    """
    chunk = Chunk.objects.select_related("file").get(pk=job.pk)
    if chunk.games <= 1:
        return False
    other = judging.halve(chunk)
    other.job = Job.objects.create(
        kind=CHUNK, upload=job.upload, request_id=job.request_id, turn=job.turn
    )
    chunk.save()
    other.save(force_insert=True)
    return True

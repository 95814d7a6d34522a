"""Judging of chunks: each game is read and replayed once, and the results are stored.

Games are replayed before the transaction that writes the rows and ends the job, to keep the
transaction short.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import transaction

from kafu.notation import codes
from kafu.notation.faults import Code, Fault
from kafu.rules.codes import CODES
from records.ingest import quotas
from records.ingest.cutting import exceeds_limit
from records.ingest.judged import JudgedGame, judge_piece, judge_unread
from records.ingest.pieces import extents_of, pieces
from records.ingest.quotas import fault_of_skipped_chunks, stop_if_unreadable
from records.ingest.storing import write
from records.jobs.ledger import finish, hold
from records.models import Chunk, Job, Visibility


def judge_chunk(job: Job) -> None:
    """Judge a leased chunk and store the results. Raise the errors of :func:`store_chunk`."""
    with _without_garbage_collection():
        store_chunk(job, judge(Chunk.objects.select_related("file", "upload").get(pk=job.pk)))


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Switch garbage collection off.

    A chunk's games stay in memory until they are stored. Every collection would visit hundreds of
    thousands of values again, which takes a seventh of the time. There are few cycles, which the
    next collection finds.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def judge(chunk: Chunk) -> list[JudgedGame]:
    """Read and replay the games of a chunk, without writing rows."""
    stopped = fault_of_skipped_chunks(chunk.upload)
    if stopped is not None:  # stopped after this chunk was claimed
        return [_unread(chunk, CODES[stopped["code"]], stopped["values"]["limit"])]
    if exceeds_limit(chunk.first_game):
        return [_unread(chunk, codes.TOO_MANY_GAMES, settings.FILE_GAMES)]
    is_public = chunk.upload.visibility == Visibility.PUBLIC
    return [judge_piece(piece, chunk.file.name, with_rows=is_public) for piece in pieces(chunk)]


def _unread(chunk: Chunk, code: Code, limit: int) -> JudgedGame:
    """Return the judgement on an unread chunk, as a single piece."""
    fault = Fault(code, chunk.first_line, 1, values={"limit": limit})
    return judge_unread(extents_of(chunk)[0], fault, chunk.file.name)


def store_chunk(job: Job, judged: list[JudgedGame]) -> None:
    """Write the games and counters of a leased chunk, charge the sender, and end the job.

    Use a single transaction. Raise :class:`records.jobs.ledger.LeaseLost`, writing nothing, if
    another worker has the lease.
    """
    with transaction.atomic():
        held = hold(job)
        chunk = Chunk.objects.select_related("upload").get(pk=held.pk)
        write(chunk, judged)
        chunk.save()
        quotas.add(chunk.upload, quotas.MALFORMED, chunk.malformed)
        finish(held)
    if chunk.malformed:
        stop_if_unreadable(chunk)

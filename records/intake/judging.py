"""Chunks become judged games: each piece is read and replayed once, and what was found is stored.

In: a leased chunk. Out: `records.store.judged.JudgedGame`, one a piece, which
`records.store.storing.write` makes rows of in the transaction that ends the chunk. The replay is
outside of that transaction, which stays short.
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
from records.intake import quotas
from records.intake.cutting import is_beyond
from records.intake.stopping import leaves_chunks, stop_if_enough
from records.jobs.ledger import finish, hold
from records.models import Chunk, Job, Visibility
from records.store.judged import JudgedGame, judge_piece, unread
from records.store.pieces import extents_of, pieces
from records.store.storing import write


def judge_chunk(job: Job) -> None:
    """Judge a leased chunk and store what is found. Raises as :func:`store_chunk`."""
    with _collected_later():
        store_chunk(job, judge(Chunk.objects.select_related("file", "upload").get(pk=job.pk)))


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


def judge(chunk: Chunk) -> list[JudgedGame]:
    """Read and replay the games of a chunk. Nothing is written."""
    stopped = leaves_chunks(chunk.upload)
    if stopped is not None:  # while this chunk was claimed, or released
        return [_unread(chunk, CODES[stopped["code"]], stopped["values"]["limit"])]
    if is_beyond(chunk.first_game):
        return [_unread(chunk, codes.TOO_MANY_GAMES, settings.FILE_GAMES)]
    is_public = chunk.upload.visibility == Visibility.PUBLIC
    return [judge_piece(piece, chunk.file.name, with_rows=is_public) for piece in pieces(chunk)]


def _unread(chunk: Chunk, code: Code, limit: int) -> JudgedGame:
    """A chunk that is not read, as one piece."""
    fault = Fault(code, chunk.first_line, 1, values={"limit": limit})
    return unread(extents_of(chunk)[0], fault, chunk.file.name)


def store_chunk(job: Job, judged: list[JudgedGame]) -> None:
    """Write a leased chunk: its games, its counters, its sender's quota and its ``done``, in one
    transaction.

    Raises :class:`records.jobs.ledger.LeaseLost`, having written nothing, where the lease is
    another's.
    """
    with transaction.atomic():
        held = hold(job)
        chunk = Chunk.objects.select_related("upload").get(pk=held.pk)
        write(chunk, judged)
        chunk.save()
        quotas.add(chunk.upload, quotas.MALFORMED, chunk.malformed)
        finish(held)
    if chunk.malformed:
        stop_if_enough(chunk)

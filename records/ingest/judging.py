"""Judging of chunks: each game is read and replayed once, and the results are stored.

Games are replayed before the transaction that writes the rows and ends the job, to keep the
transaction short.

A large chunk writes the facts of its games too. The job `facts` writes the facts of small chunks
together: to judge some games twice costs less than ten files for each game.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.conf import settings
from django.db import transaction

from kafu.notation import codes
from kafu.notation.faults import Code, Fault
from kafu.rules.codes import CODES
from records.ingest import quotas
from records.ingest.cutting import exceeds_limit, split_off
from records.ingest.quotas import fault_of_skipped_chunks, stop_if_unreadable
from records.ingest.storing import write
from records.jobs.children import CPU_SECONDS, cpu_limit
from records.jobs.ledger import charge, finish, hold, restart
from records.jobs.shares import SECOND_WEIGHT, Share
from records.jobs.wakeups import notify
from records.models import Chunk, Job, Visibility
from records.texts.judged import JudgedGame, judge_piece, judge_unread
from records.texts.pieces import extents_of, pieces

#: Games of a chunk that writes their facts itself.
FACTS_GAMES: Final = 20


def judge_chunk(job: Job) -> None:
    """Judge a leased chunk and store the results. Raise the errors of :func:`store_chunk`.

    If other jobs should run, store the games judged so far, and put off the others.
    """
    share = Share(job)
    judged: list[JudgedGame] = []
    with _without_garbage_collection():
        for game in judge(Chunk.objects.select_related("file", "upload").get(pk=job.pk)):
            judged.append(game)
            if share.is_used_up(len(judged)):
                store_chunk(job, judged, share)
                return
        store_chunk(job, judged)


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


def judge(chunk: Chunk) -> Iterator[JudgedGame]:
    """Read and replay the games of a chunk, without writing rows, within a limit for each game."""
    stopped = fault_of_skipped_chunks(chunk.upload)
    if stopped is not None:  # stopped after this chunk was claimed
        yield _unread(chunk, CODES[stopped["code"]], limit=stopped["values"]["limit"])
        return
    if exceeds_limit(chunk.first_game):
        yield _unread(chunk, codes.TOO_MANY_GAMES, limit=settings.FILE_GAMES)
        return
    # Without a pause (`FACTS_SECONDS`), new games count as soon as they are stored.
    writes_facts = chunk.games >= FACTS_GAMES or not settings.FACTS_SECONDS
    with_rows = writes_facts and chunk.upload.visibility == Visibility.PUBLIC
    for piece in pieces(chunk):
        with cpu_limit(chunk.pk, piece.number):
            game = judge_piece(piece, chunk.file.name, with_rows=with_rows)
        yield game


def _unread(chunk: Chunk, code: Code, **values: int) -> JudgedGame:
    """Return the judgement on an unread chunk, as a single piece."""
    fault = Fault(code, chunk.first_line, 1, values=values)
    return judge_unread(extents_of(chunk)[0], fault, chunk.file.name)


def store_chunk(job: Job, judged: list[JudgedGame], share: Share | None = None) -> None:
    """Write the games and counters of a leased chunk, charge the sender, and end the job.

    With a used-up ``share``, the games that are not judged yet get a chunk and a job of their own.
    Use a single transaction. Raise :class:`records.jobs.ledger.LeaseLost`, writing nothing, if
    another worker has the lease.
    """
    with transaction.atomic():
        held = hold(job)
        chunk = Chunk.objects.select_related("upload").get(pk=held.pk)
        is_divided = share is not None and len(judged) < chunk.games
        if is_divided:
            split_off(chunk, len(judged), held)
        _write(chunk, judged)
        finish(held)
        if is_divided and share is not None:
            charge(held, max(0, share.weight - len(judged)))
            notify(1)
    if chunk.malformed:
        stop_if_unreadable(chunk)


def _write(chunk: Chunk, judged: list[JudgedGame]) -> None:
    """Write the rows and counters of a chunk, in the transaction that ends the job."""
    write(chunk, judged)
    chunk.save()
    quotas.add(chunk.upload, quotas.MALFORMED, chunk.malformed)


def refuse_game(pk: int, number: int) -> None:
    """Record that a game of a chunk took too much CPU time: a malformed game, in its own chunk.

    The games before and after get other chunks. Another process may have claimed the chunk
    meanwhile: its lease ends.
    """
    with transaction.atomic():
        job = Job.objects.select_for_update(no_key=True).filter(pk=pk, state__in=Job.OPEN).first()
        if job is None:
            return
        chunk = Chunk.objects.select_related("upload", "file").get(pk=pk)
        index = number - chunk.first_game
        if not 0 <= index < chunk.games:
            return  # refused before
        refused = chunk
        if index:
            refused = split_off(chunk, index, job)
            restart(job)
        if refused.games > 1:
            split_off(refused, 1, refused.job)
        _write(refused, [_unread(refused, codes.TOO_COSTLY, seconds=CPU_SECONDS)])
        finish(refused.job)
        charge(refused.job, CPU_SECONDS * SECOND_WEIGHT)
        notify(2)
    stop_if_unreadable(refused)

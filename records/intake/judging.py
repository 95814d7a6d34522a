"""Chunks become judged games: each piece is read and replayed once, and what was found is stored.

In: a leased chunk. Out: `records.store.judged.JudgedGame`, one a piece, which
`records.store.storing.write` makes rows of in the transaction that ends the chunk. The replay is
outside of that transaction, which stays short.
"""

from __future__ import annotations

from django.conf import settings
from django.db import transaction

from kafu.notation import codes
from kafu.notation.faults import Code, Fault
from kafu.rules.codes import CODES
from records.intake import quotas
from records.intake.cutting import is_beyond
from records.intake.stopping import leaves_chunks, stop_if_enough
from records.models import Chunk
from records.store.judged import JudgedGame, judge_piece, unread
from records.store.pieces import extents_of, pieces
from records.store.storing import write
from records.work.ledger import finish, hold


def judge_chunk(pk: int, owner: str) -> None:
    """Judge a leased chunk and store what is found. Raises as :func:`store_chunk`."""
    store_chunk(pk, owner, judge(Chunk.objects.select_related("file", "upload").get(pk=pk)))


def judge(chunk: Chunk) -> list[JudgedGame]:
    """Read and replay the games of a chunk. Nothing is written."""
    stopped = leaves_chunks(chunk.upload)
    if stopped is not None:  # while this chunk was claimed, or released
        return [_unread(chunk, CODES[stopped["code"]], stopped["values"]["limit"])]
    if is_beyond(chunk.first_game):
        return [_unread(chunk, codes.TOO_MANY_GAMES, settings.FILE_GAMES)]
    return [judge_piece(piece, chunk.file.name) for piece in pieces(chunk)]


def _unread(chunk: Chunk, code: Code, limit: int) -> JudgedGame:
    """A chunk that is not read, as one piece."""
    fault = Fault(code, chunk.first_line, 1, values={"limit": limit})
    return unread(extents_of(chunk)[0], fault, chunk.file.name)


def store_chunk(pk: int, owner: str, judged: list[JudgedGame]) -> None:
    """Write a leased chunk: its games, its counters, its sender's quota and its ``done``, in one
    transaction.

    Raises :class:`records.work.ledger.LeaseLost`, having written nothing, where the lease is
    another's.
    """
    with transaction.atomic():
        chunk = hold(Chunk, pk, owner)
        write(chunk, judged)
        quotas.add(chunk.upload, quotas.MALFORMED, chunk.malformed)
        finish(chunk)
    if chunk.malformed:
        stop_if_enough(chunk)

"""Celery tasks: thin runners over the ledger. Each takes the key of a row and can be run any number
of times, by any number of workers: who cannot claim the row has nothing to do.

The embedded worker applies the same tasks in place (`records.worker`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from celery import shared_task

from records import ingest, storing
from records.leases import EMBEDDED, LeaseLost, claim, give_back
from records.models import Chunk, UploadFile

logger = logging.getLogger(__name__)


@shared_task
def cut_file(pk: int, embedded: bool = False) -> None:
    """Cut one uploaded file into chunks."""
    _run(UploadFile, pk, ingest.cut_file, embedded)


@shared_task
def verify_chunk(pk: int, embedded: bool = False) -> None:
    """Read, replay and store the games of one chunk."""
    _run(Chunk, pk, _verify_chunk, embedded)


def _verify_chunk(pk: int, owner: str) -> None:
    # The replay is outside of the transaction, which stays short.
    found = ingest.judge(Chunk.objects.select_related("file").get(pk=pk))
    storing.store(pk, owner, found)


def _run(
    model: type[UploadFile] | type[Chunk],
    pk: int,
    work: Callable[[int, str], None],
    embedded: bool,
) -> None:
    """Claim, work, and in case of an error give the row back with the reason."""
    owner = claim(model, pk, prefix=EMBEDDED if embedded else "")
    if owner is None:
        return
    try:
        work(pk, owner)
    except LeaseLost as lost:
        logger.warning("lease lost, nothing written: %s", lost)
    except Exception as error:
        logger.exception("%s %s failed", model.__name__, pk)
        give_back(model, pk, owner, f"{type(error).__name__}: {error}")

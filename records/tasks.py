"""Celery tasks: thin runners over the ledger. Each takes the key of a row and can be run any number
of times, by any number of workers: who cannot claim the row has nothing to do.

The embedded worker applies the same tasks in place (`records.worker`).
"""

from __future__ import annotations

import gc
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any, Final

from celery import shared_task
from django.conf import settings

from records import changes, ingest, storing
from records.leases import EMBEDDED, LeaseLost, Row, claim, free_dead, give_back, release
from records.limits import limited
from records.models import Change, Chunk, UploadFile
from records.outside import insist, is_outside
from records.tracing import tracing

#: Until a row is tried again that met a full disk, or a database that was away.
PAUSE_SECONDS: Final = 5.0

logger = logging.getLogger(__name__)


@shared_task
def cut_file(pk: int, embedded: bool = False) -> None:
    """Cut one uploaded file into chunks."""
    _run(UploadFile, pk, ingest.cut_file, embedded)


@shared_task
def verify_chunk(pk: int, embedded: bool = False) -> None:
    """Read, replay and store the games of one chunk."""
    _run(Chunk, pk, _verify_chunk, embedded)


@shared_task
def follow_change(pk: int, embedded: bool = False) -> None:
    """Make games as visible as their upload was made, for a turn."""
    _run(Change, pk, changes.work, embedded)


#: The task of a row, by its model.
TASKS: Final[Mapping[type[Row], Any]] = {
    UploadFile: cut_file,
    Change: follow_change,
    Chunk: verify_chunk,
}
NAMES: Final = {UploadFile: "file", Change: "change", Chunk: "chunk"}


@contextmanager
def _cycles_later() -> Iterator[None]:
    """No search for cycles of garbage meanwhile.

    A chunk's games stay in memory until they are stored: hundreds of thousands of values, through
    all of which every search would go again (a seventh of the time). What cycles there are, few,
    the first search afterwards finds.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@_cycles_later()
def _verify_chunk(pk: int, owner: str) -> None:
    # The replay is outside of the transaction, which stays short.
    found = ingest.judge(Chunk.objects.select_related("file").get(pk=pk))
    storing.store(pk, owner, found)


def _run(
    model: type[Row],
    pk: int,
    work: Callable[[int, str], None],
    embedded: bool,
) -> None:
    """Claim, work, and in case of an error give the row back with the reason.

    Log lines in between carry the upload, the row, and the request that brought them.
    """
    prefix = EMBEDDED if embedded else ""
    owner = claim(model, pk, prefix=prefix)
    if owner is None and free_dead(model, pk):  # the message of a worker that died came back
        owner = claim(model, pk, prefix=prefix)
    if owner is None:
        return
    rows = model._default_manager.filter(pk=pk)
    upload, request_id = rows.values_list("upload__key", "upload__request_id").get()
    row = NAMES[model]
    with tracing(upload=upload, request_id=request_id, **{row: pk}):
        began = time.monotonic()
        try:
            with limited() if embedded else nullcontext():
                work(pk, owner)
        except LeaseLost as lost:
            logger.warning("lease lost, nothing written: %s", lost)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            if is_outside(error):
                logger.warning("%s %s put off: %s", row, pk, reason)
                insist(partial(release, model, pk, owner, reason, PAUSE_SECONDS))
            else:
                logger.exception("%s %s failed", row, pk)
                insist(partial(give_back, model, pk, owner, reason))
        except BaseException:  # the pool ends its processes so
            if time.monotonic() - began < settings.CELERY_TASK_SOFT_TIME_LIMIT:
                release(model, pk, owner)
                logger.warning("%s %s given back: its worker was told to end at once", row, pk)
            else:  # by the hard limit: the row is to blame
                give_back(model, pk, owner, "it did not heed the end of its time")
                logger.error("%s %s ran out of time", row, pk)
            raise
        else:
            logger.info("%s %s done in %.2f s", row, pk, time.monotonic() - began)

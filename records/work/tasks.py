"""The task of workers, thin over the ledger: the row whose turn it is.

A message to Celery says that there is work, not which. It can be sent any number of times, to any
number of workers: who finds no row that is due has nothing to do. The embedded worker does the same
in place (`records.work.worker`).
"""

from __future__ import annotations

import gc
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Final

from celery import shared_task
from django.conf import settings

from records.base.tracing import tracing
from records.base.transient import is_transient, write_with_retry
from records.intake import cutting, judging
from records.models import Change, Chunk, Upload, UploadFile
from records.store import visibility
from records.work.ledger import EMBEDDED, LeaseLost, Row, give_back, release, take
from records.work.time_limits import limited

#: Until a row is tried again that met a full disk, or a database that was away.
PAUSE_SECONDS: Final = 5.0

logger = logging.getLogger(__name__)


@shared_task
def work() -> None:
    """Do the row whose turn it is."""
    do_next()


def do_next(*, embedded: bool = False, upload: Upload | None = None) -> bool:
    """Do the row whose turn it is, of ``upload`` where it is given; False where none is due."""
    taken = take(prefix=EMBEDDED if embedded else "", upload=upload)
    if taken is None:
        return False
    model, pk, owner = taken
    _run(model, pk, owner, embedded)
    return True


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
    judging.judge_chunk(pk, owner)


def _cut_file(pk: int, owner: str) -> None:
    cutting.cut_file(pk, owner)


def _follow_change(pk: int, owner: str) -> None:
    visibility.work_on_change(pk, owner)


#: What is done for a row, by its model, and what it is called in logs.
STAGES: Final[Mapping[type[Row], tuple[str, Callable[[int, str], None]]]] = {
    UploadFile: ("file", _cut_file),
    Change: ("change", _follow_change),
    Chunk: ("chunk", _verify_chunk),
}


def _run(model: type[Row], pk: int, owner: str, embedded: bool) -> None:
    """Work on a row that was taken, and in case of an error give it back with the reason.

    Log lines in between carry the upload, the row, and the request that brought them.
    """
    rows = model._default_manager.filter(pk=pk)
    upload, request_id = rows.values_list("upload__key", "upload__request_id").get()
    row, work_on = STAGES[model]
    with tracing(upload=upload, request_id=request_id, **{row: pk}):
        began = time.monotonic()
        try:
            with limited() if embedded else nullcontext():
                work_on(pk, owner)
        except LeaseLost as lost:
            logger.warning("lease lost, nothing written: %s", lost)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            if is_transient(error):
                logger.warning("%s %s put off: %s", row, pk, reason)
                write_with_retry(partial(release, model, pk, owner, reason, PAUSE_SECONDS))
            else:
                logger.exception("%s %s failed", row, pk)
                write_with_retry(partial(give_back, model, pk, owner, reason))
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

"""The task of workers, a thin layer over the ledger: it does the job whose turn it is.

A message to Celery says that there is work, not which (`records.work.messages`). It can be sent any
number of times, to any number of workers: a worker that finds no due job has nothing to do. The
embedded worker does the same in place (`records.work.worker`).
"""

from __future__ import annotations

import logging
import time
from contextlib import nullcontext
from functools import partial
from typing import Final

from django.conf import settings

from records.base.tracing import tracing
from records.base.transient import is_transient, write_with_retry
from records.models import Job, Upload
from records.work.kinds import Lane, kind_of
from records.work.ledger import EMBEDDED, LeaseLost, fail, release, take
from records.work.time_limits import limited

#: Seconds until a job is tried again that met a full disk, or an unavailable database.
PAUSE_SECONDS: Final = 5.0

logger = logging.getLogger(__name__)


def do_next(
    lane: Lane = Lane.WORKER,
    *,
    embedded: bool = False,
    upload: Upload | None = None,
    waited: float = 0,
) -> bool:
    """Do the job whose turn it is, of ``upload`` if it is given; False if none is due.

    With ``waited``, only a job that has been due for so many seconds.
    """
    job = take(lane, prefix=EMBEDDED if embedded else "", upload=upload, waited=waited)
    if job is None:
        return False
    do(job, embedded=embedded)
    return True


def do(job: Job, *, embedded: bool = False) -> None:
    """Do a leased job; after an error it is tried again, or released if it is not to blame.

    Log lines in between carry the upload, the job, and the request that brought them.
    """
    kind = kind_of(job.kind)
    upload = job.upload.key if job.upload is not None else ""
    with tracing(upload=upload, request_id=job.request_id, **{job.kind: job.subject or job.pk}):
        began = time.monotonic()
        try:
            with limited() if embedded and kind.lane is Lane.WORKER else nullcontext():
                kind.call(kind.run, job)
        except LeaseLost as lost:
            logger.warning("lease lost, nothing written: %s", lost)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            if is_transient(error):
                logger.warning("%s put off: %s", job, reason)
                write_with_retry(partial(release, job, reason, PAUSE_SECONDS))
            else:
                logger.exception("%s failed", job)
                write_with_retry(partial(fail, job, reason))
        except BaseException:  # the pool ends its processes so
            if time.monotonic() - began < settings.CELERY_TASK_SOFT_TIME_LIMIT:
                release(job)
                logger.warning("%s released: its worker had to end at once", job)
            else:  # by the hard limit: the job is to blame
                fail(job, "it did not end at the end of its time")
                logger.error("%s ran out of time", job)
            raise
        else:
            logger.info("%s done in %.2f s", job, time.monotonic() - began)

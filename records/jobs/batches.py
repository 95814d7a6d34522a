"""Jobs over many rows, with a few rows per transaction and limited turns."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from django.db import transaction

from records.jobs.ledger import finish, hold, put_off
from records.jobs.wakeups import notify
from records.models import Job

#: Seconds for a job before the worker turns to waiting jobs.
TURN_SECONDS: Final = 2.0
#: Seconds until a job looks again for rows that may still come.
PAUSE_SECONDS: Final = 2.0


def in_batches(
    job: Job,
    step: Callable[[Job], bool],
    is_over: Callable[[Job], bool] = lambda held: True,
) -> None:
    """Call ``step(held)`` in one transaction each, until it returns False or the turn ends.

    When no rows are left, the job is finished if ``is_over(held)``; otherwise it is put off, since
    more rows may come. Raises :class:`records.jobs.ledger.LeaseLost`.
    """
    end = time.monotonic() + TURN_SECONDS
    while True:
        with transaction.atomic():
            held = hold(job)
            if not step(held):
                if is_over(held):
                    finish(held)
                else:
                    put_off(held, PAUSE_SECONDS)
                return
            if time.monotonic() >= end:
                put_off(held)
                notify(1)
                return
            held.attempts = 1  # Earlier attempts were no failures.
            held.save()

"""Jobs over many rows: some rows in each transaction, for a turn, then other work has its turn."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from django.db import transaction

from records.jobs.ledger import finish, hold, put_off
from records.jobs.wakeups import notify
from records.models import Job

#: Seconds that a worker spends on such a job before other work.
TURN_SECONDS: Final = 2.0
#: Seconds until a job looks again for rows that are still to come.
PAUSE_SECONDS: Final = 2.0


def in_batches(
    job: Job,
    step: Callable[[Job], bool],
    is_over: Callable[[Job], bool] = lambda held: True,
) -> None:
    """Call ``step`` with the held job, a transaction each, until it returns False or the turn ends.

    With no rows left the job is finished; unless ``is_over(held)``, it is put off, as more rows may
    come. Raises :class:`records.jobs.ledger.LeaseLost`.
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
            held.attempts = 1  # earlier attempts were no failures
            held.save()

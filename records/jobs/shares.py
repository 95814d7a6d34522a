"""Shares of the workers' time: a long job lets the jobs of other senders run."""

from __future__ import annotations

import time
from typing import Final

from records.jobs import children, ledger
from records.jobs.kinds import kind_of
from records.models import Job

#: Seconds of CPU time that a job may take before waiting jobs with earlier turns.
SHARE_SECONDS: Final = 0.5
#: Maximum seconds of CPU time until a divisible job stores its results, hence the maximum loss if
#: its process is killed.
STORE_SECONDS: Final = 5.0
#: Weight of a second, in games of usual length (`records.jobs.ledger`).
SECOND_WEIGHT: Final = 300
#: The part of a lease after which a waiting job extends the lease.
EXTENSION: Final = 1 / 4


class Share:
    """The CPU time that a running job has used since other jobs could run."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.began = self.asked = time.process_time()

    @property
    def weight(self) -> int:
        """The work done, in games of usual length."""
        return round((time.process_time() - self.began) * SECOND_WEIGHT)

    def is_used_up(self, paid: int) -> bool:
        """Return whether a job should store what it has done, and put off the rest of its work.

        ``paid`` is the weight of the work done, charged when the job was lined up. True after
        `SHARE_SECONDS` if other senders' jobs wait with turns before the turn charged for the
        excess.
        """
        now = time.process_time()
        if now - self.asked < SHARE_SECONDS:
            return False
        self.asked = now
        is_long = now - self.began >= STORE_SECONDS
        return is_long or ledger.is_awaited(self.job, self.job.turn + self.weight - paid)

    def let_others_run(self) -> None:
        """Charge an indivisible job after each share, and run the jobs before its new turn.

        Call it between the steps of the job, outside of transactions: each step has a limit of CPU
        time. Raise :class:`records.jobs.ledger.LeaseLost`.
        """
        children.extend_cpu()
        if time.process_time() - self.began < SHARE_SECONDS:
            return
        ledger.charge(self.job, self.weight)
        self.hold()
        if ledger.is_awaited(self.job, self.job.turn):
            seconds = kind_of(self.job.kind).seconds * EXTENSION
            children.run_stand_in(self.job.turn, seconds, self.hold)
        self.began = time.process_time()

    def hold(self) -> None:
        """Extend the lease and the time limit."""
        ledger.heartbeat(self.job)
        children.extend_time()

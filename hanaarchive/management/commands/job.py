"""`manage.py job`: run a single job in the current process."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from records.jobs import executor, ledger
from records.models import Job


class Command(BaseCommand):
    """A command for a single job, started by the sweep for jobs of the queue `process`."""

    help = "Run a due job in this process; exit status 1 if it fails."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the number of the job."""
        parser.add_argument("number", type=int, help="the number of the job in the list of jobs")

    def handle(self, *, number: int, **options: Any) -> None:
        """Claim and run the job."""
        job = ledger.claim(number)
        if job is None:
            raise CommandError(f"job {number} is not due, or another process runs it")
        executor.run_job(job)
        job.refresh_from_db()
        if job.state in Job.CLAIMABLE and job.reason:
            raise CommandError(f"{job} failed: {job.reason}")

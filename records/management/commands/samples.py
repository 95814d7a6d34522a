"""`manage.py samples`: load sample games into a new archive, once."""

from typing import Any

from django.core.management.base import BaseCommand

from records.jobs.executor import work_off
from records.operations.samples import load


class Command(BaseCommand):
    """A command that does nothing after the first time."""

    help = "Add the sample games to the archive, unless it has them."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        """Upload the samples, and process them immediately."""
        upload = load()
        if upload is not None:
            work_off(upload, lambda progress: None)

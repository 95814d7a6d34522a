"""`manage.py publish`: publish the facts of all public games for readers outside."""

from typing import Any

import duckdb
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from records.jobs.enqueue import BeingMade, run_now
from records.jobs.ledger import LeaseLost
from records.opendata.publication import job


class Command(BaseCommand):
    """A command that publishes by hand; the sweep publishes every hour."""

    help = "Publish the facts of all public games in the storage HANA_PUBLIC_STORAGE_URL."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        """Publish, and show the number of files."""
        if not settings.PUBLIC_ADDRESS:
            raise CommandError("HANA_PUBLIC_STORAGE_URL: not set")
        try:
            manifest = run_now(job.PUBLISH, job.ALL, lambda leased: job.run(leased, self.show))
        except BeingMade as error:
            raise CommandError(str(error)) from None
        except (LeaseLost, OSError, duckdb.Error) as error:
            raise CommandError(f"the publication failed: {error}") from error
        games = sum(block.games for block in manifest.blocks)
        size = sum(part.bytes for part in manifest.parts) / 1e6
        self.stdout.write(
            f"publication {manifest.number}: {games} games, "
            f"{len(manifest.parts)} files, {size:.1f} MB"
        )

    def show(self, done: int, total: int) -> None:
        """Show the progress, in one line."""
        self.stdout.write(f"\r{done} of {total} blocks", ending="")
        self.stdout.flush()

"""`manage.py samples`: load sample games into a new archive, once."""

import gzip
from pathlib import Path
from typing import Any, Final

import msgspec
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from records.jobs.executor import work_off
from records.models import Record, Status
from records.operations.samples import load
from records.services import analyses

#: Analyses of the verified samples, by the key of the game, with the engine's version.
ANALYSES: Final = Path(__file__).parents[2] / "operations/sample_analyses"


class Command(BaseCommand):
    """A command that does nothing after the first time."""

    help = "Add the sample games to the archive, with analyses, unless it has them."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the option of `make sample-analyses`."""
        parser.add_argument(
            "--write-analyses",
            action="store_true",
            help="compute the stored analyses again, for another version of the engine",
        )

    def handle(self, *, write_analyses: bool, **options: Any) -> None:
        """Upload the samples, and process them immediately."""
        upload = load()
        if upload is None:
            return
        work_off(upload, lambda progress: None)
        if write_analyses:
            self._write_analyses()
            return
        for path in ANALYSES.glob("*.json.gz"):
            stored = msgspec.json.decode(gzip.decompress(path.read_bytes()))
            record = Record.objects.filter(key=path.name.partition(".")[0]).first()
            if record is not None and stored["engine"] == analyses.ENGINE:
                analyses.store_report(record, stored["most"], stored["found"])

    def _write_analyses(self) -> None:
        for path in ANALYSES.glob("*.json.gz"):
            path.unlink()
        for record in Record.objects.filter(status=Status.VERIFIED).order_by("pk"):
            stored = {
                "engine": analyses.ENGINE,
                "most": settings.ANALYSIS_DEALS,
                "found": analyses.make(record),
            }
            packed = gzip.compress(msgspec.json.encode(stored), mtime=0)
            (ANALYSES / f"{record.key}.json.gz").write_bytes(packed)
            self.stdout.write(f"{record.ruleset} {record.key}: {len(packed)} bytes")

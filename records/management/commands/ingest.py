"""`manage.py ingest PATH…`: upload files from the command line."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from kafu.cli.sources import Unreadable, find_files, open_path
from records.ingest.receiving import Part, receive
from records.ingest.reports import STATUSES
from records.jobs.executor import run_in_child, work_off

READ_BYTES = 1 << 16


class Command(BaseCommand):
    """A command that uploads without the size limit and processes the upload itself."""

    help = "Upload files (or folders, or - for standard input) to the archive as one upload."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the paths."""
        parser.add_argument("paths", nargs="+", metavar="PATH")

    def handle(self, *, paths: list[str], **options: Any) -> None:
        """Receive all files, then process the upload and show the growing counts."""
        try:
            upload = receive(parts=map(part, find_files(paths)), via="command", limit=sys.maxsize)
        except Unreadable as error:
            raise CommandError(str(error), returncode=2) from None
        run_in_child(lambda: work_off(upload, self.show))
        self.stdout.write(f"\nupload {upload.key}: {summary(upload.progress())}")

    def show(self, progress: dict[str, Any]) -> None:
        """Show the progress, in one line."""
        self.stdout.write(f"\r{summary(progress)}", ending="")
        self.stdout.flush()


def part(path: str) -> Part:
    """Return a file as a part of an upload."""
    return Part(path, read(path))


def read(path: str) -> Iterator[bytes]:
    """Yield the bytes of a file. Raise :class:`Unreadable`."""
    with open_path(path) as stream:
        while data := stream.read(READ_BYTES):
            yield data


def summary(progress: dict[str, Any]) -> str:
    """Return the counts above 0 as text: ``12 of 12 games: 11 verified, 1 illegal``."""
    games = progress["games"]
    shown = [f"{games[name]} {name}" for name in (*STATUSES, "duplicates") if games[name]]
    if progress["files_faulty"]:
        shown.append(f"{progress['files_faulty']} files faulty")
    given_up = progress["chunks"]["dead_lettered"] + progress["files_dead_lettered"]
    if given_up:
        shown.append(f"{given_up} given up")
    total = "?" if games["total"] is None else games["total"]
    return f"{games['read']} of {total} games" + (": " + ", ".join(shown) if shown else "")

"""The job that publishes the facts of all public games, every hour.

Only the blocks whose state changed are written again. The draft lists each written block, so that a
killed process loses at most one. Files come first: data, metadata of Iceberg, the manifest; then
the pointers to them, in the transaction that ends the job. Readers see the former publication or
the new one. If games were hidden or renamed meanwhile, their blocks are written again.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils import translation

from kafu.rules import ENGINE_VERSION
from records.base import clock
from records.ingest import leftovers
from records.jobs import ledger
from records.jobs.enqueue import enqueue
from records.models import Job
from records.opendata.files import LICENCE, WrittenFile, describe_columns
from records.opendata.publication import manifest as manifests
from records.opendata.publication import parts, states
from records.opendata.publication.manifest import Block, Manifest, Part, Table
from records.opendata.publication.parts import WrittenTable
from records.opendata.publication.states import State
from records.opendata.publication.tables import TABLES

#: The kind and the subject of the only job.
PUBLISH: Final = "publish"
ALL: Final = "facts"
#: The pause between two publications.
EVERY: Final = timedelta(hours=1)
#: Number of times that blocks are written because games were hidden meanwhile. Nobody can prevent
#: publications by hiding games all the time: such games leave with the next one.
ATTEMPTS: Final = 3
#: Seconds after which no further block is written of which only the facts changed.
REFRESH_SECONDS: Final = 600.0

logger: Final = logging.getLogger(__name__)


def schedule() -> None:
    """Enqueue the job if publications are on and the last one is an hour old."""
    recent = Job.objects.filter(kind=PUBLISH, done_at__gt=clock.now() - EVERY)
    if settings.PUBLIC_ADDRESS and not recent.exists():
        enqueue(PUBLISH, ALL)


def run(job: Job, report: Callable[[int, int], object] = lambda done, total: None) -> Manifest:
    """Publish for a leased job; ``report`` is called with the written and the due blocks.

    Raises OSError, duckdb.Error or `records.jobs.ledger.LeaseLost`.
    """
    began = clock.now()

    def progress(done: int, total: int) -> None:
        ledger.heartbeat(job, done, total)
        report(done, total)

    leftovers.remove_folders()
    scratch = Path(settings.SCRATCH_DIR)
    scratch.mkdir(parents=True, exist_ok=True)
    with leftovers.temporary("hana-publish-", scratch) as folder, translation.override("en"):
        draft = _Draft(began, Path(folder))
        for _attempt in range(ATTEMPTS):
            draft.write_due(progress)
            if not draft.is_outdated():
                break
        manifest = draft.write_iceberg()
    path = _publish(job, manifest)
    try:
        manifests.remove_old(path, began)
    except OSError as error:
        logger.warning("old public files are left to the next hour: %s", error)
    return manifest


class _Draft:
    """The next publication: blocks of the last draft or publication, and newly written ones."""

    def __init__(self, began: datetime, folder: Path) -> None:
        """Take the time of the publication and an empty local folder."""
        self.began, self.folder = began, folder
        self.refresh_until = time.monotonic() + REFRESH_SECONDS
        newest = manifests.read_newest()
        self.number = newest.number + 1 if newest is not None else 1
        base = manifests.read_manifest(manifests.DRAFT)
        if base is None or base.number != self.number:
            base = newest
        self.blocks: dict[int, Block] = {}
        self.parts: dict[int, list[Part]] = {}
        if base is not None:
            self._continue_from(base)

    def _continue_from(self, base: Manifest) -> None:
        """Take over the blocks of a manifest whose files all exist."""
        stored = manifests.list_data(base.tables)
        self.blocks = {block.number: block for block in base.blocks}
        self.parts = {number: [] for number in self.blocks}
        for part in base.parts:
            if part.path in stored:
                self.parts[part.block].append(part)
            else:
                logger.error("the public file %s is lost and will be written again", part.path)
                self.blocks.pop(part.block, None)

    def write_due(self, report: Callable[[int, int], object]) -> None:
        """Write the blocks whose state changed; the draft lists each as soon as it is written.

        Blocks of which only facts changed come last, the oldest first, until the time is over.
        """
        present = states.read_states(self.began)
        for number in self.blocks.keys() - present.keys():
            del self.blocks[number]
        changed = [number for number, state in present.items() if not self._shows(number, state)]
        outdated = [
            block.number
            for block in sorted(self.blocks.values(), key=lambda block: block.written)
            if block.number not in changed and block.facts != present[block.number].facts
        ]
        total = len(changed) + len(outdated)
        for done, number in enumerate((*sorted(changed), *outdated), start=1):
            if done > len(changed) and time.monotonic() > self.refresh_until:
                break
            self._write(number, present[number])
            report(done, total)

    def _shows(self, number: int, state: State) -> bool:
        """Return whether a written block has the games and names that it should show."""
        return number in self.blocks and self.blocks[number].shown == state.shown

    def _write(self, number: int, state: State) -> None:
        folder = self.folder / str(number)
        games, written = parts.write_block(number, self.began, folder)
        stored = {part.path for part in self.parts.get(number, ())}
        self.parts[number] = [_store(number, table, stored) for table in written]
        shutil.rmtree(folder)
        self.blocks[number] = Block(number, games, clock.now(), state.shown, state.facts)
        manifests.write_file(manifests.DRAFT, manifests.encode(self.make_manifest({})))

    def make_manifest(self, metadata: Mapping[str, str]) -> Manifest:
        """Return the manifest of all blocks; ``metadata`` are the paths for Iceberg by table."""
        return Manifest(
            format=manifests.FORMAT,
            number=self.number,
            made=self.began,
            engine_version=ENGINE_VERSION,
            licence=dict(LICENCE),
            kept_hours=manifests.KEPT / timedelta(hours=1),
            tables={
                table.name: Table(
                    str(table.row), describe_columns(table.columns), metadata.get(table.name)
                )
                for table in TABLES.values()
            },
            blocks=[block for _number, block in sorted(self.blocks.items())],
            parts=[part for number in sorted(self.blocks) for part in self.parts[number]],
        )

    def write_iceberg(self) -> Manifest:
        """Store the metadata of Iceberg if PyIceberg is installed; return the whole manifest."""
        manifest = self.make_manifest({})
        if find_spec("pyiceberg") is None:
            return manifest
        # An extra, which takes half a second to import.
        from records.opendata.publication.iceberg import write_table  # noqa: PLC0415

        parts_by_table: dict[str, list[Part]] = {name: [] for name in TABLES}
        for part in manifest.parts:
            parts_by_table[part.table].append(part)
        address = settings.PUBLIC_ADDRESS
        return self.make_manifest(
            {
                table.name: write_table(
                    table, parts_by_table[table.name], address, self.number, self.began
                )
                for table in TABLES.values()
            }
        )

    def is_outdated(self) -> bool:
        """Return whether a game or a name was hidden or changed since its block was written."""
        present = states.read_states(self.began)
        return {number: state.shown for number, state in present.items()} != {
            number: block.shown for number, block in self.blocks.items()
        }


def _store(number: int, table: WrittenTable, stored: Collection[str]) -> Part:
    """Store a table of a block, unless the storage has the same file; return its part."""
    name = f"{number:06}-{table.sha256[:16]}.parquet"
    path = f"{manifests.data_folder(table.table)}/{name}"
    size = table.path.stat().st_size
    if path not in stored:
        storage = manifests.get_storage()
        storage.delete(path)  # a killed process may have left a part of it
        storage.save(path, WrittenFile(table.path))
    return Part(table.table, number, path, size, table.rows, table.sha256)


def _publish(job: Job, manifest: Manifest) -> str:
    """Point readers to a manifest and end the job; return the path of the manifest."""
    with transaction.atomic():
        held = ledger.hold(job)
        path = manifests.write_manifest(manifest)
        ledger.finish(held)
    manifests.get_storage().delete(manifests.DRAFT)
    return path

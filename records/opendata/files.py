"""The files of a dump: texts and tables of its games, notebook, README, manifest and checksums."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from kafu.notation.reading.reader import read
from kafu.rules import ENGINE_VERSION
from records.base.zstd import zstd
from records.opendata import licence, notebook
from records.opendata.masks import Masks
from records.opendata.months import month_end, public
from records.opendata.parquet import Tables
from records.opendata.readme import readme
from records.opendata.rows import rows
from records.opendata.schema import TABLES, DumpTable

MANIFEST: Final = "manifest.json"
SUMS: Final = "SHA256SUMS"
README: Final = "README.md"
#: Games read at once: a text has up to 1 MiB.
BATCH: Final = 50
#: Games between two reports of progress.
REPORTED: Final = 1000
_PIECE: Final = 1 << 20


def write_files(
    draft: Path,
    month: str,
    began: datetime,
    hold: Callable[[], None],
    report: Callable[[int], object],
) -> dict[str, Any]:
    """Write all files of a dump into the directory ``draft``; returns the manifest.

    ``hold`` is called now and then, to say that this process is alive, and ``report`` with how many
    games are written.
    """
    texts = f"games-{month}.kafu.zst"
    counts = _write_games(draft, texts, month, hold, report)
    hold()
    notebook.write(draft)
    manifest = _manifest(month, began, counts)
    (draft / README).write_text(readme(manifest, texts), encoding="utf-8")
    tables = (table.file for table in TABLES.values())
    sums = _sums(draft, (texts, *tables, *notebook.FILES, README))
    manifest["files"] = [
        {"name": name, "bytes": (draft / name).stat().st_size, "sha256": digest}
        for name, digest in sums.items()
    ]
    (draft / MANIFEST).write_text(
        json.dumps(manifest, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )
    _write_sums(draft, sums | _sums(draft, (MANIFEST,)))
    _remove_scratch(draft)
    return manifest


def _write_games(
    draft: Path,
    texts: str,
    month: str,
    hold: Callable[[], None],
    report: Callable[[int], object],
) -> dict[str, int]:
    """Write the games as texts, in the file ``texts``, and as tables; returns their counts."""
    games = 0
    about = {"licence": licence.ID, "month": month, "source": "HanaArchive"}
    with Tables(draft, about) as tables, zstd.open(draft / texts, "wt", encoding="utf-8") as kafu:
        for key, status, received, text in published(month, hold):
            game = read(text).game
            assert game is not None, "canonical text reads"
            kafu.write(f"\n{text}" if games else text)
            stamp = received.astimezone(UTC).isoformat(sep=" ", timespec="microseconds")
            tables.add(rows(game, {"game": key, "status": status, "received": stamp[:26]}))
            games += 1
            if games % REPORTED == 0:
                report(games)
        tables.finish(hold)
        return {"games": games} | tables.counts


def published(month: str, hold: Callable[[], None]) -> Iterator[tuple[str, str, datetime, str]]:
    """Key, status, when it came to be shown, and text of each game, as the dump has it; the oldest
    in the archive first. ``hold`` is called now and then.
    """
    last = 0
    while True:
        block = list(
            public(month)
            .filter(pk__gt=last)
            .prefetch_related("seats__player")
            .only("key", "status", "created", "text")[:BATCH]
        )
        if not block:
            return
        masks = Masks(block)
        for record in block:
            yield record.key, record.status, record.created, masks.text(record)
        last = block[-1].pk
        hold()


def _manifest(month: str, began: datetime, counts: Mapping[str, int]) -> dict[str, Any]:
    """What the dump is, without the list of its files."""
    return {
        "month": month,
        "made": began.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "whole": began >= month_end(month),
        "engine_version": ENGINE_VERSION,
        "licence": {
            "id": licence.ID,
            "name": licence.NAME,
            "url": licence.URL,
            "text": licence.TEXT,
        },
        "counts": dict(counts),
        "tables": {table.name: _described(table) for table in TABLES.values()},
    }


def _described(table: DumpTable) -> dict[str, Any]:
    """What a row of a table is, and its columns."""
    return {
        "row": str(table.row),
        "columns": [
            {"name": one.name, "type": one.type, "meaning": str(one.meaning)}
            for one in table.columns
        ],
    }


def _sums(draft: Path, names: tuple[str, ...]) -> dict[str, str]:
    """The SHA-256 of files by their names; each is on disk when it is known."""
    return {name: _sum(draft / name) for name in names}


def _sum(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while data := file.read(_PIECE):
            found.update(data)
        os.fsync(file.fileno())
    return found.hexdigest()


def _write_sums(draft: Path, sums: Mapping[str, str]) -> None:
    """As ``sha256sum --check`` reads them."""
    (draft / SUMS).write_text("".join(f"{digest}  {name}\n" for name, digest in sums.items()))


def _remove_scratch(draft: Path) -> None:
    """Remove the directories where DuckDB puts what its memory does not hold."""
    for path in draft.iterdir():
        if path.is_dir():
            shutil.rmtree(path)

"""The files of a dump: texts and tables of its games, notebook, README, manifest and checksums."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from kafu.rules import ENGINE_VERSION
from records.facts.snapshot import find_newest, read_snapshot
from records.opendata import licence, notebook
from records.opendata.listing import GameList
from records.opendata.months import month_end
from records.opendata.parquet import write_tables
from records.opendata.readme import readme
from records.opendata.tables import TABLES, DumpTable

MANIFEST: Final = "manifest.json"
SUMS: Final = "SHA256SUMS"
README: Final = "README.md"
_PIECE: Final = 1 << 20


def write_files(
    draft: Path,
    month: str,
    began: datetime,
    hold: Callable[[], None],
    report: Callable[[int], object],
) -> dict[str, Any]:
    """Write all files of a dump into the directory ``draft``; return the manifest.

    ``hold`` is called now and then to extend the lease, ``report`` with the number of games.
    """
    texts = f"games-{month}.kafu.zst"
    counts, missing = _write_games(draft, texts, month, hold, report)
    hold()
    notebook.write(draft)
    manifest = _manifest(month, began, counts, missing)
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
) -> tuple[dict[str, int], int]:
    """Write the games as the text file ``texts`` and as tables. Return the numbers of rows by table
    and of games whose rows are missing.
    """
    games = GameList(draft / ".games", month)
    games.write(hold, report)
    # The tables have rows of listed games only. A game that is hidden after the snapshot, and that
    # the list loses here, is in neither.
    snapshot = read_snapshot(find_newest())
    games.write_changed()
    hold()
    games.join_texts(draft / texts)
    about = {"licence": licence.ID, "month": month, "source": "HanaArchive"}
    return write_tables(draft, games, snapshot, about, hold)


def _manifest(
    month: str, began: datetime, counts: Mapping[str, int], missing: int
) -> dict[str, Any]:
    """Return the manifest of a dump without the list of its files."""
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
        "games_without_rows": missing,
        "tables": {table.name: _described(table) for table in TABLES.values()},
    }


def _described(table: DumpTable) -> dict[str, Any]:
    """Return the meaning of a table's rows and columns."""
    return {
        "row": str(table.row),
        "columns": [
            {"name": column.name, "type": column.type, "meaning": str(column.meaning)}
            for column in table.columns
        ],
    }


def _sums(draft: Path, names: tuple[str, ...]) -> dict[str, str]:
    """Return the SHA-256 of files by their names. Each file is on disk afterwards."""
    return {name: _sum(draft / name) for name in names}


def _sum(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while data := file.read(_PIECE):
            digest.update(data)
        os.fsync(file.fileno())
    return digest.hexdigest()


def _write_sums(draft: Path, sums: Mapping[str, str]) -> None:
    """Write the sums as ``sha256sum --check`` reads them."""
    (draft / SUMS).write_text("".join(f"{digest}  {name}\n" for name, digest in sums.items()))


def _remove_scratch(draft: Path) -> None:
    """Remove the directories of batches, and of what DuckDB's memory had no room for."""
    for path in draft.iterdir():
        if path.is_dir():
            shutil.rmtree(path)

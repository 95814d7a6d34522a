"""Publications as readers outside see them."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import duckdb

from records.jobs.enqueue import run_now
from records.opendata.publication import job
from records.opendata.publication.manifest import Manifest


def publish() -> Manifest:
    """Publish in this process."""
    return run_now(job.PUBLISH, job.ALL, job.run)


def read_manifest(public: Path) -> dict[str, Any]:
    """Return the newest manifest, with the right digest."""
    pointer = json.loads((public / "latest.json").read_bytes())
    content = (public / pointer["manifest"]).read_bytes()
    assert hashlib.sha256(content).hexdigest() == pointer["sha256"]
    manifest: dict[str, Any] = json.loads(content)
    return manifest


def find_parts(public: Path) -> dict[str, list[str]]:
    """Return the local paths of the parts of each table, with the right digests."""
    paths = defaultdict(list)
    for part in read_manifest(public)["parts"]:
        content = (public / part["path"]).read_bytes()
        assert (hashlib.sha256(content).hexdigest(), len(content)) == (
            part["sha256"],
            part["bytes"],
        )
        paths[part["table"]].append(str(public / part["path"]))
    return paths


def open_tables(public: Path) -> duckdb.DuckDBPyConnection:
    """Return a connection with the tables of the newest publication as views."""
    connection = duckdb.connect()
    for table, paths in find_parts(public).items():
        connection.execute(f"CREATE VIEW {table} AS FROM read_parquet({paths})")
    return connection

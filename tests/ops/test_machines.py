"""Machines that share a database, Redis and a bucket, but no directory."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.utils import timezone

from archives.makers import zipped
from records.opendata.schedule import month_of
from tests import services
from tests.conftest import Environment, Hana
from tests.ops.conftest import KEY, PATIENCE, ask
from tests.records.makers import joined, text
from tests.services import wait_until

TUS = {"Tus_Resumable": "1.0.0"}
NOISE = Random(1).randbytes(100_000)
MONTH = month_of(timezone.now())


@pytest.fixture
def bucket() -> Any:
    """Yield an S3 server that the test may stop."""
    with services.bucket_server() as server:
        yield server


@pytest.fixture
def machine(
    hana_env: Callable[..., Environment],
    bucket: services.BucketServer,
    tmp_path: Path,
    compressed_files: Path,
) -> Callable[[str], Environment]:
    """Return a maker of environments of machines, each with a separate directory."""
    shared = hana_env(postgres=True, redis=True, SECRET_KEY=KEY, HANA_STORAGE_URL=bucket.create())

    def make(name: str) -> Environment:
        var = tmp_path / name
        var.mkdir()
        (var / "static").symlink_to(compressed_files)
        return shared | {"HANA_VAR": str(var)}

    return make


def is_done(address: str) -> bool:
    """Return whether an upload has been read to its end."""
    state: str = ask(address).json()["state"]
    return state == "done"


@pytest.mark.long_only  # the tests with `in_bucket` check each use of a bucket in one process
def test_machines_share_uploads_facts_and_dumps_by_a_bucket(
    hana: Hana,
    machine: Callable[[str], Environment],
    bucket: services.BucketServer,
    tmp_path: Path,
) -> None:
    sites = [f"http://127.0.0.1:{hana.web(machine(name))[1]}" for name in ("web1", "web2")]
    worker = machine("worker")
    hana.start("worker", env=worker | {"HANA_WORKERS": "1"})

    small = text(1).encode()
    large = zipped({"a/games.kafu": joined(text(2), text(3)), "noise.bin": NOISE})
    uploads = [
        ask(f"{sites[0]}/api/v1/uploads", data=data, Content_Type=kind).json()["url"]
        for data, kind in ((small, "text/x-kafu"), (large, "application/zip"))
    ]
    data = joined(text(4), text(5))
    begun = ask(
        f"{sites[0]}/api/v1/uploads/resumable", data=b"", Upload_Length=str(len(data)), **TUS
    )
    path = urlsplit(begun.headers["Location"]).path
    ends = [0, 100, 500, len(data)]
    for number, (first, end) in enumerate(pairwise(ends)):
        answer = ask(
            f"{sites[number % 2]}{path}",
            data=data[first:end],
            method="PATCH",
            Upload_Offset=str(first),
            Content_Type="application/offset+octet-stream",
            **TUS,
        )
        assert (answer.status, answer.headers["Upload-Offset"]) == (204, str(end))
    uploads.append(answer.headers["Upload-Result"])
    counts = []
    for address in uploads:
        here = f"{sites[1]}{urlsplit(address).path}"
        wait_until(partial(is_done, here), "the upload is judged", PATIENCE)
        counts.append(ask(here).json()["games"]["verified"])
    assert counts == [1, 2, 2]

    counted = ask(f"{sites[1]}/api/v1/statistics/scores?ruleset=koikoi").json()
    assert counted["games"] == 5, "of facts that the worker wrote to the bucket"

    hana("dump", "--month", MONTH, env=worker)
    sums = ask(f"{sites[0]}/data/{MONTH}/SHA256SUMS").body.decode()
    for line in sums.splitlines():
        digest, name = line.split()
        file = ask(f"{sites[1]}/data/{MONTH}/{name}")
        assert hashlib.sha256(file.body).hexdigest() == digest
    part = ask(f"{sites[0]}/data/{MONTH}/{name}", Range="bytes=5-9")
    assert (part.status, part.body) == (206, file.body[5:10])
    assert b"FILTER" in ask(f"{sites[0]}/data/notebook/").body
    for name in ("web1", "web2", "worker"):
        names = {path.name for path in (tmp_path / name).iterdir()}
        assert not names & {"uploads", "partial", "dumps", "facts"}

    bucket.stop()
    refused = ask(f"{sites[0]}/api/v1/uploads", data=small, Content_Type="text/x-kafu")
    assert (refused.status, refused.json()["code"]) == (503, "unavailable")
    assert refused.headers["Retry-After"]
    assert ask(f"{sites[0]}/data/{MONTH}/README.md").status == 503
    ready = ask(f"{sites[0]}/health/ready")
    assert (ready.status, ready.json()["parts"]["storage"]) == (503, "away")
    bucket.start()
    again = ask(f"{sites[0]}/api/v1/uploads", data=small, Content_Type="text/x-kafu")
    assert again.status == 202

"""An archive that grows on each database, measured in a process of its own."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from bench import ROOT

#: The sizes of the archive, in games.
SIZES: Final = (1_000, 10_000, 100_000)
DATABASES: Final = ("sqlite", "postgresql")

Steps = list[dict[str, Any]]


def main(
    module: str,
    description: str,
    runs: int,
    measure: Callable[[list[int], int, Path], None],
    table: Callable[[str, Steps], str],
) -> None:
    """The command line of ``module``: measure each database, and print its table.

    ``measure`` (sizes, runs, directory of what is kept between runs) prints a line of JSON for each
    size; ``runs`` is how often each question is asked unless the command says otherwise.
    """
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="games")
    parser.add_argument("--runs", type=int, default=runs, help="times that each is asked")
    parser.add_argument("--only", choices=DATABASES, help="one database")
    parser.add_argument("--cache", type=Path, default=ROOT / "var" / "bench")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        measure(arguments.sizes, arguments.runs, arguments.cache)
        return
    for name in (arguments.only,) if arguments.only else DATABASES:
        print(table(name, _run(module, name, arguments)), flush=True)


def forget() -> None:
    """Lose every answer that is kept, in the database's cache, in memory and in files."""
    from django.conf import settings
    from django.core.cache import cache

    from records.serving.memory import MEMORY

    cache.clear()
    MEMORY.clear()
    shutil.rmtree(settings.CACHE_DIR, ignore_errors=True)


def _run(module: str, database: str, arguments: argparse.Namespace) -> Steps:
    """Measure in a process of its own, so that no memory or cache is shared."""
    with ExitStack() as stack:
        var = stack.enter_context(tempfile.TemporaryDirectory(prefix="hana-bench-"))
        env = os.environ | {
            "HANA_ENV": "development",
            "HANA_VAR": var,
            "HANA_LOG_LEVEL": "WARNING",
            "HANA_RATES": "read=1000000/60",
            "DJANGO_SETTINGS_MODULE": "hanaarchive.settings",
        }
        env.pop("DATABASE_URL", None)
        if database == "postgresql":
            from tests.services import postgres_server

            server = stack.enter_context(postgres_server())
            env["DATABASE_URL"] = server.url(server.create())
        command = [sys.executable, "-m", module, "--measure"]
        command += ["--sizes", *map(str, arguments.sizes), "--runs", str(arguments.runs)]
        command += ["--cache", str(arguments.cache)]
        process = stack.enter_context(
            subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
        )
        assert process.stdout is not None
        found = []
        for line in process.stdout:
            found.append(json.loads(line))
            built = f"{found[-1]['size']:,} games built in {found[-1]['built']:,.0f} s"
            print(f"{database}: {built}", file=sys.stderr, flush=True)
    if process.returncode:
        raise SystemExit(process.returncode)
    return found

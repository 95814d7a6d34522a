"""Archives of several sizes on each database, asked in turns.

Each is in a process of its own, so that no memory or cache is shared. A machine is now faster, now
slower: only answers that are given one right after the other can be compared.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench import ROOT

#: The sizes of the archives, in games.
SIZES: Final = (1_000, 10_000, 100_000)
DATABASES: Final = ("sqlite", "postgresql")


@dataclass(frozen=True, slots=True)
class Question:
    """A question below ``/api/v1/statistics/``; ``is_again`` if its answer may be kept."""

    name: str
    path: str
    query: Mapping[str, str]
    is_again: bool = False


@dataclass(frozen=True, slots=True)
class Bench:
    """What a module measures: ``build`` fills the database of its process with so many games, with
    what is kept in a directory between runs, and says in a line what it comes to; ``questions``
    are asked ``runs`` times unless the command says otherwise.
    """

    module: str
    description: str
    runs: int
    build: Callable[[int, Path], str]
    questions: Callable[[], Iterable[Question]]


def main(bench: Bench) -> None:
    """The command line of a module: ask on each database, and print its table."""
    parser = argparse.ArgumentParser(description=bench.description.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="games")
    parser.add_argument("--runs", type=int, default=bench.runs, help="times that each is asked")
    parser.add_argument("--only", choices=DATABASES, help="one database")
    parser.add_argument("--cache", type=Path, default=ROOT / "var" / "bench")
    parser.add_argument("--answer", type=int, metavar="GAMES", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.answer:
        _answer(bench, arguments.answer, arguments.cache)
        return
    for name in (arguments.only,) if arguments.only else DATABASES:
        for line in _compare(bench, name, arguments):
            print(line, flush=True)


def _answer(bench: Bench, size: int, directory: Path) -> None:
    """Build an archive, and print what it came to, and the names of the questions. Then answer the
    one whose number a line of the standard input has, once; print for each the time by the clock
    and that of a core in this process, in ms.
    """
    import django
    from django.conf import settings
    from django.core.management import call_command

    django.setup()
    settings.ALLOWED_HOSTS = ["*"]
    call_command("migrate", verbosity=0)
    begun = time.perf_counter()
    built = bench.build(size, directory)
    built = f"{built}; built in {time.perf_counter() - begun:,.0f} s"
    questions = list(bench.questions())
    print(json.dumps([built, [one.name for one in questions]]), flush=True)
    gc.collect()
    gc.freeze()  # a web process has not what building leaves, and does not look through it
    from django.test import Client

    client: Any = Client()
    for line in sys.stdin:
        one = questions[int(line)]
        if not one.is_again:
            forget()
        clock, core = time.perf_counter(), time.process_time()
        response = client.get(f"/api/v1/statistics/{one.path}", one.query)
        clock, core = time.perf_counter() - clock, time.process_time() - core
        assert response.status_code == 200, (one, response.content)
        assert response.json()["n"] is not None, one
        print(json.dumps([1e3 * clock, 1e3 * core]), flush=True)


def forget() -> None:
    """Lose every answer that is kept, in the database's cache, in memory and in files."""
    from django.conf import settings
    from django.core.cache import cache

    from records.serving.memory import MEMORY

    cache.clear()
    MEMORY.clear()
    shutil.rmtree(settings.CACHE_DIR, ignore_errors=True)


def _compare(bench: Bench, database: str, arguments: argparse.Namespace) -> Iterator[str]:
    """Ask archives of a database in turns; the results in Markdown."""
    with ExitStack() as stack:
        first, *others = arguments.sizes
        archives = [_start(stack, bench, database, first, arguments)]
        built, names = _read(archives[0])  # it has made what is kept between runs
        archives += [_start(stack, bench, database, size, arguments) for size in others]
        yield f"\n{database}, {first:,} games: {built}"
        for size, archive in zip(others, archives[1:], strict=True):
            yield f"\n{database}, {size:,} games: {_read(archive)[0]}"
        yield f"\n{database}: ms by the clock (of a core of the asked process), medians\n"
        heads = "".join(f" {size:,} |" for size in arguments.sizes)
        yield f"| question |{heads} ratio |"
        yield "|---|" + "---:|" * (len(archives) + 1)
        for number, name in enumerate(names):
            times: list[list[list[float]]] = [[] for _ in archives]
            for run in range(arguments.runs + 1):
                for archive, took in zip(archives, times, strict=True):
                    print(number, file=archive.stdin, flush=True)
                    answer = _read(archive)
                    if run:  # the first imports, and fills caches
                        took.append(answer)
            medians = [
                [statistics.median(one) for one in zip(*took, strict=True)] for took in times
            ]
            cells = "".join(f" {clock:.1f} ({core:.1f}) |" for clock, core in medians)
            ratios = [last / first for first, last in zip(medians[0], medians[-1], strict=True)]
            yield f"| {name} |{cells} {ratios[0]:.2f} ({ratios[1]:.2f}) |"
        for archive in archives:
            archive.stdin.close()
            archive.wait()


def _read(archive: Any) -> Any:
    line = archive.stdout.readline()
    if not line:
        raise SystemExit(archive.wait())
    return json.loads(line)


def _start(
    stack: ExitStack, bench: Bench, database: str, size: int, arguments: argparse.Namespace
) -> Any:
    """The process of an archive, which ends with the stack."""
    var = stack.enter_context(tempfile.TemporaryDirectory(prefix="hana-bench-"))
    env = os.environ | {
        "HANA_ENV": "development",
        "HANA_VAR": var,
        "HANA_LOG_LEVEL": "WARNING",
        "HANA_RATES": "read=1000000/60,work=100000000/60",
        "DJANGO_SETTINGS_MODULE": "hanaarchive.settings",
    }
    env.pop("DATABASE_URL", None)
    if database == "postgresql":
        from tests.services import postgres_server

        server = stack.enter_context(postgres_server())
        env["DATABASE_URL"] = server.url(server.create())
    command = [sys.executable, "-m", bench.module, "--answer", str(size)]
    command += ["--cache", str(arguments.cache)]
    process = subprocess.Popen(
        command, cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    stack.callback(process.kill)
    return stack.enter_context(process)

"""Time and memory of verifying files of 1 to 100,000 games, and two processes against one.

    python -m bench.growth [--games 100000] [--cache DIRECTORY] [--json]

The games are a thousand different ones of all five rulesets, simulated once and kept; a file of
more has them again. Each size runs in a process of its own, whose peak of memory is the size's.
Files of fewer than a thousand games are verified until a thousand have been.
"""

from __future__ import annotations

import argparse
import io
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import BinaryIO, cast

import kafu
from bench import ROOT, figures
from bench.corpus import corpus
from bench.figures import Figure, Ratio, Row
from kafu.judging.verify import verify

DIFFERENT = 1000
SIZES = (1, 10, 1_000, 10_000, 100_000)
#: Games of the file that one process verifies, and two, and how many times: so that the time until
#: a process has loaded its modules, a quarter of a second, does not count for much.
SHARED, TIMES = 2000, 5
TWO, FLAT = 1.9, 1.2
ONE_MEGABYTE = 1e6


class Again:
    """A stream of the bytes of a file, so many times over."""

    def __init__(self, file: BinaryIO, times: int) -> None:
        self.file, self.times = file, times

    def read(self, size: int = -1) -> bytes:
        """The next bytes, none at the end of the last time."""
        data = self.file.read(size)
        if not data and self.times > 1:
            self.times -= 1
            self.file.seek(0)
            data = self.file.read(size)
        return data


def streams(path: Path, size: int) -> Iterator[BinaryIO]:
    """Files of so many games each, from a file of ``DIFFERENT``."""
    if size >= DIFFERENT:
        with path.open("rb") as file:
            yield cast(BinaryIO, Again(file, size // DIFFERENT))
        return
    texts = [record.text for record in kafu.records(path)]
    for begin in range(0, len(texts), size):
        yield io.BytesIO("\n".join(texts[begin : begin + size]).encode())


def verified(path: Path, size: int) -> dict[str, float]:
    """Verify files of so many games; time a game and peak memory of this process."""
    done = 0
    begun = time.process_time()
    for stream in streams(path, size):
        for record in kafu.records(stream):
            assert verify(record.reading()).verdict.status == "verified"
            done += 1
    seconds = time.process_time() - begun
    return {"ms a game": seconds / done * 1e3, "peak MB": _peak() / ONE_MEGABYTE}


def _peak() -> float:
    """Bytes of this process at most."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def by_itself(path: Path, size: int) -> Row:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "bench.growth", f"--file={path}", f"--size={size}"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    found = figures.loads(done.stdout)
    assert isinstance(found, Row)
    return found


def with_jobs(path: Path, jobs: int) -> tuple[float, float]:
    """Seconds of `kafu verify --jobs`, and seconds of a core of all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    command = [sys.executable, "-m", "kafu", "verify", f"--jobs={jobs}", *[str(path)] * TIMES]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seconds = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def two_against_one(path: Path, rounds: int) -> Iterator[Figure]:
    """How much more two processes do than one: by the clock, and by the work that they need for
    it, which other programs on the machine do not change.
    """
    pairs = [(with_jobs(path, 1), with_jobs(path, 2)) for _ in range(rounds)]
    clock = median(one[0] / two[0] for one, two in pairs)
    work = median(2 * one[1] / two[1] for one, two in pairs)
    yield Ratio("two processes to one, by the clock", clock, TWO)
    yield Ratio("two processes to one, by the work needed", work, TWO)
    for jobs, name in enumerate(("one process", "two processes")):
        values = {
            "s": median(pair[jobs][0] for pair in pairs),
            "s of a core": median(pair[jobs][1] for pair in pairs),
        }
        yield Row(f"kafu verify, {SHARED * TIMES:,} games", name, values)


def measure(games: int, cache: Path, rounds: int = figures.ROUNDS) -> Iterator[Figure]:
    """All figures of this module."""
    yield from two_against_one(corpus(SHARED, cache), rounds)
    path = corpus(DIFFERENT, cache, share=1)
    found = {size: by_itself(path, size) for size in SIZES if size <= games}
    yield from found.values()
    first, last = (found[size].values for size in (DIFFERENT, max(found)))
    for column, name in (("ms a game", "time a game"), ("peak MB", "memory")):
        value = last[column] / first[column]
        yield Ratio(f"{name}, {max(found):,} games to {DIFFERENT:,}", value, FLAT, most=True)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=SIZES[-1], help="of the largest file")
    parser.add_argument("--cache", type=Path, default=ROOT / "var" / "bench")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each figure")
    parser.add_argument("--file", type=Path, help="only measure this file …")
    parser.add_argument("--size", type=int, help="… as one of so many games")
    arguments = parser.parse_args()
    if arguments.file:
        values = verified(arguments.file, arguments.size)
        print(figures.dumps(Row("Games of a file", f"{arguments.size:,}", values)))
        return
    figures.publish(measure(arguments.games, arguments.cache), as_json=arguments.json)


if __name__ == "__main__":
    main()

"""The measurements of every day, in one run: ratios first, then tables.

    python -m bench [--games 100000] [--only verify,compiled,growth,ingest,serving,editing,taps]

Each part runs in a process of its own. All figures go into var/bench/, a line of JSON each, of
which `python -m bench.report` makes docs/performance.md. Ends with 1 if a part failed; the others'
figures are printed all the same.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime

from bench import ROOT, figures, serving_lines
from bench.figures import Figure
from bench.machine import Run

PARTS = {
    "verify": ("bench.verify", "--json"),
    "compiled": ("bench.verify", "--json"),
    "growth": ("bench.growth", "--json"),
    "ingest": ("bench.ingest", "--json"),
    "serving": ("bench.serving", "--seconds=2"),
    "editing": ("bench.editing", "--json"),
    "taps": ("bench.taps", "--json"),
}


def measured(part: str, *options: str) -> Iterator[Figure]:
    """Run a part to its end; its figures. Raises CalledProcessError where it failed."""
    begun = time.perf_counter()
    environment = dict(os.environ)
    if part == "compiled":
        subprocess.run([ROOT / "scripts" / "compiled"], check=True, stdout=subprocess.DEVNULL)
        environment["PYTHONPATH"] = str(ROOT / "var" / "compiled" / "lib")
    command = [sys.executable, "-m", *PARTS[part], *options]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    lines = done.stdout.splitlines()
    if part == "serving":
        yield from serving_lines.figures_of(lines)
    else:
        yield from figures.of_lines(lines)
    print(f"{part}: {time.perf_counter() - begun:,.0f} s", file=sys.stderr, flush=True)


def main() -> int:
    """Measure and print; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=100_000, help="of the largest file")
    parser.add_argument("--only", default=",".join(PARTS), help="parts, with commas between")
    arguments = parser.parse_args()
    options = {"growth": [f"--games={arguments.games}"]}
    run = Run.now("python -m bench " + " ".join(sys.argv[1:]))
    found: list[Figure] = []
    failed = []
    for part in arguments.only.split(","):
        try:
            found += measured(part, *options.get(part, ()))
        except subprocess.CalledProcessError as error:
            failed.append(f"{part} failed: {error}")
    path = ROOT / "var" / "bench" / f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in [run.dumps(), *map(figures.dumps, found)]))
    print(run, figures.markdown(found), sep="\n\n")
    print(path.relative_to(ROOT), *failed, sep="\n", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

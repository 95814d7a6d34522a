"""Speed of verifying games on one core, and the memory that a large file takes.

    python -m bench.verify [--games 2000] [--file-games 100000]

Figures depend on the machine: to compare two versions, run both on the same one.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate

ROOT = Path(__file__).resolve().parent.parent


def years(count: int) -> list[str]:
    """Simulated koi-koi years as text."""
    return [write(simulate("koikoi", seed=seed)) for seed in range(1, count + 1)]


def speed(texts: list[str]) -> float:
    """Games a second of reading, replaying and judging."""
    start = time.perf_counter()
    for text in texts:
        verification = verify(read(text))
        assert verification.verdict.status == "verified", verification.verdict
    return len(texts) / (time.perf_counter() - start)


def memory(texts: list[str], count: int) -> tuple[int, float]:
    """Peak memory in MiB of `manage.py verify` on a file of ``count`` games, and its seconds."""
    with tempfile.NamedTemporaryFile("w", suffix=".kafu", encoding="utf-8") as file:
        for number in range(count):
            file.write(texts[number % len(texts)] + "\n")
        file.flush()
        start = time.perf_counter()
        command = [sys.executable, str(ROOT / "manage.py"), "verify", file.name]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return peak // (1 << 20 if sys.platform == "darwin" else 1 << 10), seconds


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=2000, help="different games to verify")
    parser.add_argument("--file-games", type=int, default=100_000, help="games of the large file")
    arguments = parser.parse_args()
    texts = years(arguments.games)
    print(f"verify, 1 core, {len(texts):,} koi-koi years: {speed(texts):,.0f} games/s")
    if arguments.file_games:
        peak, seconds = memory(texts, arguments.file_games)
        games = f"{arguments.file_games:,}"
        print(f"manage.py verify, a file of {games} games: {peak} MiB at most, {seconds:,.0f} s")


if __name__ == "__main__":
    main()

"""Games a second of `manage.py verify`, and the most memory it holds.

    make bench
    .venv/bin/python scripts/bench.py --games 2000 --copies 50    # a file of 100,000 games

The games are simulated, the same for the same seed. Start-up of the process is counted.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MEBIBYTE = 1024 * 1024


def run(*command: str, output: Path) -> tuple[float, float]:
    """Run `manage.py` to its end. Returns its seconds and its peak memory in MiB."""
    begin = time.perf_counter()
    with output.open("wb") as file:
        process = subprocess.Popen([sys.executable, "manage.py", *command], cwd=ROOT, stdout=file)
        _pid, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    if status:
        sys.exit(f"manage.py {command[0]} failed")
    return seconds, peak(used)


def peak(used: resource.struct_rusage) -> float:
    """Peak memory in MiB: the kernels count it in different units."""
    return used.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / MEBIBYTE


def main() -> None:
    """Simulate, copy, verify, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=2000, help="games to simulate")
    parser.add_argument("--copies", type=int, default=1, help="times that they stand in the file")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        games, verdicts = directory / "games.kafu", directory / "verdicts.ndjson"
        simulated, _ = run(
            "simulate", "koikoi", f"--games={options.games}", f"--seed={options.seed}", output=games
        )
        once = games.read_bytes()
        with games.open("ab") as file:
            for _ in range(options.copies - 1):
                file.write(once)
        total = options.games * options.copies
        size = games.stat().st_size / MEBIBYTE
        seconds, memory = run("verify", "--jobs=1", str(games), output=verdicts)
        print(f"simulate  {options.games / simulated:8.0f} games/s")
        print(f"verify    {total / seconds:8.0f} games/s on one core")
        print(f"          {memory:8.0f} MiB peak memory, {total} games in {size:.1f} MiB")


if __name__ == "__main__":
    main()

"""Memory and time of processes and all their children, by `ps`."""

from __future__ import annotations

import os
import subprocess
import threading
from collections import defaultdict
from pathlib import Path
from types import TracebackType

EVERY_SECONDS = 0.5


class Watch:
    """A sampler of processes, twice a second.

    Use it as `with Watch({"web": 4711}) as watch: …; watch.totals()`.
    """

    def __init__(self, roots: dict[str, int]) -> None:
        self.roots = roots
        self.peaks: dict[str, float] = defaultdict(float)
        self.times: dict[str, dict[int, float]] = defaultdict(dict)
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Watch:
        self.thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop sampling."""
        self.ending.set()
        self.thread.join()

    def totals(self) -> dict[str, tuple[float, float]]:
        """Return by role: peak MB of the largest process, and total seconds of a core."""
        return {role: (self.peaks[role], sum(self.times[role].values())) for role in self.roots}

    def _run(self) -> None:
        while not self.ending.wait(EVERY_SECONDS):
            self._look()

    def _look(self) -> None:
        listed = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid=,rss=,time="], capture_output=True, text=True
        )
        rows = {}
        for line in listed.stdout.splitlines():
            number, parent, size, time = line.split()
            rows[int(number)] = (int(parent), int(size), _parse_duration(time))
        roles = {pid: role for role, pid in self.roots.items()}
        for pid, (_, rss, cpu_seconds) in rows.items():
            above = pid
            while above not in roles and above in rows:
                above = rows[above][0]
            role = roles.get(above)
            if role is not None:
                self.peaks[role] = max(self.peaks[role], rss * 1024 / 1e6)
                self.times[role][pid] = _read_cpu_seconds(pid) or cpu_seconds


def cpu_seconds(root: int) -> float:
    """Return the CPU seconds of a process and its descendants, including ended ones (on Linux)."""
    watch = Watch({"root": root})
    watch._look()
    times = watch.times["root"]
    return sum(times.values()) + sum(_read_cpu_seconds(pid, 13) for pid in times)


def _read_cpu_seconds(pid: int, first: int = 11) -> float:
    """Return CPU seconds in hundredths on Linux, where `ps` shows whole seconds.

    The fields from 13 on belong to ended children.
    """
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(after_name[first]) + int(after_name[first + 1])) / os.sysconf("SC_CLK_TCK")


def _parse_duration(written: str) -> float:
    """Parse ``[days-]hours:minutes:seconds`` of Linux, ``minutes:seconds.parts`` of macOS."""
    days, _, clock = written.rpartition("-")
    total = 0.0
    for part in clock.split(":"):
        total = total * 60 + float(part)
    return total + 86400 * int(days or 0)

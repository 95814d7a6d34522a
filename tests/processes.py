"""CPU time and memory of a process and its descendants."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def cpu_seconds(root: int) -> float:
    """Return the CPU seconds of a process and its descendants, including ended ones (on Linux)."""
    return sum(_read_cpu_seconds(pid) or rough for pid, rough in _list_family(root).items())


def peak_memory(root: int) -> float:
    """Return the peak MB of the largest process among a process and its descendants (on Linux)."""
    statuses = [Path(f"/proc/{pid}/status") for pid in _list_family(root)]
    lines = [line for path in statuses if path.exists() for line in path.read_text().splitlines()]
    return max(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * 1024 / 1e6


def _list_family(root: int) -> dict[int, float]:
    """Return a process and its descendants with CPU seconds: whole ones, as Linux rounds them."""
    command = ["ps", "-A", "-o", "pid=,ppid=,time="]
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = [line.split() for line in listed.stdout.splitlines()]
    family = {root}
    while more := {int(pid) for pid, parent, _ in rows if int(parent) in family} - family:
        family |= more
    return {int(pid): _parse_duration(time) for pid, _, time in rows if int(pid) in family}


def _read_cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process and its ended children, 0 without `/proc`."""
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, after_name[11:15])) / os.sysconf("SC_CLK_TCK")


def _parse_duration(written: str) -> float:
    """Parse ``[days-]hours:minutes:seconds`` of Linux, ``minutes:seconds.parts`` of macOS."""
    days, _, clock = written.rpartition("-")
    total = 0.0
    for part in clock.split(":"):
        total = total * 60 + float(part)
    return total + 86400 * int(days or 0)

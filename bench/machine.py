"""What was measured, where and when."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench import ROOT
from kafu.judging import playthrough


@dataclass(frozen=True)
class Run:
    """One run: the day, the commit (with + where files were changed), the command, the machine,
    how busy it was (processes at work on average), and whether the library was compiled.
    """

    date: str
    commit: str
    command: str
    machine: str
    load: float
    compiled: bool

    @classmethod
    def now(cls, command: str) -> Run:
        """A run that begins now, on this machine."""
        changed = _git("status", "--porcelain", "--untracked-files=no")
        return cls(
            date=f"{datetime.now(UTC):%Y-%m-%d}",
            commit=_git("rev-parse", "--short", "HEAD") + ("+" if changed else ""),
            command=command.strip(),
            machine=f"{processor()}, {os.cpu_count()} cores, {platform.system()}, "
            f"{platform.python_implementation()} {platform.python_version()}",
            load=os.getloadavg()[0],
            compiled=is_compiled(),
        )

    def dumps(self) -> str:
        """One line of JSON, which `loads` reads."""
        return json.dumps(asdict(self))

    @classmethod
    def loads(cls, line: str) -> Run:
        """The run of a line."""
        return cls(**json.loads(line))

    def __str__(self) -> str:
        library = "compiled" if self.compiled else "not compiled"
        return (
            f"`{self.command}` at {self.commit}, {self.date}: {self.machine}; the library"
            f" {library}; load {self.load:.1f} at the beginning."
        )


def is_compiled() -> bool:
    """Whether the library that is measured is compiled."""
    return not playthrough.__file__.endswith(".py")


def processor() -> str:
    """Name of the processor's model."""
    info = Path("/proc/cpuinfo")
    if info.exists() and (found := re.search(r"model name\s*: (.+)", info.read_text())):
        return found[1].strip()
    return platform.processor() or platform.machine()


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip()

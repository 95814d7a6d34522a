"""The state of unfinished uploads between runs: an interrupted command resumes where it stopped."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


class Memory:
    """Stores a file's upload to a server, valid as long as neither changes."""

    def __init__(self, server: str, path: Path) -> None:
        """``server`` is its address."""
        place = path.resolve()
        stat = place.stat()
        identity = f"{server}\n{place}\n{stat.st_size}\n{stat.st_mtime_ns}"
        self.file = _directory() / hashlib.sha256(identity.encode()).hexdigest()

    def read(self) -> str:
        """The path of the resumable upload; empty if there is none."""
        try:
            return self.file.read_text()
        except OSError:
            return ""

    def write(self, upload: str) -> None:
        """Store it. A failure to store is no reason not to send."""
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.file.write_text(upload)
        except OSError:
            pass  # the next run starts again

    def forget(self) -> None:
        """Remove it: the upload is complete, or gone."""
        self.file.unlink(missing_ok=True)


def _directory() -> Path:
    named = os.environ.get("HANA_STATE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "hana"

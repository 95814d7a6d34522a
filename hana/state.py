"""The state of unfinished commands between runs: an interrupted one resumes where it stopped."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path


class Memory:
    """Stores the upload of some files to a server, valid as long as none of them changes.

    The path of the resumable upload, and from its completion on the address of the result.
    """

    def __init__(self, server: str, paths: Iterable[Path], visibility: str = "public") -> None:
        """``server`` is its address. Raises OSError for a file that is not there."""
        found = hashlib.sha256(f"{server}\n{visibility}".encode())
        for path in paths:
            place = path.resolve()
            stat = place.stat()
            found.update(f"\n{place}\n{stat.st_size}\n{stat.st_mtime_ns}".encode())
        self.file = directory() / found.hexdigest()

    def read(self) -> str:
        """The path of the resumable upload, or the address of its result; empty for neither."""
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
        """Remove it: the command is complete, or the upload gone."""
        self.file.unlink(missing_ok=True)


def directory() -> Path:
    """Where states are: HANA_STATE, or the place of the system."""
    named = os.environ.get("HANA_STATE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "hana"

"""State of interrupted uploads, for the next run to resume them; and errors that end a command."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path


class Failed(Exception):
    """A permanent error, with a message for the user."""


def state_folder() -> Path:
    """Return the folder of the client's state."""
    folder = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(folder) / "hana"


class UploadState:
    """The stored state of the upload of some files, valid until one of the files changes.

    It is the path of the resumable upload, or after its completion the address of the result.
    """

    def __init__(self, server: str, paths: Iterable[Path], options: Mapping[str, str]) -> None:
        """Find the state for the address of a server. Raise OSError for a missing file."""
        digest = hashlib.sha256("\n".join((server, *options.values())).encode())
        for path in paths:
            place = path.resolve()
            stat = place.stat()
            digest.update(f"\n{place}\n{stat.st_size}\n{stat.st_mtime_ns}".encode())
        self.file = state_folder() / digest.hexdigest()

    def read(self) -> str:
        """Return the stored state, or an empty string."""
        try:
            return self.file.read_text()
        except OSError:
            return ""

    def write(self, upload: str) -> None:
        """Store a state, if possible."""
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.file.write_text(upload)
        except OSError:
            pass  # The next run starts again.

    def delete(self) -> None:
        """Delete the stored state."""
        self.file.unlink(missing_ok=True)

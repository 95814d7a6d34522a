"""Uploads under way, kept between runs: a command that was broken off goes on where it was."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


class Memory:
    """Where one file's upload to one server is remembered, for as long as neither changes."""

    def __init__(self, server: str, path: Path) -> None:
        """``server`` is its address."""
        place = path.resolve()
        stat = place.stat()
        identity = f"{server}\n{place}\n{stat.st_size}\n{stat.st_mtime_ns}"
        self.file = _directory() / hashlib.sha256(identity.encode()).hexdigest()

    def read(self) -> str:
        """The path of the upload in parts; empty where there is none."""
        try:
            return self.file.read_text()
        except OSError:
            return ""

    def write(self, upload: str) -> None:
        """Remember it. That it cannot be remembered is no reason not to send."""
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.file.write_text(upload)
        except OSError:
            pass  # the next run begins anew

    def forget(self) -> None:
        """It is finished, or gone."""
        self.file.unlink(missing_ok=True)


def _directory() -> Path:
    named = os.environ.get("HANA_STATE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "hana"

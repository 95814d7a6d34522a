"""A storage in a directory whose saved files survive a loss of power."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from django.core.files import File
from django.core.files.storage import FileSystemStorage


class Directory(FileSystemStorage):
    """A storage of files in a directory."""

    def delete_all(self, names: Iterable[str]) -> None:
        """Delete the existing files among ``names``. Raises OSError."""
        for name in names:
            self.delete(name)

    def _save(self, name: str, content: File) -> str:
        """Save a file, and return when bytes and name are on the disk.

        Content with a true ``is_derived`` is not flushed, since the archive can rebuild derived
        files.
        """
        saved: str = super()._save(name, content)  # type: ignore[misc]
        if getattr(content, "is_derived", False):
            return saved
        path = Path(self.path(saved))
        for place in (path, path.parent):
            descriptor = os.open(place, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        return saved

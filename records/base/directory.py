"""A storage in a directory: a saved file survives a loss of power."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from django.core.files import File
from django.core.files.storage import FileSystemStorage


class Directory(FileSystemStorage):
    """Files of a directory."""

    def delete_all(self, names: Iterable[str]) -> None:
        """Delete many files, as far as they are there. Raises OSError."""
        for name in names:
            self.delete(name)

    def _save(self, name: str, content: File) -> str:
        """Save a file, and return when its bytes and its name are on the disk.

        It does not wait for content whose ``is_derived`` is true: that can be made again.
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

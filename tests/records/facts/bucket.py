"""A bucket in memory."""

from __future__ import annotations

from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import Storage


class Bucket(Storage):
    """A storage without paths on this machine."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}

    def _open(self, name: str, mode: str = "rb") -> ContentFile[bytes]:
        if name not in self.objects:
            raise FileNotFoundError(name)
        return ContentFile(self.objects[name])

    def _save(self, name: str, content: Any) -> str:
        self.objects[name] = content.read()
        return name

    def exists(self, name: str) -> bool:
        """Return whether there is such an object."""
        return name in self.objects

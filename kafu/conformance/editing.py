"""A record as an edit of another, mostly a broken one of a whole one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from conformance.run import HERE


@dataclass(frozen=True, slots=True)
class Edited:
    """One record. ``base`` is the case that is edited, ``name`` the case that comes of it,
    both as ``folder/name``; each edit names what stands once in the base, and what takes its place.

    ``about`` is a sentence that begins with the number of the reading or of the page.
    """

    name: str
    base: str
    edits: tuple[tuple[str, str], ...]
    about: str
    encoding: str = "utf-8"

    @property
    def record(self) -> Path:
        """Where the record lies."""
        return HERE / f"{self.name}.kafu"

    def content(self) -> bytes:
        """The bytes of the record. Raises ValueError where an edit does not fit its base."""
        text = (HERE / f"{self.base}.kafu").read_text(encoding="utf-8") if self.base else ""
        for old, new in self.edits:
            if text.count(old) != 1 and self.base:
                raise ValueError(f"{self.name}: {old!r} stands {text.count(old)} times")
            text = text.replace(old, new) if self.base else new
        return text.encode(self.encoding)

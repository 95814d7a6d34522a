"""Records made by editing another record, mostly broken records made from whole games."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from conformance.run import HERE


@dataclass(frozen=True, slots=True)
class EditedRecord:
    """A record made from another record by replacing parts of its text.

    ``base`` is the edited case and ``name`` the resulting case, both as ``folder/name``. An edit is
    a pair of texts: the first occurs once in the base, and the second replaces it. Without a base,
    the second text is the whole record.

    ``about`` is a sentence that begins with the number of a reading or the section of a page.
    """

    name: str
    base: str
    edits: tuple[tuple[str, str], ...]
    about: str
    encoding: str = "utf-8"

    @property
    def record(self) -> Path:
        """The path of the record."""
        return HERE / f"{self.name}.kafu"

    def content(self) -> bytes:
        """Return the bytes of the record. Raises ValueError if an edit does not fit the base."""
        text = (HERE / f"{self.base}.kafu").read_text(encoding="utf-8") if self.base else ""
        for old, new in self.edits:
            if text.count(old) != 1 and self.base:
                raise ValueError(f"{self.name}: {old!r} occurs {text.count(old)} times")
            text = text.replace(old, new) if self.base else new
        return text.encode(self.encoding)

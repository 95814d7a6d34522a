"""Reads a foreign JSON log: every value is requested by name and type, every deviation is a clear
fault.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from kafu.notation.faults import Fault, Malformed
from kafu.rules import codes

_MAX_TEXT: Final = 200
#: Characters of a value that are quoted.
_MAX_FOUND: Final = 40


class Shape:
    """An object of a log with its place in it (a path like ``record.round3.turn2``)."""

    def __init__(self, value: Mapping[str, Any], path: str, format: str) -> None:
        self.value = value
        self.path = path
        self.format = format

    def wrong(self, name: str, due: str) -> Malformed:
        """The fault to raise if a value does not match the format."""
        where = f"{self.path}.{name}".lstrip(".")
        return Malformed(
            Fault(codes.BAD_LOG, values={"format": self.format, "where": where, "due": due})
        )

    def incomplete(self, name: str, due: str) -> dict[str, str]:
        """The values of the fault, or warning, that says that a value is not there."""
        where = f"{self.path}.{name}".lstrip(".")
        found = json.dumps(self.value.get(name), ensure_ascii=False)[:_MAX_FOUND]
        return {"format": self.format, "where": where, "found": found, "due": due}

    def missing(self, name: str) -> bool:
        """Whether a value is absent or null."""
        return self.value.get(name) is None

    def object(self, name: str) -> Shape:
        """The object of that name. Raises Malformed."""
        value = self.value.get(name)
        if not isinstance(value, dict):
            raise self.wrong(name, "object")
        return Shape(value, f"{self.path}.{name}".lstrip("."), self.format)

    def array(self, name: str, longest: int) -> list[Any]:
        """The array of that name, of at most ``longest`` values. Raises Malformed."""
        value = self.value.get(name)
        if not isinstance(value, list) or len(value) > longest:
            raise self.wrong(name, f"array (0 … {longest})")
        return value

    def integer(self, name: str, least: int, most: int) -> int:
        """The whole number of that name within bounds. Raises Malformed."""
        value = self.value.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self.wrong(name, f"integer {least} … {most}")
        return value

    def boolean(self, name: str) -> bool:
        """The boolean of that name. Raises Malformed."""
        value = self.value.get(name)
        if not isinstance(value, bool):
            raise self.wrong(name, "boolean")
        return value

    def text(self, name: str) -> str:
        """The text of that name, one line of at most 200 printable characters. Raises Malformed."""
        value = self.value.get(name)
        if not isinstance(value, str) or len(value) > _MAX_TEXT or not value.isprintable():
            raise self.wrong(name, f"string of one line (0 … {_MAX_TEXT})")
        return value

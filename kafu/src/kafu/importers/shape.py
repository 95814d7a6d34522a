"""Validated access to the values of a foreign JSON log, by name and type."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from kafu.notation.faults import Fault, Malformed
from kafu.rules import codes

_MAX_TEXT: Final = 200
#: The number of characters of a value quoted in messages.
_MAX_QUOTED: Final = 40


class Shape:
    """An object of a log, with its path (such as ``record.round3.turn2``)."""

    def __init__(self, value: Mapping[str, Any], path: str, format: str) -> None:
        self.value = value
        self.path = path
        self.format = format

    def wrong(self, name: str, due: str) -> Malformed:
        """Return the error for a value that does not match the format."""
        where = f"{self.path}.{name}".lstrip(".")
        return Malformed(
            Fault(codes.BAD_LOG, values={"format": self.format, "where": where, "due": due})
        )

    def incomplete(self, name: str, due: str) -> dict[str, str]:
        """Return the values of a fault or warning about a missing value."""
        where = f"{self.path}.{name}".lstrip(".")
        actual = json.dumps(self.value.get(name), ensure_ascii=False)[:_MAX_QUOTED]
        return {"format": self.format, "where": where, "found": actual, "due": due}

    def is_missing(self, name: str) -> bool:
        """Return whether a value is absent or null."""
        return self.value.get(name) is None

    def object(self, name: str) -> Shape:
        """Return the object with a name. Raises Malformed."""
        value = self.value.get(name)
        if not isinstance(value, dict):
            raise self.wrong(name, "object")
        return Shape(value, f"{self.path}.{name}".lstrip("."), self.format)

    def array(self, name: str, longest: int) -> list[Any]:
        """Return the array with a name, of at most ``longest`` values. Raises Malformed."""
        value = self.value.get(name)
        if not isinstance(value, list) or len(value) > longest:
            raise self.wrong(name, f"array (0 … {longest})")
        return value

    def integer(self, name: str, least: int, most: int) -> int:
        """Return the integer with a name, between ``least`` and ``most``. Raises Malformed."""
        value = self.value.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self.wrong(name, f"integer {least} … {most}")
        return value

    def boolean(self, name: str) -> bool:
        """Return the boolean with a name. Raises Malformed."""
        value = self.value.get(name)
        if not isinstance(value, bool):
            raise self.wrong(name, "boolean")
        return value

    def text(self, name: str) -> str:
        """Return the text with a name: at most 200 printable characters. Raises Malformed."""
        value = self.value.get(name)
        if not isinstance(value, str) or len(value) > _MAX_TEXT or not value.isprintable():
            raise self.wrong(name, f"string of one line (0 … {_MAX_TEXT})")
        return value

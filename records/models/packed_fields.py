"""Packed columns (`records.base.packed_values`), stored as bytes in the database."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
from django.db import models

from records.base.packed_values import TEXT, VERDICT, pack, unpack


class PackedField(models.Field):
    """The base class of packed columns: a dictionary, and the value as bytes."""

    dictionary: ClassVar[str]

    def get_internal_type(self) -> str:
        """Return the type of a column of bytes."""
        return "BinaryField"

    def from_db_value(self, value: Any, *_: object) -> Any:
        """Return the value, None if a join finds no row."""
        return None if value is None else self.decode(unpack(bytes(value)))

    def get_prep_value(self, value: Any) -> Any:
        """Return the packed bytes."""
        return None if value is None else pack(self.encode(value), self.dictionary)

    def encode(self, value: Any) -> bytes:
        """Return a value as bytes."""
        raise NotImplementedError

    def decode(self, data: bytes) -> Any:
        """Return the value of bytes."""
        raise NotImplementedError


class PackedTextField(PackedField):
    """A packed column of text, for example Kafu."""

    dictionary = TEXT

    def encode(self, value: str) -> bytes:
        """Encode a text in UTF-8."""
        return value.encode()

    def decode(self, data: bytes) -> str:
        """Return the text."""
        return data.decode()


class PackedJsonField(PackedField):
    """A packed column of JSON, for example verdicts."""

    dictionary = VERDICT
    empty_strings_allowed = False

    def encode(self, value: Any) -> bytes:
        """Encode a value as JSON; tuples become arrays."""
        return msgspec.json.encode(value)

    def decode(self, data: bytes) -> Any:
        """Return the value."""
        return msgspec.json.decode(data)

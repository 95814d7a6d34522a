"""Answers in the memory of one process, by request: the last used, up to a number of bytes.

An entry holds while the version of the archive is the one under which it was made: whoever gives
it again looks that up each time, so that no process goes on showing what another one has changed.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final, TypeAlias

from django.conf import settings

from records.serving.cached_responses import Kept

#: Bytes that an entry takes apart from its body: headers, keys, objects.
_ENTRY_BYTES: Final = 4 << 10

#: All of a request that its answer may depend on.
Key: TypeAlias = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Remembered:
    """An answer as it left the view and all that stands around it.

    ``limit`` is the rate limit that it was counted under, "" for none; ``match`` where its address
    led; ``framed``: pages of other sites may frame it.
    """

    kept: Kept
    limit: str
    match: Any
    framed: bool


def size_of(key: Key, entry: Remembered) -> int:
    """Bytes, about: of the key too, which senders write."""
    return _ENTRY_BYTES + entry.kept.packed.size + sum(len(part or "") for part in key)


class Memory:
    """Entries by request; thread-safe."""

    def __init__(self) -> None:
        self.bytes = 0
        self._entries: OrderedDict[Key, Remembered] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Remembered | None:
        """The entry of a request, which is the last used now."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:
                self._entries.move_to_end(key)
            return entry

    def put(self, key: Key, entry: Remembered) -> None:
        """Remember an answer; those used longest ago go."""
        with self._lock:
            self._forget(key)
            self._entries[key] = entry
            self.bytes += size_of(key, entry)
            while self.bytes > settings.MEMORY_BYTES:
                self._forget(next(iter(self._entries)))

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()
            self.bytes = 0

    def _forget(self, key: Key) -> None:
        before = self._entries.pop(key, None)
        if before is not None:
            self.bytes -= size_of(key, before)


MEMORY: Final = Memory()

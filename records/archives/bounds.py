"""What an archive may cost, and the faults that say it would cost more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from kafu.notation import codes
from kafu.notation.faults import Code, Fault

#: Bytes that an archive may unpack to before its ratio is looked at: small ones harm nobody.
RATIO_FROM: Final = 16 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on what comes out of an archive.

    ``members`` files, ``member_bytes`` for each of them, ``total_bytes`` for all, and ``ratio``
    times as many bytes as went in (from the first `RATIO_FROM` bytes of a file on).
    """

    members: int = 20_000
    member_bytes: int = 1 << 30
    total_bytes: int = 4 << 30
    ratio: int = 250


class Broken(Exception):
    """A file in an archive that cannot be had; carries the :class:`Fault`. The others can be."""

    def __init__(self, code: Code, **values: Any) -> None:
        self.fault = Fault(code, values=values)
        super().__init__(self.fault.message())


class Ended(Broken):
    """An archive of which nothing further can be had; what came before stands."""


class Meter:
    """Counts what comes out of an archive, and of those in it, and stops it at the limits."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.total = 0
        self.count = 0

    def admit(self) -> None:
        """One file more. Raises :class:`Ended` where there are too many."""
        self.count += 1
        if self.count > self.limits.members:
            raise Ended(codes.ARCHIVE_TOO_MANY, limit=self.limits.members)

    def measured(self, chunks: Iterator[bytes], taken: Callable[[], int]) -> Iterator[bytes]:
        """The chunks of one file; ``taken`` tells how many packed bytes they have cost so far.

        Raises :class:`Broken` where the file is too large or unpacks to suspiciously much, and
        :class:`Ended` where all files together are too large.
        """
        limits, count = self.limits, 0
        for data in chunks:
            count += len(data)
            self.total += len(data)
            if self.total > limits.total_bytes:
                raise Ended(codes.ARCHIVE_TOTAL, limit=limits.total_bytes)
            if count > limits.member_bytes:
                raise Broken(codes.ARCHIVE_FILE_TOO_LARGE, limit=limits.member_bytes)
            if count > RATIO_FROM and count > limits.ratio * taken():
                raise Broken(codes.ARCHIVE_RATIO, limit=limits.ratio)
            yield data

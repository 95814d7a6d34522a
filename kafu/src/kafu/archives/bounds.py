"""Limits on the cost of an archive, and the faults for exceeding them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from kafu.notation import codes
from kafu.notation.faults import Code, Fault

#: Unpacked bytes below which the ratio is not checked: small archives do no harm.
RATIO_FROM: Final = 16 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on the output of an archive.

    ``members`` files, ``member_bytes`` for each of them, ``total_bytes`` for all, and ``ratio``
    times as many bytes as went in (from the first `RATIO_FROM` bytes of a file on).
    """

    members: int = 20_000
    member_bytes: int = 1 << 30
    total_bytes: int = 4 << 30
    ratio: int = 250


class Broken(Exception):
    """A file in an archive that cannot be read; carries the :class:`Fault`. The others can be."""

    def __init__(self, code: Code, **values: Any) -> None:
        self.fault = Fault(code, values=values)
        super().__init__(self.fault.message())


class Ended(Broken):
    """An archive that cannot be read further; what came before is valid."""


class Meter:
    """Counts the output of an archive and of nested ones, and enforces the limits."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.total = 0
        self.count = 0

    def admit(self) -> None:
        """Count one more file. Raises :class:`Ended` if there are too many."""
        self.count += 1
        if self.count > self.limits.members:
            raise Ended(codes.ARCHIVE_TOO_MANY, limit=self.limits.members)

    def measured(self, chunks: Iterator[bytes], taken: Callable[[], int]) -> Iterator[bytes]:
        """The chunks of one file; ``taken`` returns how many packed bytes were read so far.

        Raises :class:`Broken` if the file is too large or its ratio is suspicious, and
        :class:`Ended` if all files together are too large.
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

    def metered(self, chunks: Iterator[bytes], taken: Callable[[], int]) -> Iterator[bytes]:
        """The chunks of a whole archive, whose files are not measured one by one; ``taken`` as of
        :func:`measured`.

        Raises :class:`Ended` if it is too large, cannot be read further, or its ratio is
        suspicious.
        """
        limits, count = self.limits, 0
        try:
            for data in chunks:
                count += len(data)
                self.total += len(data)
                if self.total > limits.total_bytes:
                    raise Ended(codes.ARCHIVE_TOTAL, limit=limits.total_bytes)
                if count > RATIO_FROM and count > limits.ratio * taken():
                    raise Ended(codes.ARCHIVE_RATIO, limit=limits.ratio)
                yield data
        except Ended:
            raise
        except Broken as broken:
            raise Ended(broken.fault.code, **broken.fault.values) from broken

"""Command lines: types of arguments that say what they expected, and output that may end early."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def whole(low: int, high: int) -> Callable[[str], int]:
    """A type for whole numbers from ``low`` to ``high``."""

    def read(written: str) -> int:
        # Longer than any number that fits would be slow to read.
        if written.isascii() and written.isdigit() and len(written) < 20:
            number = int(written)
            if low <= number <= high:
                return number
        raise ArgumentTypeError(f"{written!r}: expected a whole number from {low} to {high}")

    return read


def seconds(written: str) -> float:
    """A type for spans of time: from 0 to a day."""
    try:
        number = float(written)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 86400:
        raise ArgumentTypeError(f"{written!r}: expected seconds from 0 to 86400")
    return number


@contextmanager
def piped() -> Iterator[None]:
    """Standard output may be closed by who reads it (`| head`): then just stop."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # Python would complain once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

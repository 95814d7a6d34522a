"""Types of command-line arguments, with error messages that name the expected form."""

from __future__ import annotations

from argparse import ArgumentTypeError


def share(written: str) -> tuple[int, int]:
    """Parse the number of a share and the count of shares: ``2/8``."""
    number, _, count = written.partition("/")
    numbers = [int(part) for part in (number, count) if part.isascii() and part.isdigit()]
    if len(numbers) != 2 or not 1 <= numbers[0] <= numbers[1]:
        raise ArgumentTypeError(f"{written!r}: expected a share such as 2/8")
    return numbers[0], numbers[1]


def seconds(written: str) -> float:
    """Parse a duration in seconds, from 0 to a day."""
    try:
        number = float(written)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 86400:
        raise ArgumentTypeError(f"{written!r}: expected seconds from 0 to 86400")
    return number

"""Types of command-line arguments, with error messages that name the expected form."""

from __future__ import annotations

from argparse import ArgumentTypeError


def seconds(written: str) -> float:
    """Parse a duration in seconds, from 0 to a day."""
    try:
        number = float(written)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 86400:
        raise ArgumentTypeError(f"{written!r}: expected seconds from 0 to 86400")
    return number

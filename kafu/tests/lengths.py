"""How much tests go through of what is long: a part, in `make test-long` all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final, TypeVar

LONG: Final = "LONG" in os.environ
#: How many examples of each property are tried: `make test-fast` has fewer, `make test-long` more.
EXAMPLES: Final = int(os.environ.get("EXAMPLES", "12"))
T = TypeVar("T")


def part(cases: Sequence[T], *, one_of: int = 3) -> Sequence[T]:
    """Every third of many cases, all of them where there is time."""
    return cases if LONG else cases[::one_of]


def examples(count: int) -> int:
    """So many examples of a property where others have 20, in proportion to what those have."""
    return max(1, count * EXAMPLES // 20)

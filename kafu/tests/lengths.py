"""How many cases and examples tests try: a part of them, in `make test-long` all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final, TypeVar

LONG: Final = "LONG" in os.environ
#: Examples of each property: fewer in `make test-fast`, more in `make test-long`.
EXAMPLES: Final = int(os.environ.get("EXAMPLES", "5"))
T = TypeVar("T")


def part(cases: Sequence[T], *, one_of: int = 3) -> Sequence[T]:
    """Return one in several cases, or all of them in `make test-long`."""
    return cases if LONG else cases[::one_of]


def examples(count: int) -> int:
    """Return the number of examples of a property that has ``count`` where `EXAMPLES` is 20."""
    return max(1, count * EXAMPLES // 20)

"""The number of cases and examples in tests: some by default, all in `make test-long`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final, TypeVar

LONG: Final = "LONG" in os.environ
#: Examples of each property: fewer in `make test-fast`, more in `make test-long`.
EXAMPLES: Final = int(os.environ.get("EXAMPLES", "2"))
#: Examples of a property that needs a whole game for each: one, the simplest, in `make test`.
GAMES: Final = EXAMPLES if LONG else 1
T = TypeVar("T")


def part(cases: Sequence[T], *, one_of: int = 3) -> Sequence[T]:
    """Return one of every ``one_of`` cases, or all cases in `make test-long`."""
    return cases if LONG else cases[::one_of]


def examples(count: int) -> int:
    """Return the number of examples for a property with ``count`` when `EXAMPLES` is 20."""
    return max(1, count * EXAMPLES // 20)

"""How much tests go through of what is long: a part, in `make test-long` all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final, TypeVar

LONG: Final = "LONG" in os.environ
T = TypeVar("T")


def part(cases: Sequence[T], *, one_of: int = 3) -> Sequence[T]:
    """Every third of many cases, all of them where there is time."""
    return cases if LONG else cases[::one_of]

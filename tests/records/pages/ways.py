"""In how many ways a page is looked at: widths, languages, rulesets together."""

from collections.abc import Sequence
from itertools import product
from typing import Any

from lengths import LONG


def ways(*lists: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Cases of these lists: so many that each value is met, in `make test-long` each with each."""
    if LONG:
        return list(product(*lists))
    most = max(map(len, lists))
    return [tuple(one[number % len(one)] for one in lists) for number in range(most)]

"""Scales of charts: where a value is, and which values have a tick."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Final

from records.base import figures

#: Maximum number of steps between ticks.
STEPS: Final = 6
#: Part of a step that rounding may be off by.
_SLACK: Final = 1e-6

#: A tick: position in percent, text, and whether narrow charts omit the text.
Tick = tuple[float, str, bool]


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale from ``low`` to ``high``, with ticks at the multiples of ``step``."""

    low: float
    high: float
    step: float = 1

    def at(self, value: float) -> float:
        """Return where a value is on the scale, in percent."""
        return 100 * (value - self.low) / (self.high - self.low)

    def ticks(self, kind: str) -> list[Tick]:
        """Return the ticks as numbers of a kind of column, with the decimals that they need."""
        first, last = ceil(self.low / self.step - _SLACK), floor(self.high / self.step + _SLACK)
        is_rate = kind == "rate"
        digits = max(0, -floor(log10(self.step * (100 if is_rate else 1)) + _SLACK))
        write = figures.percent if is_rate else figures.number
        return [
            (self.at(number * self.step), write(number * self.step, digits), number % 2 == 1)
            for number in range(first, last + 1)
        ]


def make_scale(values: Iterable[float], *, is_whole: bool = True) -> Scale:
    """Return the scale of these values, with at most `STEPS` steps of 1, 2 or 5 × 10ⁿ.

    If ``is_whole``, it begins and ends with a tick.
    """
    values = [*values]
    low, high = min(values, default=0), max(values, default=0)
    if low == high:
        low, high = low - abs(low) / 10, high + (abs(high) / 10 or 1)
    power = 10.0 ** floor(log10((high - low) / STEPS))
    step = next(n * power for n in (1, 2, 5, 10) if high - low <= n * power * STEPS * (1 + _SLACK))
    if is_whole:
        low, high = floor(low / step + _SLACK) * step, ceil(high / step - _SLACK) * step
    return Scale(low, high, step)

"""What could be expected at each step of a game, as curves: drawn once, at any width.

Lines are in a square of `SIDE` units that is stretched to the room there is; texts and marks stand
at percentages of it, so that they keep their size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil, floor, log10
from typing import Any, Final, NamedTuple

from kafu.analysis.report import CLEAR
from kafu.analysis.search import margin
from records.base import labels
from records.models import Record
from records.pages.analysis.view import MistakeView

#: Units of the square.
SIDE: Final = 1000
#: How long a deal is drawn that was not measured, in steps.
_UNMEASURED: Final = 16
#: Lines of the scale, about.
_TICKS: Final = 4
#: Units that a month must be long for its number, on a phone.
_MONTH: Final = 35


class CurveLineView(NamedTuple):
    """The curve of a seat: points of the line, and of the band of two standard errors around it."""

    seat: int
    name: str
    points: str
    band: str


class TickView(NamedTuple):
    """A line of the scale: its height in units and in percent from the top, and its value."""

    y: int
    percent: str
    text: str
    is_zero: bool


class MonthView(NamedTuple):
    """A deal: where it begins and how wide it is in units, its middle in percent, its number in the
    game and its name, in short and whole.
    """

    x: int
    width: int
    percent: str
    at: str
    text: str
    title: str


class DotView(NamedTuple):
    """A costly choice on the curve, in percent."""

    x: str
    y: str
    at: str
    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class CurveView:
    """All curves of a game. Of two seats only the first is drawn: the other is its mirror image."""

    lines: list[CurveLineView]
    ticks: list[TickView]
    months: list[MonthView]
    dots: list[DotView]


class _Point(NamedTuple):
    """What a seat could expect in all after a step: ``at`` counts the steps of the game."""

    at: int
    value: float
    error: float


def curve_of(
    record: Record, found: Mapping[str, Any], mistakes: Sequence[MistakeView]
) -> CurveView | None:
    """The curves of a report (`kafu.analysis.report`); None where no deal was measured."""
    names = labels.people(record.players)
    deals = found["deals"]
    if not any(deal["course"] for deal in deals):
        return None
    lengths = [_length(deal) for deal in deals]
    starts = [0, *accumulate(lengths)]
    seats = range(1, len(names) + 1) if len(names) > 2 else (1,)
    points = {seat: list(_points(record, deals, starts, seat)) for seat in seats}
    every = [point for line in points.values() for point in line]
    low = min(0.0, *(point.value - CLEAR * point.error for point in every))
    high = max(1.0, *(point.value + CLEAR * point.error for point in every))
    scale = _Scale(starts[-1], low, high)
    return CurveView(
        [_line(seat, names[seat - 1], line, scale) for seat, line in points.items()],
        [scale.tick(value) for value in _ticks(low, high)],
        [_month(record, i, starts, scale) for i in range(len(deals))],
        [_dot(one, points.get(one.seat, points[1]), starts, scale) for one in mistakes],
    )


def _length(deal: Mapping[str, Any]) -> int:
    return deal["course"][-1]["step"] + 1 if deal["course"] else _UNMEASURED


def _points(
    record: Record, deals: Sequence[Mapping[str, Any]], starts: Sequence[int], seat: int
) -> Iterator[_Point]:
    """What was scored before the deal, and what could be expected of it."""
    before = 0
    scores = [one["score"] for one in record.verdict["deals"]]
    for number, (deal, start) in enumerate(zip(deals, starts, strict=False)):
        for one in deal["course"]:
            value = before + one["value"][seat - 1]
            yield _Point(start + one["step"], value, one["error"][seat - 1])
        if number < len(scores) and scores[number]:
            before += margin(scores[number], seat)


class _Scale:
    """Where steps and sums lie in the square."""

    def __init__(self, steps: int, low: float, high: float) -> None:
        self.steps, self.low, self.high = max(steps, 1), low, high

    def x(self, at: int) -> float:
        return SIDE * at / self.steps

    def y(self, value: float) -> float:
        return SIDE * (self.high - value) / (self.high - self.low)

    def tick(self, value: int) -> TickView:
        y = self.y(value)
        return TickView(round(y), _percent(y), f"{value}".replace("-", "−"), value == 0)


def _line(seat: int, name: str, points: Sequence[_Point], scale: _Scale) -> CurveLineView:
    def path(by: float) -> list[str]:
        return [
            f"{scale.x(one.at):.0f},{scale.y(one.value + by * one.error):.0f}" for one in points
        ]

    band = [*path(CLEAR), *reversed(path(-CLEAR))]
    return CurveLineView(seat, name, " ".join(path(0)), " ".join(band))


def _month(record: Record, i: int, starts: Sequence[int], scale: _Scale) -> MonthView:
    deals = record.verdict["deals"]
    month = deals[i]["month"] if i < len(deals) else i + 1
    x, end = round(scale.x(starts[i])), round(scale.x(starts[i + 1]))
    middle = _percent((x + end) / 2)
    text = f"{month}" if end - x >= _MONTH else ""
    return MonthView(x, end - x, middle, f"{i + 1}.0", text, labels.month(month))


def _dot(one: MistakeView, line: Sequence[_Point], starts: Sequence[int], scale: _Scale) -> DotView:
    deal, step = map(int, one.at.split("."))
    at = starts[deal - 1] + step
    here = [point for point in line if point.at <= at] or line[:1]
    y = _percent(scale.y(here[-1].value))
    return DotView(_percent(scale.x(at)), y, one.at, one.seat, f"{one.place}: {one.text}")


def _percent(units: float) -> str:
    return f"{100 * units / SIDE:.2f}%"


def _ticks(low: float, high: float) -> Iterator[int]:
    """Round sums between the ends of a scale."""
    rough = max((high - low) / _TICKS, 1)
    power = 10 ** floor(log10(rough))
    size = next(one * power for one in (1, 2, 5, 10) if one * power >= rough)
    yield from range(ceil(low / size) * size, floor(high / size) * size + 1, size)

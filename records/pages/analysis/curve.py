"""The curve of an analysis: the expected final result of each player at every step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil, floor, log10
from typing import Any, Final, NamedTuple

from kafu.analysis.report import CLEAR
from kafu.analysis.search import margin
from records.base import labels
from records.pages.analysis.choices import MistakeView, view_of
from records.pages.game.replayed_game import ReplayedGame

#: Units of the square.
SIDE: Final = 1000
#: Width in steps of a deal without measurements.
_UNMEASURED: Final = 16
#: Approximate number of lines of the scale.
_TICKS: Final = 4
#: Minimum width in units of a month with a number, on a phone.
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
    """A deal: start and width in units, middle in percent, step, number of steps, two names."""

    x: int
    width: int
    percent: str
    at: str
    steps: int
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
    """All curves of a game. With two seats only the first is drawn, as the second mirrors it."""

    lines: list[CurveLineView]
    ticks: list[TickView]
    months: list[MonthView]
    dots: list[DotView]


class _Point(NamedTuple):
    """The expected final result of a seat after a step. ``at`` counts the steps of the game."""

    at: int
    value: float
    error: float


def describe(
    replay: ReplayedGame, verdict: Mapping[str, Any], report: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the variables of templates/records/_analysis.html for a report on a game."""
    view = view_of(replay, verdict, report)
    return {"view": view, "curve": curve_of(replay.players, verdict, report, view.mistakes)}


def curve_of(
    names: Sequence[str],
    verdict: Mapping[str, Any],
    report: Mapping[str, Any],
    mistakes: Sequence[MistakeView],
) -> CurveView | None:
    """Return the curves of a report (`kafu.analysis.report`), None without measured deals."""
    deals = report["deals"]
    if not any(deal["course"] for deal in deals):
        return None
    lengths = [_length(deal) for deal in deals]
    starts = [0, *accumulate(lengths)]
    seats = range(1, len(names) + 1) if len(names) > 2 else (1,)
    points = {seat: list(_points(verdict, deals, starts, seat)) for seat in seats}
    every = [point for line in points.values() for point in line]
    low = min(0.0, *(point.value - CLEAR * point.error for point in every))
    high = max(1.0, *(point.value + CLEAR * point.error for point in every))
    scale = _Scale(starts[-1], low, high)
    return CurveView(
        [_line(seat, names[seat - 1], line, scale) for seat, line in points.items()],
        [scale.tick(value) for value in _ticks(low, high)],
        [_month(verdict, i, starts, scale) for i in range(len(deals))],
        [_dot(mistake, points.get(mistake.seat, points[1]), starts, scale) for mistake in mistakes],
    )


def _length(deal: Mapping[str, Any]) -> int:
    return deal["course"][-1]["step"] + 1 if deal["course"] else _UNMEASURED


def _points(
    verdict: Mapping[str, Any], deals: Sequence[Mapping[str, Any]], starts: Sequence[int], seat: int
) -> Iterator[_Point]:
    """Yield the points of a seat: its score before each deal plus the expectation of the deal."""
    before = 0
    scores = [deal["score"] for deal in verdict["deals"]]
    for number, (deal, start) in enumerate(zip(deals, starts, strict=False)):
        for measured in deal["course"]:
            value = before + measured["value"][seat - 1]
            yield _Point(start + measured["step"], value, measured["error"][seat - 1])
        if number < len(scores) and scores[number]:
            before += margin(scores[number], seat)


class _Scale:
    """The coordinates of steps and sums in the square."""

    def __init__(self, steps: int, low: float, high: float) -> None:
        self.steps, self.low, self.high = max(steps, 1), low, high

    def x(self, at: int) -> float:
        return SIDE * at / self.steps

    def y(self, value: float) -> float:
        return SIDE * (self.high - value) / (self.high - self.low)

    def tick(self, value: int) -> TickView:
        y = self.y(value)
        return TickView(round(y), _format_percent(y), f"{value}".replace("-", "−"), value == 0)


def _line(seat: int, name: str, points: Sequence[_Point], scale: _Scale) -> CurveLineView:
    def path(by: float) -> list[str]:
        return [
            f"{scale.x(point.at):.0f},{scale.y(point.value + by * point.error):.0f}"
            for point in points
        ]

    band = [*path(CLEAR), *reversed(path(-CLEAR))]
    return CurveLineView(seat, name, " ".join(path(0)), " ".join(band))


def _month(verdict: Mapping[str, Any], i: int, starts: Sequence[int], scale: _Scale) -> MonthView:
    deals = verdict["deals"]
    month = deals[i]["month"] if i < len(deals) else i + 1
    x, end = round(scale.x(starts[i])), round(scale.x(starts[i + 1]))
    middle = _format_percent((x + end) / 2)
    text = f"{month}" if end - x >= _MONTH else ""
    steps = starts[i + 1] - starts[i]
    return MonthView(x, end - x, middle, f"{i + 1}.0", steps, text, labels.month(month))


def _dot(
    mistake: MistakeView, line: Sequence[_Point], starts: Sequence[int], scale: _Scale
) -> DotView:
    deal, step = map(int, mistake.at.split("."))
    at = starts[deal - 1] + step
    earlier = [point for point in line if point.at <= at] or line[:1]
    y = _format_percent(scale.y(earlier[-1].value))
    text = f"{mistake.place}: {mistake.text}"
    return DotView(_format_percent(scale.x(at)), y, mistake.before, mistake.seat, text)


def _format_percent(units: float) -> str:
    return f"{100 * units / SIDE:.2f}%"


def _ticks(low: float, high: float) -> Iterator[int]:
    """Yield round sums between the ends of a scale."""
    rough = max((high - low) / _TICKS, 1)
    power = 10 ** floor(log10(rough))
    size = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    yield from range(ceil(low / size) * size, floor(high / size) * size + 1, size)

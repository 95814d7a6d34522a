"""The scores of a season by evening: the chart, as HTML with SVG, and the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from django.utils.safestring import SafeString

from clubs.models import Measure, Season
from clubs.pages.tables import StandingRow
from clubs.scores import write_score
from clubs.scoring import UNITS
from clubs.standings import Point
from kafu.notation.vocabulary import KAN
from kafu.rules.rulesets import RULESETS
from records.base import dates
from records.drawing.scales import Scale, make_scale
from records.drawing.svg import (
    draw_axis_x,
    draw_axis_y,
    draw_mark,
    draw_plot,
    flip,
    join,
    stretch,
    tag,
)

#: The maximum number of players, each with a colour, and of dates below the chart.
MOST: Final = 6
_DATES: Final = 8
#: The maximum number of days in the table of scores.
_ROWS: Final = 100


def draw_progress(
    season: Season, rows: Sequence[StandingRow], progress: Mapping[str, Sequence[Point]]
) -> SafeString:
    """Return the chart of the scores of players, empty without two days."""
    lines = [progress.get(row.standing.player, ()) for row in rows]
    days = sorted({point.day for line in lines for point in line})
    if len(days) < 2:
        return SafeString()
    unit = _unit_of(season)
    x = Scale(days[0].toordinal(), days[-1].toordinal())
    y = make_scale([0, *(point.score / unit for line in lines for point in line)])
    if season.scoring == Measure.RATING:
        y = make_scale([point.score / unit for line in lines for point in line])
    shapes, dots = [], []
    for number, line in enumerate(lines, start=1):
        places = [(x.at(point.day.toordinal()), 100 - y.at(point.score / unit)) for point in line]
        shapes.append(tag("polyline", class_=f"line-{number}", points=join(places)))
        dots += [
            tag("circle", class_=f"dot line-{number}", cx=left, cy=top) for left, top in places
        ]
    axes = draw_axis_y(flip(y.ticks("number"))), draw_axis_x(_ticks(days, x))
    marks = _mark_days(season, rows, lines, days, x)
    return draw_plot([*axes, stretch(*shapes), *dots, *marks])


def list_scores(
    season: Season, rows: Sequence[StandingRow], progress: Mapping[str, Sequence[Point]]
) -> list[tuple[date, list[str]]]:
    """Return the scores of players by day, the newest day first; "" for a day without one."""
    scores = [
        {point.day: point.score for point in progress.get(row.standing.player, ())} for row in rows
    ]
    days = sorted({day for line in scores for day in line}, reverse=True)[:_ROWS]
    return [
        (day, [write_score(season, line[day]) if day in line else "" for line in scores])
        for day in days
    ]


def _unit_of(season: Season) -> int:
    """Return the number of units of a score in what people read."""
    kind: Any = Measure(season.scoring).value
    in_kan = season.scoring in (Measure.SUM, Measure.MEAN) and RULESETS[season.ruleset].kan
    return UNITS[kind] * (KAN if in_kan else 1)


def _ticks(days: Sequence[date], x: Scale) -> list[tuple[float, str, bool]]:
    """Return a few of the days, far enough from each other; narrow charts show every second."""
    ticks: list[tuple[float, str, bool]] = []
    for day in days:
        place = x.at(day.toordinal())
        if not ticks or place - ticks[-1][0] >= 100 / _DATES:
            ticks.append((place, f"{day.month}/{day.day}", len(ticks) % 2 == 1))
    return ticks


def _mark_days(
    season: Season,
    rows: Sequence[StandingRow],
    lines: Sequence[Sequence[Point]],
    days: Sequence[date],
    x: Scale,
) -> list[SafeString]:
    """Return an area for each day, which shows the scores of the day to the pointer."""
    scores = [{point.day: point.score for point in line} for line in lines]
    width = min(100 / len(days), 4)
    marks = []
    for day in days:
        told = [dates.day(day)]
        for row, line in zip(rows, scores, strict=True):
            if day in line:
                told.append(f"{row.player.name}: {write_score(season, line[day])}")
        left = x.at(day.toordinal()) - width / 2
        marks.append(draw_mark("\n".join(told), x=left, width=width))
    return marks

"""Descriptions of charts: their form, and the columns of an answer that they show.

Pages draw them as SVG (`records.pages.statistics.charts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise

Text = str | Promise


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A chart with a row for each row of the answer, in their order.

    ``label`` is the column or the key of drawn rows with their names, ``value`` the column with
    their values.
    """

    label: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimates(Labelled):
    """A point with its interval (``value_low`` to ``value_high``) for each row.

    ``measure`` names the measured quantity if the title of the column does not.
    ``baseline`` is the column to compare with, drawn as a tick; rows whose ``flag`` is true are red
    diamonds. With ``zero`` the axis has the 0, which charts of sums mark.
    """

    measure: Text = ""
    baseline: str = ""
    flag: str = ""
    zero: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Percentiles(Labelled):
    """A bar for each row from one half (the median) to its percentile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars(Labelled):
    """A bar from 0 for each row; labels are unique."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """Bars over bins from ``low`` to ``high``, the 0 marked; ``title`` names the cases.

    Bars have no intervals, since a bar may join several bins.
    """

    low: str
    high: str
    value: str
    title: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """A line over months (``2026-01``) within the band of its intervals."""

    month: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """A square for each day, with a column per week and a row per day of the week.

    ``names`` are the names of the days of the week, beginning with day 1.
    """

    day: str
    weekday: str
    names: Sequence[Text]
    value: str


Chart = Estimates | Percentiles | Bars | Distribution | Course | Days

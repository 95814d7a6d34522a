"""Parts of charts as HTML with SVG.

Coordinates are percentages: one drawing fits every width without a script, and its texts and marks
keep their size. Colours, sizes and the place of names are in `statistics.css`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from records.drawing.scales import Tick

#: Width and height of the nested drawing of lines, which is stretched.
_SIDE: Final = 1000


def draw_plot(
    parts: Iterable[SafeString], above: str = "", below: str = "", *, is_low: bool = False
) -> SafeString:
    """Draw parts between the titles of their axes."""
    plot = format_html('<div class="plot{}">{}</div>', " low" if is_low else "", tag("svg", *parts))
    return draw_title(above) + plot + draw_title(below)


def flip(ticks: Iterable[Tick]) -> list[Tick]:
    """Return the ticks of an axis that begins at the bottom."""
    return [(100 - place, text, is_minor) for place, text, is_minor in ticks]


def draw_axis_x(ticks: Iterable[Tick], dashed: Iterable[float] = ()) -> SafeString:
    """Draw a line from top to bottom for each tick, its text below, and the ``dashed`` lines."""
    parts = []
    for x, text, is_minor in ticks:
        minor = {"class_": "minor"} if is_minor else {}
        parts += [tag("line", x1=x, x2=x, y2=100), tag("text", text, x=x, y=100, **minor)]
    parts += [tag("line", class_="dashed", x1=x, x2=x, y2=100) for x in dashed]
    return tag("g", *parts, class_="x")


def draw_axis_y(ticks: Iterable[Tick]) -> SafeString:
    """Draw a line from left to right for each tick, its text on the left."""
    parts = []
    for y, text, _is_minor in ticks:
        parts += [tag("line", x2=100, y1=y, y2=y), tag("text", text, y=y)]
    return tag("g", *parts, class_="y")


def draw_title(title: str) -> SafeString:
    """Return the title of an axis, empty without one."""
    return format_html('<p class="axis">{}</p>', title) if title else SafeString()


def draw_mark(told: str, *parts: SafeString, **place: float) -> SafeString:
    """Draw parts in a place of their own, whose area shows a text to the pointer."""
    area = tag("rect", class_="area", width=100, height=100)
    return tag("svg", tag("title", told), area, *parts, **place)


def tag(name: str, *content: str, **attributes: str | float) -> SafeString:
    """Return an element. Numbers are percentages; names are as in Python: ``class_``."""
    pairs = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_write(value)}"'
        for key, value in attributes.items()
    )
    inner = "".join(conditional_escape(part) for part in content)
    return mark_safe(f"<{name}{pairs}>{inner}</{name}>")


def _write(value: str | float) -> str:
    return conditional_escape(value) if isinstance(value, str) else f"{value:.4g}%"


def stretch(*shapes: SafeString) -> SafeString:
    """Return shapes with coordinates of `join`, stretched over the whole plot."""
    return tag("svg", *shapes, viewBox=f"0 0 {_SIDE} {_SIDE}", preserveAspectRatio="none")


def join(points: Iterable[tuple[float, float]]) -> str:
    """Return the coordinates of points, given in percent, in a stretched drawing."""
    return " ".join(f"{_SIDE * x / 100:.0f},{_SIDE * y / 100:.0f}" for x, y in points)

"""The style page for staff: sizes, spacing, colours with their contrast, and parts of pages."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from records.models import Status

_SHEET: Final = Path(__file__).parent.parent / "static/records/site.css"
#: Colours of texts, each with its backgrounds.
PAIRS: Final = (
    *(("ink", ground) for ground in ("paper", "raised")),
    *(("soft", ground) for ground in ("paper", "raised")),
    *(("link", ground) for ground in ("paper", "raised")),
    *((state, ground) for state in ("good", "fair", "bad") for ground in ("paper", "raised")),
    ("on-accent", "accent"),
    *(("on-felt", ground) for ground in ("felt", "felt-light", "felt-deep")),
    *(("felt-soft", ground) for ground in ("felt", "felt-deep")),
    *(("gold", ground) for ground in ("felt", "felt-deep")),
)


class Swatch(NamedTuple):
    """A colour of texts on a ground, as written in the style sheet."""

    name: str
    ground: str
    colour: str
    ground_colour: str
    contrast: float


def read_palettes() -> tuple[dict[str, str], dict[str, str]]:
    """Return the colours of the style sheet by name, of the light and of the dark theme."""
    text = _SHEET.read_text(encoding="utf-8")
    light, dark = text.split("@media (prefers-color-scheme: dark)", 1)
    colour = re.compile(r"--([\w-]+): (#[0-9a-f]{6});")
    palette = dict(colour.findall(light))
    return palette, palette | dict(colour.findall(dark.split("@media", 1)[0]))


def list_swatches(palette: dict[str, str]) -> list[Swatch]:
    """Return all pairs of a palette, with the contrast of WCAG 2.2 rounded to a tenth."""
    return [
        Swatch(
            name, ground, palette[name], palette[ground], contrast(palette[name], palette[ground])
        )
        for name, ground in PAIRS
    ]


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours (``#rrggbb``), rounded to a tenth."""
    darker, lighter = sorted(map(_luminance, (first, second)))
    return round((lighter + 0.05) / (darker + 0.05), 1)


def _luminance(colour: str) -> float:
    channels = [int(colour[start:end], 16) / 255 for start, end in pairwise((1, 3, 5, 7))]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@require_safe
def design(request: HttpRequest) -> HttpResponse:
    """Show the style page to staff. Raise Http404 for everybody else."""
    if not request.user.is_staff:
        raise Http404
    light, dark = read_palettes()
    context = {
        "sizes": ("title", "large", "text", "small"),
        "spaces": ("s1", "s2", "s3", "s4", "s5"),
        "palettes": (("light", list_swatches(light)), ("dark", list_swatches(dark))),
        "statuses": Status.choices,
    }
    return render(request, "records/design.html", context)

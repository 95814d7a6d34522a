"""All figures of the statistics by id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from django.utils.translation import override

from records.statistics.definition import Figure
from records.statistics.figures import (
    bests,
    cards,
    careers,
    choices,
    deals,
    players,
    ratings,
    versus,
    yaku,
)
from records.statistics.insights import INSIGHTS

_ALL: Final = (
    *(careers.STRENGTHS, careers.FORM, players.COMPARE, versus.VERSUS),
    *(yaku.YAKU, yaku.HANDS, deals.SEATS, deals.GRADES, deals.SCORES, deals.ENDS),
    *(choices.DECISIONS, choices.LOSSES, cards.HATTO, cards.CARDS, cards.OPENINGS),
    *(INSIGHTS, ratings.RATING, careers.CALENDAR, ratings.RATINGS),
    *(players.PLAYERS, bests.BESTS),
)
#: In display order.
FIGURES: Final[Mapping[str, Figure]] = {figure.id: figure for figure in _ALL}


def definitions_table() -> str:
    """Return a Markdown table in English with the definition and formula of each figure."""
    with override("en"):
        return "\n".join(_definition_lines())


def _definition_lines() -> Iterator[str]:
    yield "| figure | title | what it is | formula |"
    yield "|---|---|---|---|"
    for figure in FIGURES.values():
        words = (f"`{figure.id}`", figure.title, figure.definition, f"`{figure.formula}`")
        yield f"| {' | '.join(str(word).replace('|', '/') for word in words)} |"

"""All figures of the statistics, by their ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from records.statistics.definition import Figure
from records.statistics.figures import (
    cards,
    compare,
    decisions,
    ends,
    grades,
    hands,
    hatto,
    insights,
    losses,
    openings,
    players,
    ratings,
    scores,
    seats,
    versus,
    yaku,
)
from records.statistics.figures.careers import bests, calendar, form, strengths

_ALL: Final = (
    *(strengths.FIGURE, form.FIGURE, compare.FIGURE, versus.FIGURE),
    *(yaku.FIGURE, hands.FIGURE, seats.FIGURE, grades.FIGURE, scores.FIGURE),
    *(ends.FIGURE, decisions.FIGURE, losses.FIGURE, hatto.FIGURE, cards.FIGURE, openings.FIGURE),
    insights.FIGURE,
    *(ratings.ONE, calendar.FIGURE, ratings.LIST, players.FIGURE, bests.FIGURE),
)
#: In the order in which they are shown.
FIGURES: Final[Mapping[str, Figure]] = {one.id: one for one in _ALL}

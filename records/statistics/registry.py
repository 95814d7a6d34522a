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
    openings,
    players,
    ratings,
    scores,
    seats,
    versus,
    yaku,
)

_ALL: Final = (
    *(compare.FIGURE, versus.FIGURE),
    *(yaku.FIGURE, hands.FIGURE, seats.FIGURE, grades.FIGURE, scores.FIGURE),
    *(ends.FIGURE, decisions.FIGURE, hatto.FIGURE, cards.FIGURE, openings.FIGURE),
    insights.FIGURE,
    *(ratings.ONE, ratings.LIST, players.FIGURE),
)
#: In the order in which they are shown.
FIGURES: Final[Mapping[str, Figure]] = {one.id: one for one in _ALL}

"""The report of a game, computed in parts of some seconds."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from kafu.analysis.choices import default_effort
from kafu.analysis.luck import PLAYOUTS
from kafu.analysis.report import (
    Choice,
    DealParts,
    analyse_choices,
    count_choices,
    make_report,
    measure_deal,
)
from kafu.notation.game import Game


class PartialReport:
    """The analysed choices and deals of a game, the first of each.

    At most ``most`` deals are sampled for a comparison. The result does not depend on the division
    into parts. Raises `Unsupported`.
    """

    def __init__(
        self,
        game: Game,
        most: int | None = None,
        choices: Sequence[Choice] = (),
        deals: Sequence[DealParts] = (),
    ) -> None:
        self.game = game
        self.effort = default_effort(game.rules, most)
        self.choices = list(choices)
        self.deals = list(deals)
        self.total = count_choices(game) + len(game.months)

    @property
    def done(self) -> int:
        """The number of analysed choices and deals, of ``total``."""
        return len(self.choices) + len(self.deals)

    @property
    def is_complete(self) -> bool:
        """Whether all choices and deals are analysed."""
        return self.done == self.total

    def advance(self, seconds: float) -> None:
        """Analyse at least one choice or deal, then more until the time is over."""
        end = time.monotonic() + seconds
        for choice in analyse_choices(self.game, effort=self.effort, after=len(self.choices)):
            self.choices.append(choice)
            if time.monotonic() >= end:
                return
        for number in range(len(self.deals) + 1, len(self.game.months) + 1):
            playouts = min(PLAYOUTS, self.effort.most)
            self.deals.append(measure_deal(self.game, number, playouts=playouts))
            if time.monotonic() >= end:
                return

    def make_report(self) -> dict[str, Any]:
        """Return the report of the analysed choices and deals."""
        return make_report(self.game, self.choices, self.deals, self.effort)

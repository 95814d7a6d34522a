"""A replayed game in the language of the request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.wording.steps import tell


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """A replayed game.

    ``data`` is the engine's replay with at least one deal, ``players`` are the displayed names.
    ``address`` is the path of the page. ``key`` is empty for a game outside of the archive.
    """

    address: str
    data: Mapping[str, Any]
    players: list[str]
    key: str = ""
    profile: str = ""

    @property
    def units(self) -> labels.Units | None:
        """The units of the sums, in the language of the request."""
        return labels.units(self.data["rules"])

    @property
    def deals(self) -> list[dict[str, Any]]:
        """The deals, each with at least one step. Addresses count deals from 1, steps from 0."""
        deals: list[dict[str, Any]] = self.data["deals"]
        return deals

    @property
    def counts(self) -> list[int]:
        """The number of steps of each deal."""
        return [len(deal["steps"]) for deal in self.deals]

    @property
    def settlement(self) -> list[int]:
        """The amount of the settlement per player; empty if it changes no sum."""
        if self.data["final"] is None:
            return []
        unit, totals = RULESETS[self.data["rules"]].final_unit, self.deals[-1]["totals"]
        finals = zip(self.data["final"], totals, strict=True)
        amounts = [unit * final - total for final, total in finals]
        return amounts if any(amounts) else []

    def sums(self, deal: Mapping[str, Any], step: Mapping[str, Any]) -> list[int]:
        """Return the sums of the players at a step; the last one includes the settlement."""
        if step["kind"] != "end":
            return list(deal["before"])
        if deal is not self.deals[-1] or not self.settlement:
            return list(deal["totals"])
        return [sum(amounts) for amounts in zip(deal["totals"], self.settlement, strict=True)]

    def tell(self, deal: Mapping[str, Any], step: Mapping[str, Any]) -> str:
        """Return a step in words."""
        return tell(step, deal, self.players, units=self.units)

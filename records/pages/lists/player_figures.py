"""The figures on a player's page, compared with the figures of all players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.urls import reverse
from django.utils.http import urlencode

from records.facts.snapshot import hold_snapshot
from records.models import Player
from records.pages.statistics.answers import shown
from records.pages.statistics.bests import kinds
from records.statistics.registry import FIGURES

#: Figures of a player, in the order of the page.
_FIGURES: Final = ("form", "strengths", "losses", "rating", "calendar", "bests", "compare")


@hold_snapshot()
def comparison_context(player: Player, rules: str) -> dict[str, Any]:
    """Return the context of `records/_compared.html`: a player's figures in a ruleset."""
    return {
        "compared": {
            "all": statistics_address(player.name, rules),
            "answers": list(_answers(player, rules)),
        },
    }


def statistics_address(player: str, rules: str, opponent: str = "") -> str:
    """Return the address of a player's statistics, or of the comparison with an opponent."""
    query = {"player": player, **({"opponent": opponent} if opponent else {})}
    part = "#versus" if opponent else ""
    return f"{reverse('statistics', args=[rules])}?{urlencode(query)}{part}"


def _answers(player: Player, rules: str) -> Iterator[dict[str, Any]]:
    for id in _FIGURES:
        figure = FIGURES.get(id)
        if figure and rules in figure.rulesets:
            answer = figure.answer(figure.question(ruleset=rules, player=player.name))
            if answer.n:
                boards = list(kinds(answer)) if id == "bests" else []
                yield {**shown(answer), "folded": True, "boards": boards}

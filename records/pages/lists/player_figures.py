"""The figures on a player's page, compared with those of all, and links to the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from django.urls import reverse
from django.utils.http import urlencode

from records.base import labels
from records.models import Player
from records.pages.statistics.answers import shown
from records.statistics.questions import Question
from records.statistics.registry import FIGURES

#: Figures of a player, in the order of the page.
_FIGURES: Final = ("compare", "losses", "rating")
#: Maximum number of rulesets on a page: those that the player played most.
MOST: Final = 3


def compared(player: Player, rulesets: Iterable[str]) -> dict[str, Any]:
    """The context of the template `records/_compared.html`, for the first of these rulesets."""
    return {
        "compared": [
            {
                "name": labels.ruleset(rules),
                "all": address(player.name, rules),
                "answers": list(_answers(player, rules)),
            }
            for rules in list(rulesets)[:MOST]
        ],
    }


def address(player: str, rules: str, opponent: str = "") -> str:
    """The page of statistics of a player, alone or against another."""
    query = {"player": player, **({"opponent": opponent} if opponent else {})}
    return f"{reverse('statistics', args=[rules])}?{urlencode(query)}"


def _answers(player: Player, rules: str) -> Iterator[dict[str, Any]]:
    question = Question(ruleset=rules, player=player.name)
    for id in _FIGURES:
        figure = FIGURES.get(id)
        if figure and rules in figure.rulesets:
            answer = figure.answer(question, figure.gather(question))
            if answer.n:
                yield shown(answer)

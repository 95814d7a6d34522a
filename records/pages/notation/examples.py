"""Examples of each ruleset, and the worked deal of the page on the notation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from kafu.notation.writer import write
from kafu.rules.rulesets import RULESETS
from kafu.simulation.simulate import simulate
from records.base import labels
from records.pages.game.embed import activate_language, data_of, drawn_frame, open_to_all
from records.pages.game.player_data import Replay, replay_of_example
from records.serving.cached_responses import cached_page
from records.states import of_release
from records.wording.steps import parse_position

#: Seed of the simulated month, chosen so that a player makes a yaku in every ruleset.
_SEED: Final = 3
#: The ruleset of the worked deal.
RULES: Final = "koikoi"


@dataclass(frozen=True, slots=True)
class Example:
    """A ruleset with an example: id and name."""

    rules: str
    name: str


def examples() -> list[Example]:
    """Return all examples."""
    return [Example(rules, labels.ruleset(rules)) for rules in RULESETS]


@lru_cache
def example_text(rules: str) -> str:
    """Return the example of a ruleset as canonical Kafu."""
    game = simulate(rules, seed=_SEED)
    game.months = game.months[:1]
    game.tags["Termination"] = "unfinished"
    game.result = game.final = None
    return write(game)


def worked_replay() -> Replay:
    """Return the replay of the deal in the language of the request."""
    return replay_of_example(example_text(RULES), reverse("worked"))


@require_safe
def worked(request: HttpRequest) -> HttpResponse:
    """Redirect to the deal on its page, at the step ``at``."""
    at = parse_position(request.GET.get("at", ""))
    query = f"?{urlencode({'at': str(at)})}" if at else ""
    return redirect(f"{reverse('notation')}{query}#deal")


@require_safe
@open_to_all
@cached_page(of_release, public=True)
def worked_json(request: HttpRequest) -> HttpResponse:
    """Return the data of the player."""
    with activate_language(request):
        return data_of(worked_replay())


@require_safe
@open_to_all
@cached_page(of_release, public=True)
def worked_frame(request: HttpRequest) -> HttpResponse:
    """Return the player's HTML at the step ``at``."""
    with activate_language(request):
        return drawn_frame(request, worked_replay())

"""Pages about the notation: introduction, cards, other programs, and a worked deal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from kafu import cards
from kafu.notation.writer import write
from kafu.rules.rulesets import RULESETS
from kafu.simulation.simulate import simulate
from records.base import labels
from records.base.release import absolute
from records.pages.game.embed import activate_language, data_of, drawn_frame, open_to_all
from records.pages.game.frame import frame_of
from records.pages.game.player_data import replay_of_example
from records.pages.game.replayed_game import ReplayedGame
from records.pages.parameters import AT
from records.serving.cached_responses import cached_page
from records.serving.parameters import LANG
from records.states import of_release
from records.wording.cards import CardView, card_views
from records.wording.steps import notation, parse_position

#: Seed of the simulated month, in which a player makes a yaku in every ruleset.
_SEED: Final = 3
#: The ruleset of the worked deal.
RULES: Final = "koikoi"
#: The archive's address in the examples of the package's README.
_EXAMPLE: Final = "https://archive.example"
_BLOCK: Final = re.compile(r"^```(?:js|html)\n(.*?)\n```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Example:
    """A ruleset with an example: id and name."""

    rules: str
    name: str


def examples() -> list[Example]:
    """Return all examples."""
    return [Example(ruleset, labels.ruleset(ruleset)) for ruleset in RULESETS]


@lru_cache
def example_text(ruleset: str) -> str:
    """Return the example of a ruleset as canonical Kafu."""
    game = simulate(ruleset, seed=_SEED)
    game.months = game.months[:1]
    game.tags["Termination"] = "unfinished"
    game.result = game.final = None
    return write(game)


def worked_replay() -> ReplayedGame:
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
@cached_page(of_release, parameters=LANG, public=True)
def worked_json(request: HttpRequest) -> HttpResponse:
    """Return the data of the player."""
    with activate_language(request):
        return data_of(worked_replay())


@require_safe
@open_to_all
@cached_page(of_release, parameters=AT | LANG, public=True)
def worked_frame(request: HttpRequest) -> HttpResponse:
    """Return the player's HTML at the step ``at``."""
    with activate_language(request):
        return drawn_frame(request, worked_replay())


@dataclass(frozen=True, slots=True)
class PlantView:
    """A month of the pack: name, plant and cards."""

    month: str
    plant: str
    cards: list[CardView]


@dataclass(frozen=True, slots=True)
class WorkedStep:
    """A step of the worked deal in Kafu and in words, with played and captured cards."""

    at: str
    notation: str
    played: list[CardView]
    taken: list[CardView]
    words: str


@cached_page(of_release, parameters=AT)
def notation_page(request: HttpRequest) -> HttpResponse:
    """Show Kafu on one page."""
    replay = worked_replay()
    context = {
        "plants": _plants(),
        "statements": _statements(),
        "moves": _moves(),
        "names": _names(),
        "examples": examples(),
        "worked": RULES,
        "text": example_text(RULES),
        "frame": frame_of(replay, request.GET.get("at", "")),
        "steps": list(_steps(replay)),
        "site": absolute(""),
    }
    return render(request, "records/notation.html", context)


@cached_page(of_release)
def crib_page(request: HttpRequest) -> HttpResponse:
    """Show the letters and the most important lines, for printing on A6."""
    context = {"plants": _plants(), "moves": _moves(), "statements": _statements()}
    return render(request, "records/crib.html", context)


def _plants() -> list[PlantView]:
    return [
        PlantView(
            labels.month(plant.month),
            labels.plant(plant.month),
            card_views(cards.letters(cards.MONTHS[plant.month])),
        )
        for plant in cards.PLANTS
    ]


def _steps(replay: ReplayedGame) -> Iterator[WorkedStep]:
    """Yield the steps of the worked deal."""
    (deal,) = replay.deals
    for number, step in enumerate(deal["steps"]):
        yield WorkedStep(
            at=f"1.{number}",
            notation=notation(step),
            played=card_views(step["card"]),
            taken=card_views(step["take"]),
            words=replay.tell(deal, step),
        )


def _statements() -> list[tuple[str, str]]:
    """Return the lines of a text in order, with meanings."""
    return [
        ('[Kafu "1"]', _("begins each game")),
        ('[Rules "koikoi"]', _("the ruleset")),
        ('[Player1 "Aya"]', _("a player by seat; one line each")),
        ("month 1 dealer 2", _("a deal: which month, which seat deals")),
        ("hand 1 CPRUfgmu", _("the hand of seat 1; ? for a card that nobody knows")),
        ("field BGTXbejk", _("the cards on the field")),
        ("stock DFJEN...", _("the draw pile, top card first; ... for the rest that nobody knows")),
        ("1. CxB/E QxT/FxG", _("round 1: a turn of each player")),
        ("score 1 +5 2 0", _("what the month gave, by seat; it is checked")),
        ("{ … }", _("a comment, anywhere")),
    ]


def _moves() -> list[tuple[str, list[CardView], str]]:
    """Return examples of turns, with their cards and in words."""
    return [
        ("C/E", card_views("CE"), _("C is played and E is turned; neither captures")),
        ("CxB/E", card_views("CBE"), _("C captures B; E is turned")),
        ("CxB/FxG", card_views("CBFG"), _("and the card that is turned captures too")),
        ("CxABD/F", card_views("CABDF"), _("C captures all three of its month")),
        (
            "CxB/E=koikoi",
            card_views("CBE"),
            _("with a decision: koikoi or sage plays on, shobu or agari stops"),
        ),
    ]


def _names() -> list[tuple[str, str]]:
    """Return examples of cards by names and by letters."""
    return [
        ("松に鶴、松のカス、芒に月", "A C c"),
        ("crane, pine chaff, moon", "A C c"),
        ("1-bright, pine ribbon, 12 kasu", "A B t"),
        ("松のカスx松に鶴/梅に鶯", "CxA/E"),
    ]


@cached_page(of_release)
def programs_page(request: HttpRequest) -> HttpResponse:
    """Show how a program writes its games, with the examples of the package's README."""
    loading, playing, storing, _judging = (
        text.replace(_EXAMPLE, absolute("")) for text in readme_examples()
    )
    context = {"loading": loading, "playing": playing, "storing": storing, "base": absolute("")}
    return render(request, "records/programs.html", context)


@lru_cache
def readme_examples() -> tuple[str, ...]:
    """Return the code of the README: loading the module, a game, score sheets, the engine."""
    readme = settings.BASE_DIR / "kafu" / "javascript" / "README.md"
    return tuple(_BLOCK.findall(readme.read_text(encoding="utf-8")))

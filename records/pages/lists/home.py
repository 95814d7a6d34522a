"""The first page."""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from records.models import Record
from records.pages.game.moment import find_moment
from records.pages.game.player_data import replay_of
from records.pages.problems.page import USUAL, daily_problem
from records.search import games
from records.services.problems import NoProblem, today
from records.serving.cached_responses import cached_page
from records.states import of_day
from records.wording.cards import card_views
from records.wording.previews import picture_path
from records.wording.steps import ReplayPosition

#: The fan next to the sentence: the five brights (五光).
FAN = "AIcos"


class GameCard(NamedTuple):
    """A game with the address of a picture, and the moment that it shows in words.

    The picture of a game without a moment is its last table, without words.
    """

    record: Record
    picture: str
    words: str


@cached_page(of_day)
def home(request: HttpRequest) -> HttpResponse:
    """Show the ways into the archive, today's problem, some good games, and figures."""
    try:
        daily = daily_problem(USUAL, today())
    except NoProblem:
        daily = {}
    return render(
        request,
        "records/home.html",
        {
            "fan": card_views(FAN),
            "games": [card for record in games.choose_games() if (card := make_card(record))],
            "figures": games.figures(),
            **daily,
        },
    )


def make_card(record: Record) -> GameCard | None:
    """Return the card of a game, None for a game without a replay."""
    replay = replay_of(record)
    if replay is None:
        return None
    moment = find_moment(replay)
    at = moment.at if moment else ReplayPosition(len(replay.counts), replay.counts[-1] - 1)
    picture = picture_path("picture", record.key, str(at), size="small")
    return GameCard(record, picture, moment.words if moment else "")

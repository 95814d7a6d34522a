"""The first page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from records.pages.game.frame import frame_of
from records.pages.game.player_data import replay_of
from records.search import games
from records.search.games import records_of
from records.search.selection import SOUND, Selection, listings
from records.serving.cached_responses import cached_page
from records.states import of_archive
from records.wording.cards import card_views

NEWEST = 8
#: The fan next to the sentence: the five brights (五光).
FAN = "AIcos"


@cached_page(of_archive)
def home(request: HttpRequest) -> HttpResponse:
    """Show an introduction, a good game as a live replay, the newest games, and figures."""
    sample = games.choose_game()
    replay = replay_of(sample) if sample else None
    return render(
        request,
        "records/home.html",
        {
            "fan": card_views(FAN),
            "sample": sample,
            "frame": frame_of(replay) if replay else None,
            "newest": records_of(list(listings(Selection(status=SOUND))[:NEWEST])),
            "figures": games.figures(),
        },
    )

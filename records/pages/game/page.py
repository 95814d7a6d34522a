"""The page of one game, its moves in words, and its text for download."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from kafu.notation.reading.reader import read
from records.base import labels
from records.models import Record, Status
from records.pages.game.faults import FaultView, fault_view
from records.pages.game.frame import frame_of
from records.pages.game.options import options_of
from records.pages.game.player_data import moves_of, replay_of
from records.pages.game.score import ScoreTable, score_table
from records.pages.game.share import share_of
from records.pages.game.what_if import what_if_data
from records.pages.rulebook.book import address_of
from records.privacy.access import mark, ownership_of, viewer_of
from records.search import games
from records.search.corrections import corrections
from records.services import comments
from records.services.replays import position_of_text
from records.serving.cached_responses import cached_page
from records.states import of_record, of_record_and_history

#: Number of comments below the replay. The page of comments has all.
COMMENTS: Final = 20


@cached_page(of_record_and_history)
def game(request: HttpRequest, key: str) -> HttpResponse:
    """Show a game: verdict, replay, score, tags and text."""
    record = record_of(request, key)
    players = labels.people(record.players)
    verdict = labels.verdict(record.verdict, record.players)
    replay = replay_of(record)
    frame = frame_of(replay, request.GET.get("at", "")) if replay else None
    return render(
        request,
        "records/game.html",
        {
            "record": record,
            "players": players,
            "title": " – ".join(players),
            "ruleset": labels.ruleset(record.ruleset),
            "rules": address_of(record.ruleset, record.profile),
            "options": options_of(record),
            "verdict": verdict,
            "fault": _fault(record, verdict),
            "score": _score(record, verdict, players) if verdict["deals"] else None,
            "frame": frame,
            "what_if": what_if_data(record) if frame else None,
            "share": share_of(request, record, frame),
            "ownership": ownership_of(record.pk, viewer_of(request)),
            "saved": "saved" in request.GET,
            "corrections": corrections(record, viewer_of(request)),
            "comments": comments.show(
                comments.comments_by_step(record)[:COMMENTS], viewer_of(request)
            ),
        },
    )


@cached_page(of_record)
def moves(request: HttpRequest, key: str) -> HttpResponse:
    """Show all deals and moves of a game in words. Raise Http404 without a replay."""
    record = record_of(request, key)
    replay = replay_of(record)
    if replay is None:
        raise Http404
    players = " – ".join(replay.players)
    context = {"record": record, "title": players, "deals": moves_of(replay)}
    return render(request, "records/moves.html", context)


def kafu(request: HttpRequest, key: str) -> HttpResponse:
    """Return the canonical text as a file."""
    record = record_of(request, key)
    return HttpResponse(
        record.text,
        content_type="text/x-kafu; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{record.key}.kafu"'},
    )


def record_of(request: HttpRequest, key: str) -> Record:
    """Return the game with a key as the viewer may see it.

    Raise Http404, or :class:`records.search.games.GameGone` for a removed game
    (`records.pages.game.corrected`).
    """
    record = games.get(key, viewer_of(request))
    mark(request, record.visibility)
    return record


def _score(record: Record, verdict: dict[str, Any], players: list[str]) -> ScoreTable:
    game = read(record.text).game
    assert game is not None, "canonical text reads"
    return score_table(game, verdict, players)


def _fault(record: Record, verdict: dict[str, Any]) -> FaultView | None:
    """Return the faults of a game, None for rules that this version cannot play."""
    if record.status == Status.UNSUPPORTED or not (verdict["error"] or verdict["mismatches"]):
        return None
    game = read(record.text).game
    return fault_view(
        error=verdict["error"],
        mismatches=verdict["mismatches"],
        text=record.text,
        first=1,
        game=game,
        place=position_of_text(record.text, game) if game and verdict["error"] else None,
        address=reverse("game", args=[record.key]),
    )

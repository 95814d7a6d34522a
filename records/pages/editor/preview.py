"""The player for a game in progress: the table and data of ``<kafu-replay>``, from a text."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from kafu.importers import read_piece
from kafu.judging.replay import stored_replay
from kafu.notation.stream.cut import single
from kafu.notation.vocabulary import MAX_GAME_BYTES
from kafu.rules.rulesets import Unsupported
from records.base import labels
from records.pages.game.frame import frame_of
from records.pages.game.player_data import to_json
from records.pages.game.replayed_game import ReplayedGame
from records.serving.computing import compute
from records.serving.limits import SMALL_BYTES, Limit, expensive, step, takes
from records.serving.senders import sender_of


@csrf_exempt  # nothing is stored, and the response depends on the text only
@require_POST
@takes(Limit(lambda: MAX_GAME_BYTES, more=2 * MAX_GAME_BYTES + SMALL_BYTES))
def preview(request: HttpRequest) -> HttpResponse:
    """Return the drawn table of ``text`` at step ``at``, and the data of its replay.

    Respond with 422 and a ``detail`` if the text has no replay.
    """
    limit = step("positions", sender_of(request))
    if limit.too_fast:
        return _refuse(429, _("Too many requests: try again in a moment."))
    data = request.POST.get("text", "").replace("\r\n", "\n").encode(errors="replace")
    if len(data) > MAX_GAME_BYTES:
        return _refuse(
            413, _("At most %(limit)d bytes can be sent here.") % {"limit": MAX_GAME_BYTES}
        )
    with expensive(request, "preview"):
        return _draw_frame(request, data)


def _draw_frame(request: HttpRequest, data: bytes) -> HttpResponse:
    replay = compute(_replay_of, data)
    if replay is None:
        return _refuse(422, _("This game has no replay yet."))
    frame = frame_of(replay, request.POST.get("at", "")[:10])
    drawn = render_to_string("records/_frame.html", {"frame": frame}, request)
    return JsonResponse({"frame": drawn, "data": to_json(replay), "at": frame.at})


def _replay_of(data: bytes) -> ReplayedGame | None:
    """Return the replay of a text; None if the text is no game or has no dealt card."""
    piece = single(data)
    game = read_piece(piece).game if piece is not None else None
    if game is None:
        return None
    try:
        played = stored_replay(game)
    except Unsupported:
        return None
    if not played["deals"]:
        return None
    players = [labels.person(name) for name in game.players]
    return ReplayedGame(
        reverse("new-record"), played, players, profile=game.options.get("profile", "")
    )


def _refuse(status: int, detail: str) -> HttpResponse:
    return JsonResponse({"detail": detail}, status=status)

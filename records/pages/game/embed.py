"""Replays on pages of other sites: the player's data and frame, a page for iframes, oEmbed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from kafu.notation.reading.reader import read
from records.base import labels
from records.base.release import absolute
from records.drawing.pictures import HEIGHT, WIDTH
from records.models import Record
from records.pages.game.frame import frame_of
from records.pages.game.page import preview_of, record_of
from records.pages.game.player_data import (
    ReplayedGame,
    StepRow,
    replay_of,
    settlement_rows,
    to_json,
)
from records.pages.parameters import AT
from records.search.games import GameGone
from records.services import comments
from records.serving.cached_responses import cached_page
from records.serving.parameters import LANG, activate_language
from records.states import of_record, of_record_and_comments
from records.wording.previews import picture_path
from records.wording.steps import parse_position

#: Any site may show our replays, because they are the same for every viewer.
OPEN: Final[Mapping[str, str]] = {"Access-Control-Allow-Origin": "*", "Cache-Control": "no-cache"}
#: The default size of a frame on another page, in pixels: table and list side by side.
FRAME_WIDTH, FRAME_HEIGHT = 960, 780


def open_to_all(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Allow all sites to read a view's responses (decorator)."""

    @wraps(view)
    def respond_to_all(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        for name, value in OPEN.items():
            response.headers[name] = value
        return response

    return respond_to_all


def _with_language(response: HttpResponse) -> HttpResponse:
    """Set the header of the active language on a response, and return the response."""
    response.headers["Content-Language"] = labels.lang()
    return response


def _refuse(status: int, text: str) -> HttpResponse:
    return _with_language(
        HttpResponse(text, status=status, content_type="text/plain; charset=utf-8")
    )


def _not_found(record: Record | None = None) -> HttpResponse:
    text = _("This game has no replay.") if record else _("There is no such game.")
    return _refuse(404, text)


def _find_record(request: HttpRequest, key: str) -> Record | None:
    """Return the game with a key, or its successor; None if the viewer may see neither.

    Pages of other sites must be able to read a 404, so this function does not raise Http404.
    """
    try:
        return record_of(request, key)
    except GameGone as error:
        successor = error.gone.successor
        return record_of(request, successor) if successor else None
    except Http404:
        return None


def data_of(replay: ReplayedGame, settlement: Sequence[StepRow] = ()) -> HttpResponse:
    """Return a response with the data of the player."""
    text = json.dumps(to_json(replay, settlement), ensure_ascii=False, separators=(",", ":"))
    return _with_language(HttpResponse(text, content_type="application/json"))


def drawn_frame(request: HttpRequest, replay: ReplayedGame) -> HttpResponse:
    """Return a response with the player's HTML, at the position ``at`` of the request."""
    context = {"frame": frame_of(replay, request.GET.get("at", ""), absolute(""))}
    return _with_language(render(request, "records/_frame.html", context))


@require_safe
@open_to_all
@cached_page(of_record, parameters=LANG, public=True)
def replay_json(request: HttpRequest, key: str) -> HttpResponse:
    """Return the data of the player. ``lang=ja`` chooses the language of its texts."""
    record = _find_record(request, key)
    with activate_language(request):
        if record is None:
            return _not_found()
        replay = replay_of(record)
        if replay is None:
            return _not_found(record)
        return data_of(replay, _settlement(record))


def _settlement(record: Record) -> list[StepRow]:
    """Return the steps of a game's settlement, none without a result."""
    if not record.verdict["final"]:
        return []
    game = read(record.text).game
    assert game is not None, "canonical text reads"
    return settlement_rows(game, record.verdict)


@require_safe
@open_to_all
@cached_page(of_record, parameters=AT | LANG, public=True)
def frame(request: HttpRequest, key: str) -> HttpResponse:
    """Return the player's table and controls as HTML, at the position ``at``."""
    record = _find_record(request, key)
    with activate_language(request):
        replay = replay_of(record) if record else None
        if replay is None:
            return _not_found(record)
        return drawn_frame(request, replay)


@require_safe
@xframe_options_exempt  # the policy follows: hanaarchive.http.security
@cached_page(of_record_and_comments, parameters=AT | LANG, public=True)
def embed(request: HttpRequest, key: str) -> HttpResponse:
    """Show the player alone, filling the window, for an iframe."""
    record = record_of(request, key)
    with activate_language(request):
        replay = replay_of(record)
        frame = frame_of(replay, request.GET.get("at", "")) if replay else None
        context = {
            "record": record,
            "title": " – ".join(labels.people(record.players)),
            "frame": frame,
            "preview": preview_of(request, record, frame),
            "comments": comments.comments_of(record).count(),
        }
        response = render(request, "records/embed.html", context, status=200 if frame else 404)
        response.headers["Content-Language"] = labels.lang()
        return response


@require_safe
@open_to_all
def oembed(request: HttpRequest) -> HttpResponse:
    """Return the player for a site that shows a link to a game (https://oembed.com).

    Respond with 404 if the address is no game of this archive with a replay, with 501 for a format
    other than JSON, and with 400 for a missing address or an invalid size.
    """
    if request.GET.get("format", "json") != "json":
        return _refuse(501, _("Only format=json is supported."))
    try:
        widest, highest = _limit(request, "maxwidth"), _limit(request, "maxheight")
    except ValueError:
        return _refuse(400, _("maxwidth and maxheight must be whole numbers of pixels."))
    if not request.GET.get("url"):
        return _refuse(400, _("url must be the address of a game."))
    record, at = _resolve_link(request, request.GET["url"])
    with activate_language(request):
        replay = replay_of(record)
        if replay is None:
            return _not_found(record)
        frame = frame_of(replay, at)
        title = " – ".join(replay.players)
        width, height = min(widest, FRAME_WIDTH), min(highest, FRAME_HEIGHT)
        query = urlencode(({"at": frame.at} if at else {}) | {"lang": labels.lang()})
        source = absolute(f"{reverse('embed', args=[record.key])}?{query}")
        data: dict[str, object] = {
            "version": "1.0",
            "type": "rich",
            "title": title,
            "provider_name": "HanaArchive",
            "provider_url": absolute("/"),
            "html": format_html(_IFRAME, source, width, height, title),
            "width": width,
            "height": height,
        }
        if widest >= WIDTH and highest >= HEIGHT:  # the limits bind the picture too
            data |= {"thumbnail_url": absolute(picture_path("picture", record.key, frame.at))}
            data |= {"thumbnail_width": WIDTH, "thumbnail_height": HEIGHT}
        return _with_language(JsonResponse(data, json_dumps_params={"ensure_ascii": False}))


_IFRAME: Final = (
    '<iframe src="{}" width="{}" height="{}" title="{}" style="border:0" loading="lazy" '
    "allowfullscreen></iframe>"
)
#: Practically no limit.
_UNLIMITED: Final = 10**6


def _limit(request: HttpRequest, name: str) -> int:
    """Return a maximum size. Raise ValueError."""
    text = request.GET.get(name, "")
    if not text:
        return _UNLIMITED
    if not text.isascii() or not text.isdigit() or int(text[:8]) < 1:
        raise ValueError(name)
    return min(int(text[:8]), _UNLIMITED)


def _resolve_link(request: HttpRequest, url: str) -> tuple[Record, str]:
    """Return the game and the position of an address of this archive. Raise Http404."""
    try:
        parts = urlsplit(url)
        match = resolve(parts.path)
    except (ValueError, Resolver404):
        raise Http404 from None
    hosts = (urlsplit(settings.SITE_URL).netloc, request.get_host())
    here = parts.scheme in ("http", "https") and parts.netloc in hosts
    if not here or match.url_name not in ("game", "embed"):
        raise Http404
    at = (parse_qs(parts.query).get("at") or [""])[0]
    for candidate in (parts.fragment, at):  # the hash wins, as on the page
        if parse_position(candidate):
            return record_of(request, match.kwargs["key"]), candidate
    return record_of(request, match.kwargs["key"]), ""

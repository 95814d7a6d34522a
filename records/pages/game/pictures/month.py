"""A month as an animation (GIF) and as a strip of pictures (PNG), for use elsewhere.

The animation has a picture of each step, the strip of each turn. If there are too many, pictures
are left out at equal distances.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from PIL import Image

from records.pages.game.embed import activate_language
from records.pages.game.page import record_of
from records.pages.game.pictures.drawing import draw
from records.pages.game.pictures.picture import CACHE_SECONDS, paint
from records.pages.game.player_data import Replay, replay_of
from records.pages.game.share import HEIGHT, WIDTH
from records.serving.cached_responses import cached_page
from records.states import of_record
from records.wording.steps import ReplayPosition

#: Pixels of a picture of the animation and of the strip, in its width.
MOVING, STILL = 640, 480
#: Maximum number of pictures; the longest month has some 60 steps. A picture takes up to 25 ms of a
#: core, so that no response takes two seconds of a worker.
MOST_MOVING, MOST_STILL = 64, 30
#: Pictures in a row of the strip, and pixels between.
COLUMNS, GAP = 3, 8
#: Milliseconds of a step, and of the last step.
STEP_TIME, END_TIME = 900, 3000
_COLOURS: Final = 96
_PAPER: Final = (247, 242, 230)


@require_safe
@cached_page(of_record, public=True, group="picture")
def animation(request: HttpRequest, key: str, deal: str) -> HttpResponse:
    """Return the GIF of a deal, from 1, step by step. Raise Http404 without a replay.

    ``lang`` chooses the language.
    """
    return _respond(request, key, int(deal), "image/gif")


@require_safe
@cached_page(of_record, public=True, group="picture")
def strip(request: HttpRequest, key: str, deal: str) -> HttpResponse:
    """Return the PNG of a deal, from 1, turn by turn. Raise Http404 without a replay.

    ``lang`` chooses the language.
    """
    return _respond(request, key, int(deal), "image/png")


def _respond(request: HttpRequest, key: str, deal: int, media: str) -> HttpResponse:
    record = record_of(request, key)
    with activate_language(request):
        replay = replay_of(record)
        if replay is None or not 1 <= deal <= len(replay.deals):
            raise Http404
        data = to_gif(replay, deal) if media == "image/gif" else to_strip(replay, deal)
    headers = {
        "Cache-Control": f"public, max-age={CACHE_SECONDS}",
        "Access-Control-Allow-Origin": "*",
    }
    return HttpResponse(data, content_type=media, headers=headers)


def to_gif(replay: Replay, deal: int) -> bytes:
    """Return a deal, from 1, step by step, as an endless GIF.

    All pictures have the same colours, so that each contains only the changed part.
    """
    steps = thin_out(range(replay.counts[deal - 1]), MOST_MOVING)
    pictures = [paint(draw(replay, ReplayPosition(deal, step)), MOVING) for step in steps]
    palette = pictures[len(pictures) // 2].quantize(_COLOURS)
    first, *later = [
        picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures
    ]
    gif = io.BytesIO()
    times = [STEP_TIME] * len(later) + [END_TIME]
    first.save(gif, "GIF", save_all=True, append_images=later, duration=times, loop=0)
    return gif.getvalue()


def to_strip(replay: Replay, deal: int) -> bytes:
    """Return a deal, from 1, as a PNG: the dealt table and the table after each turn, in rows."""
    steps = thin_out(turns(replay.deals[deal - 1]["steps"]), MOST_STILL)
    height = round(HEIGHT * STILL / WIDTH)
    rows = -(-len(steps) // COLUMNS)
    columns = min(COLUMNS, len(steps))
    size = (columns * (STILL + GAP) + GAP, rows * (height + GAP) + GAP)
    sheet = Image.new("RGB", size, _PAPER)
    for place, step in enumerate(steps):
        row, column = divmod(place, COLUMNS)
        corner = (GAP + column * (STILL + GAP), GAP + row * (height + GAP))
        sheet.paste(paint(draw(replay, ReplayPosition(deal, step)), STILL), corner)
    png = io.BytesIO()
    sheet.quantize(256, Image.Quantize.FASTOCTREE).save(png, "PNG", compress_level=4)
    return png.getvalue()


def turns(steps: Sequence[dict[str, Any]]) -> list[int]:
    """Return the first and the last step of each turn, as in position.js."""
    last = [
        place
        for place, (step, after) in enumerate(zip(steps, [*steps[1:], None], strict=True))
        if after is None
        or step["kind"] == "deal"
        or (step["turn"], step["seat"]) != (after["turn"], after["seat"])
    ]
    return last if last[0] == 0 else [0, *last]


def thin_out(items: Sequence[int], most: int) -> list[int]:
    """Return at most ``most`` items of a sequence at equal distances, including both ends."""
    if len(items) <= most:
        return list(items)
    return [items[round(place * (len(items) - 1) / (most - 1))] for place in range(most)]

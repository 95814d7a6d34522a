"""A month as an animation and as a strip."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise

import pytest
from django.test import Client
from PIL import Image, ImageChops

from records.drawing import pictures as drawing
from records.models import Record
from records.pages.game import pictures
from records.pages.game.player_data import replay_of
from tests.records import makers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


@pytest.fixture
def record() -> Record:
    """Return a game of koi-koi."""
    makers.ingest(makers.joined(makers.text(1)))
    return Record.objects.get()


def test_animation_of_a_month_shows_each_step_once(
    client: Client, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last picture stays longest; the page of the game links to it."""
    monkeypatch.setattr(pictures, "MOST_MOVING", 5)
    address = f"/games/{record.key}/month-1.gif"
    response = client.get(address)
    assert response["Content-Type"] == "image/gif" and "max-age" in response["Cache-Control"]
    assert client.get(address, headers={"If-None-Match": response["ETag"]}).status_code == 304
    monkeypatch.setattr(pictures, "to_gif", None)
    assert client.get(address).content == response.content, "it is drawn once"
    gif = Image.open(BytesIO(response.content))
    assert gif.size == (pictures.MOVING, 336) and getattr(gif, "n_frames", 1) == 5
    assert gif.info["loop"] == 0
    frames, waits = [], []
    for number in range(5):
        gif.seek(number)
        frames.append(gif.convert("RGB"))
        waits.append(gif.info["duration"])
    assert waits == [pictures.STEP_TIME] * 4 + [pictures.END_TIME]
    for before, after in pairwise(frames):
        assert ImageChops.difference(before, after).getbbox()
    page = client.get(f"/games/{record.key}/").content.decode()
    assert address in page and address.replace("gif", "png") in page


def test_strip_of_a_month_shows_each_turn(client: Client, record: Record) -> None:
    replay = replay_of(record)
    assert replay is not None
    steps = replay.deals[0]["steps"]
    turns = pictures.turns(steps)
    assert turns[0] == 0 and turns[-1] == len(steps) - 1
    assert 2 < len(turns) <= pictures.MOST_STILL
    drawing._render_lettering.cache_clear()
    response = client.get(f"/games/{record.key}/month-1.png")
    # Repeated texts are drawn once, which bounds the time of a month.
    assert drawing._render_lettering.cache_info().misses <= 4 * len(turns)
    strip = Image.open(BytesIO(response.content))
    rows = -(-len(turns) // pictures.COLUMNS)
    assert strip.size == (3 * 488 + 8, rows * (252 + 8) + 8)


def test_pictures_of_long_and_missing_months_are_bounded(client: Client, record: Record) -> None:
    assert pictures.thin_out(range(100), 4) == [0, 33, 66, 99]
    assert pictures.thin_out([1, 2], 4) == [1, 2]
    for deal in ("0", "13", "999", "1000"):
        assert client.get(f"/games/{record.key}/month-{deal}.gif").status_code == 404

"""A month as an animation and as a strip."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise

import pytest
from django.test import Client
from PIL import Image, ImageChops

from records.models import Record
from records.pages.game.pictures import month, picture
from records.pages.game.player_data import replay_of
from tests.records import makers

pytestmark = pytest.mark.django_db


@pytest.fixture
def record() -> Record:
    makers.ingest(makers.joined(makers.text(1)))
    return Record.objects.get()


def test_a_month_moves(client: Client, record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each picture is another step; the last waits; a link of the page leads there."""
    monkeypatch.setattr(month, "MOST_MOVING", 5)
    address = f"/games/{record.key}/month-1.gif"
    answer = client.get(address)
    assert answer["Content-Type"] == "image/gif" and "max-age" in answer["Cache-Control"]
    assert client.get(address, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    monkeypatch.setattr(month, "to_gif", None)
    assert client.get(address).content == answer.content, "it is drawn once"
    gif = Image.open(BytesIO(answer.content))
    assert gif.size == (month.MOVING, 336) and getattr(gif, "n_frames", 1) == 5
    assert gif.info["loop"] == 0
    pictures, waits = [], []
    for number in range(5):
        gif.seek(number)
        pictures.append(gif.convert("RGB"))
        waits.append(gif.info["duration"])
    assert waits == [month.STEP_TIME] * 4 + [month.END_TIME]
    for before, after in pairwise(pictures):
        assert ImageChops.difference(before, after).getbbox()
    page = client.get(f"/games/{record.key}/").content.decode()
    assert address in page and address.replace("gif", "png") in page


def test_a_strip_has_each_turn(client: Client, record: Record) -> None:
    replay = replay_of(record)
    assert replay is not None
    steps = replay.deals[0]["steps"]
    shown = month.turns(steps)
    assert shown[0] == 0 and shown[-1] == len(steps) - 1
    assert 2 < len(shown) <= month.MOST_STILL
    picture._lettered.cache_clear()
    answer = client.get(f"/games/{record.key}/month-1.png")
    # Most of what is written is drawn once, which bounds the time of a month.
    assert picture._lettered.cache_info().misses <= 4 * len(shown)
    strip = Image.open(BytesIO(answer.content))
    rows = -(-len(shown) // month.COLUMNS)
    assert strip.size == (3 * 488 + 8, rows * (252 + 8) + 8)


def test_it_is_bounded(client: Client, record: Record) -> None:
    assert month.some(range(100), 4) == [0, 33, 66, 99]
    assert month.some([1, 2], 4) == [1, 2]
    for deal in ("0", "13", "999", "1000"):
        assert client.get(f"/games/{record.key}/month-{deal}.gif").status_code == 404

"""The first page, and the style page of staff."""

import re

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from records.models import Seat, Status
from records.pages.design import list_swatches, read_palettes
from records.pages.game import pictures
from tests.markup import join_lines
from tests.records import makers

pytestmark = pytest.mark.django_db


def test_empty_archive_invites_to_write_a_game_down(client: Client) -> None:
    page = client.get("/").content.decode()
    assert "There is no verified game yet." in page
    assert "<img" not in page.split("<main")[1]


def test_first_page_shows_verified_games_and_counts(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    makers.ingest(makers.joined(makers.text(1), makers.with_wrong_score(2)))
    response = client.get("/")
    page = join_lines(response.content.decode())
    assert response.context["figures"] == {"games": 2, "verified": 1, "players": 2}
    (picture,) = re.findall(r'<img class="spoiler" src="([^"]+)"', page)
    monkeypatch.setattr(pictures, "to_png", lambda drawing, width: str(width).encode())
    assert client.get(picture.replace("&amp;", "&")).content == b"720"
    assert re.search(r'<p class="moment spoiler">Month \d+ · \w+ · \+\d+ with ', page)
    seats = Seat.objects.filter(record__status=Status.VERIFIED)
    sums = re.findall(r'<b class="sums spoiler">(−?\d+)</b>', page)
    assert sums == [str(seat.final).replace("-", "−") for seat in seats]
    ways = page.split('<ul class="ways">')[1].split("</section>")[0]
    links = re.findall(r'href="([^"]+)"', ways)
    assert {"/games/", "/records/new", "/sheets/new", "/rules/"} <= {*links}
    assert "/upload/" not in links
    assert re.findall(r'class="button" href="([^"]+)"', ways) == ["/games/"]
    assert "<style" not in page and " style=" not in page and " onclick=" not in page
    for script in page.split("<script")[1:]:
        assert 'type="module" src="/static/' in script


def test_style_page_is_for_staff_only(client: Client) -> None:
    assert client.get("/design/").status_code == 404
    users = get_user_model().objects
    client.force_login(users.create_user("aya"))
    assert client.get("/design/").status_code == 404
    client.force_login(users.create_user("ben", is_staff=True))
    page = client.get("/design/").content.decode()
    assert all(f"--{name}" in page for name in ("title", "large", "text", "small", "s1", "s5"))


def test_texts_of_both_themes_have_enough_contrast() -> None:
    for palette in read_palettes():
        assert [swatch for swatch in list_swatches(palette) if swatch.contrast < 4.5] == []

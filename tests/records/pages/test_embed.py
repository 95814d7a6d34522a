"""Games on pages of other sites: iframes, oEmbed, meta tags."""

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from django.test import Client

from records.models import Record
from tests.records import makers

pytestmark = pytest.mark.django_db
HERE = "http://testserver"


@pytest.fixture
def record() -> Record:
    """A game of koi-koi."""
    makers.ingest(makers.joined(makers.text(1)))
    return Record.objects.get()


def metas(page: str) -> dict[str, str]:
    """The meta tags of a page by name or property."""
    found = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', page)
    return {name: unescape(content) for name, content in found}


def test_any_site_may_frame_the_player_and_nothing_else(client: Client, record: Record) -> None:
    embedded = client.get(f"/embed/{record.key}/")
    assert "X-Frame-Options" not in embedded.headers
    assert embedded.headers["Content-Security-Policy"].endswith("frame-ancestors *")
    for address in ("/", f"/games/{record.key}/", f"/games/{record.key}/frame", "/upload/"):
        response = client.get(address)
        assert response.headers["X-Frame-Options"] == "DENY"
        assert response.headers["Content-Security-Policy"].endswith("frame-ancestors 'none'")


def test_the_framed_page_has_the_player_and_a_way_to_the_archive(
    client: Client, record: Record
) -> None:
    response = client.get(f"/embed/{record.key}/", {"at": "3.5", "lang": "ja"})
    page = response.content.decode()
    assert response.context["frame"].at == "3.5"
    assert 'lang="ja"' in page and response.headers["Content-Language"] == "ja"
    assert f'<a href="{HERE}/games/{record.key}/?at=3.5" target="_blank"' in page
    assert "<form" not in page.partition("<template")[0], "no cookie is set, no form is there"
    assert not response.cookies


def test_meta_tags_name_picture_page_and_oembed(client: Client, record: Record) -> None:
    page = client.get(f"/games/{record.key}/").content.decode()
    meta = metas(page)
    assert meta["og:title"] == " – ".join(record.players)
    assert meta["og:url"] == f"{HERE}/games/{record.key}/"
    assert meta["og:image"] == f"{HERE}/games/{record.key}/1.0.png?lang=en"
    assert (meta["og:image:width"], meta["og:image:height"]) == ("1200", "630")
    assert meta["twitter:card"] == "summary_large_image"
    assert client.get(meta["og:image"]).status_code == 200
    (oembed,) = re.findall(r'application/json\+oembed" href="([^"]+)"', page)
    assert client.get(unescape(oembed)).json()["title"] == meta["og:title"]


def test_a_link_to_a_step_shows_that_step(client: Client, record: Record) -> None:
    response = client.get(f"/games/{record.key}/", {"at": "2.4"}, headers={"Accept-Language": "ja"})
    meta = metas(response.content.decode())
    assert meta["og:url"] == f"{HERE}/games/{record.key}/?at=2.4"
    assert meta["og:image"] == f"{HERE}/games/{record.key}/2.4.png?lang=ja"
    assert response.context["frame"].description in meta["og:description"]
    beyond = metas(client.get(f"/games/{record.key}/", {"at": "2.999"}).content.decode())
    assert client.get(beyond["og:image"]).status_code == 200


def test_a_sheet_has_no_picture(client: Client) -> None:
    makers.ingest(makers.UNSUPPORTED.encode())
    page = client.get(f"/games/{Record.objects.get().key}/").content.decode()
    assert "og:image" not in metas(page) and metas(page)["twitter:card"] == "summary"
    assert "json+oembed" not in page


def test_names_break_out_of_no_tag(client: Client) -> None:
    name = r"\"><script>x</script>"
    makers.ingest(makers.text(1).replace('[Player1 "', f'[Player1 "{name}').encode())
    key = Record.objects.get().key
    for address in (f"/games/{key}/", f"/embed/{key}/", f"/games/{key}/moves/"):
        assert "<script>x" not in client.get(address).content.decode()
    told = client.get("/oembed", {"url": f"{HERE}/games/{key}/"}).json()
    assert told["title"].startswith('"><script>x')
    assert "<script" not in told["html"] and "&quot;&gt;&lt;script" in told["html"]


# oEmbed


def asked(client: Client, url: str, **more: str) -> dict[str, Any]:
    """The answer of the oEmbed endpoint."""
    response = client.get("/oembed", {"url": url} | more)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    told: dict[str, Any] = response.json()
    return told


def source(told: dict[str, Any]) -> tuple[str, dict[str, list[str]]]:
    """Path and query of the frame that an answer gives."""
    (address,) = re.findall(r'src="([^"]+)"', told["html"])
    parts = urlsplit(unescape(address))
    assert f"{parts.scheme}://{parts.netloc}" == HERE
    return parts.path, parse_qs(parts.query)


def test_oembed_gives_a_frame_and_a_picture(client: Client, record: Record) -> None:
    told = asked(client, f"{HERE}/games/{record.key}/", lang="ja")
    assert (told["version"], told["type"], told["provider_name"]) == ("1.0", "rich", "HanaArchive")
    assert source(told) == (f"/embed/{record.key}/", {"lang": ["ja"]})
    assert f'width="{told["width"]}" height="{told["height"]}"' in told["html"]
    assert (told["thumbnail_width"], told["thumbnail_height"]) == (1200, 630)
    assert client.get(told["thumbnail_url"]).headers["Content-Type"] == "image/png"
    framed = client.get(*source(told))
    assert framed.status_code == 200 and "X-Frame-Options" not in framed.headers


@pytest.mark.parametrize(
    ("tail", "at"),
    [("?at=2.3", "2.3"), ("#2.3", "2.3"), ("?at=1.1#2.3", "2.3"), ("?at=1.1#top", "1.1")],
)
def test_oembed_of_a_step(client: Client, record: Record, tail: str, at: str) -> None:
    for page in ("games", "embed"):
        told = asked(client, f"{HERE}/{page}/{record.key}/{tail}")
        assert source(told)[1]["at"] == [at]
        assert f"/{at}.png" in told["thumbnail_url"]


def test_oembed_keeps_to_the_size_requested(client: Client, record: Record) -> None:
    url = f"{HERE}/games/{record.key}/"
    small = asked(client, url, maxwidth="400", maxheight="300")
    assert (small["width"], small["height"]) == (400, 300)
    assert "thumbnail_url" not in small, "the picture is larger"
    large = asked(client, url, maxwidth="9" * 30, maxheight="2000", format="json")
    assert (large["width"], large["height"]) == (960, 780) and "thumbnail_url" in large
    for wrong in ("0", "-1", "1.5", "x", "٣"):
        assert client.get("/oembed", {"url": url, "maxwidth": wrong}).status_code == 400


def test_oembed_refuses_what_is_not_ours(client: Client, record: Record) -> None:
    game = f"/games/{record.key}/"
    for url in (
        f"http://elsewhere.example{game}",
        f"http://testserver.elsewhere.example{game}",
        f"http://elsewhere.example@testserver{game}",
        f"ftp://testserver{game}",
        f"//testserver{game}",
        game,
        f"{HERE}/games/nothing/",
        f"{HERE}{game}sheet",
        f"{HERE}/upload/",
        f"{HERE}/nothing",
        "http://[",
        "\0",
        quote(HERE),
    ):
        assert client.get("/oembed", {"url": url}).status_code == 404, url
    assert client.get("/oembed").status_code == 400
    xml = client.get("/oembed", {"url": f"{HERE}{game}", "format": "xml"})
    assert (xml.status_code, xml.headers["Content-Type"]) == (501, "text/plain; charset=utf-8")
    assert client.post("/oembed").status_code == 405

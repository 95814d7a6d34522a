"""Games on pages of other sites: iframes, oEmbed, meta tags."""

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from django.test import Client

from records.models import Record
from tests.records import makers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]
HERE = "http://testserver"


@pytest.fixture(scope="module")
def record(rows_for_all: None) -> Record:
    """Return a game of koi-koi."""
    makers.ingest(makers.joined(makers.text(1, months="3")))
    return Record.objects.latest("pk")


def read_metas(page: str) -> dict[str, str]:
    """Return the meta tags of a page by name or property."""
    tags = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', page)
    return {name: unescape(content) for name, content in tags}


def test_other_sites_may_frame_the_player_only(client: Client, record: Record) -> None:
    embedded = client.get(f"/embed/{record.key}/")
    assert "X-Frame-Options" not in embedded.headers
    assert embedded.headers["Content-Security-Policy"].endswith("frame-ancestors *")
    for address in ("/", f"/games/{record.key}/", f"/games/{record.key}/frame", "/upload/"):
        response = client.get(address)
        assert response.headers["X-Frame-Options"] == "DENY"
        assert response.headers["Content-Security-Policy"].endswith("frame-ancestors 'none'")


def test_framed_page_links_to_the_archive_and_sets_no_cookie(
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
    meta = read_metas(page)
    players = " – ".join(record.players)
    assert meta["og:title"] == f"{players} · Koi-koi"
    assert meta["og:url"] == f"{HERE}/games/{record.key}/"
    assert meta["og:image"] == f"{HERE}/games/{record.key}/preview.png?lang=en"
    (oembed,) = re.findall(r'application/json\+oembed" href="([^"]+)"', page)
    assert client.get(unescape(oembed)).json()["title"] == players


def test_meta_tags_of_a_step_name_its_picture(client: Client, record: Record) -> None:
    response = client.get(f"/games/{record.key}/", {"at": "2.4"}, headers={"Accept-Language": "ja"})
    meta = read_metas(response.content.decode())
    assert meta["og:url"] == f"{HERE}/games/{record.key}/?at=2.4"
    assert meta["og:image"] == f"{HERE}/games/{record.key}/2.4.png?lang=ja"
    assert response.context["frame"].description in meta["og:description"]
    beyond = read_metas(client.get(f"/games/{record.key}/", {"at": "2.999"}).content.decode())
    assert client.get(beyond["og:image"]).status_code == 200


def test_score_sheet_has_a_picture_of_its_months_and_no_player(client: Client) -> None:
    makers.ingest(makers.UNSUPPORTED.encode())
    path = f"/games/{Record.objects.latest('pk').key}/"
    page = client.get(path).content.decode()
    assert client.get(read_metas(page)["og:image"]).status_code == 200
    assert "json+oembed" not in page


@pytest.mark.long_only  # test_link_previews.py has hostile names
def test_hostile_name_is_escaped_everywhere(client: Client) -> None:
    name = r"\"><script>x</script>"
    makers.ingest(makers.text(1).replace('[Player1 "', f'[Player1 "{name}').encode())
    key = Record.objects.latest("pk").key
    for address in (f"/games/{key}/", f"/embed/{key}/", f"/games/{key}/moves/"):
        assert "<script>x" not in client.get(address).content.decode()
    response = client.get("/oembed", {"url": f"{HERE}/games/{key}/"}).json()
    assert response["title"].startswith('"><script>x')
    assert "<script" not in response["html"]
    assert "&quot;&gt;&lt;script" in response["html"]


# oEmbed


def get_oembed(client: Client, url: str, **more: str) -> dict[str, Any]:
    """Return the response of the oEmbed endpoint."""
    response = client.get("/oembed", {"url": url} | more)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    content: dict[str, Any] = response.json()
    return content


def read_source(content: dict[str, Any]) -> tuple[str, dict[str, list[str]]]:
    """Return path and query of the frame of a response."""
    (address,) = re.findall(r'src="([^"]+)"', content["html"])
    parts = urlsplit(unescape(address))
    assert f"{parts.scheme}://{parts.netloc}" == HERE
    return parts.path, parse_qs(parts.query)


def test_oembed_returns_a_frame_and_a_picture(client: Client, record: Record) -> None:
    content = get_oembed(client, f"{HERE}/games/{record.key}/", lang="ja")
    assert (content["version"], content["type"], content["provider_name"]) == (
        "1.0",
        "rich",
        "HanaArchive",
    )
    assert read_source(content) == (f"/embed/{record.key}/", {"lang": ["ja"]})
    assert f'width="{content["width"]}" height="{content["height"]}"' in content["html"]
    assert (content["thumbnail_width"], content["thumbnail_height"]) == (1200, 630)
    assert client.get(content["thumbnail_url"]).headers["Content-Type"] == "image/png"
    framed = client.get(*read_source(content))
    assert framed.status_code == 200 and "X-Frame-Options" not in framed.headers


@pytest.mark.parametrize(
    ("tail", "at"),
    [("?at=2.3", "2.3"), ("#2.3", "2.3"), ("?at=1.1#2.3", "2.3"), ("?at=1.1#top", "1.1")],
)
def test_oembed_of_a_step_frames_that_step(
    client: Client, record: Record, tail: str, at: str
) -> None:
    for page in ("games", "embed"):
        content = get_oembed(client, f"{HERE}/{page}/{record.key}/{tail}")
        assert read_source(content)[1]["at"] == [at]
        assert f"/{at}.png" in content["thumbnail_url"]


def test_oembed_keeps_to_the_requested_size(client: Client, record: Record) -> None:
    url = f"{HERE}/games/{record.key}/"
    small = get_oembed(client, url, maxwidth="400", maxheight="300")
    assert (small["width"], small["height"]) == (400, 300)
    assert "thumbnail_url" not in small, "the picture is larger"
    large = get_oembed(client, url, maxwidth="9" * 30, maxheight="2000", format="json")
    assert (large["width"], large["height"]) == (960, 780) and "thumbnail_url" in large
    for wrong in ("0", "-1", "1.5", "x", "٣"):
        assert client.get("/oembed", {"url": url, "maxwidth": wrong}).status_code == 400


def test_oembed_refuses_other_addresses_forms_and_methods(client: Client, record: Record) -> None:
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

"""The Atom feed of games, the sitemap, the icon at the root."""

from __future__ import annotations

import io
import re
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from lengths import part
from records.models import Player, Record, Visibility
from records.pages import site_files
from records.pages.lists import games
from records.services.pseudonyms import set_pseudonym
from tests.markup import join_lines
from tests.people.world import sent, user
from tests.records.makers import illegal, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]
ATOM = {"a": "http://www.w3.org/2005/Atom"}
MAP = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}


def with_event(seed: int, event: str) -> str:
    """Return the text of a game of koi-koi with an event."""
    return text(seed).replace('[Rules "koikoi"]', f'[Rules "koikoi"]\n[Event "{event}"]')


def read_entries(**query: str) -> list[dict[str, str]]:
    """Return the entries of a feed: titles, links, summaries."""
    root = fetch(**query)
    entries = []
    for entry in root.findall("a:entry", ATOM):
        link: Any = entry.find("a:link", ATOM)
        names = ("title", "summary", "id", "updated")
        texts = {name: entry.findtext(f"a:{name}", "", ATOM) for name in names}
        entries.append(texts | {"link": link.get("href")})
    return entries


def fetch(**query: str) -> ElementTree.Element:
    """Return the root of a feed."""
    response = Client().get(reverse("feed"), query)
    assert response.status_code == 200, response.content
    assert response["Content-Type"].startswith("application/atom+xml")
    return ElementTree.fromstring(response.content)


def test_feed_has_the_newest_public_games_without_faults() -> None:
    sent(text(1), illegal(2))
    sent(text(3), owner=user("owner"), visibility=Visibility.UNLISTED)
    sent(text(4))
    newest = Record.objects.filter(visibility=Visibility.PUBLIC, status="verified").order_by("-pk")
    entries = read_entries()
    assert [entry["link"] for entry in entries] == [get_address(record) for record in newest]
    assert entries[0]["title"] == " – ".join(newest[0].players)
    assert "verified" in entries[0]["summary"] and entries[0]["updated"]
    assert len(read_entries(status="all")) == 3 and len(read_entries(status="illegal")) == 1


def test_feed_is_filtered_by_event_and_player(monkeypatch: pytest.MonkeyPatch) -> None:
    sent(with_event(1, "Spring <cup> & more"), text(2))
    (entry,) = read_entries(event="spring")
    assert "Spring &lt;cup&gt; &amp; more" in entry["summary"]  # escaped as HTML
    root = fetch(event="Spring", lang="ja")
    assert "Spring" in root.findtext("a:title", "", ATOM)
    assert not root.findtext("a:title", "", ATOM).isascii()
    assert len(read_entries(player=Record.objects.all()[0].players[0])) == 2
    assert read_entries(player="Nobody at all") == []
    monkeypatch.setattr(games, "MOST", 1)
    assert len(read_entries()) == 1


def test_invalid_filter_is_named() -> None:
    response = Client().get(reverse("feed"), {"ruleset": "poker"})
    assert response.status_code == 400 and b"ruleset: unknown value" in response.content


def test_characters_invalid_in_xml_are_replaced() -> None:
    plain = games._replace_invalid("a bell \x07, half a pair \ud800, 花")
    assert plain == "a bell \ufffd, half a pair \ufffd, 花"


def test_player_with_a_pseudonym_is_named_by_it() -> None:
    sent(text(1))
    player = Player.objects.order_by("pk")[0]
    real = player.name
    set_pseudonym(player, "Somebody else")
    (entry,) = read_entries()
    assert "Somebody else" in entry["title"] and real not in entry["title"]


def test_pages_link_to_the_feed_of_their_games() -> None:
    sent(with_event(1, "A & B"))
    record, player = Record.objects.get(), Player.objects.order_by("pk")[0]
    queries = {
        reverse("home"): "",
        reverse("games"): "",
        f"{reverse('games')}?ruleset=koikoi": "ruleset=koikoi",
        reverse("player", args=[player.key]): urlencode({"player": player.name}),
        reverse("game", args=[record.key]): "event=A%20%26%20B",
    }
    for page_address, query in queries.items():
        page = join_lines(Client().get(page_address).content.decode())
        (link,) = re.findall(r'<link rel="alternate" type="application/atom.xml"[^>]*>', page)
        href = re.search(r'href="([^"]*)"', link)
        assert href is not None
        address = href[1].replace("&amp;", "&")
        assert address == reverse("feed") + "?lang=en" + (f"&{query}" if query else "")
        assert b"<entry>" in Client().get(address).content


def test_sitemap_has_all_public_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_files, "GAMES", 2)
    for seed in range(1, 4):
        sent(text(seed))
    sent(text(7), owner=user("owner"), visibility=Visibility.UNLISTED)
    addresses = []
    for file in read_locations(reverse("sitemap")):
        addresses += read_locations(file.removeprefix("http://testserver"))
    public = Record.objects.filter(visibility=Visibility.PUBLIC)
    assert {get_address(record) for record in public} == {
        address for address in addresses if "/games/" in address.removesuffix("/games/")
    }
    paths = [address.removeprefix("http://testserver") for address in addresses]
    # A path of each kind: pages of rules and games have separate tests.
    for path in part([*{path.split("/")[1]: path for path in paths}.values()]):
        assert Client().get(path).status_code == 200, path
    for number in (99, 10**19):
        assert Client().get(reverse("sitemap-file", args=[number])).status_code == 404


def test_icon_at_the_root_is_an_ico() -> None:
    response = Client().get("/favicon.ico")
    assert response["Content-Type"] == "image/x-icon"
    icon: Any = Image.open(io.BytesIO(response.content))
    assert icon.format == "ICO" and (16, 16) in icon.info["sizes"]


def read_locations(path: str) -> list[str]:
    response = Client().get(path)
    assert response["Content-Type"].startswith("application/xml")
    root = ElementTree.fromstring(response.content)
    return [element.text or "" for element in root.iter(f"{{{MAP['s']}}}loc")]


def get_address(record: Record) -> str:
    return f"http://testserver{reverse('game', args=[record.key])}"

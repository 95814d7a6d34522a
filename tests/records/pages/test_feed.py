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

from records.models import Player, Record, Visibility
from records.pages import sitemap
from records.pages.lists import feed
from records.store.pseudonyms import give
from tests.people.world import sent, user
from tests.records.makers import illegal, text

pytestmark = pytest.mark.django_db
ATOM = {"a": "http://www.w3.org/2005/Atom"}
MAP = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}


def with_event(seed: int, event: str) -> str:
    """A year of koi-koi with an event."""
    return text(seed).replace('[Rules "koikoi"]', f'[Rules "koikoi"]\n[Event "{event}"]')


def entries(**query: str) -> list[dict[str, str]]:
    """The entries of a feed: titles, links, summaries."""
    root = fetched(**query)
    found = []
    for entry in root.findall("a:entry", ATOM):
        link: Any = entry.find("a:link", ATOM)
        one = {name: entry.findtext(f"a:{name}", "", ATOM) for name in ("title", "summary", "id")}
        found.append(
            one | {"link": link.get("href"), "updated": entry.findtext("a:updated", "", ATOM)}
        )
    return found


def fetched(**query: str) -> ElementTree.Element:
    """A feed."""
    response = Client().get(reverse("feed"), query)
    assert response.status_code == 200, response.content
    assert response["Content-Type"].startswith("application/atom+xml")
    return ElementTree.fromstring(response.content)


def test_the_newest_sound_public_games() -> None:
    sent(text(1), illegal(2))
    sent(text(3), owner=user("owner"), visibility=Visibility.UNLISTED)
    sent(text(4))
    newest = Record.objects.filter(visibility=Visibility.PUBLIC, status="verified").order_by("-pk")
    found = entries()
    assert [one["link"] for one in found] == [_address(one) for one in newest]
    assert found[0]["title"] == " – ".join(newest[0].players)
    assert "verified" in found[0]["summary"] and found[0]["updated"]
    assert len(entries(status="all")) == 3 and len(entries(status="illegal")) == 1


def test_an_event_a_player_and_other_filters(monkeypatch: pytest.MonkeyPatch) -> None:
    sent(with_event(1, "Spring <cup> & more"), text(2))
    (one,) = entries(event="spring")
    assert "Spring &lt;cup&gt; &amp; more" in one["summary"]  # as HTML
    root = fetched(event="Spring", lang="ja")
    assert "Spring" in root.findtext("a:title", "", ATOM)
    assert not root.findtext("a:title", "", ATOM).isascii()
    assert len(entries(player=Record.objects.all()[0].players[0])) == 2
    assert entries(player="Nobody at all") == []
    monkeypatch.setattr(feed, "MOST", 1)
    assert len(entries()) == 1


def test_an_invalid_filter_is_named() -> None:
    response = Client().get(reverse("feed"), {"ruleset": "poker"})
    assert response.status_code == 400 and b"ruleset: unknown value" in response.content


def test_it_has_no_letter_that_xml_has_not() -> None:
    shown = feed._plain("a bell \x07, half a pair \ud800, 花")
    assert shown == "a bell \ufffd, half a pair \ufffd, 花"


def test_pseudonyms() -> None:
    sent(text(1))
    player = Player.objects.order_by("pk")[0]
    real = player.name
    give(player, "Somebody else")
    (one,) = entries()
    assert "Somebody else" in one["title"] and real not in one["title"]


def test_pages_lead_to_it() -> None:
    sent(with_event(1, "A & B"))
    record, player = Record.objects.get(), Player.objects.order_by("pk")[0]
    wanted = {
        reverse("home"): "",
        reverse("games"): "",
        f"{reverse('games')}?ruleset=koikoi": "ruleset=koikoi",
        reverse("player", args=[player.key]): urlencode({"player": player.name}),
        reverse("game", args=[record.key]): "event=A%20%26%20B",
    }
    for address, query in wanted.items():
        page = Client().get(address).content.decode()
        (link,) = re.findall(r'<link rel="alternate" type="application/atom.xml"[^>]*>', page)
        href = re.search(r'href="([^"]*)"', link)
        assert href is not None
        found = href[1].replace("&amp;", "&")
        assert found == reverse("feed") + "?lang=en" + (f"&{query}" if query else "")
        assert b"<entry>" in Client().get(found).content


def test_the_sitemap_has_all_public_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap, "GAMES", 2)
    for seed in range(1, 6):
        sent(text(seed))
    sent(text(7), owner=user("owner"), visibility=Visibility.UNLISTED)
    found = []
    for file in _locations(reverse("sitemap")):
        found += _locations(file.removeprefix("http://testserver"))
    public = Record.objects.filter(visibility=Visibility.PUBLIC)
    assert {_address(one) for one in public} == {one for one in found if "/games/" in one[:-1]} - {
        "http://testserver/games/"
    }
    for address in found:
        assert Client().get(address.removeprefix("http://testserver")).status_code == 200, address
    for number in (99, 10**20):
        assert Client().get(reverse("sitemap-file", args=[number])).status_code == 404


def test_the_icon() -> None:
    response = Client().get("/favicon.ico")
    assert response["Content-Type"] == "image/x-icon"
    icon: Any = Image.open(io.BytesIO(response.content))
    assert icon.format == "ICO" and (16, 16) in icon.info["sizes"]


def _locations(path: str) -> list[str]:
    response = Client().get(path)
    assert response["Content-Type"].startswith("application/xml")
    root = ElementTree.fromstring(response.content)
    return [one.text or "" for one in root.iter(f"{{{MAP['s']}}}loc")]


def _address(record: Record) -> str:
    return f"http://testserver{reverse('game', args=[record.key])}"

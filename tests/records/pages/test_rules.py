"""The pages of the rulebook."""

import re

import pytest
from django.test import Client

from kafu.notation.vocabulary import RULES
from records.models import Record
from records.pages.rulebook.addresses import address
from records.pages.rulebook.book import PAGES
from records.pages.rulebook.outline import Page
from tests.records import makers

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.profile)


def html(client: Client, address: str, language: str = "en") -> str:
    """A page as it is sent."""
    response = client.get(address, headers={"Accept-Language": language})
    assert response.status_code == 200
    return response.content.decode()


def test_the_list_leads_to_every_page(client: Client) -> None:
    sent = html(client, "/rules/")
    for page in PAGES:
        assert f'href="{address(page)}"' in sent


@every_page
@pytest.mark.parametrize("language", ["en", "ja"])
def test_yaku_options_and_rulings_stand_there(client: Client, page: Page, language: str) -> None:
    sent = html(client, address(page), language)
    worth = dict(
        re.findall(r'data-yaku="([^"]+)">\s*<h3>.*?(?:<b class="worth">(.*?)</b>)?</h3>', sent)
    )
    entries = [entry for section in page.sections for entry in section.entries]
    assert worth.keys() == {entry.id for entry in entries}
    for entry in entries:
        assert bool(worth[entry.id]) == bool(entry.value)
    for option in RULES[page.rules].options:
        assert re.search(rf"<code>{option}(=[^<]*)?</code>", sent), option
    anchors = set(re.findall(r' id="([^"]+)"', sent))
    assert page.rulings.keys() <= anchors
    assert set(re.findall(r'href="#([^"]+)"', sent)) <= anchors


def test_what_an_entry_says(client: Client) -> None:
    sent = html(client, "/rules/koikoi/")
    entry = sent[sent.index('data-yaku="teppo"') : sent.index('data-yaku="sanko"')]
    assert re.findall(r"#card-(\w)", entry) == ["I", "c", "g"]
    assert '<b class="worth">6 mon</b>' in entry
    assert "Replaces tsukimi-zake, hanami-zake." in entry
    assert '<a href="#K7">K7</a>' in entry


def test_in_japanese(client: Client) -> None:
    sent = html(client, "/rules/hachihachi/", "ja")
    assert "五光" in sent and '<b class="worth">20貫</b>' in sent
    assert "短冊札が1枚増すごとに1貫増えます。" in sent
    assert "<td>×1.5</td>" in sent


def test_a_house_says_where_it_differs(client: Client) -> None:
    assert "Rain (amanagare, 雨流れ) is not played" in html(client, "/rules/koikoi/koikoi-ai/")
    assert "Rain (amanagare, 雨流れ) is not played" not in html(client, "/rules/koikoi/koikoi/")


@pytest.mark.parametrize("address", ["/rules/nothing/", "/rules/koikoi/nobody/"])
def test_rules_that_are_not_there(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


@pytest.mark.django_db
def test_games_odds_and_the_head_of_every_page_lead_there(client: Client) -> None:
    makers.ingest(makers.joined(makers.text(1)))
    record = Record.objects.get()
    assert '<a href="/rules/koikoi/">koikoi' in html(client, f"/games/{record.key}/")
    assert '<a href="/rules/hachihachi/">' in html(client, "/odds/hachihachi/")
    assert html(client, "/").count('href="/rules/"') == 1

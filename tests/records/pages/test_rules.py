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


def get_html(client: Client, address: str, language: str = "en") -> str:
    """Return the HTML of a page."""
    response = client.get(address, headers={"Accept-Language": language})
    assert response.status_code == 200
    return response.content.decode()


def test_list_of_rules_links_to_every_page(client: Client) -> None:
    html = get_html(client, "/rules/")
    for page in PAGES:
        assert f'href="{address(page)}"' in html


@every_page
@pytest.mark.parametrize("language", ["en", "ja"])
def test_page_has_yaku_options_and_rulings(client: Client, page: Page, language: str) -> None:
    html = get_html(client, address(page), language)
    worth = dict(
        re.findall(r'data-yaku="([^"]+)">\s*<h3>.*?(?:<b class="worth">(.*?)</b>)?</h3>', html)
    )
    entries = [entry for section in page.sections for entry in section.entries]
    assert worth.keys() == {entry.id for entry in entries}
    for entry in entries:
        assert bool(worth[entry.id]) == bool(entry.value)
    for option in RULES[page.rules].options:
        assert re.search(rf"<code>{option}(=[^<]*)?</code>", html), option
    anchors = set(re.findall(r' id="([^"]+)"', html))
    assert page.rulings.keys() <= anchors
    assert set(re.findall(r'href="#([^"]+)"', html)) <= anchors


def test_entry_has_cards_value_and_rulings(client: Client) -> None:
    html = get_html(client, "/rules/koikoi/")
    entry = html[html.index('data-yaku="teppo"') : html.index('data-yaku="sanko"')]
    assert re.findall(r"#card-(\w)", entry) == ["I", "c", "g"]
    assert '<b class="worth">6 mon</b>' in entry
    assert "Replaces tsukimi-zake, hanami-zake." in entry
    assert '<a href="#K7">K7</a>' in entry


def test_rulebook_is_shown_in_japanese(client: Client) -> None:
    html = get_html(client, "/rules/hachihachi/", "ja")
    assert "五光" in html and '<b class="worth">20貫</b>' in html
    assert "短冊札が1枚増すごとに1貫増えます。" in html
    assert "<td>×1.5</td>" in html


def test_page_of_a_house_tells_where_it_differs(client: Client) -> None:
    assert "Rain (amanagare, 雨流れ) is not played" in get_html(client, "/rules/koikoi/koikoi-ai/")
    assert "Rain (amanagare, 雨流れ) is not played" not in get_html(client, "/rules/koikoi/koikoi/")


@pytest.mark.parametrize("address", ["/rules/nothing/", "/rules/koikoi/nobody/"])
def test_unknown_rules_are_404(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


@pytest.mark.django_db
def test_games_odds_and_head_link_to_the_rules(client: Client) -> None:
    makers.ingest(makers.joined(makers.text(1)))
    record = Record.objects.get()
    assert '<a href="/rules/koikoi/">koikoi' in get_html(client, f"/games/{record.key}/")
    assert '<a href="/rules/hachihachi/">' in get_html(client, "/odds/hachihachi/")
    assert get_html(client, "/").count('href="/rules/"') == 1

"""The pages of the rulebook, as they are served."""

import re

import pytest
from django.test import Client

from kafu.rules.rulesets import RULESETS
from records.models import Record
from records.pages.rulebook.book import address_of
from tests.markup import join_lines
from tests.records import makers


def get_html(client: Client, address: str, language: str = "en") -> str:
    """Return the HTML of a page."""
    response = client.get(address, headers={"Accept-Language": language})
    assert response.status_code == 200
    return join_lines(response.content.decode())


def test_list_of_rules_links_to_every_page(client: Client) -> None:
    html = get_html(client, "/rules/")
    for ruleset, rules in RULESETS.items():
        for profile in rules.profiles:
            assert f'href="{address_of(ruleset, profile)}"' in html
    assert "<p>Two players match cards by month." in html


def test_contents_lead_to_sections_odds_and_score_sheet(client: Client) -> None:
    html = get_html(client, "/rules/koikoi/koikoi-ai/")
    contents = re.search(r'<nav class="contents".*?</nav>', html)
    assert contents
    anchors = re.findall(r'href="#(\w+)"', contents[0])
    assert anchors == re.findall(r'<h2 id="(\w+)"', html)
    assert anchors[0] == "deal" and anchors[-1] == "readings"
    assert "/odds/koikoi/" in contents[0]
    assert "/sheets/new?ruleset=koikoi&amp;house=koikoi-ai" in contents[0]


def test_entry_has_cards_value_and_rulings(client: Client) -> None:
    html = get_html(client, "/rules/koikoi/")
    entry = html[html.index('data-yaku="teppo"') : html.index('data-yaku="sanko"')]
    assert re.findall(r"#card-(\w)", entry) == ["I", "c", "g"]
    assert '<b class="worth">6 mon</b>' in entry
    assert "Replaces tsukimi-zake, hanami-zake." in entry
    assert '<a href="#K7" title="K7" aria-label="note K7">note</a>' in entry
    assert "sankō</span> <small>three brights" in html


def test_rulebook_is_shown_in_japanese(client: Client) -> None:
    assert "<p>同じ月の札が4枚・2枚・1枚・1枚または4枚・1枚・1枚・1枚・1枚。</p>" in get_html(
        client, "/rules/koikoi/", "ja"
    )
    html = get_html(client, "/rules/hachihachi/", "ja")
    assert "<h3><span>五光</span>" in html and "gokō" not in html
    assert '<b class="worth">20貫</b>' in html
    assert "短冊札が1枚増すごとに1貫増えます。" in html
    assert "<td>×1.5</td>" in html


def test_page_of_a_house_tells_where_it_differs(client: Client) -> None:
    assert "Rain (amanagare, 雨流れ) is not played" in get_html(client, "/rules/koikoi/koikoi-ai/")
    assert "Rain (amanagare, 雨流れ) is not played" not in get_html(client, "/rules/koikoi/koikoi/")


@pytest.mark.django_db
def test_games_odds_and_head_link_to_the_rules(client: Client) -> None:
    makers.ingest(makers.joined(makers.text(1)))
    record = Record.objects.get()
    assert '<a href="/rules/koikoi/">Koi-koi' in get_html(client, f"/games/{record.key}/")
    assert '<a href="/rules/hachihachi/">' in get_html(client, "/odds/hachihachi/")
    assert 'href="/rules/"' in get_html(client, "/games/")

"""The pages of the rulebook, as they are served."""

import re

import pytest
from django.test import Client

from kafu import cards
from kafu.rules.names import YAKU
from kafu.rules.rulesets import RULESETS
from records.models import Record
from records.pages.rulebook.book import address_of
from records.wording.readings import read_romaji
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
    assert "is not played: willow voids nothing" in get_html(client, "/rules/koikoi/koikoi-ai/")
    assert "is not played: willow" not in get_html(client, "/rules/koikoi/koikoi/")


HOUSES = [(ruleset, house) for ruleset in RULESETS for house in RULESETS[ruleset].profiles]


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(("ruleset", "profile"), HOUSES, ids=[house for _, house in HOUSES])
def test_poster_has_every_yaku_of_the_house_with_reading_value_and_cards(
    ruleset: str, profile: str, language: str, client: Client
) -> None:
    html = get_html(client, address_of(ruleset, profile, "poster"), language)
    items = html.split('<ul class="poster">')[1].split("<li>")[1:]
    house = {"profile": profile} if len(RULESETS[ruleset].profiles) > 1 else {}
    for row in RULESETS[ruleset].captured_yaku(house):
        name = YAKU[row.id]
        shown = (name.ja, read_romaji(name.romaji)) if language == "ja" else (name.romaji, name.ja)
        (item,) = (text for text in items if f"<h2>{shown[0]} <small>{shown[1]}</small>" in text)
        assert re.search(rf'<b class="worth">{row.value}\D', item), row.id
        assert cards.mask("".join(re.findall(r'data-card="(\w)"', item))) == row.cards, row.id
    assert f"{address_of(ruleset, profile, 'poster-preview')}?lang={language}" in html


def test_poster_of_a_preset_lacks_the_yaku_that_are_not_played(client: Client) -> None:
    house = "/rules/koikoi/koikoi-nintendo/poster/"
    assert f'href="{house}?preset=without-sake"' in get_html(client, "/rules/koikoi/poster/", "en")
    html = get_html(client, f"{house}?preset=without-sake", "en")
    assert "hanami" in get_html(client, house).split('class="poster"')[1]
    assert "hanami" not in html.split('class="poster"')[1]
    assert "poster.png?preset=without-sake&amp;lang=en" in html
    assert "<small>Nintendo style without hanami and tsukimi</small>" in html
    pictures = {
        client.get(f"/rules/koikoi/koikoi-nintendo/poster.png{query}").content
        for query in ("", "?preset=without-sake", "?preset=multiply")
    }
    assert len(pictures) == 3
    assert client.get("/rules/koikoi/poster/?preset=without-sake").status_code == 404


def test_unknown_house_has_no_poster_and_no_options(client: Client) -> None:
    for path in ("poker/poster/", "koikoi/poker/poster/", "poker/options/", "hanaawase/options/"):
        assert client.get(f"/rules/{path}").status_code == 404, path
    assert client.get("/rules/koikoi/poker/poster.png").status_code == 404


def test_options_have_a_page_with_labels_and_without_ids(client: Client) -> None:
    html = get_html(client, "/rules/koikoi/koikoi-ai/options/")
    assert "<code>" not in html.split("<main")[1].split("</main>")[0]
    assert '<span id="option-months">Length <b>8 months</b></span>' in html
    assert 'href="/rules/koikoi/koikoi-ai/options/"' in get_html(client, "/rules/koikoi/koikoi-ai/")


def test_glossary_lists_words_with_their_readings(client: Client) -> None:
    assert "<dt>手札 <small>てふだ</small></dt>" in get_html(client, "/glossary/", "ja")


@pytest.mark.django_db
def test_games_odds_and_head_link_to_the_rules(client: Client) -> None:
    makers.ingest(makers.joined(makers.text(1)))
    record = Record.objects.get()
    assert '<a href="/rules/koikoi/">Koi-koi' in get_html(client, f"/games/{record.key}/")
    assert '<a href="/rules/hachihachi/">' in get_html(client, "/odds/hachihachi/")
    assert 'href="/rules/"' in get_html(client, "/games/")

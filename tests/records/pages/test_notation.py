"""The page that teaches the notation: its examples are right, its deal can be stepped through."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from playwright.sync_api import Browser, expect

from kafu import cards
from kafu.judging.verify import verify
from kafu.naming.statements import letters_of
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.rules.rulesets import RULESETS
from lengths import part
from records.pages.notation import example_text
from tests.markup import join_lines
from tests.records.pages.kinds import fits
from tests.records.pages.test_language import find_english


@pytest.mark.parametrize("rules", RULESETS)
def test_example_is_legal_and_canonical(rules: str) -> None:
    text = example_text(rules)
    game = read(text).game
    assert game is not None
    assert write(game) == text
    verdict = verify(read(text)).verdict
    assert (verdict.status, verdict.error, verdict.mismatches) == ("unfinished", None, [])
    assert len(verdict.deals) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("address", ["/kafu/", "/kafu/crib/"])
def test_page_has_every_card_with_its_letter(client: Client, address: str, lang: str) -> None:
    page = client.get(address, headers={"Accept-Language": lang}).content.decode()
    letters = re.findall(r"</svg>\s*<code>(.)</code>", page)
    assert "".join(letters) == cards.LETTERS
    assert re.findall(r'data-card="(.)"', page)[:48] == letters


@pytest.mark.django_db
def test_examples_in_the_text_are_valid_notation(client: Client) -> None:
    """Turns, statements, and names of cards with their letters."""
    page = join_lines(client.get("/kafu/").content.decode())
    head = '[Kafu "1"]\n[Rules "koikoi"]\n[Player1 "A"]\n[Player2 "B"]\n\nmonth 1 dealer 1\n'
    turns = re.findall(r"<li><code>([^<]+)</code> <span", page)
    lines = re.findall(r"<dt><code>((?:hand|field|stock|1\.|score)[^<]*)</code>", page)
    assert (len(turns), len(lines)) == (5, 5)
    for line in (*(f"1. {turn}" for turn in turns), *lines):
        assert read(f"{head}{line}\n").fault is None, line
    examples = re.findall(r"<dt><code>([^<]+)</code></dt><dd><code>([^<]+)</code>", page)
    assert len(examples) == 4
    for names, letters in examples:
        if "/" not in names:
            assert letters_of(names) == letters.replace(" ", "")


@pytest.mark.long_only  # test_replay_steps.py steps through games
@pytest.mark.parametrize(("width", "locale"), [(390, "ja-JP"), (1280, "en-US")])
def test_worked_deal_is_stepped_and_continued_in_the_editor(
    chromium: Browser, site: str, width: int, locale: str
) -> None:
    context = chromium.new_context(
        locale=locale, viewport={"width": width, "height": 844}, base_url=site
    )
    page = context.new_page()
    page.goto("/kafu/")
    steps = page.locator(".played a")
    count = steps.count()
    replay = page.locator("kafu-replay")
    replay.locator(".replay.live").wait_for()
    steps.nth(3).click()
    expect(steps.nth(3)).to_have_attribute("aria-current", "step")
    assert replay.evaluate("(element) => element.position") == "1.3"
    replay.locator('[data-go="next"]').click()
    expect(steps.nth(4)).to_have_attribute("aria-current", "step")
    expect(page).to_have_url(re.compile("/kafu/#1.4$"))
    replay.locator('[data-go="last"]').click()
    expect(steps.nth(count - 1)).to_have_attribute("aria-current", "step")
    expect(replay.locator('[data-text="iframe"]')).to_have_count(0)
    steps.nth(3).click()
    expect(page.locator("[data-go-on]")).to_have_attribute("href", re.compile(r"at=1\.3$"))
    page.locator("[data-go-on]").click()
    text = page.locator("[data-text]")
    expect(text).to_have_value(example_text("koikoi"))
    expect(page.locator("[data-steps] li")).to_have_count(count)
    assert fits(page)
    assert page.locator("html[lang=en]").count() or not find_english(page)
    expect(page.locator("[data-steps] li").nth(3).locator("[aria-current]")).to_have_count(1)
    page.locator("[data-back]").click()
    expect(text).not_to_have_value(example_text("koikoi"))
    context.close()


@pytest.mark.django_db
def test_address_of_a_step_redirects_to_the_step_on_the_page(client: Client) -> None:
    """It is what "Copy link" of the player gives; an invalid step leads to the deal."""
    assert client.get("/kafu/deal/?at=1.4")["Location"] == "/kafu/?at=1.4#deal"
    assert client.get("/kafu/deal/?at=%3Cx%3E")["Location"] == "/kafu/#deal"
    assert 'at="1.4"' in client.get("/kafu/?at=1.4").content.decode()
    data = client.get("/kafu/deal/replay.json?lang=ja").json()
    assert (data["key"], data["lang"], len(data["deals"])) == ("", "ja", 1)
    frame = client.get("/kafu/deal/frame?at=1.4&lang=ja").content.decode()
    assert "data-replay" in frame and 'lang="ja"' in frame


@pytest.mark.django_db
@pytest.mark.parametrize(("lang", "word"), part([("en", "hour"), ("ja", "時間")], one_of=2))
def test_page_for_programs_is_linked_and_names_this_archive(
    client: Client, lang: str, word: str
) -> None:
    header = {"Accept-Language": lang}
    assert '"/kafu/programs/"' in client.get("/kafu/", headers=header).content.decode()
    page = client.get("/kafu/programs/", headers=header).content.decode()
    assert word in page and "archive.example" not in page
    assert page.partition("<main")[2].count("http://testserver") == 7
    for address in re.findall(r'href="(/(?:static/kafu|kafu|rules|sheets)/[^"#]*)', page):
        assert client.get(address).status_code == 200, address


@pytest.mark.long_only  # test_sheet.py prints a page
@pytest.mark.parametrize("locale", part(["en-US", "ja-JP"], one_of=2))
def test_crib_is_printed_on_one_page_of_a6(chromium: Browser, site: str, locale: str) -> None:
    """Without the head and foot of the site."""
    context = chromium.new_context(locale=locale, base_url=site)
    page = context.new_page()
    page.goto("/kafu/crib/")
    printed = page.pdf(prefer_css_page_size=True)
    sizes = re.findall(rb"/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]", printed)
    assert [(round(float(w)), round(float(h))) for w, h in sizes] == [(298, 420)]
    context.close()

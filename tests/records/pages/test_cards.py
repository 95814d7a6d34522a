"""The pack: its sprite, its legibility when small, and the page of the cards."""

import re
from collections.abc import Iterator
from itertools import combinations

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from kafu import cards
from kafu.judging.progress import card_points, goals
from kafu.notation.vocabulary import RULES
from kafu.rules.rulesets import RULESETS, machine_of
from records.base import labels
from records.wording.cards import KINDS
from tests.conftest import ROOT
from tests.markup import join_lines

SPRITE = ROOT / "records/static/records/cards.svg"
SYMBOLS = dict(
    re.findall(r'<symbol id="([^"]+)" viewBox="0 0 100 160">(.*?)</symbol>', SPRITE.read_text())
)


def test_sprite_has_a_symbol_per_card_and_mark() -> None:
    more = ["card-back", "card-blank", "card-unknown", *(f"mark-{kind}" for kind in KINDS.values())]
    assert sorted(SYMBOLS) == sorted([*(f"card-{letter}" for letter in cards.LETTERS), *more])


def test_all_symbols_differ() -> None:
    assert len(set(SYMBOLS.values())) == len(SYMBOLS)


def test_parts_of_the_sprite_exist_and_are_used() -> None:
    text = SPRITE.read_text()
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert all(id.startswith(("k-", "card-", "mark-")) for id in ids)
    assert set(re.findall(r'href="#([^"]+)"', text)) == {id for id in ids if id.startswith("k-")}


def test_sprite_is_small_and_has_plain_attributes_only() -> None:
    """It then works by reference, within a shadow root and in the server's pictures."""
    text = SPRITE.read_text()
    assert len(text.encode()) <= 120_000
    for unfit in ("style", "script", "class=", "url(", "foreignObject", "<text", "http:", "data:"):
        assert unfit not in text.replace('xmlns="http://www.w3.org/2000/svg"', ""), unfit


def test_ribbons_have_their_colours() -> None:
    """Red with writing on 1–3, plain red on 4, 5, 7 and 11, blue on 6, 9 and 10."""
    for card in cards.PACK:
        parts = re.findall(r"#k-(akayoroshi|miyoshino|slipb?)\b", SYMBOLS[f"card-{card.letter}"])
        if card.kind is not cards.Kind.RIBBON:
            assert parts == []
        elif card.month <= 3:
            assert parts == ["miyoshino" if card.month == 3 else "akayoroshi"]
        else:
            assert parts == ["slipb" if card.month in (6, 9, 10) else "slip"]


#: Draws the cards 36 pixels wide. Returns the number of colours of each, and the distance of each
#: pair: the mean difference of a colour channel of a pixel (0 to 255).
SMALL = """async ([letters, sprite]) => {
    const [wide, high] = [36, 58];
    const uses = [...letters].map((letter, i) =>
        `<use href="#card-${letter}" x="${i * wide}" width="${wide}" height="${high}"/>`);
    const image = new Image();
    image.src = "data:image/svg+xml," + encodeURIComponent(sprite
        .replace("<svg ", `<svg width="${wide * letters.length}" height="${high}" `)
        .replace("</svg>", uses.join("") + "</svg>"));
    await image.decode();
    const context = Object.assign(document.createElement("canvas"),
        { width: image.width, height: image.height }).getContext("2d");
    context.drawImage(image, 0, 0);
    const drawn = [...letters].map((_, i) => {
        const raw = context.getImageData(i * wide, 0, wide, high).data;
        return raw.filter((_, place) => place % 4 < 3);
    });
    const far = (card, other) =>
        card.reduce((sum, value, i) => sum + Math.abs(value - other[i]), 0) / card.length;
    const colours = (card) => new Set(Array.from({ length: card.length / 3 }, (_, i) =>
        card.slice(3 * i, 3 * i + 3).join())).size;
    return {
        colours: drawn.map(colours),
        distances: drawn.map((card) => drawn.map((other) => far(new Float32Array(card), other))),
    };
}"""


@pytest.fixture(scope="module")
def page(chromium: Browser, site: str) -> Iterator[Page]:
    """Yield the page of the cards, loaded once."""
    page = chromium.new_page(base_url=site, locale="en-GB")
    page.goto("/cards/")
    yield page
    page.close()


def test_small_cards_can_be_told_apart_and_switches_mark_them(page: Page) -> None:
    """The page refers to the cards, and the switches survive a reload."""
    measures = page.evaluate(SMALL, [cards.LETTERS, SPRITE.read_text()])
    for letter, colours in zip(cards.LETTERS, measures["colours"], strict=True):
        assert colours > 100, f"{letter} is empty"
    for card, second_card in combinations(cards.PACK, 2):
        far = measures["distances"][card.index][second_card.index]
        assert far > (5 if card.month == second_card.month else 25), (
            card.letter,
            second_card.letter,
            far,
        )
    uses = page.locator("article > .card > use:first-of-type")
    widths = uses.evaluate_all("(uses) => uses.map((use) => use.getBBox().width)")
    assert len(widths) >= 48 and min(widths) > 50
    page.set_viewport_size({"width": 390, "height": 800})
    crane = page.locator("#card-A .card")
    expect(crane.locator(".month")).to_be_hidden()
    expect(crane.locator(".kind")).to_be_hidden()
    red = page.locator("form > .card").evaluate("card => getComputedStyle(card).color")
    page.get_by_text("Marks and backs").click()
    page.get_by_label("month", exact=True).check()
    page.get_by_label("kind", exact=True).check()
    page.get_by_label("black").check()
    for is_reloaded in (False, True):
        if is_reloaded:
            page.goto("/cards/")
        expect(crane.locator(".month")).to_be_visible()
        expect(crane.locator(".kind")).to_be_visible()
        back = page.locator("form > .card").evaluate("card => getComputedStyle(card).color")
        assert back != red
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_each_card_has_its_points_and_yaku_of_every_ruleset(client: Client, language: str) -> None:
    response = client.get("/cards/", headers={"Accept-Language": language})
    html = join_lines(response.content.decode())
    articles = re.findall(r'<article id="card-(.)">(.*?)</article>', html, re.DOTALL)
    assert "".join(letter for letter, _ in articles) == cards.LETTERS
    for letter, text in articles:
        card = cards.CARD[letter]
        names = text[text.index("<h3>") : text.index("</h3>")]
        assert card.ja in names
        assert (card.romaji in names) == (card.en in names.lower()) == (language == "en")
        for rules in RULESETS:
            points = card_points(rules)
            row = re.search(rf'<dt><a href="/rules/{rules}/">.*?</dt><dd>(.*?)</dd>', text)
            links = re.findall(r'href="([^"]+)"', row[1]) if row else []
            assert links == [
                f"/rules/{rules}/#{goal.id}"
                for goal in goals(machine_of(rules, {}, min(RULES[rules].seats)).captured_yaku)
                if letter in goal.cards
            ]
            if points:
                assert row is not None and re.search(rf"<b>{points[letter]}(?!\d)", row[1])


def test_links_to_yaku_lead_to_entries_of_the_rulebook(client: Client) -> None:
    html = client.get("/cards/").content.decode()
    for rules in RULESETS:
        book = client.get(f"/rules/{rules}/").content.decode()
        for id in set(re.findall(rf'href="/rules/{rules}/#([^"]+)"', html)):
            assert f' id="{id}"' in book


def test_address_sets_the_switches(client: Client) -> None:
    plain = client.get("/cards/?marks=nothing&back=green").content.decode()
    assert '<div class="pack" data-pack>' in plain
    for query in ("marks=months,kinds&back=black", "marks=months&marks=kinds&back=black"):
        html = client.get(f"/cards/?{query}").content.decode()
        assert '<div class="pack show-months show-kinds back-black" data-pack>' in html
        assert html.count(" checked") == 3


def test_kinds_have_their_counts(client: Client) -> None:
    html = client.get("/cards/").content.decode()
    for kind, count in zip(cards.Kind, (5, 9, 10, 24), strict=True):
        assert f"{labels.kinds(kind)} <small>{count}</small>" in html

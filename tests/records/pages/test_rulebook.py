"""The rulebook agrees with the engine, is the same in both languages, and explains each ruling."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from django.utils.html import escape
from django.utils.translation import override

from kafu import cards
from kafu.rules.description import Ruleset
from kafu.rules.grades import ABSOLUTE, LARGE
from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.hachihachi import year as hachihachi_year
from kafu.rules.hachihachi.hands import NUKE_KAN
from kafu.rules.hachihachi.hatto import TOBIKOMI_KAN
from kafu.rules.hachihachi.year import SHORT, SPECIALS
from kafu.rules.hachihachi_bga import hands as bga_hands
from kafu.rules.hachihachi_bga import pay as bga_pay
from kafu.rules.hachihachi_bga.house import HachihachiBgaHouse
from kafu.rules.hachihachi_bga.machine import LEAST_TO_CANCEL
from kafu.rules.hachihachi_bga.payments import list_payments
from kafu.rules.hanaawase import machine as hanaawase
from kafu.rules.koikoi.profiles import PROFILES
from kafu.rules.names import GRADES, YAKU
from kafu.rules.payments import Payers
from kafu.rules.rulesets import RULESETS
from kafu.rules.ten_five_one import machine as ten_five_one
from kafu.rules.ten_five_one import payments as ten_five_one_payments
from kafu.rules.teyaku import find
from records.pages.rulebook.book import Page, address_of
from records.pages.rulebook.book import find as find_page
from records.pages.rulebook.glossary import load_words

RULINGS_DOCUMENTS = Path(__file__).parents[3] / "kafu/docs"
#: The letter of a ruleset's rulings.
LETTERS = {
    "koikoi": "K",
    "hachihachi": "H",
    "hachihachi-bga": "B",
    "hanaawase": "A",
    "ten-five-one": "T",
}
HOUSES = [(rules, house) for rules in RULESETS for house in RULESETS[rules].profiles]
every_house = pytest.mark.parametrize(("ruleset", "profile"), HOUSES, ids=[h for _, h in HOUSES])
every_language = pytest.mark.parametrize("language", ["en", "ja"])
#: A house of 10/5/1 that plays every dealt-hand yaku.
EVERY_YAKU = ten_five_one.TenFiveOneHouse(
    {row.id: "yes" for row in ten_five_one_payments.TEYAKU} | {"nasake": "all", "teshi": "all"}
)


def get_page(ruleset: str, profile: str = "", language: str = "en") -> Page:
    """Return a page of the rulebook."""
    with override(language):
        page = find_page(ruleset, profile)
    assert page is not None
    return page


def map_entries(page: Page) -> dict[str, str]:
    """Return the HTML of the entries of a page by id."""
    entries = re.findall(r'<li class="entry" id="([\w-]+)".*?</li>', page.body)
    by_id = {id: page.body.split(f'<li class="entry" id="{id}"')[1] for id in entries}
    assert len(by_id) == len(entries)
    return {id: html.split("</li>")[0] for id, html in by_id.items()}


def map_sections(page: Page) -> dict[str, str]:
    """Return the HTML of the sections of a page by anchor."""
    parts = re.split(r'<h2 id="([\w-]+)">', page.body)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True)) | {"options": page.options_body}


def map_rulings(page: Page) -> dict[str, str]:
    """Return the texts of the rulings of a page by number."""
    return dict(re.findall(r'<div id="([A-Z]\d+)"><dt>[A-Z]\d+</dt><dd>(.+?)</dd>', page.body))


def list_figures(html: str) -> list[str]:
    """Return the numbers in the texts of a part of a page."""
    text = re.sub(r"<(svg|sup).*?</\1>|<[^>]*>", " ", html)
    return re.findall(r"\d+(?:\.\d+)?", text.replace("&#8288;", ""))


def draw_groups(html: str) -> list[str]:
    """Return the letters of each group of cards of an entry."""
    groups = html.split('<div class="group">')[1:]
    return ["".join(re.findall(r'data-card="(\w)"', group)) for group in groups]


def get_values(rules: Ruleset, profile: str) -> Mapping[str, int]:
    """Return the values of a house's yaku in the engine, in the document's unit."""
    house = {"profile": profile} if len(rules.profiles) > 1 else {}
    table = {row.id: row.value for row in rules.captured_yaku(house)}
    if rules.id == "koikoi":
        return table | {row.id: row.value for row in PROFILES[profile].teyaku}
    assert rules.dealt
    dealt = {**rules.dealt.rows, **rules.dealt.columns}
    shown = {id: dealt[id] // rules.unit for id in rules.dealt.ids}
    return table | {id: value for id, value in shown.items() if value}


def test_unknown_ruleset_and_house_have_no_page() -> None:
    assert find_page("nothing") is None and find_page("koikoi", "nobody") is None
    assert get_page("koikoi") is get_page("koikoi", "koikoi")


@every_house
def test_page_is_the_same_in_both_languages(ruleset: str, profile: str) -> None:
    english, japanese = (get_page(ruleset, profile, language) for language in ("en", "ja"))
    assert [id for id, _ in english.contents] == [id for id, _ in japanese.contents]
    structure = re.compile(r'<li>|<t[rd]| id="[\w-]+"|data-card="\w"|href="[^"]+"')
    word_link = re.compile(r'<a href="[^"]+" class="word">')
    english_body, japanese_body = (word_link.sub("", page.body) for page in (english, japanese))
    assert structure.findall(english_body) == structure.findall(japanese_body)
    assert structure.findall(english.options_body) == structure.findall(japanese.options_body)
    assert [(option.defaults, option.values) for option in english.options] == [
        (option.defaults, option.values) for option in japanese.options
    ]
    japanese_words = re.compile("[ぁ-ん]")
    assert all(japanese_words.search(text) for text in map_rulings(japanese).values())
    assert not any(japanese_words.search(text) for text in map_rulings(english).values())


@every_language
@every_house
def test_page_has_every_yaku_with_its_value_and_cards(
    ruleset: str, profile: str, language: str
) -> None:
    entries = map_entries(get_page(ruleset, profile, language))
    for id, value in get_values(RULESETS[ruleset], profile).items():
        worth = re.search(r'<b class="worth">(\d+)', entries[id])
        assert worth and int(worth[1]) == value, id
        assert draw_groups(entries[id]), id
    assert entries.keys() <= YAKU.keys() | GRADES.keys()


@every_house
def test_captured_yaku_are_drawn_with_their_cards(ruleset: str, profile: str) -> None:
    house = {"profile": profile} if ruleset == "koikoi" else {}
    entries = map_entries(get_page(ruleset, profile))
    for row in RULESETS[ruleset].captured_yaku(house):
        letters = "".join(draw_groups(entries[row.id]))
        assert cards.mask(letters) == row.cards, row.id
        assert len(letters) == row.cards.bit_count(), row.id


@every_house
def test_page_has_every_option_with_its_values(ruleset: str, profile: str) -> None:
    page, options = get_page(ruleset, profile), RULESETS[ruleset].options
    shown = {name: option for option in page.options for name in option.defaults}
    assert shown.keys() == options.keys()
    if profile == ruleset:
        assert {option.section for option in options.values()} <= {*dict(page.contents)}
    for name, option in shown.items():
        assert option.values == options[name].expected
        value = options[name].value(option.defaults[name], "en")
        label = f'<span id="option-{name}">{escape(options[name].label.en)} <b>{escape(value)}</b>'
        assert label in page.options_body
        assert option.about and not re.search(r"[\[\]<]", option.about)


@every_language
@every_house
def test_payments_are_those_of_the_machine(ruleset: str, profile: str, language: str) -> None:
    rules = RULESETS[ruleset]
    options = {"profile": profile} if len(rules.profiles) > 1 else {}
    section = map_sections(get_page(ruleset, profile, language))["payments"]
    name = r'(?:<h3> <span>|<th scope="row">)(?:<span lang="ja-Latn">)?([^<]+?) ?<'
    shown = {
        payment[1]: payment[2].rpartition('"worth">')[2]
        for payment in re.finditer(name + "(.*?)</(?:h3|tr)>", section)
    }
    payments = rules.machine(options, rules.seats[0]).payments
    names = {id: YAKU[id].ja if language == "ja" else YAKU[id].romaji for id in payments}
    assert shown.keys() == {escape(name) for name in names.values()}
    for id, row in payments.items():
        figures = [float(figure) for figure in list_figures(shown[escape(names[id])])]
        if row.payers is not Payers.BALANCE and any(row.each):
            small = row.each[0] < rules.unit
            assert figures[0] == row.each[0] / (1 if small else rules.unit), id
            assert figures[-1] == row.each[-1] / rules.unit, id
        else:
            assert not figures, id


@every_house
def test_page_explains_its_rulings_and_every_mark_leads_to_one(ruleset: str, profile: str) -> None:
    page = get_page(ruleset, profile)
    documents = (RULINGS_DOCUMENTS / "rulings.md", *(RULINGS_DOCUMENTS / "rulings").glob("*.md"))
    text = "".join(document.read_text(encoding="utf-8") for document in documents)
    # Rulings about score sheets (S) concern records, not play.
    numbers = re.findall(rf'^### <a id="([{LETTERS[ruleset]}C]\d+)">', text, re.MULTILINE)
    assert sorted(map_rulings(page)) == sorted(numbers)
    anchors = re.findall(r' id="([^"]+)"', page.body)
    assert len(set(anchors)) == len(anchors)
    assert {*re.findall(r'href="#([^"]+)"', page.body)} <= {*anchors}
    assert not re.search(r"\[[A-Z]\d", page.lead + page.body + page.options_body)
    marks = re.findall(r'href="([^"#]*)#([A-Z]\d+)"', page.options_body)
    assert all(path == address_of(ruleset, profile) and id in anchors for path, id in marks)


EVEN, PAST = str(hachihachi_year.EVEN), str(bga_pay.PAST)
FUTAHACHI, SUJUROKU = SPECIALS["futahachi"], SPECIALS["sujuroku"]
SPECIAL_FIGURES = {
    "sohachi": [str(SPECIALS["sohachi"].kan), EVEN],
    "futahachi": [str(n) for n in (FUTAHACHI.kan, FUTAHACHI.least, FUTAHACHI.step)],
    "sujuroku": [str(n) for n in (SUJUROKU.kan, SUJUROKU.least, SUJUROKU.step)],
    "tobikomi": [str(TOBIKOMI_KAN)],
    "nuke": [str(NUKE_KAN), PAST],
    "end": [*(str(kind.points) for kind in cards.Kind), str(cards.points(cards.ALL)), EVEN],
}
#: Figures of the engine that the prose has, by ruleset and by section or entry.
FIGURES = {
    "hachihachi": {**SPECIAL_FIGURES, "settlement": [str(SHORT // 12)]},
    "hachihachi-bga": {
        **SPECIAL_FIGURES,
        "oikomi": [str(bga_hands.shut_out(cards.mask("A")))],
        "mizuten": [str(list_payments(HachihachiBgaHouse()).find_each("mizuten") // 12), PAST],
        "settlement": [
            str(number)
            for number in (HachihachiBgaHouse(12).start_kan, 6, HachihachiBgaHouse(6).start_kan)
        ],
        "options": [str(LEAST_TO_CANCEL)],
    },
    "hanaawase": {
        "end": SPECIAL_FIGURES["end"],
        "fuke": [str(hanaawase.FUKE)],
        "settlement": [
            str(abs(after - total))
            for totals in ((2, 1, 0), (1, 1, 0), (1, 0, 0))
            for after, total in zip(hanaawase.settle(totals), totals, strict=True)
        ],
    },
    "ten-five-one": {
        "deal": [str(RULESETS["ten-five-one"].seats[0] + 1), str(ten_five_one.WITH_BLANK)],
        "sanbon": [str(ten_five_one_payments.TOBIKOMI)],
        "end": [str(par) for par in ten_five_one.PAR],
        "points": ["10", "5", "1", "330"],
    },
}


@every_language
@pytest.mark.parametrize("ruleset", FIGURES)
def test_figures_of_the_prose_are_those_of_the_engine(ruleset: str, language: str) -> None:
    page = get_page(ruleset, language=language)
    parts = map_sections(page) | map_entries(page)
    for id, figures in FIGURES[ruleset].items():
        assert set(figures) <= set(list_figures(parts[id])), id
    if ruleset == "hanaawase":
        table = re.search(r"<tbody>.*</tbody>", parts["settlement"], re.DOTALL)
        assert table and re.findall(r"\d\d", table[0]) == FIGURES[ruleset]["settlement"]


def test_brights_of_field_grades_and_prized_cards_are_those_of_the_engine() -> None:
    for ruleset in ("hachihachi", "hachihachi-bga"):
        entries = map_entries(get_page(ruleset))
        assert draw_groups(entries["absolute"]) == [cards.letters(ABSOLUTE)]
        assert draw_groups(entries["large"]) == [cards.letters(LARGE)]
    prized = sum(card.bit for card in cards.PACK if bga_hands.shut_out(card.bit))
    assert draw_groups(entries["oikomi"]) == [cards.letters(prized)]


def declare(ruleset: str, hand: int) -> dict[tuple[str, ...], int]:
    """Return the declarations that a hand allows: yaku and the cards laid open."""
    if ruleset == "hachihachi-bga":
        declaration = bga_hands.declaration(hand)
        assert declaration
        return {declaration.yaku: declaration.cards}
    if ruleset == "ten-five-one":
        declarations = EVERY_YAKU.declarations(hand, doni=False, chosen=False)
    else:
        engine = hanaawase if ruleset == "hanaawase" else hachihachi_hands
        declarations = engine.declarations(hand)
    return {declaration.yaku: declaration.cards for declaration in declarations}


@pytest.mark.parametrize("ruleset", FIGURES)
def test_example_hands_make_their_yaku_with_the_cards_laid_open(ruleset: str) -> None:
    dealt = RULESETS[ruleset].dealt
    assert dealt
    # Yaku by pattern are drawn whole, and may have a second name.
    patterns = {row.id for row in dealt.alone} if ruleset == "hanaawase" else set()
    for id, html in map_entries(get_page(ruleset)).items():
        if id in dealt.ids - patterns:
            groups = draw_groups(html)
            declared = declare(ruleset, cards.mask("".join(groups)))
            assert sum(map(len, groups)) == RULESETS[ruleset].hand
            assert declared[(id,)] == cards.mask(groups[0]), id
            assert ruleset != "hachihachi" or len(declared) == 1


def test_example_hands_of_koikoi_make_their_yaku() -> None:
    for house in PROFILES.values():
        entries = map_entries(get_page("koikoi", house.id))
        for row in house.teyaku:
            for hand in draw_groups(entries[row.id]):
                assert len(hand) == 8
                assert find(house.teyaku, cards.mask(hand)) == row


@every_language
@every_house
def test_rules_are_in_the_order_of_a_reader_and_exceptions_are_folded(
    ruleset: str, profile: str, language: str
) -> None:
    page = get_page(ruleset, profile, language)
    shown = re.sub(r'<details class="fold">.*?</details>', "", page.body, flags=re.DOTALL)
    anchors = re.findall(r'<h2 id="([\w-]+)">', shown)
    assert [id for id in anchors if id in ("deal", "turn", "captured", "end", "settlement")] == [
        *anchors[:3],
        *[id for id in anchors[3:] if id in ("end", "settlement")],
    ]
    assert "payments" not in anchors and "readings" not in anchors
    assert f'id="{anchors[-1]}"' in page.body.split('<details class="fold">')[0]


@every_language
@every_house
def test_first_use_of_a_word_is_linked_to_the_glossary(
    ruleset: str, profile: str, language: str
) -> None:
    page = get_page(ruleset, profile, language)
    ids = re.findall(r'class="word" href="/glossary/#(\w+)"', page.lead + page.body)
    ids += re.findall(r'href="/glossary/#(\w+)" class="word"', page.lead + page.body)
    assert len(ids) > 5 and len({*ids}) == len(ids)
    assert {*ids} <= {word.id for word in load_words(language)}


def test_glossary_has_the_same_words_in_both_languages() -> None:
    english, japanese = load_words("en"), load_words("ja")
    assert [word.id for word in english] == [word.id for word in japanese]
    assert len(english) >= 30
    for word in japanese:
        assert re.fullmatch("[ぁ-ん]+", word.reading), word
    for word in (*english, *japanese):
        assert word.meaning.endswith((".", "。")), word

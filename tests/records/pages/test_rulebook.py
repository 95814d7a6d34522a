"""The rulebook agrees with the engine's tables, is complete, and explains every ruling."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from kafu import cards
from kafu.notation.vocabulary import RULES
from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.hachihachi import state as hachihachi_state
from kafu.rules.hachihachi.year import SPECIALS
from kafu.rules.hachihachi_bga import hands as hachihachi_bga_hands
from kafu.rules.hachihachi_bga import state as hachihachi_bga_state
from kafu.rules.hanaawase import machine as hanaawase
from kafu.rules.koikoi.profiles import PROFILES
from kafu.rules.names import GRADES, YAKU
from kafu.rules.ten_five_one import machine as ten_five_one
from kafu.rules.teyaku import HandYaku, find
from kafu.rules.yaku import YakuTable
from records.pages.rulebook import book, common, hachihachi_yaku
from records.pages.rulebook.outline import Cards, Note, Page, RuleEntry
from records.pages.rulebook.text import Text

ROOT = Path(__file__).parents[3]
RULINGS_DOCUMENTS = ROOT / "kafu/docs"
#: How many rulings a ruleset has, and by which letter.
FAMILIES = {
    "koikoi": ("K", 19),
    "hachihachi": ("H", 25),
    "hachihachi-bga": ("B", 15),
    "hanaawase": ("A", 6),
    "ten-five-one": ("T", 7),
}
every_page = pytest.mark.parametrize("page", book.PAGES, ids=lambda page: page.profile)


def map_values(*rows: YakuTable | tuple[HandYaku, ...]) -> dict[str, int]:
    """Return the values of yaku of engine tables by id."""
    return {row.id: row.value for table in rows for row in table}


KAN_SPECIALS = {id: special.kan for id, special in SPECIALS.items()}
#: Values of the engine's tables, by page.
TABLES: Mapping[str, Mapping[str, int]] = {
    **{house.id: map_values(house.teyaku, house.yaku) for house in PROFILES.values()},
    "hachihachi": {
        **hachihachi_hands.COUNT,
        **hachihachi_hands.DREGS,
        **map_values(hachihachi_state.YAKU),
        **KAN_SPECIALS,
    },
    "hachihachi-bga": {
        **hachihachi_bga_hands.COUNT,
        **hachihachi_hands.DREGS,
        **map_values(hachihachi_bga_state.YAKU),
        **KAN_SPECIALS,
    },
    "hanaawase": {**map_values(hanaawase.YAKU), **hanaawase.VALUES},
    "ten-five-one": {
        **map_values(ten_five_one.TEYAKU, ten_five_one.YAKU),
        "nasake": ten_five_one.NASAKE,
    },
}


def map_entries(page: Page) -> dict[str, RuleEntry]:
    """Return the entries of a page by id."""
    entries = [entry for section in page.sections for entry in section.entries]
    by_id = {entry.id: entry for entry in entries}
    assert len(by_id) == len(entries)
    return by_id


def find_parts(part: object, kind: type) -> Iterator[object]:
    """Yield every part of a kind in a page or a part of it."""
    if isinstance(part, kind):
        yield part
    if isinstance(part, Text):
        children = list(part.values.values())
    elif isinstance(part, Mapping):
        children = list(part.values())
    elif isinstance(part, tuple):
        children = list(part)
    elif is_dataclass(part):
        children = [getattr(part, field.name) for field in fields(part)]
    else:
        children = []
    for child in children:
        yield from find_parts(child, kind)


def test_every_ruleset_and_house_has_a_page() -> None:
    houses = {("koikoi", house) for house in PROFILES}
    assert {(page.rules, page.profile) for page in book.PAGES} == houses | {
        (rules, rules) for rules in RULES
    }
    assert book.find("koikoi") is book.find("koikoi", "koikoi")
    assert book.find("koikoi", "nobody") is None


@every_page
def test_page_has_every_yaku_with_its_value(page: Page) -> None:
    entries = map_entries(page)
    for id, value in TABLES[page.profile].items():
        assert str(value) in re.findall(r"\d+", str(entries[id].value)), id
        assert id in SPECIALS or any(group.letters for group in entries[id].cards), id
    assert entries.keys() <= YAKU.keys() | GRADES.keys()


@every_page
def test_captured_yaku_are_drawn_with_their_cards(page: Page) -> None:
    tables = {
        **{house.id: house.yaku for house in PROFILES.values()},
        "hachihachi": hachihachi_state.YAKU,
        "hachihachi-bga": hachihachi_bga_state.YAKU,
        "hanaawase": hanaawase.YAKU,
        "ten-five-one": ten_five_one.YAKU,
    }
    entries = map_entries(page)
    for row in tables[page.profile]:
        drawn = "".join(group.letters for group in entries[row.id].cards)
        assert cards.mask(drawn) == row.cards, row.id
        assert len(drawn) == row.cards.bit_count(), row.id


@every_page
def test_page_has_every_option_with_its_values(page: Page) -> None:
    shown = {name: option for option in page.options for name, _ in option.names}
    assert shown.keys() == RULES[page.rules].options.keys()
    for name, option in shown.items():
        definition = RULES[page.rules].options[name]
        assert option.values == definition.expected
        default = dict(option.names)[name]
        assert default is None or default in definition.known, name


@every_page
def test_every_ruling_is_explained_and_every_note_cites_one(page: Page) -> None:
    letter, count = FAMILIES[page.rules]
    assert list(page.rulings) == [f"{letter}{number}" for number in range(1, count + 1)]
    named = {n for note in find_parts(page, Note) for n in note.rulings}  # type: ignore[attr-defined]
    assert named <= page.rulings.keys() | common.RULINGS.keys()


def test_rulings_are_those_of_the_documents() -> None:
    documents = (RULINGS_DOCUMENTS / "rulings.md", *(RULINGS_DOCUMENTS / "rulings").glob("*.md"))
    text = "".join(document.read_text(encoding="utf-8") for document in documents)
    # Those of score sheets (S) are about records, not about play.
    numbers = set(re.findall(r'^### <a id="([A-RT-Z]\d+)">', text, re.MULTILINE))
    explained = {number for page in book.PAGES for number in page.rulings}
    assert explained | common.RULINGS.keys() == numbers


@every_page
def test_every_text_is_in_the_catalogue(page: Page) -> None:
    """If not: `make messages`, and write the translations."""
    po = (ROOT / "locale/ja/LC_MESSAGES/django.po").read_text()
    catalogue = set(re.findall(r'^msgid "(.*)"$', po, re.MULTILINE))
    texts = {text.msgid for text in find_parts(page, Text)}  # type: ignore[attr-defined]
    texts |= {text.msgid for text in find_parts(common.RULINGS, Text)}  # type: ignore[attr-defined]
    assert texts <= catalogue


def test_example_hands_of_koikoi_make_their_yaku() -> None:
    for house in PROFILES.values():
        page = book.find("koikoi", house.id)
        assert page is not None
        for row in house.teyaku:
            for hand in map_entries(page)[row.id].cards:
                assert len(hand.letters) == 8
                assert find(house.teyaku, cards.mask(hand.letters)) == row


@pytest.mark.parametrize(("id", "hand"), hachihachi_yaku.HANDS.items())
def test_example_hands_of_hachihachi_make_their_yaku_and_no_other(id: str, hand: str) -> None:
    declared = {declaration.yaku for declaration in hachihachi_hands.declarations(cards.mask(hand))}
    assert (len(hand), declared) == (7, {(id,)})


@every_page
def test_group_of_cards_has_no_card_twice(page: Page) -> None:
    for group in find_parts(page, Cards):
        letters = group.letters  # type: ignore[attr-defined]
        assert len(set(letters)) == len(letters)

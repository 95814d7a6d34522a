"""The figures in the documents of the rulings equal the engine's tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from kafu.cards import mask
from kafu.rules import names
from kafu.rules.hachihachi import hands, year
from kafu.rules.hachihachi import state as hachihachi
from kafu.rules.hachihachi_bga import hands as bga_hands
from kafu.rules.hachihachi_bga import state as bga
from kafu.rules.hanaawase import payments as hanaawase
from kafu.rules.koikoi import yaku as koikoi
from kafu.rules.ten_five_one import payments as ten_five_one

RULINGS: Final = Path(__file__).parents[2] / "docs" / "rulings"
SPECIAL: Final = {label: special.kan for label, special in year.SPECIALS.items()}
#: The values of yaku by ruleset, in the unit of its page.
VALUES: Final[Mapping[str, Mapping[str, int]]] = {
    "koikoi": {row.id: row.value for row in (*koikoi.YAKU, *koikoi.TEYAKU)},
    "hachihachi": {
        **hands.COUNT,
        **hands.CHAFF,
        **{row.id: row.value for row in hachihachi.YAKU},
        **SPECIAL,
    },
    "hachihachi-bga": {
        **bga_hands.COUNT,
        **hands.CHAFF,
        **{row.id: row.value for row in bga.YAKU},
        **SPECIAL,
    },
    "hanaawase": {row.id: row.value for row in hanaawase.YAKU} | hanaawase.VALUES,
    "ten-five-one": {row.id: row.value for row in ten_five_one.TEYAKU},
}
#: Names with another form on a page.
OTHERWISE: Final = {"花見": "hanami", "月見": "tsukimi", "くっつき": "kuttsuki"}


def figures(page: str) -> Iterator[tuple[str, int]]:
    """Yield each yaku at the beginning of a table cell, and the number of a later cell."""
    for row in re.findall(r"^\|(.*)\|$", page, re.MULTILINE):
        cells = [cell.strip() for cell in row.split("|")]
        for place, cell in enumerate(cells):
            if match := re.match(r"([^\x00-\x7f]+) \*", cell):
                later = (
                    re.match(r"(\d+)(?![-\d])", later_cell) for later_cell in cells[place + 1 :]
                )
                if value := next((later_cell for later_cell in later if later_cell), None):
                    yield match[1], int(value[1])


@pytest.mark.parametrize("rules", VALUES)
def test_values_of_yaku_equal_those_of_the_document(rules: str) -> None:
    values = VALUES[rules]
    page = dict(figures((RULINGS / f"{rules}.md").read_text(encoding="utf-8")))
    for yaku, value in values.items():
        name = next((ja for ja, id in OTHERWISE.items() if id == yaku and ja in page), None)
        assert page[name or names.YAKU[yaku].ja] == value, yaku


def test_sets_of_cards_equal_those_of_the_document() -> None:
    """Sets are compared by the yaku that need all their cards, as the rulesets share the sets."""
    text = (RULINGS.parent / "rulings.md").read_text(encoding="utf-8")
    sets = dict(re.findall(r"^\| (\S+) \*[^|]*\| ([A-Za-z](?: [A-Za-z])*) \|$", text, re.MULTILINE))
    for table in (koikoi.YAKU, hachihachi.YAKU, bga.YAKU, hanaawase.YAKU):
        for row in table:
            letters = sets.get(names.YAKU[row.id].ja)
            if letters is not None:
                assert row.cards == mask(letters.replace(" ", "")), row.id
    assert len(sets) >= 9

"""Dealt hands of a fair pack agree with the exact odds; hands of a stacked pack are flagged.

STATISTICS_DEALS is the number of deals of each ruleset: 5,000; in `make test-statistics` a million.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, Final

import pytest

from kafu import cards
from kafu.odds.exact import NONE
from kafu.rules.description import Cell
from kafu.rules.rulesets import RULESETS
from lengths import LONG
from tests.records.statistics.memory_facts import MemoryFacts, answer

pytestmark = [pytest.mark.django_db, pytest.mark.long]

DEALS: Final = int(os.environ.get("STATISTICS_DEALS", "5000"))
#: Enough deals that a doubled rate cannot be chance.
STACKED: Final = 5_000
#: One ruleset in `make test`, because all rulesets are counted by the same code.
TESTED: Final = RULESETS if LONG else ("hachihachi",)


def deal_hands(rules: str, seed: str) -> Iterator[Cell]:
    """Yield the cell of the dealer's hand of each deal: hands of one deal are not independent."""
    described = RULESETS[rules]
    assert described.dealt
    size, judge = described.hand, described.dealt.judge
    pack, chance = [cards.BIT[card.letter] for card in cards.PACK], Random(f"{rules} {seed}")
    while True:
        yield judge(sum(chance.sample(pack, size)))


def compute_rows(rules: str, hands: Iterator[Cell]) -> list[dict[str, Any]]:
    """Return the rows of the figure about these hands."""
    facts = MemoryFacts()
    for (row, column), times in Counter(hands).items():
        facts.insert(
            "seats",
            f"SELECT 1 AS seat, '{row}' AS hand_row, '{column}' AS hand_column FROM range({times})",
        )
    return [dict(row) for row in answer("hands", f"ruleset={rules}", facts).rows]


@pytest.mark.parametrize("rules", TESTED)
def test_hands_of_a_fair_pack_agree_with_the_odds(rules: str) -> None:
    rows = compute_rows(rules, islice(deal_hands(rules, "fair"), DEALS))
    assert {row["n"] for row in rows} == {DEALS}
    # Test all rows together: one fair pack in twenty would have a flag at all.
    assert not [row for row in rows if row["differs"]]
    for row in rows:
        assert row["exact"] == 0 or row["expected"] == pytest.approx(row["exact"] * DEALS)
        assert row["count"] or row["expected"] < 20


@pytest.mark.parametrize("rules", TESTED)
def test_hands_of_a_stacked_pack_are_flagged(rules: str) -> None:
    """The most common hand is counted twice; all other hands once."""
    usual = Counter(islice((row for row, _ in deal_hands(rules, "usual")), 1000))
    frequent = next(row for row, _ in usual.most_common() if row != NONE)

    def stacked() -> Iterator[Cell]:
        for cell in deal_hands(rules, "stacked"):
            yield cell
            if cell[0] == frequent:
                yield cell

    rows = compute_rows(rules, islice(stacked(), STACKED))
    (row,) = (row for row in rows if row["family"] == "row" and row["yaku"] == frequent)
    assert row["differs"] and row["rate_low"] > row["exact"]

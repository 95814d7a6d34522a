"""Dealt hands of a fair pack agree with the exact odds; those of a stacked one are flagged.

So many deals of each ruleset as STATISTICS_DEALS says: 20,000; in `make test-statistics` a million.
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
from tests.records.statistics.asked import answer, of_seat

pytestmark = pytest.mark.long

DEALS: Final = int(os.environ.get("STATISTICS_DEALS", "20000"))
#: Enough that a rate twice too high is no chance any more.
STACKED: Final = 20_000


def dealt(rules: str, seed: str) -> Iterator[Cell]:
    """Where the dealer's hand stands, deal after deal: hands of one deal are not independent."""
    described = RULESETS[rules]
    assert described.dealt
    size, judge = described.hand, described.dealt.judge
    pack, chance = [cards.BIT[card.letter] for card in cards.PACK], Random(f"{rules} {seed}")
    while True:
        yield judge(sum(chance.sample(pack, size)))


def asked(rules: str, hands: Iterator[Cell]) -> list[dict[str, Any]]:
    """What the figure says of them."""
    seen: Counter[str] = Counter()
    for (row, column), times in Counter(hands).items():
        for key in ("hands", f"row {row}", f"col {column}"):
            seen[key] += times
    sums = {"hands": {key: [times] for key, times in seen.items()}}
    return [dict(row) for row in answer("hands", f"ruleset={rules}", of_seat(sums)).rows]


@pytest.mark.parametrize("rules", RULESETS)
def test_fair_deals_are_as_the_odds(rules: str) -> None:
    rows = asked(rules, islice(dealt(rules, "fair"), DEALS))
    assert {row["n"] for row in rows} == {DEALS}
    # All rows together: of fair packs one in twenty would have a flag at all.
    assert not [row for row in rows if row["differs"]]
    for row in rows:
        assert row["exact"] == 0 or row["expected"] == pytest.approx(row["exact"] * DEALS)
        assert row["count"] or row["expected"] < 20


@pytest.mark.parametrize("rules", RULESETS)
def test_a_stacked_deck_is_flagged(rules: str) -> None:
    """Whoever has three of a month, or the like, is dealt it twice: all else is as it was."""
    usual = Counter(islice((row for row, _ in dealt(rules, "usual")), 1000))
    liked = next(row for row, _ in usual.most_common() if row != NONE)

    def stacked() -> Iterator[Cell]:
        for cell in dealt(rules, "stacked"):
            yield cell
            if cell[0] == liked:
                yield cell

    rows = asked(rules, islice(stacked(), STACKED))
    (row,) = (row for row in rows if row["family"] == "row" and row["yaku"] == liked)
    assert row["differs"] and row["rate_low"] > row["exact"]

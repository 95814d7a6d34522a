"""Intervals of means contain the mean of skewed scores about as often as stated.

STATISTICS_SAMPLES is the number of samples of each size: 600 from 12 games of each ruleset; in
`make test-statistics` 10,000 from 400 games of each ruleset, as in the table of docs/statistics.md.
"""

from __future__ import annotations

import os
from typing import Final

import pytest

from kafu.rules.rulesets import RULESETS
from records.statistics.intervals import LEAST
from tests.conftest import ROOT
from tests.records.statistics import coverage

pytestmark = pytest.mark.long

SAMPLES: Final = int(os.environ.get("STATISTICS_SAMPLES", "600"))
GAMES: Final = 12 if SAMPLES < 10_000 else 400
#: The share of samples of at least 100 values whose interval contains the mean, and the share of
#: smaller samples; few samples may miss it by three standard errors.
LOW, HIGH = 0.93, 0.97
LOW_OF_FEW, HIGH_OF_FEW = 0.905, 0.99
TOLERANCE: Final = 3 * (0.93 * 0.07 / SAMPLES) ** 0.5 * (SAMPLES < 10_000)


@pytest.mark.long_only  # test_intervals.py has published intervals
@pytest.mark.parametrize("rules", RULESETS)
def test_intervals_contain_the_mean(rules: str) -> None:
    sizes = set()
    counts = list(coverage.count_intervals(rules, GAMES, SAMPLES))
    for name, n, intervals, correct in counts:
        assert bool(intervals) == (n >= LEAST), (name, n)
        if intervals:
            sizes.add(n)
            low, high = (LOW, HIGH) if n >= 100 else (LOW_OF_FEW, HIGH_OF_FEW)
            assert low - TOLERANCE <= correct / intervals <= high + TOLERANCE, (
                name,
                n,
                correct / intervals,
            )
    assert sizes == {n for n in coverage.SIZES if n >= LEAST}
    if SAMPLES == 10_000:
        document = (ROOT / "docs/statistics.md").read_text(encoding="utf-8")
        table = document.partition("<!-- coverage -->")[2].partition("<!-- /coverage -->")[0]
        rows = [row for row in table.splitlines() if row.startswith(f"| {rules} |")]
        assert rows == coverage.table_rows(rules, counts)

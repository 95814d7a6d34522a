"""Coverage of the intervals of means, by simulation: `python -m bench.coverage`.

Simulated games of each ruleset give distributions of the values that statistics average; each is a
population with a known mean. The bench draws samples and counts the intervals, and the intervals
that contain the mean. The table goes into docs/statistics.md.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Final

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.rules.play.ledger import OTHER, maker
from kafu.rules.rulesets import RULESETS
from kafu.simulation.simulate import simulate
from records.statistics.intervals import LEAST, difference, mean

#: Numbers of values in a sample.
SIZES: Final = (10, 20, 30, 50, 100)
#: The sampled values, in the order of the table, and the difference of two of them.
WHAT: Final = ("score", "winner's score", "final sum", "value of a yaku", "gain of playing on")
DIFFERENCE: Final = "winner's score − score"
#: Minimum number of values of a distribution.
ENOUGH: Final = 100
DOCS: Final = Path(__file__).parents[1] / "docs" / "statistics.md"
_BEGIN, _END = "<!-- coverage -->\n", "<!-- /coverage -->\n"

Values = Mapping[str, Sequence[int]]


def values(rules: str, games: int) -> Values:
    """Return the values named in `WHAT` in simulated games of a ruleset, for all player counts."""
    values_by_name: defaultdict[str, list[int]] = defaultdict(list)
    seats = RULES[rules].seats
    for number in range(games):
        game = simulate(rules, seed=number, players=seats[number % len(seats)])
        judged = verify(read(write(game)), facts=True)
        assert judged.facts is not None, "a simulated game is legal"
        unit, choice = RULESETS[rules].final_unit, RULESETS[rules].choice
        values_by_name["final sum"] += [sum_ * unit for sum_ in judged.verdict.final or ()]
        for deal, facts in zip(judged.verdict.deals, judged.facts.deals, strict=True):
            if deal.end in ("redeal", "void"):
                continue
            values_by_name["score"] += deal.score
            if deal.winner:
                values_by_name["winner's score"].append(deal.score[deal.winner - 1])
            for line in deal.ledger:
                if line.label not in OTHER and "+" not in line.label and not line.void:
                    values_by_name["value of a yaku"].append(maker(line)[1])
            for decision in judged.facts.decisions(facts):
                if choice and decision.word == choice.on:
                    gain = deal.score[decision.seat - 1] - decision.stopped[decision.seat - 1]
                    values_by_name["gain of playing on"].append(gain)
    return {name: values_by_name[name] for name in WHAT if len(values_by_name[name]) >= ENOUGH}


def sums(sample: Sequence[int]) -> tuple[int, int, int]:
    """Return the number of values, their sum and the sum of their squares."""
    return len(sample), sum(sample), sum(value * value for value in sample)


def coverage(population: Sequence[int], n: int, samples: int, seed: str) -> tuple[int, int]:
    """Count the samples of ``n`` values with an interval, and intervals that contain the mean."""
    chance, true_mean = Random(seed), sum(population) / len(population)
    intervals = correct = 0
    for _ in range(samples):
        _middle, low, high = mean(*sums(chance.choices(population, k=n)))
        if low is not None and high is not None:
            intervals += 1
            correct += low <= true_mean <= high
    return intervals, correct


def coverage_of_difference(
    first: Sequence[int], second: Sequence[int], n: int, samples: int, seed: str
) -> tuple[int, int]:
    """Count as in `coverage`, for the difference of two means of ``n`` values each."""
    chance, true_difference = Random(seed), sum(first) / len(first) - sum(second) / len(second)
    intervals = correct = 0
    for _ in range(samples):
        drawn = [sums(chance.choices(part, k=n)) for part in (first, second)]
        _middle, low, high = difference(drawn[0], drawn[1])
        if low is not None and high is not None:
            intervals += 1
            correct += low <= true_difference <= high
    return intervals, correct


def count_intervals(rules: str, games: int, samples: int) -> Iterator[tuple[str, int, int, int]]:
    """Yield name and sample size with the numbers of intervals and of correct intervals."""
    drawn = values(rules, games)
    for n in SIZES:
        for name, population in drawn.items():
            yield name, n, *coverage(population, n, samples, f"{rules} {name} {n}")
        both = drawn["winner's score"], drawn["score"]
        yield DIFFERENCE, n, *coverage_of_difference(*both, n, samples, f"{rules} {n}")


def table(games: int, samples: int) -> str:
    """Return the table of all rulesets as Markdown, in percent, with a dash without an interval."""
    lines = [
        "| ruleset | mean of | " + " | ".join(f"n = {n}" for n in SIZES) + " |",
        "|---|---|" + "---:|" * len(SIZES),
    ]
    for rules in RULES:
        cells: defaultdict[str, list[str]] = defaultdict(list)
        for name, _n, intervals, correct in count_intervals(rules, games, samples):
            cells[name].append(f"{100 * correct / intervals:.1f}" if intervals else "–")
        lines += [f"| {rules} | {name} | {' | '.join(cells[name])} |" for name in cells]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Make the table and put it into the docs."""
    parser = argparse.ArgumentParser(description="Coverage of the intervals of means.")
    parser.add_argument("--games", type=int, default=400, help="of each ruleset")
    parser.add_argument("--samples", type=int, default=10_000, help="for each number")
    arguments = parser.parse_args()
    text = DOCS.read_text(encoding="utf-8")
    before, remainder = text.split(_BEGIN)
    _old, after = remainder.split(_END)
    section = (
        f"{_BEGIN}\n{arguments.games} games a ruleset, {arguments.samples:,} samples a number; "
        f"intervals from {LEAST} values on; per cent.\n\n"
        f"{table(arguments.games, arguments.samples)}\n{_END}"
    )
    DOCS.write_text(before + section + after, encoding="utf-8")


if __name__ == "__main__":
    main()

"""How often the intervals of means hold the mean, by simulation: `python -m bench.coverage`.

Simulated games of each ruleset give distributions of what statistics take means of; each is a
population whose mean is known. Samples are drawn from it, and counted is how many of those that
have an interval at all have one with the mean in it. The table goes into docs/statistics.md.
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
#: What is drawn from, in the order of the table. A difference is that of the winners' scores and
#: those of all.
WHAT: Final = ("score", "winner's score", "final sum", "value of a yaku", "gain of playing on")
DIFFERENCE: Final = "winner's score − score"
#: Values that a distribution has at least.
ENOUGH: Final = 100
DOCS: Final = Path(__file__).parents[1] / "docs" / "statistics.md"
_BEGIN, _END = "<!-- coverage -->\n", "<!-- /coverage -->\n"

Values = Mapping[str, Sequence[int]]


def values(rules: str, games: int) -> Values:
    """Return the values of each of `WHAT` in simulated games of a ruleset, at all its tables."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    seats = RULES[rules].seats
    for number in range(games):
        game = simulate(rules, seed=number, players=seats[number % len(seats)])
        judged = verify(read(write(game)), facts=True)
        assert judged.facts is not None, "a simulated game is legal"
        unit, choice = RULESETS[rules].final_unit, RULESETS[rules].choice
        found["final sum"] += [sum_ * unit for sum_ in judged.verdict.final or ()]
        for deal, facts in zip(judged.verdict.deals, judged.facts.deals, strict=True):
            if deal.end in ("redeal", "void"):
                continue
            found["score"] += deal.score
            if deal.winner:
                found["winner's score"].append(deal.score[deal.winner - 1])
            for line in deal.ledger:
                if line.label not in OTHER and "+" not in line.label and not line.void:
                    found["value of a yaku"].append(maker(line)[1])
            for one in judged.facts.decisions(facts):
                if choice and one.word == choice.on:
                    gain = deal.score[one.seat - 1] - one.stopped[one.seat - 1]
                    found["gain of playing on"].append(gain)
    return {name: found[name] for name in WHAT if len(found[name]) >= ENOUGH}


def sums(sample: Sequence[int]) -> tuple[int, int, int]:
    """Return the number of values, their sum and the sum of their squares."""
    return len(sample), sum(sample), sum(value * value for value in sample)


def coverage(population: Sequence[int], n: int, samples: int, seed: str) -> tuple[int, int]:
    """Count the samples of ``n`` values with an interval, and those whose interval has the mean."""
    chance, due = Random(seed), sum(population) / len(population)
    given = held = 0
    for _ in range(samples):
        _middle, low, high = mean(*sums(chance.choices(population, k=n)))
        if low is not None and high is not None:
            given += 1
            held += low <= due <= high
    return given, held


def coverage_of_difference(
    one: Sequence[int], other: Sequence[int], n: int, samples: int, seed: str
) -> tuple[int, int]:
    """Count as in `coverage`, for the difference of two means of ``n`` values each."""
    chance, due = Random(seed), sum(one) / len(one) - sum(other) / len(other)
    given = held = 0
    for _ in range(samples):
        parts = (sums(chance.choices(part, k=n)) for part in (one, other))
        _middle, low, high = difference(*parts)
        if low is not None and high is not None:
            given += 1
            held += low <= due <= high
    return given, held


def found(rules: str, games: int, samples: int) -> Iterator[tuple[str, int, int, int]]:
    """Yield the value, the size of samples, and the numbers of intervals and right ones."""
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
        for name, _n, given, held in found(rules, games, samples):
            cells[name].append(f"{100 * held / given:.1f}" if given else "–")
        lines += [f"| {rules} | {name} | {' | '.join(cells[name])} |" for name in cells]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Make the table and put it into the docs."""
    parser = argparse.ArgumentParser(description="Coverage of the intervals of means.")
    parser.add_argument("--games", type=int, default=400, help="of each ruleset")
    parser.add_argument("--samples", type=int, default=10_000, help="for each number")
    given = parser.parse_args()
    text = DOCS.read_text(encoding="utf-8")
    before, rest = text.split(_BEGIN)
    _old, after = rest.split(_END)
    made = (
        f"{_BEGIN}\n{given.games} games a ruleset, {given.samples:,} samples a number; intervals "
        f"from {LEAST} values on; per cent.\n\n{table(given.games, given.samples)}\n{_END}"
    )
    DOCS.write_text(before + made + after, encoding="utf-8")


if __name__ == "__main__":
    main()

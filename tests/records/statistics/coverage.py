"""Coverage of the intervals of means, by simulation.

Simulated games of each ruleset give distributions of the values that statistics average; each is a
population with a known mean. Samples are drawn, and the intervals are counted, and the intervals
that contain the mean.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Final

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.rules.play.ledger import OTHER, maker
from kafu.rules.rulesets import RULESETS
from kafu.simulation.simulate import simulate
from records.statistics.intervals import difference, mean

#: Numbers of values in a sample.
SIZES: Final = (10, 20, 30, 50, 100)
#: The sampled values, in the order of the table, and the difference of two of them.
WHAT: Final = ("score", "winner's score", "final sum", "value of a yaku", "gain of playing on")
DIFFERENCE: Final = "winner's score − score"
#: Minimum number of values of a distribution.
ENOUGH: Final = 100

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


def table_rows(rules: str, counts: Iterable[tuple[str, int, int, int]]) -> list[str]:
    """Return rows of Markdown, in percent, for the result of `count_intervals`."""
    cells: defaultdict[str, list[str]] = defaultdict(list)
    for name, _n, intervals, correct in counts:
        cells[name].append(f"{100 * correct / intervals:.1f}" if intervals else "–")
    return [f"| {rules} | {name} | {' | '.join(cells[name])} |" for name in cells]

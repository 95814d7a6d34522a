"""Time to judge a month of a score sheet on one core, by ruleset.

    PYTHONPATH=kafu/tests python -m bench.sheets [--months 3000] [--sums] [RULESET …]

The months are those of simulated games, with the houses and alterations of
`kafu/tests/sheet_model`: each as it is, and with one line altered. With ``--sums`` the lines of a
month are one sum, and an amount of an altered sum is moved from one player to another. The garbage
collector is off, as in the computing processes of a server. Only faults of the first month count:
an empty second month ends it.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

import kafu
from bench.corpus import number, table
from kafu.notation.game import Game, Payment
from kafu.notation.vocabulary import RULES
from kafu.rules.codes import SHEET_UNDECIDED
from sheet_model.months import alter, right_months

#: Months of a seed: its games are simulated one after the other.
_OF_A_SEED: Final = 50
#: Prizes of a koi-koi season that stand beside the sum of a month.
_PRIZES: Final = ("kobiki", "obiki")
#: Amounts that move in an altered sum, in the small unit.
_MOVED: Final = (1, 2, 3, 5, 7, 10, 12, 24, 36, 60, 120, 240)
KINDS: Final = ("right", "altered")


def list_months(ruleset: str, count: int, *, sums: bool) -> Iterator[tuple[str, Game]]:
    """Yield ``count`` right months of a ruleset and as many altered ones, with their kind."""
    for seed in range(-(-count // _OF_A_SEED)):
        random = Random(seed)
        months = min(_OF_A_SEED, count - seed * _OF_A_SEED)
        for game in islice(right_months(ruleset, seed), months):
            if sums:
                yield "right", add_up(game)
                yield "altered", move(add_up(game), random)
            else:
                yield "right", game
                yield "altered", alter(game, random)


def add_up(game: Game) -> Game:
    """Return the sheet with the lines of its first month as one sum."""
    sheet = deepcopy(game)
    month = sheet.months[0]
    prizes = [line for line in month.payments if line.label in _PRIZES]
    paid = [line.amounts for line in month.payments if line not in prizes and not line.void]
    amounts = map(sum, zip(*paid, strict=True)) if paid else [0] * len(game.players)
    month.payments = [Payment("month", tuple(amounts)), *prizes]
    return sheet


def move(sheet: Game, random: Random) -> Game:
    """Return a sheet of one sum with an amount moved from one player to another."""
    month = sheet.months[0]
    first, *others = month.payments
    amounts = list(first.amounts)
    getting, paying = random.sample(range(len(amounts)), 2)
    amount = random.choice(_MOVED)
    amounts[getting] += amount
    amounts[paying] -= amount
    month.payments = [replace(first, amounts=tuple(amounts)), *others]
    return sheet


def judge(sheet: Game) -> tuple[str, float]:
    """Return the outcome of a sheet and the CPU seconds to judge it."""
    begun = time.process_time()
    error = kafu.verify(sheet).error
    taken = time.process_time() - begun
    if error is None or error.deal != 1:
        return "accepted", taken
    return "undecided" if error.code is SHEET_UNDECIDED else "refused", taken


def measure(ruleset: str, count: int, *, sums: bool, slowest: Path | None) -> Iterator[list[str]]:
    """Yield a row of the table for each kind of months."""
    seconds: dict[str, list[float]] = {kind: [] for kind in KINDS}
    outcomes: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    dearest, text = 0.0, ""
    for kind, sheet in list_months(ruleset, count, sums=sums):
        gc.collect(0)
        gc.disable()
        outcome, taken = judge(sheet)
        gc.enable()
        seconds[kind].append(taken)
        outcomes[kind][outcome] += 1
        if taken > dearest:
            dearest, text = taken, kafu.write(sheet)
    for kind in KINDS:
        times = sorted(1000 * taken for taken in seconds[kind])
        shares = (0.5, 0.95, 0.99, 0.999)
        figures = [number(times[int(share * len(times))]) for share in shares]
        counts = [str(outcomes[kind][outcome]) for outcome in ("accepted", "refused", "undecided")]
        yield [f"{ruleset}, {kind}", *counts, *figures, number(times[-1])]
    if slowest is not None:
        with slowest.open("a", encoding="utf-8") as file:
            file.write(f"# {ruleset}, {1000 * dearest:.0f} ms\n{text}\n")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("rulesets", nargs="*", default=sorted(RULES), metavar="RULESET")
    parser.add_argument("--months", type=int, default=3000, help="right months of a ruleset")
    parser.add_argument("--sums", action="store_true", help="each month as one sum")
    parser.add_argument("--slowest", type=Path, help="file for the dearest sheets")
    arguments = parser.parse_args()
    rows = [
        row
        for ruleset in arguments.rulesets
        for row in measure(
            ruleset, arguments.months, sums=arguments.sums, slowest=arguments.slowest
        )
    ]
    head = ["ms of a core a month", "accepted", "refused", "undecided"]
    print(table([*head, "median", "p95", "p99", "p99.9", "max"], rows))


if __name__ == "__main__":
    main()

"""Make the dictionaries for packed column values, from simulated games.

    python -m bench.dictionaries NUMBER [--games 400]

Writes a new set of files (such as ``text-NUMBER.zdict``), to be named in
`records.base.packed_values`. Keep the older files, since stored values need them.
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from typing import Final

import msgspec

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.base.packed_values import DIRECTORY, SUFFIX, zstd

#: Bytes of a dictionary: of twice as many each value would be 2 % smaller.
SIZE: Final = 1 << 14
#: The first seed, so that the games differ from those of the benches.
FIRST_SEED: Final = 10_000


def values(rules: str, seed: int) -> dict[str, bytes]:
    """Return the stored values of a game by dictionary name."""
    player = ("sensible", "random")[seed % 4 == 3]
    verification = verify(read(write(simulate(rules, seed=seed, player=player))), facts=True)
    return {
        "text": verification.text.encode(),
        "verdict": msgspec.json.encode(verification.verdict.to_stored()),
    }


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("number", type=int)
    parser.add_argument("--games", type=int, default=400)
    arguments = parser.parse_args()
    rules = list(RULES)
    rulesets = [rules[number % len(rules)] for number in range(arguments.games)]
    seeds = [FIRST_SEED + number // len(rules) for number in range(arguments.games)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        samples = list(pool.map(values, rulesets, seeds, chunksize=8))
    for name in samples[0]:
        path = DIRECTORY / f"{name}-{arguments.number}{SUFFIX}"
        path.write_bytes(zstd.train_dict([sample[name] for sample in samples], SIZE).dict_content)
        print(path)


if __name__ == "__main__":
    main()

"""Makes the dictionaries with which values of columns are packed, from simulated games.

    python -m bench.dictionaries NUMBER [--games 400]

A new set (``text-NUMBER.zdict`` and the others), which `records.base.packed_values` then has to
name. Older ones stay, since stored values need them.
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
from records.base.packed_values import DIRECTORY, SUFFIX
from records.base.zstd import zstd

#: Bytes of a dictionary: of twice as many each value would be 2 % smaller.
SIZE: Final = 1 << 14
#: Other games than those that the benches measure.
FIRST_SEED: Final = 10_000


def values(rules: str, seed: int) -> dict[str, bytes]:
    """Return the stored values of a game, by the names of the dictionaries."""
    player = ("sensible", "random")[seed % 4 == 3]
    found = verify(read(write(simulate(rules, seed=seed, player=player))), facts=True)
    return {
        "text": found.text.encode(),
        "verdict": msgspec.json.encode(found.verdict.to_stored()),
    }


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("number", type=int)
    parser.add_argument("--games", type=int, default=400)
    given = parser.parse_args()
    rules = list(RULES)
    wanted = [rules[number % len(rules)] for number in range(given.games)]
    seeds = [FIRST_SEED + number // len(rules) for number in range(given.games)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(values, wanted, seeds, chunksize=8))
    for name in found[0]:
        path = DIRECTORY / f"{name}-{given.number}{SUFFIX}"
        path.write_bytes(zstd.train_dict([one[name] for one in found], SIZE).dict_content)
        print(path)


if __name__ == "__main__":
    main()

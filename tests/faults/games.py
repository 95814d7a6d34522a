"""Files of small games for the faults: many identities from few deals, and some with faults."""

import io
import zipfile
from functools import cache

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from tests.records.makers import MALFORMED

#: Games of one or two months: a suite that does much beside should not wait for the engine.
SEEDS = range(1, 9)


@cache
def game(seed: int) -> str:
    """A simulated koi-koi game of one month."""
    return write(simulate("koikoi", seed=seed, options={"months": "1"}))


def named(seed: int, name: str) -> str:
    """The same game with another player: another identity."""
    return game(seed).replace('"Aya"', f'"{name}"')


def games(*names: str) -> list[str]:
    """A game of each seed for each player."""
    return [named(seed, name) for name in names for seed in SEEDS]


def wrong(text: str) -> str:
    """The same game with a wrong claim: the verdict is a mismatch, the identity the same."""
    head, score, rest = text.partition("\nscore 1 ")
    assert score
    return f"{head}{score}98 2 0\n{rest.split(chr(10), 1)[1]}"


def file(*texts: str) -> bytes:
    """Games as one file."""
    return "\n".join(texts).encode()


def mixed(*names: str) -> bytes:
    """A file with a wrong claim, a duplicate and a piece that cannot be read among its games."""
    found = games(*names)
    return file(wrong(found[1]), *found, MALFORMED, found[0], wrong(found[2]))


def zipped(**files: bytes) -> bytes:
    """Files as an archive."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"{name}.kafu", content)
    return data.getvalue()

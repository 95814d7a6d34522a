"""Files of small games for the faults: many identities from few deals, and some with faults."""

import io
import zipfile
from functools import cache

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from tests.records.makers import MALFORMED

#: Seeds of games of one or two months, which the engine judges quickly.
SEEDS = range(1, 9)


@cache
def game(seed: int) -> str:
    """Return a simulated koi-koi game of one month."""
    return write(simulate("koikoi", seed=seed, options={"months": "1"}))


def named(seed: int, name: str) -> str:
    """Return the game with another player, hence another identity."""
    return game(seed).replace('"Aya"', f'"{name}"')


def games(*names: str) -> list[str]:
    """Return a game of each seed for each player."""
    return [named(seed, name) for name in names for seed in SEEDS]


def wrong(text: str) -> str:
    """Return the game with a wrong claim: a mismatch of the same identity."""
    head, score, tail = text.partition("\nscore 1 ")
    assert score
    return f"{head}{score}98 2 0\n{tail.split(chr(10), 1)[1]}"


def file(*texts: str) -> bytes:
    """Join games in one file."""
    return "\n".join(texts).encode()


def mixed(*names: str) -> bytes:
    """Return a file of games with wrong claims, a duplicate and an unreadable piece."""
    texts = games(*names)
    return file(wrong(texts[1]), *texts, MALFORMED, texts[0], wrong(texts[2]))


def zipped(**files: bytes) -> bytes:
    """Return files as a ZIP archive."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"{name}.kafu", content)
    return data.getvalue()

"""Speed of reading Kafu: games against texts made to be slow. Prints MB/s.

    python -m bench.reading

A hostile text of 1 MiB must take no longer than 1 MiB of games.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable

from kafu.notation.json.form import read_json
from kafu.notation.reading.reader import read
from kafu.notation.stream.cut import cut
from kafu.notation.stream.pieces import read_kafu
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate

SIZE = (1 << 20) - 64
TAGS = '[Kafu "1"]\n[Rules "koikoi"]\n[Player1 "A"]\n[Player2 "B"]\n'
HEADS = {
    "": "",
    "tags": TAGS,
    "in a tag": TAGS + '[Event "',
    "month": TAGS + "month 1 dealer 1\n1. ",
}
TOKENS = (
    "{",
    "}",
    "{}",
    "{} ",
    ";\n",
    "A",
    "A/B ",
    "1.",
    "1. ",
    "[",
    '"',
    "\\",
    '\\"',
    "=",
    "？",
    "　\n",
)
JSON_TOKENS = ("{", "[", '{"', '{"a":', '"', "\\", '"\\', "1", "[1,", "[]", "{}")


def seconds(work: Callable[[], object]) -> float:
    """The best of three runs."""
    best = float("inf")
    for _ in range(3):
        begun = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begun)
    return best


def hostile() -> dict[str, Callable[[], object]]:
    """Name -> reading of about 1 MiB that no person would write."""
    found: dict[str, Callable[[], object]] = {}
    for name, head in HEADS.items():
        for token in TOKENS:
            text = head + token * ((SIZE - len(head)) // len(token.encode()))
            found[f"text {token!r} {name}"] = lambda text=text: read(text)  # type: ignore[misc]
    for token in JSON_TOKENS:
        text = '{"kafu":' + token * (SIZE // len(token))
        found[f"json {token!r}"] = lambda text=text: read_json(text)  # type: ignore[misc]
        data = text.encode()
        found[f"cut  {token!r}"] = lambda data=data: list(cut(io.BytesIO(data)))  # type: ignore[misc]
    return found


def main() -> None:
    texts = [write(simulate("koikoi", seed=seed)) for seed in range(50)]
    size = sum(map(len, texts))
    data = "\n".join(texts).encode()
    reading = seconds(lambda: [read(text) for text in texts])
    whole = seconds(lambda: [read_kafu(piece) for piece in cut(io.BytesIO(data))])
    limit = reading * SIZE / size
    print(f"games: {size / len(texts) / 1e3:.1f} kB each, {reading / len(texts) * 1e3:.2f} ms each")
    print(f"read:          {size / reading / 1e6:7.1f} MB/s ({limit:.3f} s a MiB)")
    print(f"cut and read:  {size / whole / 1e6:7.1f} MB/s")
    slowest = sorted(((seconds(work), name) for name, work in hostile().items()), reverse=True)
    for took, name in slowest[:10]:
        print(f"{name:28} {SIZE / took / 1e6:7.1f} MB/s ({took:.3f} s a MiB)")
    slow = [name for took, name in slowest if took > limit]
    print("slower than games:", ", ".join(slow) or "none")


if __name__ == "__main__":
    main()

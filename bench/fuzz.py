"""Fuzzing of the reader, the importers, the rules and the archives.

    python -m bench.fuzz games --minutes 10
    python -m bench.fuzz archives --minutes 10
    python -m bench.fuzz games --keep

Guided by coverage (atheris). The fuzzer stops at the first violated invariant of
`bench.invariants`, at an input that takes longer than `SLOW_SECONDS` (instrumented code is about
four times slower), and when the process exceeds `MEMORY_MB`; it stores the input in var/fuzz. The
corpus stays in var/fuzz for the next run. `--keep` copies the smallest input for each fault code
into tests/cases/fuzz, which a test replays.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
WORK: Final = ROOT / "var/fuzz"
CASES: Final = ROOT / "tests/cases/fuzz"
SLOW_SECONDS: Final = 20
MEMORY_MB: Final = 600
#: The largest input; a game may have 1 MiB.
SIZE: Final = (1 << 20) + 4096
#: Words with a meaning for the reader, inserted now and then.
WORDS: Final = (
    *(b'[Kafu "1"]\n', b'[Rules "', b'[Options "', b'[Sheet "1"]\n', b"month ", b" dealer ", b"{"),
    *(b"hand 1 ", b"field ", b"stock ", b"...", b"swap 1", b"bid 1in 2out", b"ba large"),
    *(b"redeal ba4", b"void misdeal", b"score 1 +5 2 -5", b"final ", b"stone 1"),
    *(b"=shobu", b"=koikoi", b"=agari", b"=sage", b"=menjo", b"=nimai", b"show 1 ", b"}"),
    *(b"=torikeshi 1", b"1. ", b"2:", b"/", b"x", b"?", b"_", b"+1k6", b"-99999999999", b";", b'"'),
    *("：１　［＂×".encode(), b"\xef\xbb\xbf", b"\xff\xfe", b"\x00", b"\r\n", b"\x81\x40", b"\\"),
    *(b'{"kafu":"1"', b"[{", b"1e999", b"NaN", b"Watch Start: P1=", b"\x1f\x8b\x08"),
    *(b"```\n", b"> ", b"-- \n", b"\x1a", "花子".encode("euc_jp"), b'[Date "2026/2/3"]\n'),
    *(b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"PK\x05\x06", b"PK\x01\x02", b"\xff\xff\xff\xff"),
)  # fmt: skip


def seeds(target: str) -> Iterator[bytes]:
    """Yield valid inputs: simulated games, the cases of the tests, logs if available."""
    # Imported here, because modules imported before `fuzz` are not instrumented.
    from kafu.notation.vocabulary import RULES
    from kafu.notation.writer import write
    from kafu.simulation.simulate import simulate

    texts = [write(simulate(rules, seed=seed)).encode() for rules in RULES for seed in (1, 2)]
    folders = [
        ROOT / "kafu/conformance",
        ROOT / "tests/cases",
        ROOT.parent / "shared/conformance",
        ROOT.parent / "shared/data",
    ]
    for folder in folders:
        for suffix in ("kafu", "json", "log"):
            texts += [path.read_bytes() for path in sorted(folder.rglob(f"*.{suffix}"))[:150]]
    if target == "games":
        for text in texts:  # One deal of each: short games teach as much, and run faster.
            first, _blank, _later = text.partition(b"\n\nmonth 2 ")
            yield first
        yield from texts[: 2 * len(RULES)]
        yield b"\n".join(texts[:3])
        yield texts[0].decode().encode("utf-16")
    else:
        yield from _make_archives(texts)
    for path in sorted((CASES / target).glob("*")):
        yield path.read_bytes()


def _make_archives(texts: list[bytes]) -> Iterator[bytes]:
    # Imported here, because only the library's tests have the makers of odd archives.
    sys.path.append(str(ROOT / "kafu/tests"))
    from archives import makers

    files = {f"{number}.kafu": text[:300] for number, text in enumerate(texts[:4])}
    zips = [makers.zipped(files), makers.zipped(files, 0), makers.streamed_zip(files)]
    zips += [makers.zip64(files), makers.with_link("l", "/etc/passwd"), makers.overlapping(3)]
    packed = [makers.gz(texts[0]), makers.gz(b"a") * 3, makers.zstd.compress(texts[0])]
    packed += [makers.wide_window(b"x"), makers.encrypted(files, "0.kafu")]
    tars = [makers.tarred({**files, "README.md": b"", "l@": b"", "d" * 200: b""})]
    packed += [*tars, makers.gz(tars[0]), makers.zst(tars[0])]
    yield from zips
    yield from packed
    yield makers.zipped({"i.zip": zips[0], "j.gz": packed[0], "k.zst": packed[2]})
    yield makers.gz(zips[0])
    yield makers.zstd.compress(makers.zipped({"deep.zip": makers.zipped({"d.gz": packed[0]})}))


def mutate(data: bytes, chance: random.Random) -> bytes:
    """Move, repeat or remove a piece, remove a line, or insert a word."""
    if len(data) < 2:
        return data + chance.choice(WORDS)
    start, end = sorted(chance.randrange(len(data)) for _ in range(2))
    place = chance.randrange(len(data))
    match chance.randrange(7):
        case 0:
            return data[:start] + data[end:]
        case 1:
            return data[:place] + data[start:end] + data[place:]
        case 2:  # Repetition finds code that takes more than linear time.
            piece = data[start : min(end, start + chance.choice((1, 2, 4, 8, 40)))] or b"x"
            return data[:place] + piece * chance.choice((2, 10, 400, 20_000)) + data[place:]
        case 3:
            return data[:place] + chance.choice(WORDS) * chance.choice((1, 1, 2, 9)) + data[place:]
        case 4 | 5:
            lines = data.splitlines(keepends=True)
            here, there = chance.randrange(len(lines)), chance.randrange(len(lines))
            line = lines.pop(here)
            if chance.random() < 0.7:
                lines.insert(there, line)
            return b"".join(lines)
        case _:
            return data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :]


def fuzz(target: str, minutes: float) -> None:
    """Fuzz for ``minutes``, then exit the process; status 0 means that all invariants held."""
    try:
        import atheris
    except ImportError:
        sys.exit("make fuzz needs atheris, which is there for Linux on x86_64, CPython up to 3.13")
    with atheris.instrument_imports(include=["records"]):
        from bench.invariants import TARGETS
    corpus = WORK / target
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(target)):
        (corpus / f"seed-{number}").write_bytes(seed)
    check = TARGETS[target]
    slowest = 0.0

    def check_input(data: bytes) -> None:
        nonlocal slowest
        begun = time.process_time()
        check(data)
        seconds = time.process_time() - begun
        if seconds > max(0.5, 1.2 * slowest):
            slowest = seconds
            (WORK / f"slowest-{target}").write_bytes(data)
            print(f"slowest yet: {seconds:.2f} s, {len(data):,} bytes", flush=True)

    def mutate_input(data: bytes, most: int, seed: int) -> bytes:
        chance = random.Random(seed)
        if chance.random() < 0.4:
            return bytes(atheris.Mutate(data, most))
        for _ in range(chance.choice((1, 1, 2, 4))):
            data = mutate(data, chance)
        return data[:most]

    flags = [f"-max_total_time={int(minutes * 60)}", f"-timeout={SLOW_SECONDS}"]
    flags += [f"-rss_limit_mb={MEMORY_MB}", f"-max_len={SIZE}", f"-artifact_prefix={WORK}/"]
    flags += ["-len_control=20", "-print_final_stats=1", "-report_slow_units=20"]
    atheris.Setup([sys.argv[0], *flags, str(corpus)], check_input, custom_mutator=mutate_input)
    atheris.Fuzz()


def keep(target: str) -> None:
    """Shrink the smallest input of var/fuzz for each code, and store it as a test case."""
    from bench.invariants import TARGETS

    check = TARGETS[target]
    smallest: dict[str, bytes] = {}
    paths = [path for folder in (WORK, CASES) for path in (folder / target).glob("*")]
    for path in sorted(paths, key=lambda path: path.stat().st_size):
        data = path.read_bytes()
        for code in check(data):
            smallest.setdefault(code, data)
    folder = CASES / target
    folder.mkdir(parents=True, exist_ok=True)
    for code, data in sorted(smallest.items()):
        step = max(1, len(data) // 8)
        while step:
            at = 0
            while at < len(data):
                less = data[:at] + data[at + step :]
                if code in check(less):
                    data = less
                else:
                    at += step
            step //= 2
        (folder / code).write_bytes(data)
        print(f"{code}: {len(data)} bytes")


def main() -> None:
    """Fuzz, or save the inputs of earlier fuzzing as test cases."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("target", choices=["games", "archives"])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--keep", action="store_true", help="store the inputs as test cases")
    arguments = parser.parse_args()
    if arguments.keep:
        keep(arguments.target)
    else:
        fuzz(arguments.target, arguments.minutes)


if __name__ == "__main__":
    main()

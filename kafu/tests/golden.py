"""Hashes of verdicts, to compare a changed engine with the engine before.

    python -m golden write koikoi 20000     # kafu/tests/golden/koikoi.txt
    python -m golden check koikoi 20000
    python -m golden files PATH ...         # a hash per file, to compare by hand

Games are simulated in every kind of house, and each is judged twice: unchanged, and with one part
broken, omitted or written differently. A line of the file is the hash of `BATCH` games in sequence:
of texts, verdicts in stored form, canonical texts and facts for statistics. The first line is the
hash of the first `FIRST` games alone, for a quick comparison.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Any, Final

import kafu
from kafu.judging.facts import GameFacts
from kafu.judging.verify import Verification, verify
from kafu.notation.reading.reader import Reading, read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from rare.simulation import simulate_rare

HERE: Final = Path(__file__).resolve().parent / "golden"
#: Games a line, games of the first line, and the other lines of a ruleset.
BATCH: Final = 50
FIRST: Final = 8
LINES: Final = 400
#: Options newer than the files (K16–K20), absent from all their games. Unchanged hashes therefore
#: prove that games without these options are judged as before.
LATER: Final = frozenset(("tsukifuda", "calls", "first-to", "exhausted", "mist"))


def text_of(rules: str, seed: int) -> str:
    """Return a simulated game as text; house, players and strategies depend on the seed."""
    random = Random(f"golden {rules} {seed}")
    options: dict[str, str] = {}
    if seed % 3:
        share = random.choice((0.1, 0.3))
        options = {
            name: random.choice(sorted(values.known, key=lambda word: (len(word), word))[:60])
            for name, values in RULES[rules].options.items()
            if not (name in LATER and rules == "koikoi")
            and random.random() < share
            and name != "months"
        }
    if rules in ("koikoi", "ten-five-one"):
        options["months"] = str(random.choice((1, 2, 3, 12)))
    players, player = random.choice(RULES[rules].seats), random.choice(("random", "sensible"))
    claims = seed % 8 != 7
    if seed % 4 == 1:
        game = simulate_rare(rules, seed=seed, players=players, options=options, claims=claims)
    else:
        game = simulate(
            rules, seed=seed, players=players, player=player, options=options, claims=claims
        )
    return write(game)


def broken(text: str, random: Random) -> str:
    """Return the text with one change, which may be a fault."""
    rows = text.split("\n")
    kind = random.choice(sorted(WAYS))
    chosen = [i for i, row in enumerate(rows) if re.match(WAYS[kind][0], row)]
    if not chosen:
        return text
    i = random.choice(chosen)
    rows[i] = WAYS[kind][1](rows[i], random)
    if kind == "end":
        rows = [*rows[: i + 1], ""]
        rows.insert(4, '[Termination "unfinished"]')
    return "\n".join(row for row in rows if row != "-")


def _letter(row: str, random: Random) -> str:
    at = random.choice([match.start() for match in re.finditer("[A-Za-v]", row)])
    return row[:at] + random.choice("ABIJZcosuv_?") + row[at + 1 :]


def _hidden(row: str, random: Random) -> str:
    head, hand = row[:7], row[7:]
    keep = random.randrange(len(hand))
    return head + "".join(random.sample(hand, keep)) + "?" * (len(hand) - keep)


def _without(pattern: str) -> Callable[[str, Random], str]:
    def change(row: str, random: Random) -> str:
        matches = list(re.finditer(pattern, row))
        if not matches:
            return row
        match = random.choice(matches)
        return row[: match.start()] + row[match.end() :]

    return change


def _words(change: Callable[[list[str], Random], None]) -> Callable[[str, Random], str]:
    def apply(row: str, random: Random) -> str:
        words = row.split(" ")
        change(words, random)
        return " ".join(words)

    return apply


def _insert(word: str) -> Callable[[str, Random], str]:
    return _words(lambda words, random: words.insert(random.randrange(1, len(words) + 1), word))


def _swap(words: list[str], random: Random) -> None:
    i = random.randrange(1, len(words))
    words[i - 1], words[i] = words[i], words[i - 1]


CALLS: Final = ("torikeshi", "void-show")
DECISIONS: Final = ("koikoi", "shobu", "agari", "sage", "nimai", "menjo")
_MOVES: Final = r"[0-9]+\. "
#: Changes of a text: the form of the rows, and the change.
WAYS: Final[dict[str, tuple[str, Callable[[str, Random], str]]]] = {
    "letter": (_MOVES + "|hand|field|stock|show", _letter),
    "capture": (_MOVES, _without("x[A-Za-v]+")),
    "turn": (_MOVES, _without(" [A-Za-v][^ ]*")),
    "round": (_MOVES, lambda row, random: row.partition(" ")[2] or row),
    "word": (_MOVES + ".*=", _without("=[a-z]+")),
    "stock card": (_MOVES, _without("/[^ =]*")),
    "comment": (_MOVES + "|hand|score|month", _insert("{a note}")),
    "remark": (r"\[|month|score|" + _MOVES, lambda row, random: row + " ; a remark"),
    "blanks": (_MOVES + "|hand|field", lambda row, random: "  " + row.replace(" ", "\t ", 1)),
    "wide": (_MOVES, lambda row, random: row.replace("/", "／", 1)),
    "return": (_MOVES + "|score", lambda row, random: row + "\r"),
    "order": (_MOVES, _words(_swap)),
    "seat": (_MOVES, _words(lambda words, random: words.insert(1, f"{random.randint(1, 3)}:"))),
    "hidden": ("hand", _hidden),
    "cut": ("stock", lambda row, random: row[: random.randrange(7, len(row))] + "..."),
    "no line": ("hand|field|stock|show|score|final|bid|ba|draw", lambda row, random: "-"),
    "claim": ("score|final", lambda row, random: re.sub("[1-9]", "7", row, count=1)),
    "month": ("month", lambda row, random: re.sub("[1-9]", "2", row, count=1)),
    "shown": ("hand", lambda row, random: f"{row}\nshow {row[5]} aka {row[7:10]}"),
    "void": ("score", lambda row, random: random.choice(("void mismatch\n", "void other\n")) + row),
    "redeal": ("score", lambda row, random: f"redeal misdeal\n{row}"),
    "call": (_MOVES, lambda row, random: f"{row} ={random.choice(CALLS)} {random.randint(1, 3)}"),
    "decision": (_MOVES, lambda row, random: f"{row}={random.choice(DECISIONS)}"),
    "end": (_MOVES + "|hand|score", lambda row, random: row),
}


def facts_of(facts: GameFacts | None) -> list[Any]:
    """Return the facts for statistics as plain values."""
    if facts is None:
        return []
    values: list[Any] = []
    for deal in facts.deals:
        row: list[Any] = [deal.hands, deal.laid, deal.opening]
        if deal.ended is not None:
            row += [deal.captured, sorted(deal.thrown), deal.paid, facts.order(deal)]
            # The files contain only the seat's own score by stopping.
            row += [
                (*decision[:5], decision.stopped[decision.seat - 1])
                for decision in facts.decisions(deal)
            ]
        values.append(row)
    return values


def judged(reading: Reading) -> bytes:
    """Return all results of verification for a game."""
    verification: Verification = verify(reading, facts=True)
    stored = verification.verdict.to_stored()
    return json.dumps(
        [stored, verification.text, facts_of(verification.facts)], sort_keys=True
    ).encode()


def line(batch: tuple[str, int]) -> str:
    """Return the hash of one batch of a ruleset, ``(rules, number)``."""
    rules, number = batch
    return hash_of(rules, range(number * BATCH, (number + 1) * BATCH))


def hash_of(rules: str, seeds: Iterable[int]) -> str:
    """Return the hash of the games of some seeds, unchanged and broken."""
    hashed = hashlib.sha256()
    for seed in seeds:
        text = text_of(rules, seed)
        for variant in (text, broken(text, Random(f"broken {rules} {seed}"))):
            hashed.update(variant.encode())
            hashed.update(judged(read(variant)))
    return hashed.hexdigest()[:16]


def lines(rules: str, count: int, processes: int = 1) -> Iterator[str]:
    """Yield the hashes of the first batches of a ruleset, in order."""
    batches = [(rules, number) for number in range(count)]
    if processes == 1:
        yield from map(line, batches)
        return
    with Pool(processes) as pool:
        yield from pool.imap(line, batches)


def expected(rules: str) -> list[str]:
    """Return the stored hashes of a ruleset: of its first games, and of each batch."""
    return (HERE / f"{rules}.txt").read_text(encoding="ascii").split()


def of_files(paths: Iterable[str]) -> Iterator[str]:
    """Yield the hash and name of each file of games, in any known form."""
    for path in paths:
        hashed = hashlib.sha256()
        for record in kafu.records(Path(path)):
            hashed.update(judged(record.reading()))
        yield f"{hashed.hexdigest()[:16]} {path}"


def main(what: str, rules: str, games: int, processes: int) -> int:
    """Write the file of a ruleset, or compare with it."""
    count = games // BATCH
    if what == "write":
        HERE.mkdir(exist_ok=True)
        with (HERE / f"{rules}.txt").open("w", encoding="ascii") as file:
            for number in (hash_of(rules, range(FIRST)), *lines(rules, count, processes)):
                file.write(f"{number}\n")
                file.flush()
        return 0
    stored = expected(rules)[1 : count + 1]
    wrong = [i for i, digest in enumerate(lines(rules, count, processes)) if digest != stored[i]]
    print(f"{rules}: {len(stored) * BATCH} games, {len(wrong)} batches differ: {wrong[:20]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    if sys.argv[1] == "files":
        print(*of_files(sys.argv[2:]), sep="\n")
        sys.exit()
    extra = sys.argv[4:]
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(extra[0]) if extra else 1))

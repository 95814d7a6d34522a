"""Speed of the library on one core, compared with python-chess in the same process.

    python -m bench.verify [--games 60] [--logs DIRECTORY] [--json]

Cards placed a second from text to verdict against python-chess's half-moves a second from PGN to
validated game, in pairs one right after the other, for each ruleset and for real logs of other
programs where they are; then each step of verifying alone. Times are seconds of a core.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import kafu
from bench import ROOT, figures
from bench.figures import Figure, Ratio, Row
from bench.machine import is_compiled
from kafu.judging import playthrough
from kafu.judging.facts import Observer
from kafu.judging.verify import judge, verify
from kafu.judging.walk import Outcome
from kafu.notation.game import Game, Turn
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import text_and_identity
from kafu.rules.rulesets import machine_of
from kafu.rules.verdict import Verdict

LOGS = ROOT.parent / "shared" / "data"
#: How much faster than python-chess, and how much slower than the fastest ruleset.
AIM, SPREAD = 10.0 if is_compiled() else 4.0, 2.0
#: What the names of figures end with.
LIBRARY = ", compiled" if is_compiled() else ""
MICRO = 1e6


@dataclass(frozen=True)
class Subject:
    """Something to verify again and again: its name, games, moves in them (cards that are placed,
    or half-moves), and the work.
    """

    name: str
    games: int
    moves: int
    work: Callable[[], object]


def cards_placed(game: Game) -> int:
    """Cards that were played from a hand or turned from the draw pile."""
    turns = [turn for month in game.months for turn in month.turns if isinstance(turn, Turn)]
    return sum(bool(turn.play) + bool(turn.turn) for turn in turns)


def of_ruleset(rules: str, games: int) -> Subject:
    """Simulated games of a ruleset, as text."""
    played = [kafu.simulate(rules, seed=seed) for seed in range(games)]
    texts = [kafu.write(game) for game in played]
    return Subject(rules, games, sum(map(cards_placed, played)), partial(_verify_texts, texts))


def _verify_texts(texts: list[str]) -> None:
    for text in texts:
        assert verify(read(text)).verdict.status == "verified"


def of_logs(directory: Path) -> Subject:
    """The logs of another program in a directory, from their bytes on."""
    files = [path.read_bytes() for path in sorted(directory.iterdir())]
    read_games = [
        record.game for data in files for record in kafu.records(io.BytesIO(data)) if record.game
    ]
    cards = sum(map(cards_placed, read_games))
    work = partial(_verify_logs, files)
    return Subject(f"logs of {directory.name}", len(read_games), cards, work)


def _verify_logs(files: list[bytes]) -> None:
    for data in files:
        for record in kafu.records(io.BytesIO(data)):
            verify(record.reading())


def subjects(games: int, logs: Path) -> list[Subject]:
    """Each ruleset, and each directory of logs."""
    directories = sorted(path for path in logs.iterdir() if path.is_dir()) if logs.is_dir() else []
    return [*(of_ruleset(rules, games) for rules in RULES), *map(of_logs, directories)]


def compared(other: Subject, found: list[Subject], rounds: int) -> Iterator[Figure]:
    """Pairs with another library: a row and a ratio for each, and the spread of the rulesets."""
    other.work()  # tables that are made once
    costs = {}
    for one in found:
        one.work()
        others, ours, share = figures.paired(other.work, one.work, rounds)
        costs[one.name] = ours / one.moves
        values = {
            "cards/s": one.moves / ours,
            "µs a card": ours / one.moves * MICRO,
            "games/s": one.games / ours,
            "half-moves/s": other.moves / others,
            "ratio": share * one.moves / other.moves,
        }
        aim = AIM if one.name in RULES else None
        yield Ratio(f"{one.name}{LIBRARY}: cards/s to half-moves/s", values["ratio"], aim)
        yield Row(f"Text to verdict{LIBRARY}", one.name, values)
    of_rulesets = [cost for name, cost in costs.items() if name in RULES]
    spread = max(of_rulesets) / min(of_rulesets)
    yield Ratio(f"slowest to fastest ruleset{LIBRARY}, time a card", spread, SPREAD, most=True)


def steps(rules: str, games: int, rounds: int) -> Row:
    """µs a card of each step of verifying, alone."""
    played = [kafu.simulate(rules, seed=seed) for seed in range(games)]
    texts = [kafu.write(game) for game in played]
    machine = machine_of(rules, played[0].options, len(played[0].players))
    read_games: list[Game] = []
    outcomes: list[Outcome] = []

    def read_all() -> None:
        # Again in each round: a game keeps what has been found out about it.
        read_games[:] = [game for text in texts if (game := read(text).game)]

    def play(observed: bool) -> None:
        outcomes.clear()
        for game in read_games:
            observer = Observer(machine) if observed else None
            outcomes.append(playthrough.play(game, machine, observer=observer))

    def judge_all() -> None:
        for outcome in outcomes:
            judge(Verdict(""), outcome)

    works: dict[str, Callable[[], Any]] = {
        "reading": read_all,
        "replaying": lambda: play(observed=False),
        "replaying, with facts": lambda: play(observed=True),
        "judging": judge_all,
        "writing, identity": lambda: [text_and_identity(game) for game in read_games],
    }
    cards = sum(map(cards_placed, played))
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            times[name].append(figures.cpu_seconds(work))
    values = {name: median(taken) / cards * MICRO for name, taken in times.items()}
    return Row(f"Each step alone{LIBRARY}, µs a card", rules, values)


def measure(
    other: Subject, games: int, logs: Path, rounds: int = figures.ROUNDS
) -> Iterator[Figure]:
    """All figures of this module."""
    yield from compared(other, subjects(games, logs), rounds)
    for rules in RULES:
        yield steps(rules, games, rounds)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=60, help="different games of each ruleset")
    parser.add_argument("--logs", type=Path, default=LOGS, help="directories of other logs")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each figure")
    arguments = parser.parse_args()
    # Only here: it needs python-chess, which only this command has (`make bench`).
    from bench import halfmoves

    other = halfmoves.subject(arguments.games)
    figures.publish(measure(other, arguments.games, arguments.logs), as_json=arguments.json)


if __name__ == "__main__":
    main()

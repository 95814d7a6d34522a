"""Speed of the library on one core, compared with python-chess.

    python -m bench.verify [--games 60] [--rounds 5]

Cards placed a second, from a game's text to its verdict, compared with half-moves a second of
python-chess from PGN to a validated game. Every round has new games, verified in a new process, so
that the time includes making tables and filling caches. In each round python-chess runs right
before the ruleset. Times are seconds of a core; the figures are medians of the rounds.

With the library compiled: ``scripts/compiled``, then the same with ``PYTHONPATH=var/compiled/lib``.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import subprocess
import sys
import time
from statistics import median
from typing import Final

import kafu
from bench import ROOT
from bench.corpus import number, table
from kafu.judging.verify import verify
from kafu.notation.game import Game
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES

CHESS: Final = "python-chess"
#: Half-moves of a game of chess, about as many as games between people have.
LENGTH: Final = 80
#: The text of a game, and its number of moves: placed cards, or half-moves.
Played = tuple[str, int]


def count_cards(game: Game) -> int:
    """Return the number of cards played from a hand or turned from the draw pile."""
    turns = [turn for month in game.months for turn in month.turns]
    return sum(bool(action.card) for turn in turns for action in turn.value)


def play_cards(ruleset: str, seed: int) -> Played:
    """Simulate a game of a ruleset."""
    game = kafu.simulate(ruleset, seed=seed)
    return kafu.write(game), count_cards(game)


def play_chess(seed: int) -> Played:
    """Play a game of chess by random legal moves."""
    # python-chess is installed by `make bench` only.
    import chess.pgn

    chance = random.Random(seed)
    board = chess.Board()
    while len(board.move_stack) < LENGTH and (moves := list(board.legal_moves)):
        board.push(chance.choice(moves))
    return str(chess.pgn.Game.from_board(board)), len(board.move_stack)


def check_chess(text: str) -> None:
    """Read and validate a game of chess."""
    import chess.pgn  # an optional dependency of the benchmark

    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None and not game.errors


def check_cards(text: str) -> None:
    """Read and verify a game."""
    assert verify(read(text)).verdict.status == "verified"


def measure_here(subject: str, texts: list[str]) -> float:
    """Return the CPU seconds of this process for checking the texts."""
    check = check_cards
    if subject == CHESS:
        import chess.pgn  # noqa: F401, so that loading it is not measured

        check = check_chess
    begun = time.process_time()
    for text in texts:
        check(text)
    return time.process_time() - begun


def measure(subject: str, games: list[Played]) -> float:
    """Return moves per CPU second, measured in a new process."""
    result = subprocess.run(
        [sys.executable, "-m", "bench.verify", f"--subject={subject}"],
        cwd=ROOT,
        input=json.dumps([text for text, _ in games]),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return sum(moves for _, moves in games) / float(result.stdout)


def compare(ruleset: str, games: int, rounds: int) -> list[str]:
    """Return a row of the table: medians of rounds for a ruleset."""
    pairs = []
    for number_of_round in range(rounds):
        seeds = range(number_of_round * games, (number_of_round + 1) * games)
        chess_speed = measure(CHESS, [play_chess(seed) for seed in seeds])
        pairs.append((measure(ruleset, [play_cards(ruleset, seed) for seed in seeds]), chess_speed))
    cards, half_moves = (median(speeds) for speeds in zip(*pairs, strict=True))
    ratio = median(cards / half_moves for cards, half_moves in pairs)
    return [ruleset, number(cards), number(half_moves), number(ratio)]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=60, help="games of a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--subject", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.subject:
        print(measure_here(arguments.subject, json.load(sys.stdin)))
        return
    rows = [compare(ruleset, arguments.games, arguments.rounds) for ruleset in RULES]
    print(table(["Text to verdict", "cards/s", "half-moves/s", "ratio"], rows))


if __name__ == "__main__":
    main()

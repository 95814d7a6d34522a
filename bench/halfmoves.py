"""Random games of chess for python-chess, the other library that reads and checks game records."""

from __future__ import annotations

import io
import random
from functools import partial

import chess
import chess.pgn

from bench.verify import Subject

#: A game ends here if it has not before: about as many as games between people have.
LENGTH = 80


def played(seed: int) -> tuple[str, int]:
    """A game of random legal moves as PGN, and the number of its half-moves."""
    chance = random.Random(seed)
    board = chess.Board()
    while len(board.move_stack) < LENGTH and (moves := list(board.legal_moves)):
        board.push(chance.choice(moves))
    return str(chess.pgn.Game.from_board(board)), len(board.move_stack)


def subject(games: int) -> Subject:
    """So many games to read and validate again and again."""
    texts, counts = zip(*map(played, range(games)), strict=True)
    return Subject("python-chess", games, sum(counts), partial(check, list(texts)))


def check(texts: list[str]) -> None:
    """Read and validate games."""
    for text in texts:
        game = chess.pgn.read_game(io.StringIO(text))
        assert game is not None and not game.errors

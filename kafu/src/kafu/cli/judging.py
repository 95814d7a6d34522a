"""Verdicts on a stream of games as lines, in order, on one or several cores."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from typing import Any, Final, TypeVar

from kafu.cli.plugins import load_plugins
from kafu.cli.sources import Sourced
from kafu.importers import read_piece
from kafu.judging.verify import verify

#: Statuses of games without fault.
GOOD: Final = ("verified", "consistent")
#: The games given to another process at once: some games, but not much text.
BATCH_GAMES: Final = 32
BATCH_BYTES: Final = 1 << 18
#: Batches in progress for each process: enough to keep it busy, few enough to bound memory.
WINDOW: Final = 3

G = TypeVar("G")
T = TypeVar("T")


def judge(game: Sourced, lang: str) -> dict[str, Any]:
    """Return the verdict on one piece, in the form of verdict.md."""
    piece = game.piece
    verification = verify(
        read_piece(piece), source=game.source, number=piece.number, line=piece.line
    )
    players = verification.game.players if verification.game else ()
    return verification.verdict.to_json(lang, players)


def group_games(games: Iterable[Sourced]) -> Iterator[list[Sourced]]:
    """Yield the games in small lists, in order."""
    group: list[Sourced] = []
    size = 0
    for game in games:
        group.append(game)
        size += len(game.piece.data)
        if len(group) >= BATCH_GAMES or size >= BATCH_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def judge_games(
    games: Iterable[Sourced],
    show: Callable[[dict[str, Any]], str],
    *,
    lang: str,
    jobs: int = 1,
) -> Iterator[tuple[str, str]]:
    """Yield the status of each game and the text of its verdict, in the order of the games.

    ``show`` makes the text of a verdict. ``jobs`` processes work in constant memory. They send
    lines to each other instead of verdicts, which take longer to be unpickled.
    """
    work = partial(_judge_all, show=show, lang=lang)
    groups = ([game] for game in games) if jobs == 1 else group_games(games)
    for lines in map_groups(work, groups, jobs=jobs):
        yield from lines


def map_groups(work: Callable[[G], T], groups: Iterable[G], *, jobs: int) -> Iterator[T]:
    """Yield the result of each group in order, from ``jobs`` processes in constant memory."""
    if jobs == 1:
        yield from map(work, groups)
        return
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(os.getpid(),)) as pool:
        yield from map_in_order(pool, work, groups, window=WINDOW * jobs)


def _begin(parent: int) -> None:
    """Load the plug-ins, and exit soon after ``parent``: a killed parent cannot stop workers."""
    load_plugins()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _judge_all(
    group: list[Sourced], show: Callable[[dict[str, Any]], str], lang: str
) -> list[tuple[str, str]]:
    verdicts = (judge(game, lang) for game in group)
    return [(verdict["status"], show(verdict)) for verdict in verdicts]


def map_in_order(
    pool: ProcessPoolExecutor,
    work: Callable[[G], T],
    grouped: Iterable[G],
    *,
    window: int,
) -> Iterator[T]:
    """Yield results in the order of the batches, with at most ``window`` batches in progress."""
    waiting: deque[Future[T]] = deque()
    for group in grouped:
        waiting.append(pool.submit(work, group))
        if len(waiting) >= window:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()

"""`kafu verify`: replay games by their rules and print a verdict for each."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

from kafu.cli.judging import GOOD, judge_games
from kafu.cli.sources import Sourced
from kafu.cli.terminal import Progress


def verify(
    games: Iterable[Sourced],
    show: Callable[[dict[str, Any]], str],
    progress: Progress,
    *,
    lang: str,
    jobs: int = 1,
) -> bool:
    """Print the text of each verdict, and return whether no game has a fault.

    ``show`` makes the text of a verdict and can be pickled.
    """
    all_good = True
    for status, line in judge_games(games, show, lang=lang, jobs=jobs):
        sys.stdout.write(f"{line}\n")
        all_good = all_good and status in GOOD
        progress.step()
    return all_good

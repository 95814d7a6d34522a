"""Problems to solve: choices of a report with one clearly best action."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Any, Final, NamedTuple

from kafu.analysis.choices import HAND, SAY, STOCK
from kafu.analysis.report import LEAST, is_missed

#: Kinds of choices whose action is a card, a capture or a word.
KINDS: Final = (HAND, STOCK, SAY)
#: The number of standard errors by which the best action must exceed each other action.
CLEAR: Final = 3
#: Maximum number of problems of a game.
MOST: Final = 10


class Problem(NamedTuple):
    """A choice of a report (`kafu.analysis.report.Choice`) and its ``best`` action.

    ``advantage`` is the difference to the nearest other action, with its standard ``error``.
    """

    choice: dict[str, Any]
    best: str
    advantage: float
    error: float


def find_problems(choices: Sequence[dict[str, Any]]) -> list[Problem]:
    """Return the problems of a game, at most `MOST`, in order of interest.

    Missed actions come first, then cards, then words; small advantages are less obvious.
    The played action and its rival were compared on deals of their own. Other actions are compared
    by their means, as if these were independent.
    """
    problems = [problem for choice in choices if (problem := _make_problem(choice)) is not None]
    problems.sort(key=_rank)
    return problems[:MOST]


def _rank(problem: Problem) -> tuple[object, ...]:
    return not is_missed(problem.choice), problem.choice["kind"] == SAY, problem.advantage


def _make_problem(choice: dict[str, Any]) -> Problem | None:
    """Return a choice as a problem, or None unless an action is clearly best."""
    options = {option["move"]: option for option in choice["options"]}
    if choice["kind"] not in KINDS or len(options) < 2:
        return None
    best, second = choice["rival"], choice["played"]
    advantage, error = choice["better"], choice["error"]
    if not is_missed(choice):
        best, second, advantage = second, best, -advantage
    # Equal differences in a sample of deals have no error, but prove nothing.
    if advantage < LEAST or advantage <= CLEAR * error or not (error or choice["exact"]):
        return None
    others = [option for move, option in options.items() if move not in (best, second)]
    is_clear = all(
        options[best]["mean"] - option["mean"]
        > CLEAR * hypot(options[best]["error"], option["error"])
        for option in others
    )
    return Problem(choice, best, advantage, error) if is_clear else None

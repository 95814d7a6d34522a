"""Problems for tests: choices of stored games with made-up values."""

from __future__ import annotations

from itertools import islice
from typing import Any

from kafu.analysis.choices import HAND, ChoicePoint, find_choices, format_option
from kafu.notation.reading.reader import read
from records.models import Problem, Record
from records.services.problems import store_problems

#: The advantage of the best action.
ADVANTAGE = 2.5


def store_some(record: Record, count: int = 1) -> list[Problem]:
    """Store the first choices between cards of a game as problems, in order of play.

    The first action is the best, and each further one is worth `ADVANTAGE` less.
    """
    store_problems(record, list_choices(record, count))
    return list(Problem.objects.filter(record=record).order_by("deal", "step"))


def list_choices(record: Record, count: int) -> list[dict[str, Any]]:
    """Return choices of a game with made-up values, as in a report."""
    game = read(record.text).game
    assert game is not None
    points = (
        point for point in find_choices(game) if point.kind == HAND and len(point.actions) > 2
    )
    return [_make_choice(point) for point in islice(points, count)]


def _make_choice(point: ChoicePoint) -> dict[str, Any]:
    moves = [format_option(action) for action in point.actions]
    played = moves[point.played]
    is_missed = point.played > 0
    place = {name: getattr(point, name) for name in ("deal", "step", "turn", "seat", "kind")}
    return {
        **place,
        "played": played,
        "options": [
            {
                **{"move": move, "mean": 1.5 - ADVANTAGE * i, "error": 0.1, "deals": 500},
                "chance": {"value": 0.5, "error": 0.01},
            }
            for i, move in enumerate(moves)
        ],
        "rival": moves[0] if is_missed else moves[1],
        "better": ADVANTAGE if is_missed else -ADVANTAGE,
        "error": 0.2,
        "deals": 1000,
        "exact": False,
        "sought": is_missed,
        "loss": ADVANTAGE if is_missed else 0.0,
        "chance": {"value": 0.0, "error": 0.01},
        "costly": is_missed,
        "reason": "",
    }

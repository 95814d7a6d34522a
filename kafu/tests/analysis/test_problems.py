"""Problems: choices of a report with one clearly best action."""

from __future__ import annotations

from typing import Any

import pytest

from kafu.analysis.problems import MOST, find_problems

#: Means and errors of the actions; the first was played.
VALUES = {"A": (1.0, 0.1), "B": (3.0, 0.1), "C": (0.5, 0.1)}


def make_choice(**changes: Any) -> dict[str, Any]:
    """Return a choice in which B is worth 2 ± 0.3 more than the played A."""
    options = [
        {"move": move, "mean": mean, "error": error} for move, (mean, error) in VALUES.items()
    ]
    choice = {"kind": "hand", "played": "A", "rival": "B", "better": 2.0, "error": 0.3}
    return choice | {"options": options, "exact": False, "sought": True, "step": 1} | changes


def test_missed_action_is_the_best_one() -> None:
    (problem,) = find_problems([make_choice()])
    assert (problem.best, problem.advantage, problem.error) == ("B", 2.0, 0.3)


def test_played_action_is_the_best_one_if_no_rival_is_better() -> None:
    choice = make_choice(played="B", rival="A", better=-2.0, sought=False)
    (problem,) = find_problems([choice])
    assert (problem.best, problem.advantage) == ("B", 2.0)


@pytest.mark.parametrize(
    "changes",
    [
        {"error": 0.7},
        {"better": 0.3, "error": 0.01},
        {"sought": False},
        {"error": 0.0},
        {"kind": "bid"},
        {"options": [], "reason": "hand"},
        {"options": [{"move": "A", "mean": 1.0, "error": 0.1}]},
    ],
    ids=["uncertain", "small", "not sought", "equal in a sample", "bid", "unknown", "forced"],
)
def test_other_choices_are_no_problems(changes: dict[str, Any]) -> None:
    assert find_problems([make_choice(**changes)]) == []


def test_every_other_action_must_be_clearly_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(VALUES, "C", (2.5, 0.2))
    assert find_problems([make_choice()]) == []
    assert len(find_problems([make_choice(exact=True, error=0.0)])) == 0
    monkeypatch.setitem(VALUES, "C", (2.3, 0.2))
    assert len(find_problems([make_choice(exact=True, error=0.0)])) == 1


def test_game_has_at_most_ten_problems_missed_cards_first() -> None:
    word = make_choice(kind="say")
    right = make_choice(played="B", rival="A", better=-2.0, sought=False)
    close = make_choice(better=1.0, error=0.1)
    problems = find_problems([right, word, make_choice(), close])
    assert [problem.choice for problem in problems] == [close, make_choice(), word, right]
    assert len(find_problems([make_choice()] * 20)) == MOST

"""The search for the best alternative starts from predictions of the policy."""

from __future__ import annotations

from random import Random

import pytest

from kafu.analysis.choices import HAND, ChoicePoint, analyse, find_choices
from kafu.analysis.policy import Policy
from kafu.analysis.search import RunningMean, Search
from kafu.analysis.winning import load_win_chances
from kafu.rules.rulesets import RULESETS, machine_of
from kafu.simulation.simulate import simulate

#: The factor of payments in a month, by grade.
FACTORS = {None: 1, "small": 1, "large": 2, "absolute": 4}


def make_search(rules: str, point: ChoicePoint) -> Search:
    """Return the search of a choice that can be analysed."""
    machine = machine_of(rules, {}, RULESETS[rules].seats[0])
    assert point.view is not None
    chances = load_win_chances(machine, 1)
    return Search(Policy(machine), chances, point.view, point.actions, point.played)


def find_hand_choices(rules: str, seed: int) -> list[ChoicePoint]:
    """Return the choices of a simulated game among several hand cards."""
    points = find_choices(simulate(rules, seed=seed))
    return [point for point in points if point.kind == HAND and len(point.actions) > 2]


@pytest.mark.parametrize("rules", tuple(RULESETS))
def test_predictions_of_hand_cards_are_worths_at_the_grade_of_the_month(rules: str) -> None:
    """A hidden card changes no prediction; a cancellation of 下げ has none."""
    for point in find_hand_choices(rules, 2)[::9]:
        search = make_search(rules, point)
        search._predict(Random(1))
        predicted = search.predicted
        search._predict(Random(2))
        assert search.predicted == predicted
        worths = search.policy.list_worths(search.view.sample(Random(3)))
        mean = sum(worth for worth, *_ in worths) / len(worths)
        factor = FACTORS[search.view.state.grade]
        for worth, number in zip(worths, predicted, strict=False):
            assert number == pytest.approx(factor * (worth[0] - mean))
        assert sum(predicted) == pytest.approx(0.0, abs=1e-6)


def test_results_outweigh_predictions_with_more_deals() -> None:
    point = find_hand_choices("koikoi", 1)[0]
    search = make_search("koikoi", point)
    search.predicted = [1.0, *[0.0] * (len(point.actions) - 1)]
    assert min((0, 1), key=search._rank) == 0
    for better, deals in ((0, 20), (1, 40)):
        search.sums[:2] = RunningMean(), RunningMean()
        for _ in range(deals):
            search.sums[0].add(0.0)
            search.sums[1].add(1.0)
        assert min((0, 1), key=search._rank) == better


def test_comparison_ends_when_its_error_or_sign_suffices() -> None:
    """A comparison may show a loss only if the search preferred the alternative."""
    game = simulate("koikoi", seed=1, options={"months": "1"})
    compared = set()
    for _, value in analyse(game):
        if value is not None and not value.exact:
            assert 80 <= value.deals < 2_000
            better, error = value.better, value.error
            is_precise, is_clear = error <= 0.3, not -3 * error <= better <= 6 * error
            assert is_precise or is_clear or (better < -error) == value.sought
            compared.add((is_precise, is_clear, value.sought))
    assert len(compared) > 3

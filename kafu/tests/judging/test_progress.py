"""Goals (yaku still to be made) and card points of a player."""

from itertools import pairwise

import pytest

from kafu import cards
from kafu.judging.progress import card_points, goals
from kafu.judging.replay import stored_replay
from kafu.notation.vocabulary import RULES
from kafu.rules.rulesets import RULESETS, find_ruleset, machine_of
from kafu.rules.yaku import YakuTable, made
from kafu.simulation.simulate import simulate


@pytest.mark.parametrize("rules", sorted(RULESETS))
def test_goal_is_reached_just_when_its_yaku_is_made(rules: str) -> None:
    """Each yaku is tested alone, without replacement and rain."""
    machine = machine_of(rules, {}, RULES[rules].seats[0])
    house_goals = goals(machine.captured_yaku)
    assert [goal.id for goal in house_goals] == [row.id for row in machine.captured_yaku]
    for goal in house_goals:
        optional = [letter for letter in goal.cards if letter not in goal.must]
        chosen = cards.mask(goal.must + "".join(optional[: goal.need - len(goal.must)]))
        row = YakuTable((machine.captured_yaku.find(goal.id)._replace(over=()),))
        (yaku,) = made(row, chosen, rained=False, called=False)
        assert yaku.value == goal.value
        assert not made(row, chosen & (chosen - 1), rained=False, called=False)


def test_goals_follow_the_options_of_a_house() -> None:
    table = find_ruleset("koikoi").captured_yaku({"goko": "30", "tan": "0"})
    house = {goal.id: goal for goal in goals(table)}
    assert house["goko"].value == 30 and "tan" not in house
    assert house["ameshiko"].must == "o" and "sanko" in house["ameshiko"].over


def test_card_points_of_the_pack_add_up_to_its_total() -> None:
    assert card_points("koikoi") is None
    for rules in ("hachihachi", "hachihachi-bga", "hanaawase"):
        counted = card_points(rules)
        assert counted is not None and sum(counted.values()) == 264
        assert [counted[letter] for letter in "AEBC"] == [20, 10, 5, 1]
    counted = card_points("ten-five-one")
    assert counted is not None and sum(counted.values()) == 330
    assert [counted[letter] for letter in "AIBC"] == [5, 10, 1, 10]


@pytest.mark.parametrize("rules", sorted(RULESETS))
def test_every_yaku_of_a_replay_is_a_goal(rules: str) -> None:
    game = simulate(rules, seed=2, players=RULES[rules].seats[-1])
    machine = machine_of(rules, game.options, len(game.players))
    ids = {goal.id for goal in goals(machine.captured_yaku)}
    for deal in stored_replay(game)["deals"]:
        for step in deal["steps"]:
            assert {yaku["id"] for seat in step["yaku"] for yaku in seat} <= ids


def test_known_cards_of_a_step_are_those_shown_and_still_in_the_hand() -> None:
    shown = 0
    for deal in stored_replay(simulate("ten-five-one", seed=1, players=4))["deals"]:
        opened: set[str] = set()
        for step in deal["steps"]:
            if step["kind"] == "show":
                opened |= set(step["take"])
                shown += 1
            for hand, shown_cards in zip(step["hands"], step["known"], strict=True):
                assert set(shown_cards) == set(hand) & opened
    assert shown


def test_totals_before_a_deal_equal_those_after_the_deal_before() -> None:
    deals = stored_replay(simulate("koikoi", seed=1, options={"profile": "koikoi-ai"}))["deals"]
    assert deals[0]["before"] == [30, 30]
    for deal, following in pairwise(deals):
        assert following["before"] == deal["totals"]

"""Tables, replays and games by strategies agree with the engine."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

import kafu
from lengths import LONG, part

#: Every ruleset with every number of players.
TABLES = [(ruleset.id, players) for ruleset in kafu.rulesets() for players in ruleset.seats]
#: The kinds of actions of a seat out of turn.
OUT_OF_TURN = {"hachihachi": {"show", "call"}, "ten-five-one": {"show", "swap"}}


@pytest.mark.parametrize(("rules", "players"), part(TABLES, one_of=2))
def test_game_by_strategies_is_verified(rules: str, players: int) -> None:
    table = kafu.play(kafu.Table(rules, players=players), ["random"] * players, 3)
    assert table.finished
    assert (table.phase, table.seat, table.legal_actions) == ("over", 0, ())
    game = kafu.read(kafu.write(table.game()))
    verdict = kafu.verify(game)
    assert (verdict.status, verdict.error) == ("verified", None)
    assert game.final == table.final
    tables = [step.table for step in kafu.replay(game)]
    assert tables[-1].final == table.final
    assert tables[-1].game() == game


@pytest.mark.parametrize(("rules", "players"), part(TABLES, one_of=2))
def test_every_listed_action_can_be_applied_and_written(rules: str, players: int) -> None:
    """Actions are also applied as text; the record of every prefix is readable and legal."""
    random = Random(5)
    table = kafu.Table(rules, players=players)
    for number in range(151 if LONG else 76):
        if number and (LONG or number % 5 == 0 or table.finished):
            verdict = kafu.verify(kafu.read(kafu.write(table.game())))
            assert verdict.error is None
            assert verdict.status in ("unfinished", "verified")
        if table.finished:
            break
        for action in table.legal_actions[:6]:
            assert table.apply(str(action)).action == table.apply(action).action == action
        if table.legal_actions:
            table = table.apply(random.choice(table.legal_actions))
        else:
            table = table.deal(random)


def test_table_is_unchanged_by_an_action() -> None:
    table = kafu.Table("koikoi").deal(1).apply("begin")
    before = (table.hands, table.field, table.turn, table.legal_actions)
    first, second = (table.apply(action) for action in table.legal_actions[:2])
    assert (table.hands, table.field, table.turn, table.legal_actions) == before
    assert first.hands != second.hands
    assert first.before is table


def test_same_seed_deals_the_same_cards() -> None:
    first, second = (kafu.Table("hachihachi").deal(seed).hands for seed in (4, 4))
    assert first == second
    assert kafu.Table("hachihachi").deal(5).hands != first
    assert len("".join(kafu.Table("hachihachi").deal().hands)) == 21


def test_stock_can_be_laid_out_after_the_bids() -> None:
    table = kafu.Table("hachihachi-bga", players=4).deal(2)
    while table.phase == "bid":
        table = table.apply(table.legal_actions[0])
    assert (table.phase, table.legal_actions) == ("pile", ())
    known_cards = set("".join([*table.hands, table.field]))
    free_cards = [
        card for card in kafu.Table("koikoi").deal(1).path()[-1].stock if card not in known_cards
    ]
    assert table.lay_out(stock="".join(free_cards[:2]) + "...").stock == "".join(free_cards[:2])
    assert len(table.deal(1).stock) == table.left


def test_hidden_hand_may_play_any_card_not_seen() -> None:
    table = kafu.Table("koikoi").lay_out(["????????", "BFJNRVZd"], "CGKOSWae", dealer=1)
    cards = {action.card for action in table.apply("begin").legal_actions}
    assert len(cards) == 48 - 16


def test_only_possible_capture_may_be_left_out() -> None:
    hands = ["AEIMQUYc", "BFJNRVZd"]
    table = kafu.Table("koikoi").lay_out(hands, "CGKOSWae", dealer=1).apply("begin")
    assert table.apply("A").captured == table.apply("AxC").captured == ("AC", "")


def test_replay_ends_at_an_illegal_action() -> None:
    game = kafu.simulate("koikoi", seed=1)
    text = kafu.write(game).replace("\n1. ", "\n1. 2:", 1)
    first = kafu.Table("koikoi").deal(1).path()[0]
    assert first.action is None
    game = kafu.read(text)
    steps = []
    with pytest.raises(kafu.IllegalAction) as caught:
        for step in kafu.replay(game if game.months[0].dealer == 1 else kafu.read(text)):
            steps.append(step)
    error = caught.value
    assert (error.deal, error.turn, error.code) == (1, 1, "wrong-seat")
    assert error.line
    assert error.expected == ("1",)
    assert steps[-1].action.kind == "begin"
    assert error.legal == steps[-1].table.legal_actions


def test_comment_stays_with_its_step() -> None:
    text = kafu.write(kafu.simulate("koikoi", seed=1))
    head, _, moves = text.partition("\n1. ")
    turn, _, moves = moves.partition(" ")
    steps = list(kafu.replay(kafu.read(f"{head}\n1. {turn} {{bold}} {moves}")))
    assert [step.action.kind for step in steps if step.comments == ("bold",)] == ["stock"]


@pytest.mark.parametrize(("rules", "players"), part(TABLES, one_of=2))
def test_each_seat_is_asked_only_for_its_own_actions(rules: str, players: int) -> None:
    kinds: set[str] = set()

    def act(
        table: kafu.Table, actions: Sequence[kafu.Action], random: Random, seat: int
    ) -> kafu.Action:
        out_of_turn = actions[0].kind == "pass"
        assert {action.seat for action in actions} <= {seat, 0}
        assert out_of_turn or seat == table.choosers[-1]
        assert set(actions[out_of_turn:]) <= set(table.legal_actions)
        if out_of_turn:
            kinds.update(action.kind for action in actions)
        return actions[-1] if random.random() < 0.3 else actions[0]

    for seed in range(2):
        table = kafu.play(kafu.Table(rules, players=players), [act] * players, seed)
        assert kafu.verify(table.game()).status == "verified"
    assert kinds >= OUT_OF_TURN.get(rules, set())


@pytest.mark.parametrize("choice", ["begin", "=torikeshi 1", None])
def test_strategy_out_of_turn_cannot_act_for_another_seat(choice: Any) -> None:
    hands = ["JNRVZdh", "ABCEFGI", "QUYckOS"]
    table = kafu.Table("hachihachi").lay_out(hands, "DHLPTX", dealer=1)
    with pytest.raises(kafu.IllegalAction, match="seat 2 is out of turn") as error:
        kafu.play(table, [lambda *_: choice] * 3, 1)
    assert error.value.expected == ("pass", "show 2 futasanbon ABCEFG")


def test_simulated_game_equals_that_of_the_engine() -> None:
    from kafu.simulation.simulate import simulate

    assert kafu.simulate("hachihachi", seed=9) == simulate("hachihachi", seed=9)
    mixed = kafu.simulate("koikoi", seed=9, strategies=["sensible", "random"])
    assert kafu.verify(mixed).status == "verified"
    short = kafu.simulate("koikoi", options={"months": "1"}, claims=False)
    assert (len(short.months), short.final, short.options) == (1, None, {"months": "1"})


def test_game_of_repeated_months_ends_at_the_limit_of_a_record() -> None:
    """Nobody stops, so every month is drawn and played again."""

    def go_on(
        table: kafu.Table, actions: Sequence[kafu.Action], random: Random, seat: int
    ) -> kafu.Action:
        return next((action for action in actions if action.say == "koikoi"), actions[0])

    options = {"nagare": "again", "exhausted": "nagare"}
    table = kafu.play(kafu.Table("koikoi", options=options), [go_on, go_on], 1)
    assert (table.number, table.phase, table.finished, table.final) == (64, "over", True, None)
    for deal in (table.deal, table.lay_out):
        with pytest.raises(kafu.IllegalAction, match="no cards are to be dealt now"):
            deal()
    assert kafu.verify(kafu.read(kafu.write(table.game()))).status == "unfinished"


def test_numbers_are_values_of_options() -> None:
    table = kafu.Table("koikoi", options={"months": 6})
    assert table == kafu.Table("koikoi", options={"months": "6"})
    assert kafu.simulate("koikoi", options={"months": 1}).options == {"months": "1"}
    for wrong in (7.0, True, 99):
        with pytest.raises(kafu.BadValue):
            kafu.Table("koikoi", options={"months": wrong})  # type: ignore[dict-item]


def test_dealer_and_calls_belong_to_the_deal() -> None:
    table = kafu.Table("koikoi")
    assert (table.dealer, table.calls) == (0, (0, 0))
    table = table.lay_out(["AEIMQUYc", "BFJNRVZd"], "CGKOSWej", "gL...", dealer=2).apply("begin")
    assert table.dealer == 2
    table = kafu.play(kafu.Table("hachihachi"), ["random"] * 3, 3)
    for before, after in itertools.pairwise(table.path()):
        if after.action is not None and after.action.say in ("koikoi", "sage"):
            seats = range(1, 4)
            assert [after.calls[seat - 1] - before.calls[seat - 1] for seat in seats] == [
                int(seat == before.seat) for seat in seats
            ]
        elif before.number == after.number:
            assert after.calls == before.calls

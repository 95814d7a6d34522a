"""Tables for programs that play: ids of actions, observations, samples and positions."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import kafu
from kafu import cards
from lengths import LONG, part

#: Every ruleset with every number of players.
TABLES = [(ruleset.id, players) for ruleset in kafu.rulesets() for players in ruleset.seats]
#: Programs store ids: a change of a digest breaks what they have learnt.
DIGESTS = {
    "hachihachi": "71b813c4b6d3",
    "koikoi": "63310dbf4972",
    "hachihachi-bga": "c2f4a1bd27bb",
    "hanaawase": "0300e46eec21",
    "ten-five-one": "031061f8c6f6",
}
#: The first position of a short deal of koi-koi: cards of the stock match nothing on the field.
HANDS = ("AEIMQUYc", "BFJNRVZd")
CAPTURED = ("ABCDIJKLSTeg", "EFGHMNQRUVWX")


def walk(rules: str, players: int, seed: int, steps: int) -> Iterator[tuple[kafu.Table, int]]:
    """Yield the tables of a random game with the seat that chooses, also out of turn."""
    random = Random(seed)
    table = kafu.Table(rules, players=players)
    for _ in range(steps):
        if table.finished:
            return
        if not table.choosers:
            table = table.deal(random)
            continue
        seat = random.choice(table.choosers)
        yield table, seat
        ids = [id for id, legal in enumerate(table.mask(seat)) if legal]
        table = table.apply(table.find_action(random.choice(ids), seat))


@pytest.mark.parametrize("ruleset", kafu.rulesets(), ids=lambda ruleset: str(ruleset.id))
def test_ids_of_actions_are_those_of_earlier_versions(ruleset: kafu.Ruleset) -> None:
    assert len(set(ruleset.actions)) == len(ruleset.actions)
    names = "\n".join(ruleset.actions).encode()
    assert hashlib.blake2b(names, digest_size=6).hexdigest() == DIGESTS[ruleset.id]


@pytest.mark.parametrize(("rules", "players"), part(TABLES, one_of=2))
def test_masks_have_every_legal_action_and_no_other(rules: str, players: int) -> None:
    for table, _seat in walk(rules, players, 2, 300 if LONG else 100):
        found = {
            str(action)
            for seat in table.choosers
            for id, legal in enumerate(table.mask(seat))
            if legal and (action := table.find_action(id, seat)).kind != "pass"
        }
        legal = {str(action) for action in table.legal_actions}
        assert found <= legal
        # Of declarations that differ in their open cards alone, the mask has one.
        assert {name for name in legal - found if not name.startswith("show")} == set()
        assert not any(table.mask(seat)[0] for seat in table.choosers[-1:])


def test_declaration_has_an_id_without_its_cards() -> None:
    hands = ["ABCEFGI", "JNRVZdh", "QUYckOS"]
    table = kafu.Table("hachihachi").lay_out(hands, "DHLPTX", dealer=1)
    actions = kafu.rulesets()[0].actions
    id = actions.index("show futasanbon")
    assert table.choosers == (1,)
    assert str(table.find_action(id, 1)) == "show 1 futasanbon ABCEFG"
    with pytest.raises(kafu.IllegalAction) as error:
        table.find_action(id, 2)
    assert "begin" in map(str, error.value.legal)


def test_seat_out_of_turn_may_pass() -> None:
    hands = ["JNRVZdh", "ABCEFGI", "QUYckOS"]
    table = kafu.Table("hachihachi").lay_out(hands, "DHLPTX", dealer=1)
    assert table.choosers == (2, 1)
    silence = table.find_action(0, 2)
    assert (str(silence), table.actions_of(2)[0]) == ("pass", silence)
    assert table.apply(silence) is table
    with pytest.raises(kafu.IllegalAction):
        table.apply(kafu.Action("pass", 1))
    assert str(table.find_action(1, 1)) == "begin"


@pytest.mark.parametrize("id", [-1, 3, 10**6])
def test_illegal_id_is_refused_with_the_legal_actions(id: int) -> None:
    table = kafu.Table("koikoi").lay_out(HANDS, "CGKOSWej", dealer=1).apply("begin")
    with pytest.raises(kafu.IllegalAction) as error:
        table.find_action(id)
    assert error.value.legal == table.legal_actions


@pytest.mark.parametrize(("rules", "players"), part(TABLES, one_of=2))
def test_observation_has_the_cards_that_the_seat_sees(rules: str, players: int) -> None:
    for table, seat in walk(rules, players, 3, 60):
        numbers, layout = table.observation(seat), table.layout
        order = [(seat + i - 1) % players for i in range(players)]

        def read(name: str, numbers: Any = numbers, layout: Any = layout) -> str:
            bits = numbers[layout[name]]
            return "".join(cards.LETTERS[i % 48] for i, bit in enumerate(bits) if bit)

        assert len(numbers) == max(part.stop for part in layout.values())
        assert (read("hand"), read("field")) == (table.hands[seat - 1], table.field)
        assert read("captured") == "".join(table.captured[i] for i in order)
        assert list(numbers[layout["hand_sizes"]]) == [len(table.hands[i]) for i in order]
        assert list(numbers[layout["totals"]]) == [table.totals[i] for i in order]


@pytest.mark.parametrize(("rules", "players"), part(TABLES, one_of=2))
def test_sample_keeps_what_the_seat_knows_and_can_be_played(rules: str, players: int) -> None:
    random = Random(4)
    for number, (table, seat) in enumerate(walk(rules, players, 4, 200)):
        if number % 9:
            continue
        sampled = table.sample(random, seat)
        assert "?" not in "".join(sampled.hands)
        assert sampled.observation(seat) == table.observation(seat)
        assert sampled.mask(seat) == table.mask(seat)
        assert sampled.seen_by(seat).hands[seat - 1] == table.hands[seat - 1]
        played = sampled
        while played.legal_actions and played.number == table.number:
            played = played.apply(random.choice(played.legal_actions))
            assert "?" not in played.seen_by(seat).hands[seat - 1]
        assert pickle.loads(pickle.dumps(played)) == played != table


def test_samples_leave_out_hands_that_a_redeal_had_shown() -> None:
    """In this house four of a month in a hand are dealt again (K15)."""
    options = {"shima-hand": "yes"}
    table = kafu.Table("koikoi", options=options).lay_out(
        ["ABCEFGIJ", "????????"], "MNQRUVYZ", dealer=1
    )
    table = table.apply("begin")
    samples = [table.sample(seed, 1).hands[1] for seed in range(300)]
    assert len(set(samples)) > 290
    assert not any(
        cards.mask(hand) & month == month for hand in samples for month in cards.MONTHS[1:]
    )


def test_sample_of_an_unknown_hand_is_refused() -> None:
    with pytest.raises(kafu.NotPlayable):
        kafu.Table("koikoi").sample(1, 1)
    table = kafu.Table("koikoi").deal(1)
    with pytest.raises(kafu.NotPlayable):
        table.apply("begin").seen_by(table.seat % 2 + 1).sample(1, table.seat)


def test_position_is_equal_whichever_actions_led_to_it() -> None:
    """The cards of the draw pile match nothing; seat 1 plays the same two cards in either order."""
    field, stock = "CGKOSWae", "hlptgkosDHLPTXbfimnqru"
    table = kafu.Table("koikoi").lay_out(HANDS, field, f"{stock[:4]}...", dealer=1).apply("begin")
    first, second = table, table
    for action in ("AxC", "/h", "FxG", "/l", "IxK", "/p", "NxO", "/t"):
        first = first.apply(action)
    for action in ("IxK", "/h", "NxO", "/l", "AxC", "/p", "FxG", "/t"):
        second = second.apply(action)
    assert first != second
    assert first.key == second.key
    assert len({state.key for state in first.path()}) == len(first.path())


def test_position_laid_out_is_judged_as_if_it_had_been_played() -> None:
    table = kafu.Table("koikoi").lay_out(HANDS, "CGKOSWej", "gL...", dealer=1)
    for action in ("begin", "cxe", "/gxj", "=koikoi", "BxC", "/L"):
        table = table.apply(action)
    laid = kafu.Table.at(
        "koikoi", table.hands, table.field, table.captured, calls=table.calls, seat=table.seat
    )
    assert (laid.turn, laid.dealer, laid.left, laid.calls) == (2, 1, 22, (1, 0))
    assert laid.yaku(1) == table.yaku(1)
    assert laid.legal_actions == table.legal_actions
    view = laid.seen_by(2)
    assert view.hands == ("???????", laid.hands[1])
    assert pickle.loads(pickle.dumps(laid)) == laid != table
    with pytest.raises(kafu.NotPlayable):
        laid.game()


def test_seat_that_plays_on_may_cancel_later_in_a_position_laid_out() -> None:
    """A later turn allows 下げの取消し (H10)."""
    tables = (table for seed in range(9) for table, _ in walk("hachihachi", 3, seed, 900))
    table = next(
        table for table in tables if any(table.calls) and table.phase == "hand" and table.turn < 15
    )
    cards_ = table.hands, table.field, table.captured, table.stock
    laid = kafu.Table.at("hachihachi", *cards_, seat=table.seat, calls=table.calls)
    assert laid.calls == table.calls
    assert "=torikeshi" not in "".join(map(str, laid.legal_actions))
    while laid.phase != "hand" or laid.turn == table.turn:
        laid = laid.apply(laid.legal_actions[-1])
    sager = table.calls.index(1) + 1
    assert f"=torikeshi {sager}" in map(str, laid.legal_actions)
    with pytest.raises(kafu.BadValue):
        kafu.Table.at("hachihachi", *cards_, seat=table.seat, calls=(1, 1, 0))
    with pytest.raises(kafu.BadValue):
        kafu.Table.at("hanaawase", *cards_, seat=table.seat, calls=(1, 0, 0))


@pytest.mark.parametrize(("rules", "players"), part(TABLES, one_of=2))
def test_position_of_every_table_can_be_played_to_the_end(rules: str, players: int) -> None:
    for seed in range(20 if LONG else 4):
        played = walk(rules, players, seed, 900)
        table = next(table for table, _ in played if table.turn > 9 and table.phase == "hand")
        laid = kafu.Table.at(
            *(rules, table.hands, table.field, table.captured, table.stock),
            seat=table.seat,
            dealer=table.dealer,
            calls=table.calls if sum(map(bool, table.calls)) == 1 else (),
        )
        assert (laid.dealer, laid.turn, laid.left) == (table.dealer, table.turn, table.left)
        assert laid.hands == table.hands
        assert laid.observation(laid.seat) is not None
        assert kafu.play(laid, ["random"] * players, 7).final is not None
        assert kafu.play(laid.sample(seed, laid.seat), ["random"] * players, 7).final is not None


def test_seats_out_of_a_position_may_be_named() -> None:
    """Seats 3 and 4 have no card: one played the turn before and captured nothing."""
    captured = ["ABCDEFGHIJKLMNOPQRSTUV", "WXYZabcdefghijklmn", "", ""]
    position = ("hachihachi-bga", ["", "q", "", ""], "orstuv", captured)
    with pytest.raises(kafu.BadValue, match="expected 1 seats out"):
        kafu.Table.at(*position, seat=2)
    first = kafu.Table.at(*position, seat=2, out=[4])
    assert (first.dealer, first.turn, first.hands[1]) == (3, 20, "q")
    assert kafu.Table.at(*position, seat=2, out=[3]).dealer == 4
    for wrong in ({"out": [2]}, {"out": [3, 4]}, {"out": [3], "dealer": 1}, {"out": [5]}):
        with pytest.raises(kafu.BadValue):
            kafu.Table.at(*position, seat=2, **wrong)


def _fewest(rules: str) -> int:
    return next(ruleset.seats[0] for ruleset in kafu.rulesets() if ruleset.id == rules)


@pytest.mark.parametrize(
    ("hands", "field", "stock", "changes"),
    [
        (["cY", "OZN"], "fhijklmn", None, {}),
        (["cY", "O"], "fhijklmn", None, {"seat": 1}),
        (["cY", "OZ"], "fhijkl", None, {}),
        (["cY", "OZ"], "fhijklmm", None, {}),
        (["cY", "OZ"], "fhijklmA", None, {}),
        (["cY", "OZ"], "fhijklm!", None, {}),
        (["cY", "OZ"], "fhijklmn", "d", {}),
        (["cY", "OZ"], "fhijklmn", "dab...", {"seat": 3}),
        (["cY"], "fhijklmn", None, {}),
        (["cY", "OZ", ""], "fhijklmn", None, {}),
        (["", ""], "fhijklmn", None, {}),
        (["cY", "OZ"], "fhijklmn", None, {"calls": (1,)}),
    ],
)
def test_impossible_position_is_refused(
    hands: list[str], field: str, stock: str | None, changes: dict[str, Any]
) -> None:
    place: dict[str, Any] = {"seat": 2} | changes
    with pytest.raises(kafu.BadValue):
        kafu.Table.at("koikoi", hands, field, CAPTURED, stock, **place)


def test_yaku_of_cards_are_those_at_a_table() -> None:
    for rules, players in TABLES:
        for table, _seat in walk(rules, players, 8, 80):
            if players == _fewest(rules) and not any(table.calls) and table.phase == "hand":
                last = (table.dealer - 2) % players + 1
                yaku = kafu.yaku_of(rules, table.captured[last - 1], month=table.month)
                assert yaku == table.yaku(last)
    assert kafu.yaku_of("koikoi", "MNOP", {"tsukifuda": "4"}, month=4)[-1].id == "tsukifuda"
    with pytest.raises(kafu.BadValue):
        kafu.yaku_of("koikoi", "A!")

"""Tables as values: equality, copies, pickles, the view of a player, representations."""

from __future__ import annotations

import copy
import pickle
from functools import cache
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree

import pytest

import kafu
from kafu.rules.play.machine import Phase
from kafu.rules.verdict import STATUSES
from lengths import part

#: Every ruleset with every number of players.
TABLES = [(ruleset.id, players) for ruleset in kafu.rulesets() for players in ruleset.seats]
DEALT = kafu.Table("koikoi").lay_out(["AEIMQUYc", "BFJNRVZd"], "CGKOSWae", dealer=1)
STARTED = DEALT.apply("begin")


@cache
def play_out(rules: str, players: int) -> kafu.Table:
    return kafu.play(kafu.Table(rules, players=players), ["random"] * players, 4)


@pytest.mark.parametrize(("rules", "players"), part(TABLES, one_of=4))
def test_pickled_table_is_equal_after_loading(rules: str, players: int) -> None:
    table = play_out(rules, players)
    loaded = pickle.loads(pickle.dumps(table))
    assert loaded == table
    assert hash(loaded) == hash(table)
    assert loaded.game() == table.game()
    assert loaded.events == table.events
    assert loaded.before == table.before


def test_copies_of_a_table_are_the_table() -> None:
    assert copy.copy(STARTED) is STARTED
    assert copy.deepcopy([STARTED])[0] is STARTED


def test_same_actions_make_equal_tables() -> None:
    action = STARTED.legal_actions[0]
    assert STARTED.apply(action) == STARTED.apply(str(action))
    assert len({STARTED.apply(action), STARTED.apply(str(action))}) == 1


@pytest.mark.parametrize(
    ("table", "other"),
    [
        (STARTED.apply("AxC"), STARTED.apply("ExG")),
        (STARTED, DEALT),
        (DEALT, STARTED),
        (kafu.Table("koikoi"), kafu.Table("hanaawase")),
        (kafu.Table("koikoi"), kafu.Table("koikoi", options={"months": "6"})),
        (kafu.Table("hachihachi-bga"), kafu.Table("hachihachi-bga", players=4)),
        (STARTED, STARTED.seen_by(1)),
    ],
)
def test_tables_with_different_actions_or_rules_are_unequal(
    table: kafu.Table, other: kafu.Table
) -> None:
    assert table != other


def test_table_is_unequal_to_another_type() -> None:
    assert STARTED != "koikoi"


@pytest.mark.parametrize(("rules", "players"), part(TABLES, one_of=4))
def test_view_of_a_player_has_only_that_hand_and_every_public_value(
    rules: str, players: int
) -> None:
    table = play_out(rules, players)
    for seat in range(1, players + 1):
        for step in part(table.path()):
            check_view(step, seat)
    view = table.seen_by(players)
    assert pickle.loads(pickle.dumps(view)) == view
    assert kafu.verify(view.game()).error is None


def check_view(table: kafu.Table, seat: int) -> None:
    view = table.seen_by(seat)
    names = "phase seat month turn number grade field captured left totals result final events"
    for name in names.split():
        assert getattr(view, name) == getattr(table, name), name
    assert list(map(len, view.hands)) == list(map(len, table.hands))
    assert view.stock == (table.stock[:1] if table.phase == "stock" else "")
    if table.phase in ("bid", "show", "hand", "stock", "decide"):
        assert view.hands[seat - 1] == table.hands[seat - 1]
        other_hands = [hand for holder, hand in enumerate(view.hands, 1) if holder != seat]
        assert set("".join(other_hands)) <= {"?"} | shown_cards(table)
    if table.phase in ("stock", "decide") or (table.phase, table.seat) == ("hand", seat):
        assert view.legal_actions == table.legal_actions


def shown_cards(table: kafu.Table) -> set[str]:
    """Return the cards laid open by declarations in the last deal."""
    steps = [step for step in table.path() if step.number == table.number]
    shows = [step.action for step in steps if step.action and step.action.kind == "show"]
    return {card for show in shows for card in show.take}


def test_view_does_not_depend_on_earlier_views() -> None:
    table = play_out("ten-five-one", 5)
    views = [step.seen_by(2) for step in table.path()]
    loaded = pickle.loads(pickle.dumps(table))
    assert loaded.seen_by(2) == views[-1]


def test_view_after_a_swap_has_the_exchanged_hand() -> None:
    table = kafu.Table("ten-five-one", players=3).deal(1)
    while not any(action.kind == "swap" for action in table.legal_actions):
        table = kafu.Table("ten-five-one", players=3).deal()
    seat = next(action.seat for action in table.legal_actions if action.kind == "swap")
    swapped = table.apply(f"swap {seat}")
    view = swapped.seen_by(seat)
    assert view.hands[seat - 1] == swapped.hands[seat - 1] != table.hands[seat - 1]
    assert {*"".join(hand for i, hand in enumerate(view.hands, 1) if i != seat)} == {"?"}
    assert table.seen_by(seat).hands[seat - 1] == table.hands[seat - 1]


def test_view_of_an_unknown_seat_is_an_error() -> None:
    with pytest.raises(kafu.BadValue, match="there is no seat 3"):
        STARTED.seen_by(3)


def test_pickled_view_contains_no_hidden_card() -> None:
    loaded = pickle.loads(pickle.dumps(STARTED.seen_by(1)))
    assert [table.hands for table in loaded.path()[1:]] == [("AEIMQUYc", "????????")] * 2


def test_literal_types_have_every_value() -> None:
    assert set(get_args(kafu.PhaseName)) == {phase.value for phase in Phase}
    assert get_args(get_args(kafu.Status)[0]) == STATUSES
    actions, events = set(), set()
    for rules, players in part(TABLES, one_of=4):
        for table in play_out(rules, players).path():
            actions |= {action.kind for action in (table.action, *table.legal_actions) if action}
            events |= {event.kind for event in table.events}
    assert actions <= set(get_args(kafu.ActionKind))
    assert events <= set(get_args(kafu.EventKind))


def test_drawing_of_a_table_is_small_xml_with_every_card() -> None:
    table = STARTED.apply("AxC").seen_by(1)
    image = ElementTree.fromstring(table._repr_svg_())
    titles = [title.text for title in image.iter("{http://www.w3.org/2000/svg}title")]
    assert len(titles) == 7 + 8 + 7 + 2
    assert titles.count("unknown card") == 8
    assert "A: pine, bright" in titles
    assert len(play_out("koikoi", 2)._repr_svg_()) < 20_000


def test_representations_are_short() -> None:
    game = kafu.simulate("koikoi", seed=1)
    assert repr(game) == "<Game koikoi of Aya, Ben; deals: 12>"
    assert len(repr(STARTED)) < 60
    assert max(len(repr(step)) for step in kafu.replay(game)) < 300


def test_representation_of_a_record_names_its_game_or_its_error(tmp_path: Path) -> None:
    path = tmp_path / "games.kafu"
    path.write_text(kafu.write(kafu.simulate("koikoi", seed=1)) + '[Kafu "2"]\n')
    good, bad = map(repr, kafu.records(path))
    assert good.endswith("games.kafu: 1, line 1: <Game koikoi of Aya, Ben; deals: 12>>")
    assert "unknown Kafu version 2" in bad

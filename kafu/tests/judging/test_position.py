"""The position at a fault: the table before it, and the legal moves."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from corpus import Case, check_cases, illegal_cases
from kafu import cards
from kafu.judging.playthrough import Playthrough
from kafu.judging.position import REST, Option, Position, position
from kafu.judging.replay import stored_replay
from kafu.notation.actions import Action
from kafu.notation.game import Game, Statement
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.rules.rulesets import machine_of
from kafu.simulation.simulate import simulate
from lengths import LONG, part
from turns import put_card, silent, spoken

#: Number of legal moves that are tried instead of the bad move.
OPTIONS = 8 if LONG else 4
#: Faults in dealt or drawn cards.
UNNAMED = {
    *("card-twice", "hand-size", "hand-missing", "field-size", "field-missing", "stock-size"),
    *("stock-lacks", "blank-not-in-pack", "blank-missing", "card-not-in-pack", "split-wrong"),
    *("draw-wrong", "draw-card-twice", "draw-card-missing", "draw-again", "draw-seats"),
}


def place_of(game: Game) -> Position:
    place = position(game)
    assert place is not None
    return place


def check_position(case: Case) -> None:
    """Check that the position is the table of the last step before the fault."""
    game, place = case.game, position(case.game)
    if case.is_sheet:
        assert place is None
        return
    assert place is not None
    deals = stored_replay(game)["deals"]
    assert place.deal == len(deals)
    if deals:
        last = deals[-1]["steps"][-1]
        assert place.step == len(deals[-1]["steps"]) - 1
        if not place.undealt:
            table = place.table
            assert (list(table.hands), table.field) == (last["hands"], last["field"])
            assert (list(table.captured), table.stock) == (last["captured"], last["stock"])
    assert place.written not in {option.text for option in place.legal}
    error = case.verification.verdict.error
    assert error is not None
    # A wrong card or number of cards has too many corrections to list.
    if error.code.id not in UNNAMED:
        assert place.legal or place.omit


@pytest.mark.parametrize("rules", sorted(RULES))
def test_illegal_game_has_the_position_before_its_fault(rules: str) -> None:
    check_cases(illegal_cases(rules), check_position)


def check_legal_moves(case: Case) -> None:
    """Check that a legal move at the fault removes it, or leaves only a later fault."""
    game, place = case.game, position(case.game)
    if place is None or not place.written:  # a sheet, or a statement missing at the end
        return
    fault = case.verification.verdict.error
    assert fault is not None and fault.deal is not None
    for option in place.legal[:OPTIONS]:
        called = place.written.startswith("=")
        mended = put(game, fault.deal, fault.turn or 0, option, called=called)
        if mended is None:
            continue
        then = position(mended)
        assert then is None or (then.deal, then.step) >= (place.deal, place.step), option
        assert then is None or then.written != place.written or option.kind == "bid", option
        refused = then is not None and (then.deal, then.step) == (place.deal, place.step)
        assert not refused or option.kind in ("month", "show", "bid", "swap", "redeal"), option


@pytest.mark.parametrize("rules", sorted(RULES))
def test_legal_move_mends_the_game_in_the_place_of_the_bad_one(rules: str) -> None:
    check_cases(part(illegal_cases(rules)), check_legal_moves)


def put(game: Game, deal: int, number: int, option: Option, *, called: bool) -> Game | None:
    """Return the game up to its fault, with a legal move instead of the bad move.

    The bad move is turn ``number``, or with ``called`` the calls after it.
    """
    number += called
    months = [*game.months[:deal]]
    month = months[-1]
    if option.kind in ("hand", "stock", "say") and number:
        turns: list[Statement] = []
        count = 0
        for turn in month.turns:
            count += turn.keyword == "turn"
            if count == number:
                break
            turns.append(turn)
        while called and turns[-1].keyword == "call":
            turns.pop()
        if option.kind == "hand" and option.text.count("/") == 1:
            bad = (turn for turn in month.turns[len(turns) :] if turn.keyword == "turn")
            drawn = [action for turn in bad for action in turn.value if action.kind == "stock"]
            assert option.text.endswith(REST)
            fresh = Statement("turn", (Action("hand", 0, option.card, option.take), *drawn[:1]))
        else:
            read_back = read(_text(game, option.text)).game
            assert read_back is not None
            first = read_back.months[0].turns[0]
            fresh = replace(first, round=None)
        months[-1] = month.replace(turns=[*turns, fresh])
    elif option.kind == "month":
        months[-1] = month.replace(month=int(option.say), dealer=option.seat)
    elif option.kind == "show":
        shows = [show for show in month.actions("show") if show.seat != option.seat]
        shows.append(Action("show", option.seat, take=option.take, say=option.say))
        months[-1] = month.replace()
        months[-1].put("show", [(show,) for show in shows])
    else:
        return None
    tags = {**game.tags, "Termination": "unfinished"}
    return replace(game, months=months, tags=tags, final=None, result=None)


def _text(game: Game, move: str) -> str:
    """Return a record of a ruleset with one turn, for reading the turn."""
    players = "\n".join(f'[Player{i} "p"]' for i in range(1, len(game.players) + 1))
    return f'[Kafu "1"]\n[Rules "{game.rules}"]\n{players}\n\nmonth 1 dealer 1\n1. {move}\n'


# Made cases ------------------------------------------------------------------------------------


def year(seed: int = 1) -> tuple[Game, Any]:
    """Return a koi-koi year, and its first month with turns."""
    game = simulate("koikoi", seed=seed)
    month = next(month for month in game.months if month.turns)
    return game, month


def test_legal_game_has_no_position() -> None:
    assert position(year()[0]) is None


def test_card_of_another_hand_has_the_cards_of_the_own_hand_as_legal_moves() -> None:
    game, month = year()
    first = month.turns[0]
    foreign_card = month.hands[3 - month.dealer][0]
    put_card(first, foreign_card)
    place = place_of(game)
    assert (place.seat, place.phase) == (month.dealer, "hand")
    assert place.marked == foreign_card and place.written.startswith(foreign_card)
    assert {option.card for option in place.legal} <= set(month.hands[month.dealer])
    assert all(option.text.endswith(REST) for option in place.legal)
    rules = machine_of(game.rules, game.options, 2)
    assert len(place.table.hands) == rules.players
    assert "".join(place.table.hands) == "".join(cards.sort(month.hands[seat]) for seat in (1, 2))


def test_wrong_capture_has_the_same_card_as_first_legal_move() -> None:
    game, month = year()
    first = month.turns[0]
    card = first.value[0].card
    wrong = next(c for c in month.field if cards.CARD[c].month != cards.CARD[card].month)
    put_card(first, card, wrong)
    place = place_of(game)
    assert place.legal[0].card == card


def test_missing_decision_is_named_and_excess_decision_is_omitted() -> None:
    game, month = year()
    turn_with_word = next(turn for turn in month.turns if spoken(turn))
    turn_with_word.value = silent(turn_with_word)
    place = place_of(game)
    assert [option.say for option in place.legal] in (["shobu", "koikoi"], ["shobu"])
    assert all(option.text.startswith(turn_with_word.value[0].card) for option in place.legal)
    game, month = year()
    month.turns[0].value += (Action("say", say="koikoi"),)
    place = place_of(game)
    assert (place.omit, place.legal, place.seat) == ("=koikoi", (), month.dealer)


def test_bid_of_the_wrong_seat_has_the_due_bids_and_no_omission() -> None:
    """Without the bid the next one would be wrong too."""
    game = simulate("hachihachi-bga", seed=1, players=4)
    month = game.months[0]
    bid, *others = month.actions("bid")
    seat = bid.seat
    month.put("bid", [(bid._replace(seat=seat % 4 + 1), *others)])
    place = place_of(game)
    assert (place.seat, place.phase, place.omit) == (seat, "bid", "")
    due = [f"bid {seat}in", f"bid {seat}out", f"blind {seat}"]
    assert [option.text for option in place.legal] == due


def test_card_dealt_twice_leaves_the_deal_undealt() -> None:
    game, month = year()
    game.months = [month]
    lost = month.hands[1][0]
    month.hands = month.hands | {1: month.hands[2][0] + month.hands[1][1:]}
    place = place_of(game)
    assert place.undealt and place.absent == lost and place.marked == month.hands[2][0]
    assert place.table.hands[1] == cards.sort(month.hands[2])


def test_hidden_hand_has_a_position_as_far_as_it_is_known() -> None:
    game, month = year()
    month.hands, month.stock = month.hands | {month.dealer: "?" * 8}, None
    put_card(month.turns[0], month.hands[3 - month.dealer][0])
    place = place_of(game)
    assert place.as_known and place.table.hands[month.dealer - 1] == "?" * 8
    assert len(place.legal) > 8


def test_wrong_round_number_has_the_right_one_as_legal_move() -> None:
    game, month = year()
    month.turns[0].round = 3
    place = place_of(game)
    assert place.written.startswith("3. ") and [option.text for option in place.legal] == ["1."]


def test_position_as_json_has_every_field() -> None:
    game, month = year()
    first = month.turns[0]
    put_card(first, month.hands[3 - month.dealer][0], first.value[0].take)
    form = place_of(game).to_json()
    assert list(form) == [
        "deal",
        "step",
        "phase",
        "seat",
        "table",
        "absent",
        "written",
        "legal",
        "omit",
        "as_known",
        "undealt",
    ]
    assert list(form["legal"][0]) == ["text", "kind", "seat", "card", "take", "say"]
    written = json.loads(json.dumps(form))
    assert list(written["table"]) == ["hands", "field", "captured", "stock"]
    assert written["legal"] == list(form["legal"])


def test_steps_of_an_outcome_are_the_last_steps_of_the_replay() -> None:
    game = year()[0]
    deals = stored_replay(game)["deals"]
    outcome = Playthrough.of(game).run()
    assert outcome.steps == [len(deal["steps"]) - 1 for deal in deals]
    assert [list(result.score) for result in outcome.deals] == [deal["score"] for deal in deals]


def test_score_sheet_has_no_position() -> None:
    sheet = read(
        '[Kafu "1"]\n[Rules "hachihachi"]\n[Player1 "a"]\n[Player2 "b"]\n[Player3 "c"]\n'
        '[Sheet "1"]\n\nmonth 2 dealer 1\n'
    ).game
    assert sheet is not None
    assert position(sheet) is None

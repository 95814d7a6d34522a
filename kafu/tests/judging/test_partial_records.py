"""Partial records (C9): unseen cards may be left open, with the same result."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kafu import cards
from kafu.judging.replay import stored_replay
from kafu.judging.verify import verify
from kafu.notation.actions import Action
from kafu.notation.game import Game, Month
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.rules import codes
from kafu.rules.hachihachi_bga.hands import declaration
from kafu.rules.play.actions import Deal, Illegal, Redeal, ShowAction
from kafu.rules.play.declaring import Bidding
from kafu.rules.play.seating import turn_order
from kafu.rules.rulesets import machine_of
from kafu.simulation.simulate import PLAYERS, simulate
from lengths import part

SEEDS = st.integers(0, 2**32)
EVERY = sorted(RULES)


def simulated(rules: str, seed: int) -> Game:
    """Return a short game with a random number of players, in a random house."""
    random = Random(seed)
    house_options = {
        name: random.choice(sorted(values.known)) for name, values in RULES[rules].options.items()
    }
    short = {"koikoi": "4", "ten-five-one": "3", "hachihachi-bga": "6"}
    options = house_options | ({"months": short[rules]} if rules in short else {})
    if rules == "koikoi":  # a house in which no yaku counts would never end (K13)
        options = {key: options[key] for key in ("profile", "rain", "teyaku", "shibori", "months")}
    players = random.choice(RULES[rules].seats)
    player = random.choice(sorted(PLAYERS))
    return simulate(rules, seed=seed, players=players, player=player, options=options)


def shut_out(game: Game, month: Month) -> tuple[int, ...]:
    """Return the seats that are shut out and paid for their hand, which must be known (B4)."""
    answers = [True for _ in month.actions("blind")]
    answers += [bid.say == "in" for bid in month.actions("bid")]
    if game.rules != "hachihachi-bga" or not answers:
        return ()
    bidding = Bidding(turn_order(month.dealer, len(game.players)))
    return bidding._replace(answers=tuple(answers)).shut


def partial(game: Game) -> Game:
    """Return the game as written by a person who saw only open cards."""
    months = []
    for month in game.months:
        turns = [action for turn in month.turns for action in turn.value]
        open_ = {"_", *(card for kind, _, card, *_ in turns if kind == "hand")}
        open_.update(*(show.take for show in month.actions("show")))
        public_hands = {seat for seat, hand in month.hands.items() if "_" in hand}
        public_hands.update(shut_out(game, month))
        hands = {
            seat: hand
            if seat in public_hands
            else "".join(card if card in open_ else "?" for card in hand)
            for seat, hand in month.hands.items()
        }
        stock = (
            None
            if month.stock is None
            else "".join(turn.card for turn in turns if turn.kind == "stock")
        )
        cut = stock is not None
        months.append(month.replace(hands=hands, stock=stock, stock_cut=cut))
    return replace(game, months=months)


def with_shows(game: Game) -> Game:
    """Write the yaku of hidden dealt hands, which 八八 pays without a declaration (B6)."""
    if game.rules != "hachihachi-bga":
        return game
    months = []
    for month, deal in zip(game.months, stored_replay(game)["deals"], strict=True):
        paid = {line["label"] for line in deal["ledger"]}
        declared = {show.seat for show in month.actions("show")}
        out = set(shut_out(game, month))
        month = month.replace()
        bids = {bid.seat: bid.say for bid in month.actions("bid")}
        for seat, hand in month.hands.items():
            judged = declaration(cards.mask(hand))
            if not judged or seat in declared | out or bids.get(seat) == "out":
                continue
            assert "+".join(judged.yaku) in paid
            shown = cards.letters(judged.cards)
            month.write_down(Action("show", seat, take=shown, say="+".join(judged.yaku)))
        months.append(month)
    return replace(game, months=months)


@pytest.mark.parametrize("rules", part(EVERY))
@given(SEEDS)
@example(1584)  # koi-koi dealt again for a four in a hand that is hidden
def test_partial_record_has_the_same_result(rules: str, seed: int) -> None:
    """Unplayed hand cards are hidden, and stocks end after the turned cards, in every ruleset."""
    game = with_shows(simulated(rules, seed))
    whole = verify(read(write(game))).verdict
    assert whole.status == "verified", whole.error
    text = write(partial(game))
    judged = verify(read(text))
    assert judged.verdict.status == "consistent", judged.verdict.error
    assert (judged.verdict.final, judged.text) == (whole.final, text)
    for partial_deal, complete in zip(judged.verdict.deals, whole.deals, strict=True):
        assert sorted(partial_deal.ledger) == sorted(complete.ledger)
        assert partial_deal._replace(ledger=()) == complete._replace(ledger=())
    assert judged.game is not None
    assert stored_replay(judged.game)["status"] == "consistent"


@pytest.mark.parametrize("rules", ["hachihachi", "hachihachi-bga"])
@pytest.mark.parametrize(
    ("yaku", "opened"),
    [
        ("sanbon", "ABE"),
        ("sanbon", "EF"),
        ("sanbon", "MNO"),  # 立三本
        ("teshi", "ABCE"),
        ("kuttsuki", "ABEFIM"),
        ("shiso", "ABCDEFI"),  # 一二四
        ("haneken", "ABCEFIM"),
        ("karasu", "CDGHKLA"),
        ("tanichi", "CD"),
    ],
)
def test_yaku_that_no_hidden_hand_makes_is_illegal(rules: str, yaku: str, opened: str) -> None:
    """The cards laid open fit no hand, whatever the unseen cards are (H2, H3, B6)."""
    machine = machine_of(rules, {}, 3)
    hands = dict.fromkeys((1, 2, 3), "???????")
    state, _ = machine.apply(machine.start(), Deal(1, 1, hands, "klsuPZ", None, True))
    with pytest.raises(Illegal) as caught:
        machine.apply(state, ShowAction(2, (yaku,), cards.mask(opened)))
    assert caught.value.code in (codes.SHOW_FALSE, codes.SHOW_LOWER, codes.SHOW_CARDS)


@pytest.mark.parametrize("rules", ["hachihachi", "hachihachi-bga"])
@pytest.mark.parametrize(
    ("yaku", "opened"),
    [
        ("aka", "CDG"),  # further letters are tried among ribbons only
        ("aka+sanbon", "CDB"),
        ("tanichi", "CDGHKS"),
        ("sanbon", "ABC"),
        ("tatesanbon", "MNO"),
        ("kuttsuki", "ABEFIJ"),
        ("haneken", "ABCEFIJ"),
    ],
)
def test_yaku_that_a_hidden_hand_can_make_is_accepted(rules: str, yaku: str, opened: str) -> None:
    """C9: some unseen cards do."""
    machine = machine_of(rules, {}, 3)
    hands = dict.fromkeys((1, 2, 3), "???????")
    state, _ = machine.apply(machine.start(), Deal(1, 1, hands, "msuPQo", None, True))
    show = ShowAction(2, tuple(yaku.split("+")), cards.mask(opened))
    if yaku == "aka+sanbon":
        with pytest.raises(Illegal):  # B, C and D are a three, but C and D alone are chaff
            machine.apply(state, show._replace(cards=cards.mask("CD")))
    assert machine.apply(state, show)[0].entries


def test_redeal_for_a_hand_known_too_well_is_groundless() -> None:
    """The house deals again for four of a month in a hand (K15)."""
    machine = machine_of("koikoi", {"profile": "koikoi-ai"}, 2)
    field = "AEIMQUYc"
    hands = {1: "BFJNRVZ?", 2: "???????d"}
    state, _ = machine.apply(machine.start(), Deal(1, 1, hands, field, None, True))
    machine.apply(state, Redeal("shima"))
    partial_hands = {1: "BFJNRVZ?", 2: "CGKOSWad"}
    state, _ = machine.apply(machine.start(), Deal(1, 1, partial_hands, field, None, True))
    with pytest.raises(Illegal) as caught:
        machine.apply(state, Redeal("shima"))
    assert caught.value.code is codes.REDEAL_GROUNDLESS


@pytest.mark.parametrize(("grade", "status"), [("large", "unfinished"), ("small", "mismatch")])
def test_wrong_grade_of_a_deal_that_stops_is_a_mismatch(grade: str, status: str) -> None:
    text = write(simulate("hachihachi", seed=1))
    head, _, deal = text.partition("\nmonth 1")
    deal = deal.partition("\n2. ")[0].replace("\nshow", f"\nba {grade}\nshow")
    head = re.sub(r"\[Result .*\]", '[Termination "unfinished"]', head)
    verdict = verify(read(f"{head}\nmonth 1{deal}\n")).verdict
    assert verdict.status == status
    assert [mismatch.where for mismatch in verdict.mismatches] == ["ba"] * (status == "mismatch")

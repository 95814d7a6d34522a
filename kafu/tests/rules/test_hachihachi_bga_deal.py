"""八八 (hachihachi-bga): the deal, the bids, players who are shut out, dealt hands (B2–B6)."""

from __future__ import annotations

from random import Random

import pytest

from kafu import cards
from kafu.rules.grades import Carried
from kafu.rules.hachihachi_bga import ending, hands
from kafu.rules.hachihachi_bga.machine import HachihachiBga
from kafu.rules.hachihachi_bga.state import HachihachiBgaState
from kafu.rules.play.actions import (
    Begin,
    Bid,
    Blind,
    Deal,
    Illegal,
    Pile,
    Play,
    Redeal,
    ShowAction,
    Void,
)
from kafu.rules.play.machine import Phase
from rules.bga_tables import outcome

FOUR, SIX = HachihachiBga({"months": "6"}, 4), HachihachiBga({}, 6)


def dealt(machine: HachihachiBga, seed: int = 1, dealer: int = 1) -> HachihachiBgaState:
    state = machine.start()
    return machine.apply(state, machine.deal(state, Random(seed))._replace(dealer=dealer))[0]


def bids(machine: HachihachiBga, state: HachihachiBgaState, text: str) -> HachihachiBgaState:
    """Return the state after ``1in 2out``, with the stock laid out once the players are known."""
    for word in text.split():
        state, _ = machine.apply(state, Bid(int(word[0]), word[1:] == "in"))
    if state.phase is Phase.PILE:
        state, _ = machine.apply(state, machine.pile(state, Random(2)))
    return state


def code(machine: HachihachiBga, state: HachihachiBgaState, *actions: object) -> str:
    with pytest.raises(Illegal) as caught:
        for action in actions:
            state, _ = machine.apply(state, action)  # type: ignore[arg-type]
    return caught.value.code.id


# B2 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "before", "grade", "after"),
    [
        ("BFJ", (0, 0), "small", (0, 0)),
        ("AFJ", (0, 0), "large", (0, 0)),
        ("AIo", (0, 0), "absolute", (0, 2)),
        ("Aos", (0, 2), "absolute", (1, 3)),
        ("B", (1, 3), "absolute", (0, 3)),
        ("B", (0, 3), "large", (0, 2)),
    ],
)
def test_brights_join_those_carried_and_the_month_takes_the_strongest(
    field: str, before: tuple[int, int], grade: str, after: tuple[int, int]
) -> None:
    assert Carried(*before).join(cards.mask(field)) == (grade, Carried(*after))


def test_carried_brights_are_named_by_the_strongest_grade() -> None:
    grades = [Carried(*counts).strongest for counts in ((0, 0), (0, 2), (1, 2))]
    assert grades == [None, "large", "absolute"]


# B3 -----------------------------------------------------------------------------------------------


def test_players_after_three_bids_are_shut_out() -> None:
    state = bids(SIX, dealt(SIX, dealer=5), "5in 6out 1in 2in")
    assert (state.playing, state.bidding.left, state.bidding.shut) == ((5, 1, 2), (6,), (3, 4))
    assert state.phase is Phase.SHOW
    assert SIX.in_play(state) == (5, 1, 2)
    assert [hand.bit_count() for hand in state.table.hands] == [7, 7, 0, 0, 7, 0]
    assert state.table.left == len(state.table.stock) == 21
    assert SIX.apply(state, Begin())[0].seat == 5


def test_last_three_players_are_in_by_force() -> None:
    state = bids(SIX, dealt(SIX), "1out 2out 3in 4out")
    assert (state.playing, state.bidding.left) == ((3, 5, 6), (1, 2, 4))


def test_fees_go_to_the_winner_with_the_grade() -> None:
    """B3, B13: 1, 1.5 and 2 kan by order of going out."""
    state = bids(SIX, dealt(SIX), "1out 2out 3in 4out").replace(grade="large", entries=())
    ending.close(SIX.house, state, "played-out", 6, ())
    assert [line.amounts for line in outcome(state).ledger] == [
        (-24, 0, 0, 0, 0, 24),
        (0, -36, 0, 0, 0, 36),
        (0, 0, 0, -48, 0, 48),
    ]
    assert (state.dealer, state.totals) == (6, (-84, -96, -60, -108, -60, 48))


def test_bid_that_is_not_due_is_refused() -> None:
    state = dealt(SIX)
    assert code(SIX, state, Bid(2, True)) == "bid-out-of-turn"
    assert code(SIX, bids(SIX, state, "1in 2in 3in"), Bid(4, False)) == "bid-closed"
    assert code(SIX, bids(SIX, state, "1in"), Play(1)) == "bid-due"
    assert code(SIX, bids(SIX, state, "1in"), ShowAction(1, ("sanbon",), 7)) == "bid-due"
    three = HachihachiBga({}, 3)
    assert "bid" not in three.statements and "blind" not in three.statements
    assert dealt(three).phase is Phase.SHOW


def test_blind_of_another_or_after_a_bid_is_refused() -> None:
    state = dealt(FOUR)
    assert code(FOUR, state, Blind(2)) == "blind-not-possible"
    assert code(FOUR, state, Bid(1, True), Blind(1)) == "blind-not-possible"
    blind, _ = FOUR.apply(state, Blind(1))
    assert (blind.blind, blind.seat, blind.bidding.entered) == (True, 2, (1,))
    # His own word is accepted (B14), his going out is not.
    assert FOUR.apply(blind, Bid(1, True))[0] == blind
    assert code(FOUR, blind, Bid(1, False)) == "bid-out-of-turn"


# B5 -----------------------------------------------------------------------------------------------


def test_hands_of_players_who_are_out_are_in_the_stock() -> None:
    state = dealt(FOUR)
    settled, _ = FOUR.apply(state, Bid(1, False))
    out = state.table.hands[0]
    pile = FOUR.pile(settled, Random(1))
    assert out & ~cards.mask(pile.stock or "") == 0
    twice = cards.letters(state.table.hands[1])[0] + (pile.stock or "")[1:]
    assert code(FOUR, settled, Pile(twice)) == "card-twice"
    assert code(FOUR, settled, Pile((pile.stock or "")[1:])) == "stock-size"
    cut, _ = FOUR.apply(settled, Pile(None))
    assert cut.table.sunk == out and cut.table.left == 21


def test_four_on_the_field_is_captured_by_the_first_player() -> None:
    """場に4枚: プレイ順が最初のプレイヤーが4枚を獲得します."""
    pack = [card for card in cards.LETTERS if card not in "ABCDEI"]
    hands_by_seat = {seat: "".join(pack[7 * seat - 7 : 7 * seat]) for seat in range(1, 7)}
    state, _ = SIX.apply(SIX.start(), Deal(1, 2, hands_by_seat, "ABCDEI", None))
    state = bids(SIX, state, "2out 3in 4in 5in")
    assert cards.letters(state.table.captured[2]) == "ABCD"
    assert cards.letters(state.table.field) == "EI"


# B4, B6 -------------------------------------------------------------------------------------------


def test_dealt_hand_has_its_yaku_value_and_open_cards() -> None:
    for hand, yaku, kan, opened in [
        ("CDGHKOo", "karasu", 4, "CDGHKOo"),
        ("DGKOSWA", "pikaichi", 4, "DGKOSW"),
        ("DGKOSWE", "toichi", 3, "DGKOSW"),
        ("DGKpqSB", "tanichi", 3, "DGKpqS"),
        ("BFJVhlN", "aka", 2, ""),
        ("BFDGKqO", "aka", 2, "DGKOq"),
        ("CDGVWXt", "tanichi+sanbon", 5, "CDGVWXt"),
        ("ABCEIMQ", "sanbon", 2, "ABC"),
        ("MNOAEIU", "tatesanbon", 3, "MNO"),
        ("tuvAEIU", "tatesanbon", 3, "tuv"),
        ("stuAEIM", "sanbon", 2, "stu"),
        ("ABEFIJU", "kuttsuki", 4, "ABEFIJ"),
        ("ABCDEIM", "teshi", 6, "ABCD"),
        ("ABCEFIJ", "haneken", 7, "ABCEFIJ"),
        ("ABCDEFI", "ichinishi", 8, "ABCDEFI"),
        ("ABCEFGI", "futasanbon", 6, "ABCEFG"),
        ("ABCMNOE", "sanbon-tatesanbon", 7, "ABCMNO"),
        ("MNOQRSE", "futatatesanbon", 8, "MNOQRS"),
        ("ABCDEFG", "shiso", 20, "ABCDEFG"),
        ("opqrtuv", "karasu+shiso", 24, "opqrtuv"),
        ("AEIMQUY", "", 0, ""),
    ]:
        declaration = hands.declaration(cards.mask(hand))
        if declaration is None:
            assert not yaku, hand
        else:
            assert ("+".join(declaration.yaku), declaration.kan) == (yaku, kan), hand
            assert cards.letters(declaration.cards) == cards.sort(opened), hand


@pytest.mark.parametrize(
    ("hand", "mon"),
    [
        ("EMQUYdg", 0),
        ("EMQUYdA", 3),
        ("ABCEMQU", 12 + 6),
        ("BFJVhlA", 42 + 42 + 21),
        ("BFJVhlN", 12 + 60 + 42 + 42 + 18),
        ("AIcsCGK", 60 + 12),
        ("AIcosCG", 72 + 15),
    ],
)
def test_player_who_is_shut_out_collects_the_value_of_the_hand(hand: str, mon: int) -> None:
    """B4: three parts, which add up."""
    assert hands.shut_out(cards.mask(hand)) == mon


def three(*, hidden: bool = False) -> tuple[HachihachiBga, HachihachiBgaState]:
    """Return a deal for three in which seat 1, the dealer, has 短一 and 三本.

    With ``hidden`` the hand is unknown, and three cards of the stock too, since otherwise the hand
    would be the remaining cards.
    """
    hand, field = "CDGVWXt", "EMNQUY"
    machine = HachihachiBga({}, 3)
    pack = [card for card in cards.LETTERS if card not in hand + field]
    hands_by_seat = {
        1: "?" * 7 if hidden else hand,
        2: "".join(pack[-7:]),
        3: "".join(pack[-14:-7]),
    }
    deal = Deal(1, 1, hands_by_seat, field, "".join(pack[: -17 if hidden else -14]), hidden)
    return machine, machine.apply(machine.start(), deal)[0]


def test_dealt_hands_are_paid_without_a_declaration_and_a_false_one_is_refused() -> None:
    """B6."""
    machine, state = three()
    paid = [(entry.line.label, entry.line.amounts) for entry in state.entries if entry.seat == 1]
    assert paid == [("tanichi+sanbon", (120, -60, -60))]
    right = ShowAction(1, ("tanichi", "sanbon"), cards.mask("CDGVWXt"))
    shown, _ = machine.apply(state, right)
    assert shown.entries == state.entries
    assert code(machine, shown, right) == "show-twice"
    assert code(machine, state, right._replace(yaku=("sanbon",))) == "show-lower"
    assert code(machine, state, right._replace(yaku=("rokkasu",))) == "show-false"
    assert code(machine, state, right._replace(cards=cards.mask("VWX"))) == "show-cards"
    assert code(machine, state, right._replace(cards=cards.mask("ABC"))) == "show-cards"
    out = bids(FOUR, dealt(FOUR), "1out")
    assert code(FOUR, out, ShowAction(1, ("sanbon",), 7)) == "seat-is-out"


def test_hidden_hand_is_paid_when_it_is_shown() -> None:
    machine, state = three(hidden=True)
    assert not [entry for entry in state.entries if entry.seat == 1]
    shown, _ = machine.apply(state, ShowAction(1, ("sanbon",), cards.mask("VWX")))
    assert [entry.line.label for entry in shown.entries if entry.seat == 1] == ["sanbon"]
    assert shown.threes[-1].fourth == cards.BIT["U"]


def test_month_dealt_again_has_the_same_dealer_and_carries_nothing_on() -> None:
    """C6."""
    state = dealt(FOUR).replace(bound=Carried(1, 0), carries=Carried(2, 0))
    again, _ = FOUR.apply(state, Redeal("misdeal"))
    assert (outcome(again).end, outcome(again).ledger, again.month) == ("redeal", (), 1)
    assert (again.dealer, again.bound) == (1, Carried(1, 0))
    assert code(FOUR, state, Redeal("ba4")) == "no-place"
    void, _ = FOUR.apply(bids(FOUR, state, "1in 2in 3in"), Void("other"))
    assert all(line.void for line in outcome(void).ledger)
    assert (outcome(void).score, outcome(void).next_dealer) == ((0,) * 4, 1)

"""The 10/5/1 game: 四三 that ends the game (T5, ``shiso=ends``)."""

from __future__ import annotations

import pytest

from kafu import cards
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.rules.play.actions import Begin, Bid, Deal, Pile, ShowAction
from kafu.rules.play.at_end import AtEndState
from kafu.rules.play.machine import Phase
from kafu.rules.ten_five_one.machine import TenFiveOne
from kafu.rules.verdict import DealResult, Verdict
from rules.end_tables import remaining_cards

SHISO, OTHER = "ABCDEFG", "IJKLMNO"
HANDS = {1: SHISO, 2: "HQUYcgk", 3: OTHER, 4: "PRVZdhl", 5: "SWaeimn"}


def shown(house: TenFiveOne, *shows: tuple[int, str], bids: str = "") -> AtEndState:
    """Return the state after the declarations (seat, yaku); seat 1 deals."""
    hands = {seat: HANDS[seat] for seat in range(1, house.players + 1)}
    remaining = remaining_cards(*hands.values())
    stock = remaining[6:] if house.players == 3 else None
    state, _ = house.apply(house.start(), Deal(1, 1, hands, remaining[:6], stock))
    for word in bids.split():
        state, _ = house.apply(state, Bid(int(word[0]), word[1:] == "in"))
    if state.phase is Phase.PILE:
        state, _ = house.apply(state, Pile(cards.letters(cards.ALL & ~state.table.seen)))
    for seat, yaku in shows:
        action = next(
            declaration
            for declaration in house.legal_actions(state)
            if isinstance(declaration, ShowAction)
            and (declaration.seat, declaration.yaku) == (seat, tuple(yaku.split("+")))
        )
        state, _ = house.apply(state, action)
    return state


def begun(state: AtEndState, house: TenFiveOne) -> DealResult | None:
    state, _ = house.apply(state, Begin())
    return state.result


ENDS = TenFiveOne({"shiso": "ends"}, 3)


def test_shiso_is_paid_as_the_only_score_and_ends_the_game() -> None:
    """T5: なさけ of another is not paid, nothing is taken off, nobody deals next."""
    house = TenFiveOne({"shiso": "ends", "nasake": "all-rain"}, 5)
    state = shown(house, (1, "shiso"), (4, "nasake"), bids="1in 2out 3in 4in")
    over, events = house.apply(state.replace(totals=(-400, 0, 0, 300, 100)), Begin())
    result = over.result
    assert result is not None
    assert [(line.label, line.amounts) for line in result.ledger] == [
        ("shiso", (200, 0, -100, -100, 0))
    ]
    assert (result.end, result.winner, result.first, result.next_dealer) == ("shiso", 1, 1, None)
    assert (over.phase, over.final) == (Phase.OVER, (-200, 0, -100, 200, 100))
    assert [event.kind for event in events] == ["pay", "deal-end", "game-end"]


def test_nearer_to_the_dealer_of_two_shiso_is_first() -> None:
    result = begun(shown(ENDS, (3, "shiso"), (1, "shiso")), ENDS)
    assert result is not None
    assert [line.amounts for line in result.ledger] == [(200, -100, -100), (-100, -100, 200)]
    assert (result.score, result.first) == ((100, -200, 100), 1)


@pytest.mark.parametrize("option", ["yes", "ends"])
def test_shiso_that_is_not_shown_ends_nothing(option: str) -> None:
    house = TenFiveOne({"shiso": option}, 3)
    assert begun(shown(house), house) is None
    ended = begun(shown(house, (1, "shiso")), house)
    assert (ended is not None) == (option == "ends")


def test_player_with_shiso_is_first_whatever_the_sums() -> None:
    """T5: statistics and ratings count this place; the other seats follow by their sums."""
    deal = DealResult(1, 1, None, None, (), (0,) * 4, None, "shiso", 2, first=2)
    verdict = Verdict("verified", deals=[deal], final=(50, -90, 70, 50))
    assert verdict.places == (3, 1, 2, 3)
    verdict.deals = [deal._replace(first=0)]
    assert verdict.places == (2, 4, 1, 2)
    assert Verdict("illegal").places is None


RECORD = """[Kafu "1"]
[Rules "ten-five-one"]
[Options "shiso=ends"]
[Player1 "Aya"]
[Player2 "Ben"]
[Player3 "Chie"]

month 1 dealer 1
hand 1 ABCDEFG
hand 2 HQUYcgk
hand 3 IJKLMNO
field PRSTVW
stock XZabdefhijlmnopqrstuv
show 1 shiso ABCDEFG
score 1 +200 2 -100 3 -100
"""


def test_record_that_ends_by_shiso_is_illegal_without_the_option() -> None:
    verdict = verify(read(RECORD)).verdict
    assert (verdict.status, verdict.final) == ("verified", (200, -100, -100))
    assert verify(read(RECORD.replace("ends", "yes"))).verdict.status == "illegal"
    wrong = read(RECORD.replace("ends", "end")).fault
    assert wrong is not None
    assert (wrong.code.id, wrong.expected) == ("bad-option-value", ("yes", "no", "ends"))

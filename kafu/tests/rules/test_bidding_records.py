"""Records with bids: places of faults, and parts omitted from the canonical form."""

from __future__ import annotations

import pytest

from kafu import cards
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from kafu.rules import codes
from kafu.rules.play.actions import Illegal
from kafu.rules.play.table import TableCards
from kafu.simulation.simulate import simulate

GAME = simulate("hachihachi-bga", seed=11, players=4, options={"months": "6"}, claims=False)
TEXT = write(GAME)


def line_of(text: str, start: str) -> tuple[int, str]:
    lines = text.splitlines()
    return next((i, line) for i, line in enumerate(lines, 1) if line.startswith(start))


def test_bid_of_a_blind_dealer_is_left_out_of_the_canonical_form() -> None:
    """B14: accepted, and the same game."""
    _, bid = line_of(TEXT, "bid")
    dealer = GAME.months[0].dealer
    blind = TEXT.replace("\nhand 1", f"\nblind {dealer}\nhand 1", 1)
    other_bids = [word for word in bid.split()[1:] if word[0] != str(dealer)]
    short = blind.replace(bid, "bid " + " ".join(other_bids), 1)
    full = blind.replace(bid, f"bid {dealer}in " + " ".join(other_bids), 1)
    shortened, complete = verify(read(short)), verify(read(full))
    assert shortened.text == complete.text == short
    assert shortened.verdict.identity == complete.verdict.identity


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_message_of_a_bid_out_of_turn_cites_the_reading(lang: str) -> None:
    _, bid = line_of(TEXT, "bid")
    turned = "bid " + " ".join(reversed(bid.split()[1:]))
    error = verify(read(TEXT.replace(bid, turned, 1))).verdict.to_json(lang)["error"]
    assert "B3" in error["message"]


#: Seat 2 goes out, seat 5 is shut out: their hands lie in the stock. Seat 4's is not known.
SUNK = """[Kafu "1"]
[Rules "{rules}"]
[Termination "unfinished"]
[Player1 "A"]
[Player2 "B"]
[Player3 "C"]
[Player4 "D"]
[Player5 "E"]

month 1 dealer 1
hand 1 ABEFIJM
hand 2 {left}
hand 3 CGKOSWa
hand 4 ???????
hand 5 cdghklo
field efijmp
stock {stock}
bid 1in 2out 3in 4in
"""


@pytest.mark.parametrize("rules", ["hachihachi-bga", "ten-five-one"])
@pytest.mark.parametrize(
    ("left", "stock", "code"),
    [
        ("NQRUVYZ", "nqrstuvNQRUVYZcdghklo", None),
        ("NQRUVYZ", "nqrstuvDQRUVYZcdghklo", "stock-lacks"),
        ("NQRUVYZ", "nqrstuvNQRUVYZcdghklD", "stock-lacks"),
        ("NQRU???", "nqrstuvDQRUVYZcdghklo", "stock-lacks"),
        ("NQRU???", "nqrstuvNQRUDYZcdghklo", None),
        ("NQRUVYZ", "qrstuvDQRUVYZcdghklo...", None),
        ("NQRUVYZ", "nqrstuvDQRUVYZcdghkl", "stock-size"),
        ("NQRUVYZ", "nqrstuvDQRUVYZcdghkl...", "stock-lacks"),
        ("NQRUVYZ", "...", None),
    ],
)
def test_known_card_returned_to_the_stock_must_be_in_it(
    rules: str, left: str, stock: str, code: str | None
) -> None:
    """B5, T3: or the card may be in the unknown part."""
    verdict = verify(read(SUNK.format(rules=rules, left=left, stock=stock))).verdict.to_json()
    error = verdict["error"] or {"code": None}
    assert error["code"] == code
    if code == "stock-lacks":
        assert (error["line"], error["column"], error["turn"]) == (17, 1, None)


def test_card_returned_to_the_stock_is_turned_before_the_stock_is_empty() -> None:
    """B5, T3: the last two cards are the two returned cards, so no other card is turned."""
    table = TableCards((0,) * 4, (0,) * 4, 0, (0,) * 4, (), 2, cards.mask("A"), cards.mask("NQ"))
    assert [cards.letters(turn.card) for turn in table.turns()] == ["N", "Q"]
    for card, code in (("B", codes.STOCK_LACKS), ("A", codes.NOT_IN_STOCK)):
        with pytest.raises(Illegal) as caught:
            table.turn(0, cards.BIT[card], 0)
        assert caught.value.code is code
    table.turn(0, cards.BIT["N"], 0)
    assert [cards.letters(turn.card) for turn in table.turns()] == ["Q"]

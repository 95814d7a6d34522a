"""Declarations and turns of a deal that is dealt again (C10): declarations, never turns."""

from __future__ import annotations

from typing import Any

import pytest

from kafu import cards
from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.rules import codes
from kafu.rules.koikoi.machine import Koikoi
from kafu.rules.koikoi.profiles import PROFILES
from kafu.rules.play.actions import Action, Begin, Deal, Illegal, Redeal, ShowAction
from kafu.rules.play.machine import Machine
from kafu.rules.rulesets import machine_of

#: A hand with 三本 of pine, seven of one card a month and seven more; the field has no four.
HANDS = ("ABCEIMQ", "DFJNRUY", "GKOSVZc", "abdeghi", "jklmnop")
FIELD = "HLPTWX"


def judge(rules: str, text: str, players: int = 3) -> dict[str, Any]:
    """Return the verdict on one deal of a record that stops there; its first line is line 1."""
    seats = "".join(f'[Player{seat} "P{seat}"] ' for seat in range(1, players + 1)).split("] ")
    tags = ['[Kafu "1"', f'[Rules "{rules}"', '[Termination "unfinished"', *seats[:-1]]
    return verify(read("".join(f"{tag}]\n" for tag in tags) + text)).verdict.to_json()


def deal(
    rules: str, end: str, hands: tuple[str, ...] = HANDS, players: int = 3, *bid: str
) -> dict[str, Any]:
    lines = [f"hand {seat} {hand}" for seat, hand in enumerate(hands[:players], 1) if hand]
    text = "\n".join(["month 1 dealer 1", *lines, f"field {FIELD}", "stock ...", *bid, end, ""])
    return judge(rules, text, players)


def after(rules: Machine[Any], state: Any, *actions: Action) -> Any:
    for action in actions:
        state, _ = rules.apply(state, action)
    return state


def refused(rules: Machine[Any], state: Any, action: Action) -> Illegal:
    with pytest.raises(Illegal) as caught:
        rules.apply(state, action)
    return caught.value


def place(verdict: dict[str, Any]) -> tuple[object, ...]:
    error = verdict["error"]
    return error["code"], error["line"], error["column"], error["deal"], error["turn"]


@pytest.mark.parametrize("rules", ["hachihachi", "hachihachi-bga", "ten-five-one"])
def test_false_declaration_before_a_misdeal_is_refused(rules: str) -> None:
    """C10, H22: the payment is returned, but a false declaration is refused at its own line."""
    right = deal(rules, "show 1 sanbon ABC\nredeal misdeal")
    assert (right["error"], right["deals"][0]["ledger"]) == (None, [])
    for show, code in (
        ("show 1 tatesanbon ABC", "show-lower"),
        ("show 1 sanbon ABE", "show-cards"),
        ("show 3 sanbon GKO", "show-false"),
        ("show 1 sanbon ABC\nshow 1 sanbon ABC", "show-twice"),
    ):
        if (rules, code) == ("ten-five-one", "show-lower"):
            continue
        verdict = deal(rules, f"{show}\nredeal misdeal")
        line = 13 + show.count("\n")
        assert place(verdict) == (code, line, 1, 1, None), show


def test_declaration_of_a_misdealt_hand_is_not_refused() -> None:
    """H25: the cards need not be right; the record is then only consistent."""
    for hands in (("ABCEIMQo", *HANDS[1:]), ("", *HANDS[1:]), ("ABCEIM", *HANDS[1:])):
        verdict = deal("hachihachi", "show 1 sanbon ABC\nredeal misdeal", hands)
        assert verdict["error"] is None, hands


def test_declaration_before_the_bids_of_a_misdeal_is_refused() -> None:
    """C10, B3, T3: a player who is out declares nothing, and nobody declares during the bids."""
    bid = "bid 1in 2out 3out"
    for rules in ("hachihachi-bga", "ten-five-one"):
        for show, bids, code in (
            ("show 1 sanbon ABC", bid, None),
            ("show 2 sanbon DFJ", bid, "seat-is-out"),
            ("show 1 sanbon ABC", "bid 1in", "bid-due"),
            ("", "bid 2in", "bid-out-of-turn"),
            ("", "bid 1in", None),
        ):
            end = f"{show}\nredeal misdeal" if show else "redeal misdeal"
            verdict = deal(rules, end, HANDS, 5, bids)
            assert (verdict["error"] and verdict["error"]["code"]) == code, (rules, show, bids)


def test_false_declaration_is_voided_once_before_a_misdeal() -> None:
    """H25: a void-show may be said at any time."""
    end = "show 2 sanbon DFJ\n1. =void-show 2\nredeal misdeal"
    assert deal("hachihachi", end)["error"] is None
    end = "show 2 sanbon DFJ\n1. =void-show 2 =void-show 2\nredeal misdeal"
    assert place(deal("hachihachi", end))[:3] == ("void-show-twice", 14, 17)
    end = "show 1 sanbon ABC\n1. =void-show 1\nredeal misdeal"
    assert place(deal("hachihachi", end))[0] == "void-show-of-right"
    assert place(deal("hachihachi", "1. =torikeshi 2\nredeal misdeal"))[:2] == ("deal-over", 13)


def test_four_on_the_field_is_dealt_again_before_any_declaration() -> None:
    """T2, C10: 場四 is dealt again immediately, so nobody can have declared before."""
    rules = machine_of("ten-five-one", {}, 3)
    hands = {1: "ABCEIMQ", 2: "DFJNRUY", 3: "GKOSVZc"}
    state = after(rules, rules.start(), Deal(1, 1, hands, "stuvHL", None, True))
    assert rules.legal_actions(state) == [Redeal("ba4")]
    show = ShowAction(1, ("sanbon",), cards.mask("ABC"))
    caught = refused(rules, state, show)
    assert (caught.code, caught.expected) == (codes.REDEAL_DUE, ("redeal ba4",))
    text = "".join(f"hand {seat} {hand}\n" for seat, hand in hands.items())
    text = f"month 1 dealer 1\n{text}field HLstuv\nstock ...\nshow 1 sanbon ABC\nredeal ba4\n"
    assert place(judge("ten-five-one", text)) == ("redeal-due", 13, 1, 1, None)


def test_shima_after_two_declarations_of_equal_value_is_nagare() -> None:
    """K3, C10: the declarations come first; equal values make the month 流れ, like シマ."""
    rules = Koikoi(PROFILES["koikoi"])
    hands = {1: "ABEFIJMN", 2: "QRUVYZcd"}
    shown = after(rules, rules.start(), Deal(1, 1, hands, "opqrCGKO", None, True))
    for seat, hand in hands.items():
        shown = after(rules, shown, ShowAction(seat, ("kuttsuki",), cards.mask(hand)))
        if seat == 1:
            assert refused(rules, shown, Redeal("shima")).code is codes.REDEAL_GROUNDLESS
    by_shima, by_shows = (after(rules, shown, action) for action in (Redeal("shima"), Begin()))
    assert by_shima == by_shows
    assert by_shima.result.end == "nagare"


@pytest.mark.parametrize(
    ("rules", "hand", "canonical", "other", "opened"),
    [
        ("hachihachi", "CDBGKOS", "tanichi+sanbon", "sanbon+tanichi", "BCDGKOS"),
        ("hachihachi-bga", "CDBGKOS", "tanichi+sanbon", "sanbon+tanichi", "BCDGKOS"),
        ("ten-five-one", "ABCFJQk", "sanbon+nasake", "nasake+sanbon", "ABCFJ"),
    ],
)
def test_compound_in_another_order_is_the_same_declaration(
    rules: str, hand: str, canonical: str, other: str, opened: str
) -> None:
    """Yaku ids: legal, with a warning; the same game."""
    remaining = [card for card in cards.LETTERS if card not in hand + FIELD]
    hands = ("".join(remaining[:7]), hand, "".join(remaining[7:14]))
    right, turned = (
        deal(rules, f"show 2 {name} {opened}\nredeal misdeal", hands) for name in (canonical, other)
    )
    assert (right["error"], turned["error"]) == (None, None)
    assert turned["identity"] == right["identity"]
    assert [warning["code"] for warning in turned["warnings"]] == ["alias"]
